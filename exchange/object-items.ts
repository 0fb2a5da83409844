import {
  type Change,
  type Handle,
  handleBytes,
  handleFrom,
  handleOf,
  type ObjectDelta,
  type PublishedObject,
  type Refresh,
  signatureBytes,
  type Withdrawal,
} from '../awareness/index.ts';
import {
  decodeKeyLinks,
  encodeKeyLinks,
  type KeyLink,
  keyLinkBytes,
  type Oid,
  type ServerId,
} from '../soif/index.ts';
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
export interface ReceivedRefresh extends Omit<ReceivedObject, 'body'> {
  readonly handle: Handle;
}

type Item = readonly unknown[];

/** An item with its publisher, who is not named where it is the sender. */
export const itemBy = (publisher: ServerId, item: Item, speaker: ServerId): Item =>
  publisher === speaker ? item : [...item, serverIdBytes(publisher)];

/** The values of an item: `count` of them, and perhaps its publisher. */
export function valuesOf(item: unknown, count: number, type: string, what: string): Item {
  if (!Array.isArray(item) || item.length < count || item.length > count + 1)
    bad(type, `has a malformed ${what}`);
  return item as Item;
}

/** The values that every item has, checked. */
export function signedValues(
  updatedAt: unknown,
  signature: unknown,
  publisher: unknown,
  type: string,
  speaker: ServerId,
): Pick<ReceivedObject, 'updatedAt' | 'signature' | 'publisher'> {
  return {
    updatedAt: timeField(updatedAt, type),
    signature: bytesField(signature, type, 'signature', 64),
    publisher: publisher === undefined ? speaker : serverIdField(publisher, type),
  };
}

export function objectItem(object: PublishedObject, speaker: ServerId): Item {
  const { body, updatedAt, signature, publisher } = object;
  return itemBy(publisher, [body, updatedAt, signature], speaker);
}

export function readObjectItem(item: unknown, type: string, speaker: ServerId): ReceivedObject {
  const [body, updatedAt, signature, publisher] = valuesOf(item, 3, type, 'object');
  return {
    body: bytesField(body, type, 'body'),
    ...signedValues(updatedAt, signature, publisher, type, speaker),
  };
}

/** An object as its difference from its last version. */
export interface ReceivedDelta extends ReceivedRefresh {
  readonly base: Uint8Array;
  readonly delta: Uint8Array;
}

export function deltaItem(object: PublishedObject, { base, bytes }: ObjectDelta, speaker: ServerId): Item {
  const { oid, updatedAt, signature, publisher } = object;
  const item = [Buffer.from(handleOf(oid), 'latin1'), base, bytes, updatedAt, signature];
  return itemBy(publisher, item, speaker);
}

export function readDeltaItem(item: unknown, type: string, speaker: ServerId): ReceivedDelta {
  const [handle, base, delta, updatedAt, signature, publisher] = valuesOf(item, 5, type, 'change');
  return {
    handle: handleFrom(bytesField(handle, type, 'handle', handleBytes)),
    base: bytesField(base, type, 'base', signatureBytes),
    delta: bytesField(delta, type, 'change'),
    ...signedValues(updatedAt, signature, publisher, type, speaker),
  };
}

export function refreshItem({ refresh }: Change & { kind: 'refresh' }, speaker: ServerId): Item {
  return signedItem(refresh, speaker);
}

/** A withdrawal has the form of a refresh. */
export const withdrawalItem = (oid: Oid, withdrawal: Withdrawal, speaker: ServerId): Item =>
  signedItem({ oid, ...withdrawal }, speaker);

function signedItem({ oid, updatedAt, signature, publisher }: Refresh, speaker: ServerId): Item {
  const item = [Buffer.from(handleOf(oid), 'latin1'), updatedAt, signature];
  return itemBy(publisher, item, speaker);
}

/** A refresh, or a withdrawal, as `what` names it. */
export function readRefreshItem(
  item: unknown,
  type: string,
  speaker: ServerId,
  what = 'refresh',
): ReceivedRefresh {
  const [handle, updatedAt, signature, publisher] = valuesOf(item, 3, type, what);
  return {
    handle: handleFrom(bytesField(handle, type, 'handle', handleBytes)),
    ...signedValues(updatedAt, signature, publisher, type, speaker),
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

/** The links of publishers that changed their keys: a server id, their number, and the links. */
export function linksField(links: readonly (readonly [ServerId, readonly KeyLink[]])[]): Uint8Array {
  return Buffer.concat(
    links.flatMap(([server, each]) => [serverIdBytes(server), Buffer.of(each.length), encodeKeyLinks(each)]),
  );
}

/** The links that come with at most `max` items of a message; they are not verified yet. */
export function readLinks(
  { type, links }: Message,
  max: number,
): readonly (readonly [ServerId, readonly KeyLink[]])[] {
  if (links === undefined) return [];
  const joined = bytesField(links, type, 'links');
  const found: [ServerId, readonly KeyLink[]][] = [];
  for (let at = 0; at < joined.length; ) {
    const end = at + 17 + (joined[at + 16] ?? 0) * keyLinkBytes;
    const each = decodeKeyLinks(joined.slice(at + 17, end));
    if (end > joined.length || found.length >= max || each === undefined)
      return bad(type, 'has no valid links');
    found.push([serverIdField(joined.slice(at, at + 16), type), each]);
    at = end;
  }
  return found;
}
