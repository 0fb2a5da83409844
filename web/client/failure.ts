import { type Refusal, readRefusal } from './answers.ts';
import type { BrokerError } from './broker-request.ts';

/** Why there is no answer, in words for the reader: what happened and what to do. */
export interface Failure {
  readonly what: string;
  readonly cure: string;
  /** Whether asking again by itself may help. */
  readonly passing: boolean;
}

/** The reader's own machine has no network. */
export const offline: Failure = {
  what: 'You are offline',
  cure: 'The search continues when the connection is back.',
  passing: true,
};

/** Nothing came back. */
export const silent: Failure = {
  what: 'The Broker does not answer',
  cure: 'It may be restarting. This page retries every few seconds.',
  passing: true,
};

/** Something came back that is not an answer. */
export const unreadable: Failure = {
  what: 'The answer cannot be read',
  cure: 'Reload the page: the Broker may have been updated since it was opened.',
  passing: false,
};

/** The Broker's refusal: its own message and hint (`readRefusal`), or a general text. */
export const refused = (status: number, json: unknown): Failure => worded(status, readRefusal(json));

function worded(status: number, { message, hint }: Omit<Refusal, 'code'>): Failure {
  const passing = status >= 500 || status === 429;
  return {
    what: message || (passing ? 'The Broker cannot answer now' : 'The Broker refused this search'),
    cure: hint || (passing ? 'This page retries every few seconds.' : 'Try other words.'),
    passing,
  };
}

/** Why the client has no answer; `online`: whether the reader's machine has a network. */
export function failureOf({ code, status, refusal }: BrokerError, online: boolean): Failure {
  if (code === 'CLIENT_UNREACHABLE' || code === 'CLIENT_TIMEOUT') return online ? silent : offline;
  if (code === 'CLIENT_ANSWER' || code === 'CLIENT_TOO_LARGE' || status === null) return unreadable;
  return worded(status, refusal);
}

/** Read a `Failure` that the server put into the page. */
export function readTrouble(json: unknown): Failure | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { what, cure, passing } = json as Record<string, unknown>;
  if (typeof what !== 'string' || typeof cure !== 'string') return undefined;
  return { what, cure, passing: passing === true };
}
