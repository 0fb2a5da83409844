import { oidFromBytes } from '../../soif/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import { decodeLogRow, decodeMeta, expiresAtMs, keys, numberOfKey, oidOfKey } from '../rows/index.ts';
import { readable } from './object-check.ts';

type Row = readonly [key: Uint8Array, value: Uint8Array];

/** A kind of row that belongs to an object or a tombstone. */
export interface RowKind {
  readonly name: string;
  readonly range: ReturnType<typeof keys.metas>;
  /** The key of the owner's row. */
  readonly owner: (row: Row) => Uint8Array;
  /** Whether a row belongs to the row found under that key. */
  readonly belongs: (row: Row, found: Uint8Array) => boolean;
}

/** The rows without an owner. */
export async function orphansAmong(
  { owner, belongs }: RowKind,
  reader: DatabaseReader,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const owners = await reader.getMany(rows.map(owner));
  return rows.filter((row, i) => {
    const found = owners[i];
    return found === undefined || readable(() => belongs(row, found)) !== true;
  });
}

const objectOf = ([key]: Row) => keys.meta(oidOfKey(key));
const logKind = (value: Uint8Array) => readable(() => decodeLogRow(value));

/** Every kind of row that has an owner. */
export const rowKinds: readonly RowKind[] = [
  { name: 'a summary', range: keys.bodies(), owner: objectOf, belongs: () => true },
  { name: 'a change', range: keys.deltas(), owner: objectOf, belongs: () => true },
  {
    name: 'a time of expiry',
    range: keys.expiries(),
    owner: objectOf,
    belongs: ([key], meta) => expiresAtMs(decodeMeta(meta)) === numberOfKey(key),
  },
  {
    name: 'a line of the log',
    range: keys.logAfter(0),
    owner: ([, value]) => {
      const row = logKind(value);
      const none = oidFromBytes(new Uint8Array(32));
      return row?.kind === 'delete' ? keys.tombstoneOf(row.oid) : keys.meta(row?.oid ?? none);
    },
    belongs: ([key, value], owner) => {
      const lsn = numberOfKey(key);
      if (logKind(value)?.kind !== 'delete') return decodeMeta(owner).lsn === lsn;
      return Number(Buffer.from(owner).readBigUInt64BE()) === lsn;
    },
  },
  {
    name: 'a tombstone',
    range: keys.tombstones(),
    owner: ([key]) => keys.log(numberOfKey(key)),
    belongs: (_, log) => decodeLogRow(log).kind === 'delete',
  },
  {
    name: 'the number of a tombstone',
    range: keys.tombstonesOf(),
    owner: ([, value]) => keys.log(Number(Buffer.from(value).readBigUInt64BE())),
    belongs: ([key], log) => decodeLogRow(log).oid === oidOfKey(key),
  },
];
