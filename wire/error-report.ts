import { failure, GarnerError } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import { packRecord, unpackRecord } from './message.ts';

const maxMessageLength = 500;

/** What a peer is told of a failure: code and message of our own errors, nothing of anything else. */
export function reportBytes(reason: unknown): { bytes: Uint8Array; error: GarnerError } {
  const error = reason instanceof GarnerError ? reason : failure(wireErrors.WIRE_CANCELLED, {}, reason);
  const [code, message] =
    reason instanceof GarnerError ? [reason.code, reason.message] : ['INTERNAL', 'an internal error'];
  return { bytes: packRecord({ code, message: message.slice(0, maxMessageLength) }), error };
}

/** The failure that a peer reports, its text cut to size. Throws WIRE_MESSAGE when it is no report. */
export function remoteFault(payload: Uint8Array): GarnerError {
  const record = unpackRecord(payload);
  const code =
    typeof record.code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(record.code) ? record.code : 'UNKNOWN';
  const message = typeof record.message === 'string' ? record.message.slice(0, maxMessageLength) : '';
  return failure(wireErrors.WIRE_REMOTE, { code, message });
}
