import { shown } from './remote-text.ts';

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

/** The Broker's refusal: its own message and hint (`{message, hint}`, bare or under `error`), or a general text. */
export function refused(status: number, json: unknown): Failure {
  const outer = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  const inner = outer.error;
  const body = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : outer;
  const said = (value: unknown) => (typeof value === 'string' ? shown(value, 200) : '');
  const passing = status >= 500 || status === 429;
  return {
    what: said(body.message) || (passing ? 'The Broker cannot answer now' : 'The Broker refused this search'),
    cure: said(body.hint) || (passing ? 'This page retries every few seconds.' : 'Try other words.'),
    passing,
  };
}

/** Read a `Failure` that the server put into the page. */
export function readTrouble(json: unknown): Failure | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { what, cure, passing } = json as Record<string, unknown>;
  if (typeof what !== 'string' || typeof cure !== 'string') return undefined;
  return { what, cure, passing: passing === true };
}
