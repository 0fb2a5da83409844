import { type Oid, oidBytes, oidFromBytes } from '../../soif/index.ts';
import type { KeyRange } from '../database/index.ts';

// One byte names the kind of a row; numbers are big-endian so that byte order is numeric order.
const kinds = {
  /** meta of an object, by OID */
  meta: 0x6f,
  /** binary form of an object's summary, by OID */
  body: 0x62,
  /** an object's difference from its last version, by OID */
  delta: 0x65,
  /** the last change of an object, by LSN */
  log: 0x6c,
  /** deleted objects, by LSN */
  tombstone: 0x64,
  /** LSN of an object's tombstone, by OID */
  tombstoneOf: 0x74,
  /** objects by the time they expire */
  expiry: 0x78,
  /** objects of one partition, by partition and OID */
  member: 0x70,
  /** state of a partition, by partition */
  partition: 0x71,
  /** partition number by name */
  partitionName: 0x6e,
  /** the servers through which an object came into a partition, by partition and OID */
  path: 0x72,
  /** how far the paths of a partition were learned, by partition */
  pathState: 0x79,
  /** how far each client has learned, by client */
  client: 0x6d,
  /** the store's own state */
  state: 0x73,
  /** number of a filtered set, by its filter's text */
  filterName: 0x76,
  /** state of a filtered set, by set */
  filtered: 0x66,
  /** the last change of each object of a filtered set, by set and its own LSN */
  filteredLog: 0x67,
  /** own LSN of an object that left a filtered set, by set and OID */
  filteredGone: 0x68,
  /** objects of a set by when time alone changes whether the filter holds, by set */
  due: 0x75,
  /** how far the standing sets have followed the store */
  standing: 0x77,
  /** standing sets that an object is in, by OID */
  setsOf: 0x7a,
  /** number of tombstones that publishers have signed */
  withdrawals: 0x69,
  /** sketch of a set, by set */
  summary: 0x6b,
  /** elements that came and went since its sketch was written, by set and batch */
  journal: 0x6a,
} as const;

function key(kind: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([Uint8Array.of(kind), ...parts]);
}

/** The key of an object's row: composed directly, since every changed object has several. */
function ofObject(kind: number, oid: Oid): Uint8Array {
  const bytes = Buffer.allocUnsafe(33);
  bytes[0] = kind;
  bytes.write(oid, 1, 'base64url');
  return bytes;
}

/** The same within a set. */
function ofMember(kind: number, set: number, oid: Oid): Uint8Array {
  const bytes = Buffer.allocUnsafe(37);
  bytes[0] = kind;
  bytes.writeUInt32BE(set, 1);
  bytes.write(oid, 5, 'base64url');
  return bytes;
}

function number(value: number, bytes: 4 | 8): Uint8Array {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 4) buffer.writeUInt32BE(value);
  else buffer.writeBigUInt64BE(BigInt(value));
  return buffer;
}

/** Every row of a kind, or those whose key continues with `prefix`, starting after `after` when given. */
function rows(kind: number, prefix: Uint8Array = new Uint8Array(), after?: Uint8Array): KeyRange {
  const end = Buffer.concat([Uint8Array.of(kind), prefix]);
  // The next key of equal length ends the range; no prefix used here is all 0xff.
  for (let i = end.length - 1; i >= 0; i--) {
    const byte = end[i] as number;
    end[i] = (byte + 1) & 0xff;
    if (byte !== 0xff) break;
  }
  return after === undefined
    ? { gte: key(kind, prefix), lt: end }
    : { gt: key(kind, prefix, after), lt: end };
}

/** Rows of a kind whose OID begins with these 16 bytes. */
const ofHandle = (kind: number, handle: Uint8Array) => ({
  gte: key(kind, handle),
  lt: key(kind, handle, Buffer.alloc(17, 0xff)),
});

const text = (value: string) => Buffer.from(value, 'utf8');

/** Keys and key ranges of an object store (docs/storage.md describes the rows). */
export const keys = {
  meta: (oid: Oid) => ofObject(kinds.meta, oid),
  /** The same from the OID's bytes. */
  metaOf: (oid: Uint8Array) => key(kinds.meta, oid),
  metas: (after?: Oid) => rows(kinds.meta, undefined, after === undefined ? undefined : oidBytes(after)),
  body: (oid: Oid) => ofObject(kinds.body, oid),
  bodies: () => rows(kinds.body),
  delta: (oid: Oid) => ofObject(kinds.delta, oid),
  deltas: () => rows(kinds.delta),
  log: (lsn: number) => key(kinds.log, number(lsn, 8)),
  logAfter: (lsn: number) => rows(kinds.log, undefined, number(lsn, 8)),
  tombstone: (lsn: number) => key(kinds.tombstone, number(lsn, 8)),
  tombstones: () => rows(kinds.tombstone),
  tombstoneOf: (oid: Oid) => ofObject(kinds.tombstoneOf, oid),
  tombstonesOf: () => rows(kinds.tombstoneOf),
  /** The tombstones, and the objects, whose OID begins with these 16 bytes. */
  tombstonesFor: (handle: Uint8Array) => ofHandle(kinds.tombstoneOf, handle),
  metasOf: (handle: Uint8Array) => ofHandle(kinds.meta, handle),
  expiry: (expiresAtMs: number, oid: Oid) => key(kinds.expiry, number(expiresAtMs, 8), oidBytes(oid)),
  expiries: () => rows(kinds.expiry),
  expiredBy: (nowMs: number): KeyRange => ({
    gte: Uint8Array.of(kinds.expiry),
    lt: key(kinds.expiry, number(nowMs + 1, 8)),
  }),
  member: (partition: number, oid: Oid) => ofMember(kinds.member, partition, oid),
  members: (partition: number, after?: Oid) =>
    rows(kinds.member, number(partition, 4), after === undefined ? undefined : oidBytes(after)),
  /** Members of every set from this number on, and paths. */
  membersFromSet: (set: number): KeyRange => ({
    gte: key(kinds.member, number(set, 4)),
    lt: Uint8Array.of(kinds.member + 1),
  }),
  pathsFromSet: (set: number): KeyRange => ({
    gte: key(kinds.path, number(set, 4)),
    lt: Uint8Array.of(kinds.path + 1),
  }),
  path: (partition: number, oid: Oid) => ofMember(kinds.path, partition, oid),
  paths: (partition: number, after?: Oid) =>
    rows(kinds.path, number(partition, 4), after === undefined ? undefined : oidBytes(after)),
  pathState: (partition: number) => key(kinds.pathState, number(partition, 4)),
  pathStates: () => rows(kinds.pathState),
  partition: (partition: number) => key(kinds.partition, number(partition, 4)),
  partitions: () => rows(kinds.partition),
  partitionName: (name: string) => key(kinds.partitionName, text(name)),
  partitionNames: () => rows(kinds.partitionName),
  client: (name: string) => key(kinds.client, text(name)),
  clients: () => rows(kinds.client),
  state: () => key(kinds.state),
  withdrawals: () => key(kinds.withdrawals),
  filterName: (name: string) => key(kinds.filterName, text(name)),
  filterNames: () => rows(kinds.filterName),
  filtered: (set: number) => key(kinds.filtered, number(set, 4)),
  filteredLog: (set: number, lsn: number) => key(kinds.filteredLog, number(set, 4), number(lsn, 8)),
  filteredLogAfter: (set: number, lsn: number) => rows(kinds.filteredLog, number(set, 4), number(lsn, 8)),
  filteredGone: (set: number, oid: Oid) => ofMember(kinds.filteredGone, set, oid),
  filteredGones: (set: number) => rows(kinds.filteredGone, number(set, 4)),
  /** States of the sets from this number on. */
  filteredFrom: (set: number): KeyRange => ({
    gte: key(kinds.filtered, number(set, 4)),
    lt: Uint8Array.of(kinds.filtered + 1),
  }),
  standing: () => Uint8Array.of(kinds.standing),
  setsOf: (oid: Oid) => ofObject(kinds.setsOf, oid),
  allSetsOf: (after?: Oid) =>
    rows(kinds.setsOf, undefined, after === undefined ? undefined : oidBytes(after)),
  due: (set: number, seconds: number, oid: Oid) =>
    key(kinds.due, number(set, 4), number(seconds, 8), oidBytes(oid)),
  dues: (set: number) => rows(kinds.due, number(set, 4)),
  dueBy: (set: number, seconds: number): KeyRange => ({
    gte: key(kinds.due, number(set, 4)),
    lt: key(kinds.due, number(set, 4), number(seconds + 1, 8)),
  }),
  summary: (set: number) => key(kinds.summary, number(set, 4)),
  journal: (set: number, batch: number) => key(kinds.journal, number(set, 4), number(batch, 8)),
  journalOf: (set: number) => rows(kinds.journal, number(set, 4)),
  journals: () => rows(kinds.journal),
  /** Everything that is computed from other rows: sketches, and filtered sets but for their members. */
  computed: () =>
    [
      ...[kinds.filterName, kinds.filtered, kinds.filteredLog, kinds.filteredGone, kinds.due],
      ...[kinds.standing, kinds.setsOf, kinds.summary, kinds.journal],
    ].map((kind) => rows(kind)),
  summaries: () => rows(kinds.summary),
  /** Rows of the objects whose OID begins like this, up to those that begin like `end`, or to the last one. */
  metasFrom: (first: Uint8Array, end: Uint8Array | undefined) => ({
    gte: key(kinds.meta, first),
    lt: end === undefined ? Uint8Array.of(kinds.meta + 1) : key(kinds.meta, end),
  }),
  membersFrom: (partition: number, first: Uint8Array, end: Uint8Array | undefined) => ({
    gte: key(kinds.member, number(partition, 4), first),
    lt:
      end === undefined
        ? key(kinds.member, number(partition + 1, 4))
        : key(kinds.member, number(partition, 4), end),
  }),
};

/** The OID at the end of a key of a kind that ends with one. */
export function oidOfKey(row: Uint8Array): Oid {
  return oidFromBytes(row.subarray(row.length - 32));
}

/** The LSN or time right after the kind of a key. */
export function numberOfKey(row: Uint8Array): number {
  return Number(Buffer.from(row.buffer, row.byteOffset, row.byteLength).readBigUInt64BE(1));
}

/** The set and batch of a journal row's key. */
export function journalOfKey(row: Uint8Array): { readonly set: number; readonly batch: number } {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  return { set: bytes.readUInt32BE(1), batch: Number(bytes.readBigUInt64BE(5)) };
}

/** The set or partition right after the kind of a key. */
export function setOfKey(row: Uint8Array): number {
  return Buffer.from(row.buffer, row.byteOffset, row.byteLength).readUInt32BE(1);
}

/** The LSN after the kind and set of a key. */
export function setLsnOfKey(row: Uint8Array): number {
  return Number(Buffer.from(row.buffer, row.byteOffset, row.byteLength).readBigUInt64BE(5));
}

export function textOfKey(row: Uint8Array): string {
  return Buffer.from(row.buffer, row.byteOffset + 1, row.byteLength - 1).toString('utf8');
}
