import { failure, GarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { Decision } from './decision.ts';

type Kind = Pick<Decision, 'outcome' | 'rule'>;

const noAnswer: Kind = { outcome: 'failed', rule: 'no-answer' };
const unusable: Kind = { outcome: 'refused', rule: 'request-unusable' };
const busy: Kind = { outcome: 'refused', rule: 'busy' };

const kinds: Readonly<Record<string, Kind>> = {
  CACHE_UNREACHABLE: noAnswer,
  CACHE_SILENT: noAnswer,
  CACHE_BROKEN_OFF: noAnswer,
  CACHE_BAD_RESPONSE: noAnswer,
  CACHE_ADDRESS_REFUSED: { outcome: 'refused', rule: 'address-refused' },
  CACHE_LOOP: { outcome: 'refused', rule: 'loop' },
  CACHE_ONLY_IF_CACHED: { outcome: 'refused', rule: 'only-if-cached' },
  CACHE_BAD_REQUEST: unusable,
  CACHE_CONTENT_TOO_LARGE: unusable,
  CACHE_METHOD: unusable,
  CACHE_BUSY: busy,
  CACHE_CLOSING: busy,
};

/** The error that the client gets: a typed error as it is, any other error without its message. */
export function clientsError(error: unknown): GarnerError {
  return error instanceof GarnerError ? error : failure(cacheErrors.CACHE_INTERNAL, {}, error);
}

/** Whether the error is a failure of the requested server or cache, rather than of the request or of this cache. */
export const isOfUpstream = ({ code }: GarnerError): boolean => kinds[code] === noAnswer;

/** The error as a decision states it, for the operator only: it may name a server that clients shall not see. */
export const reportedError = ({ code, message }: GarnerError): NonNullable<Decision['error']> => ({
  ...{ code, reason: message },
});

/** The decision after its content broke off: by an error, or because no client waited for the rest. */
export function brokenDecision(
  decision: Decision,
  brokenOff: NonNullable<Decision['brokenOff']>,
  error: GarnerError | undefined,
): Decision {
  const storedBy = error === undefined ? 'rest-unwanted' : 'broken-off';
  return {
    ...{ ...decision, brokenOff },
    ...(error !== undefined && { error: reportedError(error) }),
    ...(decision.stored === true && { stored: false, storedBy }),
  };
}

/** The decision on a request that gets an error of this cache in place of an answer. */
export function failedDecision(error: GarnerError): Decision {
  const kind = kinds[error.code] ?? { outcome: 'failed', rule: 'cache-failed' };
  return { ...kind, error: reportedError(error) };
}
