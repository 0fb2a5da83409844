import {
  type Change,
  type Handle,
  handleBytes,
  handleFrom,
  handleOf,
  type ObjectDelta,
  type PublishedObject,
  signatureBytes,
} from '../awareness/index.ts';
import type { ServerId } from '../soif/index.ts';
import type { Message } from '../wire/index.ts';
import { bad, bytesField, serverIdBytes, serverIdField, timeField } from './fields.ts';

/** An object as received: OID and digest follow from the body, so they are not sent. */
export interface ReceivedObject {
  readonly body: Uint8Array;
  readonly updatedAt: number;
  readonly signature: Uint8Array;
  readonly publisher: ServerId;
}

/** A refresh as received: the client has its object. */
export interface ReceivedRefresh {
  readonly handle: Handle;
  readonly updatedAt: number;
  readonly signature: Uint8Array;
  readonly publisher: ServerId;
}

type Item = readonly unknown[];

/** An object as an item; `speaker` is the sender and need not be named again. */
export function objectItem(object: PublishedObject, speaker: ServerId): Item {
  const { body, updatedAt, signature, publisher } = object;
  return publisher === speaker
    ? [body, updatedAt, signature]
    : [body, updatedAt, signature, serverIdBytes(publisher)];
}

export function readObjectItem(item: unknown, type: string, speaker: ServerId): ReceivedObject {
  if (!Array.isArray(item) || item.length < 3 || item.length > 4) bad(type, 'has a malformed object');
  const [body, updatedAt, signature, publisher] = item as unknown[];
  return {
    body: bytesField(body, type, 'body'),
    updatedAt: timeField(updatedAt, type),
    signature: bytesField(signature, type, 'signature', 64),
    publisher: publisher === undefined ? speaker : serverIdField(publisher, type),
  };
}

/** An object as its difference from its last version. */
export interface ReceivedDelta extends Omit<ReceivedObject, 'body'> {
  readonly handle: Handle;
  readonly base: Uint8Array;
  readonly delta: Uint8Array;
}

export function deltaItem(object: PublishedObject, { base, bytes }: ObjectDelta, speaker: ServerId): Item {
  const { oid, updatedAt, signature, publisher } = object;
  const item = [Buffer.from(handleOf(oid), 'latin1'), base, bytes, updatedAt, signature];
  return publisher === speaker ? item : [...item, serverIdBytes(publisher)];
}

export function readDeltaItem(item: unknown, type: string, speaker: ServerId): ReceivedDelta {
  if (!Array.isArray(item) || item.length < 5 || item.length > 6) bad(type, 'has a malformed change');
  const [handle, base, delta, updatedAt, signature, publisher] = item as unknown[];
  return {
    handle: handleFrom(bytesField(handle, type, 'handle', handleBytes)),
    base: bytesField(base, type, 'base', signatureBytes),
    delta: bytesField(delta, type, 'change'),
    updatedAt: timeField(updatedAt, type),
    signature: bytesField(signature, type, 'signature', 64),
    publisher: publisher === undefined ? speaker : serverIdField(publisher, type),
  };
}

/** A refresh as an item. */
export function refreshItem({ refresh }: Change & { kind: 'refresh' }, speaker: ServerId): Item {
  const { oid, updatedAt, signature, publisher } = refresh;
  const item = [Buffer.from(handleOf(oid), 'latin1'), updatedAt, signature];
  return publisher === speaker ? item : [...item, serverIdBytes(publisher)];
}

export function readRefreshItem(item: unknown, type: string, speaker: ServerId): ReceivedRefresh {
  if (!Array.isArray(item) || item.length < 3 || item.length > 4) bad(type, 'has a malformed refresh');
  const [handle, updatedAt, signature, publisher] = item as unknown[];
  return {
    handle: handleFrom(bytesField(handle, type, 'handle', handleBytes)),
    updatedAt: timeField(updatedAt, type),
    signature: bytesField(signature, type, 'signature', 64),
    publisher: publisher === undefined ? speaker : serverIdField(publisher, type),
  };
}

/** Servers with their public keys: 16 and 32 bytes each. */
export function keysField(keys: readonly (readonly [ServerId, Uint8Array])[]): Uint8Array {
  return Buffer.concat(keys.flatMap(([server, key]) => [serverIdBytes(server), key]));
}

/** The keys that come with at most `max` items of a message: no more keys than items. */
export function readKeys({ type, keys }: Message, max: number): readonly (readonly [ServerId, Uint8Array])[] {
  if (keys === undefined) return [];
  const joined = bytesField(keys, type, 'keys');
  if (joined.length % 48 !== 0 || joined.length > max * 48) bad(type, 'has no valid keys');
  return Array.from({ length: joined.length / 48 }, (_, i) => {
    const at = i * 48;
    return [serverIdField(joined.slice(at, at + 16), type), joined.slice(at + 16, at + 48)];
  });
}
