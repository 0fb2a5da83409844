import {
  type Entry,
  handleOf,
  type Lsn,
  type Noted,
  type ObjectDelta,
  type Refresh,
  signatureOf,
} from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Oid, ServerId } from '../../soif/index.ts';
import { storeErrors } from '../errors.ts';

export interface ObjectMeta {
  readonly lsn: number;
  readonly contentLsn: number;
  /** Seconds since 1970. */
  readonly updatedAt: number;
  readonly ttlSeconds: number;
  /** The time from which the time-to-live counts: the Update-Time, unless that is far ahead. */
  readonly countedFrom: number;
  /** Length of the body row. */
  readonly bodyBytes: number;
  readonly digest: Uint8Array;
  readonly publisher: ServerId;
  readonly signature: Uint8Array;
  /** Partitions that hold it, the one that it counts for first; `own-claim.ts` has the meaning of 0 and of none. */
  readonly partitions: readonly number[];
  readonly url: string;
  /** Versions with this Update-Time or an earlier one were withdrawn by the publisher; 0 for none. */
  readonly withdrawnAt: number;
}

const fixed = 1 + 6 + 6 + 6 + 5 + 32 + 16 + 64 + 4 + 2;

/** The second and fourth format have the time of a withdrawal behind the partitions, the third and fourth `countedFrom`. */
const formats = [1, 2, 3, 4];
const timeBytes = 6;

/** A longer time-to-live is cut to this: the row has 5 bytes for it (some 34,000 years). */
const maxTtlSeconds = 2 ** 40 - 1;
/** An Update-Time further ahead is that of a wrong clock, or of a publisher whose objects should never expire. */
const maxAheadSeconds = 86_400;

/** What a store allows to an object: the present time, and the max time-to-live. */
export interface LifeBounds {
  readonly nowMs: number;
  readonly maxTtlSeconds: number;
}

/** The life of an object within these bounds. */
export function lifeOf(
  updatedAt: number,
  ttlSeconds: number,
  bounds: LifeBounds,
): Pick<ObjectMeta, 'ttlSeconds' | 'countedFrom'> {
  const now = Math.floor(bounds.nowMs / 1000);
  return {
    ttlSeconds: Math.min(ttlSeconds, bounds.maxTtlSeconds, maxTtlSeconds),
    countedFrom: updatedAt > now + maxAheadSeconds ? now : updatedAt,
  };
}

/** When an object ends, in milliseconds since 1970. */
export function expiresAtMs(meta: Pick<ObjectMeta, 'countedFrom' | 'ttlSeconds'>): number {
  return (meta.countedFrom + meta.ttlSeconds) * 1000;
}

export function encodeMeta(meta: ObjectMeta): Uint8Array {
  const url = Buffer.from(meta.url, 'utf8');
  const times = [
    ...(meta.withdrawnAt > 0 ? [meta.withdrawnAt] : []),
    ...(meta.countedFrom === meta.updatedAt ? [] : [meta.countedFrom]),
  ];
  const timesAt = fixed + meta.partitions.length * 4;
  const urlAt = timesAt + times.length * timeBytes;
  const bytes = Buffer.alloc(urlAt + url.length);
  bytes[0] = 1 + (meta.withdrawnAt > 0 ? 1 : 0) + (meta.countedFrom === meta.updatedAt ? 0 : 2);
  bytes.writeUIntBE(meta.lsn, 1, 6);
  bytes.writeUIntBE(meta.contentLsn, 7, 6);
  bytes.writeUIntBE(meta.updatedAt, 13, 6);
  bytes.writeUIntBE(meta.ttlSeconds, 19, 5);
  bytes.set(meta.digest, 24);
  bytes.set(Buffer.from(meta.publisher, 'base64url'), 56);
  bytes.set(meta.signature, 72);
  bytes.writeUInt32BE(meta.bodyBytes, 136);
  bytes.writeUInt16BE(meta.partitions.length, 140);
  meta.partitions.forEach((partition, i) => {
    bytes.writeUInt32BE(partition, fixed + i * 4);
  });
  times.forEach((time, i) => {
    bytes.writeUIntBE(time, timesAt + i * timeBytes, timeBytes);
  });
  bytes.set(url, urlAt);
  return bytes;
}

export function decodeMeta(value: Uint8Array): ObjectMeta {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length < fixed || !formats.includes(bytes[0] as number))
    throw failure(storeErrors.STORE_CORRUPT, { what: 'an object row' });
  const members = bytes.readUInt16BE(140);
  const timeAt = fixed + members * 4;
  const flags = (bytes[0] as number) - 1;
  const isWithdrawn = (flags & 1) !== 0;
  const countedAt = timeAt + (isWithdrawn ? timeBytes : 0);
  const hasCounted = (flags & 2) !== 0;
  const updatedAt = bytes.readUIntBE(13, 6);
  return {
    lsn: bytes.readUIntBE(1, 6),
    contentLsn: bytes.readUIntBE(7, 6),
    updatedAt,
    ttlSeconds: bytes.readUIntBE(19, 5),
    countedFrom: hasCounted ? bytes.readUIntBE(countedAt, timeBytes) : updatedAt,
    digest: bytes.subarray(24, 56),
    publisher: bytes.subarray(56, 72).toString('base64url') as ServerId,
    signature: bytes.subarray(72, 136),
    bodyBytes: bytes.readUInt32BE(136),
    partitions: Array.from({ length: members }, (_, i) => bytes.readUInt32BE(fixed + i * 4)),
    url: bytes.subarray(hasCounted ? countedAt + timeBytes : countedAt).toString('utf8'),
    withdrawnAt: isWithdrawn ? bytes.readUIntBE(timeAt, timeBytes) : 0,
  };
}

/** The fields of an object's row by which it is compared. */
export function decodeEntry(value: Uint8Array): Omit<Entry, 'oid'> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length < fixed || !formats.includes(bytes[0] as number))
    throw failure(storeErrors.STORE_CORRUPT, { what: 'an object row' });
  return {
    lsn: bytes.readUIntBE(1, 6),
    contentLsn: bytes.readUIntBE(7, 6),
    digest: bytes.subarray(24, 56),
  };
}

/** The note that an object exists, and with which content. */
export function noteOf(lsn: Lsn, oid: Oid, digest: Uint8Array): Noted {
  return { kind: 'note', lsn, handle: handleOf(oid), signature: signatureOf(digest) };
}

export function refreshOf(oid: Oid, meta: Omit<Refresh, 'oid'>): Refresh {
  const { publisher, updatedAt, signature } = meta;
  return { oid, publisher, updatedAt, signature };
}

/** An object's difference from the version before: that version's LSN and signature, and the delta. */
export function encodeDelta({ contentLsn, digest }: ObjectMeta, delta: Uint8Array): Uint8Array {
  const head = Buffer.alloc(6 + 16);
  head.writeUIntBE(contentLsn, 0, 6);
  head.set(signatureOf(digest), 6);
  return Buffer.concat([head, delta]);
}

export function decodeDelta(value: Uint8Array): { readonly baseLsn: number; readonly delta: ObjectDelta } {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length < 22) throw failure(storeErrors.STORE_CORRUPT, { what: 'a delta' });
  return {
    baseLsn: bytes.readUIntBE(0, 6),
    delta: { base: bytes.subarray(6, 22), bytes: bytes.subarray(22) },
  };
}

/** A row of the change log: the last change of an object, and when it was written. */
export type LogRow = { readonly oid: Oid; readonly atMs: number } & (
  | { readonly kind: 'put' | 'refresh' }
  | { readonly kind: 'delete'; readonly url: string }
);

const logKinds = ['put', 'refresh', 'delete'] as const;

export function encodeLogRow(row: LogRow): Uint8Array {
  const bytes = Buffer.alloc(39);
  bytes[0] = 1 + logKinds.indexOf(row.kind);
  bytes.set(Buffer.from(row.oid, 'base64url'), 1);
  bytes.writeUIntBE(row.atMs, 33, 6);
  return row.kind === 'delete' ? Buffer.concat([bytes, Buffer.from(row.url, 'utf8')]) : bytes;
}

/** The OID in a row of the change log, as bytes; none of a deleted object. */
export function oidInLogRow(value: Uint8Array): Uint8Array | undefined {
  const kind = logKinds[(value[0] ?? 0) - 1];
  if (kind === undefined || value.length < 39)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a log row' });
  return kind === 'delete' ? undefined : value.subarray(1, 33);
}

export function decodeLogRow(value: Uint8Array): LogRow {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const kind = logKinds[(bytes[0] ?? 0) - 1];
  if (kind === undefined || bytes.length < 39)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a log row' });
  const oid = bytes.subarray(1, 33).toString('base64url') as Oid;
  const atMs = bytes.readUIntBE(33, 6);
  return kind === 'delete'
    ? { kind, oid, atMs, url: bytes.subarray(39).toString('utf8') }
    : { kind, oid, atMs };
}
