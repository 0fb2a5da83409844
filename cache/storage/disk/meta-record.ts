import { crc32 } from 'node:zlib';
import type { StoredHead } from '../../rules/index.ts';
import type { Part } from '../model/stored-entry.ts';

/** The record of an entry on disk, beside its content. */
export interface Meta {
  readonly key: string;
  readonly head: StoredHead;
  readonly tags: readonly string[];
  readonly part?: Part | undefined;
}

const magic = 0x3143_5247;
const headerBytes = 20;
const quote = 0x22;
/** Only a fault makes a larger record: doors and upstreams limit their heads far below. Bytes. */
export const maxMetaBytes = 2 ** 20;

type Row = readonly [
  key: string,
  /** 0: the key itself. */
  url: string | 0,
  status: number,
  reason: string,
  fields: readonly string[],
  requestedAtMs: number,
  receivedAtMs: number,
  selecting: readonly string[],
  authorized: boolean,
  tags: readonly string[],
  part: Part | 0,
];

/** The bytes of an entry's meta record: magic, CRC-32 of the rest, the entry's serial, length, JSON. */
export function encodeMeta(serial: number, { key, head, tags, part }: Meta): Buffer {
  const url = head.url === key ? 0 : head.url;
  const { status, reason, fields, requestedAtMs, receivedAtMs, selecting, authorized } = head;
  const times = [requestedAtMs, receivedAtMs] as const;
  const row: Row = [key, url, status, reason, fields, ...times, selecting, authorized, tags, part ?? 0];
  const text = JSON.stringify(row);
  const record = Buffer.allocUnsafe(headerBytes + Buffer.byteLength(text));
  record.write(text, headerBytes);
  record.writeUInt32LE(magic, 0);
  record.writeBigUInt64LE(BigInt(serial), 8);
  record.writeUInt32LE(record.length, 16);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}

function isRecord(record: Buffer, serial: number): boolean {
  if (record.length < headerBytes || record.readUInt32LE(0) !== magic) return false;
  if (record.readUInt32LE(16) !== record.length || record.readBigUInt64LE(8) !== BigInt(serial)) return false;
  return crc32(record.subarray(8)) === record.readUInt32LE(4);
}

/** The same as `decodeMeta(record, serial)?.key`, for many records of which only the key is needed. */
export function decodeKey(record: Buffer, serial: number): string | undefined {
  if (!isRecord(record, serial)) return undefined;
  // The key comes first, in quotes; a backslash before its end means that it has escapes.
  const from = headerBytes + 1;
  const end = record.indexOf(quote, from + 1);
  const text = record.toString('utf8', from, end + 1);
  return text.includes('\\') ? decodeMeta(record, serial)?.key : text.slice(1, -1);
}

/** The meta record of the entry with this serial; undefined when these bytes are not that record. */
export function decodeMeta(record: Buffer, serial: number): Meta | undefined {
  if (!isRecord(record, serial)) return undefined;
  const row = JSON.parse(record.toString('utf8', headerBytes)) as Row;
  const [key, url, status, reason, fields, requestedAtMs, receivedAtMs, selecting, authorized, tags, part] =
    row;
  return {
    key,
    head: {
      ...{ url: url === 0 ? key : url, status, reason, fields },
      ...{ requestedAtMs, receivedAtMs, selecting, authorized },
    },
    tags,
    ...(part === 0 ? {} : { part }),
  };
}
