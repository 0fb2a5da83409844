import { ByteReader, failure } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';
import type { Message } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';

// The checks of every message's reader: no field of a peer is used before it has passed one of these.

export function bad(type: string, reason: string): never {
  throw failure(exchangeErrors.EXCHANGE_MESSAGE, { type, reason });
}

/** The error for a message that is not allowed at this point. */
export function unexpected(message: Message): Error {
  return failure(exchangeErrors.EXCHANGE_MESSAGE, { type: message.type, reason: 'was not expected here' });
}

export function bytesField(value: unknown, type: string, field: string, length?: number): Uint8Array {
  if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length))
    bad(type, `has no valid ${field}`);
  return value;
}

/** Bytes of a whole number of records. */
export function recordsField(value: unknown, type: string, field: string, record: number): Uint8Array {
  if (value === undefined) return new Uint8Array(0);
  const bytes = bytesField(value, type, field);
  if (bytes.length % record !== 0) bad(type, `has no valid ${field}`);
  return bytes;
}

export function countField(value: unknown, type: string, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    bad(type, `has no valid ${field}`);
  return value;
}

/** Seconds since 1970 that fit the store's 6 bytes. */
export function timeField(value: unknown, type: string): number {
  const seconds = countField(value, type, 'time');
  if (seconds >= 2 ** 40) bad(type, 'has a time out of range');
  return seconds;
}

export function listField(value: unknown, type: string, field: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) bad(type, `has no valid ${field}`);
  return value as unknown[];
}

export const serverIdBytes = (id: ServerId): Uint8Array => Buffer.from(id, 'base64url');

export function serverIdField(value: unknown, type: string): ServerId {
  return Buffer.from(bytesField(value, type, 'publisher', 16)).toString('base64url') as ServerId;
}

/** Reads a field of a message of `type` from a peer; throws EXCHANGE_MESSAGE where it does not fit. */
export const fieldReader = (bytes: Uint8Array, type: string): ByteReader =>
  new ByteReader(bytes, (reason) => bad(type, reason));
