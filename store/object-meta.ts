import { failure } from '../kernel/index.ts';
import type { Oid, ServerId } from '../soif/index.ts';
import { storeErrors } from './errors.ts';

/** What the store keeps of an object beside its body. */
export interface ObjectMeta {
  readonly lsn: number;
  readonly contentLsn: number;
  /** Seconds since 1970. */
  readonly updatedAt: number;
  readonly ttlSeconds: number;
  /** Length of the body row. */
  readonly bodyBytes: number;
  readonly digest: Uint8Array;
  readonly publisher: ServerId;
  readonly signature: Uint8Array;
  /** Partitions that hold it; empty in a store without partitions. */
  readonly partitions: readonly number[];
  readonly url: string;
}

const fixed = 1 + 6 + 6 + 6 + 5 + 32 + 16 + 64 + 4 + 2;

/** When an object ends, in milliseconds since 1970. */
export function expiresAtMs(meta: Pick<ObjectMeta, 'updatedAt' | 'ttlSeconds'>): number {
  return (meta.updatedAt + meta.ttlSeconds) * 1000;
}

export function encodeMeta(meta: ObjectMeta): Uint8Array {
  const url = Buffer.from(meta.url, 'utf8');
  const bytes = Buffer.alloc(fixed + meta.partitions.length * 4 + url.length);
  bytes[0] = 1;
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
  bytes.set(url, fixed + meta.partitions.length * 4);
  return bytes;
}

export function decodeMeta(value: Uint8Array): ObjectMeta {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length < fixed || bytes[0] !== 1)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'an object row' });
  const members = bytes.readUInt16BE(140);
  return {
    lsn: bytes.readUIntBE(1, 6),
    contentLsn: bytes.readUIntBE(7, 6),
    updatedAt: bytes.readUIntBE(13, 6),
    ttlSeconds: bytes.readUIntBE(19, 5),
    digest: bytes.subarray(24, 56),
    publisher: bytes.subarray(56, 72).toString('base64url') as ServerId,
    signature: bytes.subarray(72, 136),
    bodyBytes: bytes.readUInt32BE(136),
    partitions: Array.from({ length: members }, (_, i) => bytes.readUInt32BE(fixed + i * 4)),
    url: bytes.subarray(fixed + members * 4).toString('utf8'),
  };
}

/** A row of the change log: what happened last to which object. */
export type LogRow =
  | { readonly kind: 'put' | 'refresh'; readonly oid: Oid }
  | { readonly kind: 'delete'; readonly oid: Oid; readonly deletedAtMs: number; readonly url: string };

export function encodeLogRow(row: LogRow): Uint8Array {
  const oid = Buffer.from(row.oid, 'base64url');
  if (row.kind !== 'delete') return Buffer.concat([Uint8Array.of(row.kind === 'put' ? 1 : 2), oid]);
  const time = Buffer.alloc(6);
  time.writeUIntBE(row.deletedAtMs, 0, 6);
  return Buffer.concat([Uint8Array.of(3), oid, time, Buffer.from(row.url, 'utf8')]);
}

export function decodeLogRow(value: Uint8Array): LogRow {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const oid = bytes.subarray(1, 33).toString('base64url') as Oid;
  if (bytes.length === 33 && (bytes[0] === 1 || bytes[0] === 2))
    return { kind: bytes[0] === 1 ? 'put' : 'refresh', oid };
  if (bytes.length >= 39 && bytes[0] === 3)
    return {
      kind: 'delete',
      oid,
      deletedAtMs: bytes.readUIntBE(33, 6),
      url: bytes.subarray(39).toString('utf8'),
    };
  throw failure(storeErrors.STORE_CORRUPT, { what: 'a log row' });
}
