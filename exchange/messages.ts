import type {
  Change,
  Epoch,
  Lsn,
  Marker,
  PublishedObject,
  SourceState,
  VectorElement,
} from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import { type Oid, oidBytes, oidFromBytes, type ServerId } from '../soif/index.ts';
import type { Message } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { maxGet } from './settings.ts';

// The messages of an exchange. Everything a peer sends passes one of the readers below; what they return is
// well-formed, whatever was sent.

/** An object as it arrives: OID and digest follow from the body, so they do not travel. */
export interface ReceivedObject {
  readonly body: Uint8Array;
  readonly updatedAt: number;
  readonly signature: Uint8Array;
  readonly publisher: ServerId;
}

/** A vector element as it arrives, records still unverified. */
export type ReceivedElement =
  | { readonly kind: 'put'; readonly lsn: Lsn; readonly object: ReceivedObject }
  | Exclude<VectorElement, { kind: 'record' }>
  | { readonly kind: 'record'; readonly change: Exclude<Change, { kind: 'put' }> };

function bad(type: string, reason: string): never {
  throw failure(exchangeErrors.EXCHANGE_MESSAGE, { type, reason });
}

function bytes(value: unknown, type: string, field: string, length?: number): Uint8Array {
  if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length))
    bad(type, `has no valid ${field}`);
  return value;
}

function count(value: unknown, type: string, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    bad(type, `has no valid ${field}`);
  return value;
}

const serverId = (id: ServerId) => Buffer.from(id, 'base64url');
const epochBytes = (epoch: Epoch) => Buffer.from(epoch, 'base64url');
const epochFrom = (value: Uint8Array) => Buffer.from(value).toString('base64url') as Epoch;

/** What a client asks with: its marker, what it holds, and a scheme when it insists on one. */
export interface CollectRequest {
  readonly marker: Marker | undefined;
  readonly held: number;
  readonly fingerprint: Uint8Array;
  readonly scheme: string | undefined;
  readonly after: Oid | undefined;
}

export function collectMessage(request: CollectRequest): Message {
  const { marker, held, fingerprint, scheme, after } = request;
  return {
    type: 'collect',
    ...(marker === undefined ? {} : { epoch: epochBytes(marker.epoch), lsn: marker.lsn }),
    held,
    fp: fingerprint,
    ...(scheme === undefined ? {} : { scheme }),
    ...(after === undefined ? {} : { resume: oidBytes(after) }),
  };
}

export function readCollect({ type, ...fields }: Message): CollectRequest {
  const marker =
    fields.epoch === undefined
      ? undefined
      : { epoch: epochFrom(bytes(fields.epoch, type, 'epoch', 12)), lsn: count(fields.lsn, type, 'lsn') };
  if (fields.scheme !== undefined && typeof fields.scheme !== 'string') bad(type, 'has no valid scheme');
  return {
    marker,
    held: count(fields.held, type, 'held'),
    fingerprint: bytes(fields.fp, type, 'fp', 16),
    scheme: fields.scheme as string | undefined,
    after: fields.resume === undefined ? undefined : oidFromBytes(bytes(fields.resume, type, 'resume', 32)),
  };
}

export function stateMessage(type: 'begin' | 'state' | 'hint', state: SourceState, scheme?: string): Message {
  return {
    type,
    ...(scheme === undefined ? {} : { scheme }),
    epoch: epochBytes(state.epoch),
    lsn: state.lsn,
    horizon: state.horizon,
    count: state.count,
    fp: state.fingerprint,
  };
}

export function readState({ type, ...fields }: Message): SourceState {
  return {
    epoch: epochFrom(bytes(fields.epoch, type, 'epoch', 12)),
    lsn: count(fields.lsn, type, 'lsn'),
    horizon: count(fields.horizon, type, 'horizon'),
    count: count(fields.count, type, 'count'),
    fingerprint: bytes(fields.fp, type, 'fp', 16),
  };
}

type Item = readonly unknown[];

const tags = { put: 0, refresh: 1, delete: 2, handle: 3, signature: 4 } as const;

/** An object as an item; `speaker` is who sends it and need not be named again. */
export function objectItem(object: PublishedObject, speaker: ServerId): Item {
  const { body, updatedAt, signature, publisher } = object;
  return publisher === speaker
    ? [body, updatedAt, signature]
    : [body, updatedAt, signature, serverId(publisher)];
}

export function readObjectItem(item: unknown, type: string, speaker: ServerId): ReceivedObject {
  if (!Array.isArray(item) || item.length < 3 || item.length > 4) bad(type, 'has a malformed object');
  const [body, updatedAt, signature, publisher] = item as unknown[];
  return {
    body: bytes(body, type, 'body'),
    updatedAt: timestamp(updatedAt, type),
    signature: bytes(signature, type, 'signature', 64),
    publisher: publisher === undefined ? speaker : publisherFrom(publisher, type),
  };
}

function publisherFrom(value: unknown, type: string): ServerId {
  return Buffer.from(bytes(value, type, 'publisher', 16)).toString('base64url') as ServerId;
}

/** Seconds since 1970 that fit the store's 6 bytes. */
function timestamp(value: unknown, type: string): number {
  const seconds = count(value, type, 'time');
  if (seconds >= 2 ** 40) bad(type, 'has a time out of range');
  return seconds;
}

export function elementItem(element: VectorElement, speaker: ServerId): Item {
  if (element.kind === 'handle') return [tags.handle, oidBytes(element.oid), element.lsn, element.gone];
  if (element.kind === 'signature') return [tags.signature, oidBytes(element.oid), element.digest];
  const { change } = element;
  if (change.kind === 'put') return [tags.put, change.lsn, ...objectItem(change.object, speaker)];
  if (change.kind === 'delete') return [tags.delete, change.lsn, oidBytes(change.oid)];
  const { oid, updatedAt, signature, publisher } = change.refresh;
  const item = [tags.refresh, change.lsn, oidBytes(oid), updatedAt, signature];
  return publisher === speaker ? item : [...item, serverId(publisher)];
}

/** Servers with their public keys: 16 and 32 bytes each. */
export function keysField(keys: readonly (readonly [ServerId, Uint8Array])[]): Uint8Array {
  return Buffer.concat(keys.flatMap(([server, key]) => [serverId(server), key]));
}

/** The keys that come with the items of a message: no more of them than items. */
export function readKeys({ type, ...fields }: Message): readonly (readonly [ServerId, Uint8Array])[] {
  if (fields.keys === undefined) return [];
  const joined = bytes(fields.keys, type, 'keys');
  const most = Array.isArray(fields.items) ? fields.items.length : 0;
  if (joined.length % 48 !== 0 || joined.length > most * 48) bad(type, 'has no valid keys');
  return Array.from({ length: joined.length / 48 }, (_, i) => {
    const at = i * 48;
    return [publisherFrom(joined.subarray(at, at + 16), type), joined.slice(at + 16, at + 48)];
  });
}

export function readVector({ type, ...fields }: Message, speaker: ServerId): readonly ReceivedElement[] {
  if (!Array.isArray(fields.items)) bad(type, 'has no items');
  return (fields.items as unknown[]).map((item) => readElement(item, type, speaker));
}

function readElement(item: unknown, type: string, speaker: ServerId): ReceivedElement {
  if (!Array.isArray(item)) bad(type, 'has a malformed item');
  const [tag, first, ...rest] = item as unknown[];
  const oid = (value: unknown) => oidFromBytes(bytes(value, type, 'oid', 32));
  switch (tag) {
    case tags.put:
      return { kind: 'put', lsn: count(first, type, 'lsn'), object: readObjectItem(rest, type, speaker) };
    case tags.refresh: {
      const refresh = {
        oid: oid(rest[0]),
        publisher: rest[3] === undefined ? speaker : publisherFrom(rest[3], type),
        updatedAt: timestamp(rest[1], type),
        signature: bytes(rest[2], type, 'signature', 64),
      };
      return { kind: 'record', change: { kind: 'refresh', lsn: count(first, type, 'lsn'), refresh } };
    }
    case tags.delete:
      return {
        kind: 'record',
        change: { kind: 'delete', lsn: count(first, type, 'lsn'), oid: oid(rest[0]) },
      };
    case tags.handle:
      return { kind: 'handle', oid: oid(first), lsn: count(rest[0], type, 'lsn'), gone: rest[1] === true };
    case tags.signature:
      return { kind: 'signature', oid: oid(first), digest: bytes(rest[0], type, 'digest', 32) };
    default:
      return bad(type, 'has an item of an unknown kind');
  }
}

export function getMessage(oids: readonly Oid[]): Message {
  return { type: 'get', oids: Buffer.concat(oids.map(oidBytes)) };
}

/** The OIDs of a `get` or `missing` message. */
export function readOids({ type, ...fields }: Message): readonly Oid[] {
  const joined = bytes(fields.oids, type, 'oids');
  if (joined.length % 32 !== 0 || joined.length > maxGet * 32) bad(type, 'has no valid oids');
  return Array.from({ length: joined.length / 32 }, (_, i) =>
    oidFromBytes(joined.subarray(i * 32, i * 32 + 32)),
  );
}
