import { oidFromBytes } from '../../soif/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import { decodeLogRow, decodeMeta, expiresAtMs, keys, numberOfKey, oidOfKey } from '../rows/index.ts';
import { readable } from './object-check.ts';

type Row = readonly [key: Uint8Array, value: Uint8Array];

/** A kind of row that belongs to an object or a tombstone, and a function that finds those without an owner. */
export interface RowKind {
  readonly name: string;
  readonly range: ReturnType<typeof keys.metas>;
  orphans(reader: DatabaseReader, rows: readonly Row[]): Promise<readonly Row[]>;
}

async function without(
  reader: DatabaseReader,
  rows: readonly Row[],
  owner: (row: Row) => Uint8Array,
  belongs: (row: Row, found: Uint8Array) => boolean,
): Promise<readonly Row[]> {
  const owners = await reader.getMany(rows.map(owner));
  return rows.filter((row, i) => {
    const found = owners[i];
    return found === undefined || readable(() => belongs(row, found)) !== true;
  });
}

const ofObject = (name: string, range: RowKind['range']): RowKind => ({
  name,
  range,
  orphans: (reader, rows) =>
    without(
      reader,
      rows,
      ([key]) => keys.meta(oidOfKey(key)),
      () => true,
    ),
});

const logKind = (value: Uint8Array) => readable(() => decodeLogRow(value));

/** Every kind of row that has an owner. `one by one`: kinds in which one bad row must not affect another. */
export const rowKinds: readonly RowKind[] = [
  ofObject('a summary', keys.bodies()),
  ofObject('a change', keys.deltas()),
  {
    name: 'a time of expiry',
    range: keys.expiries(),
    orphans: (reader, rows) =>
      without(
        reader,
        rows,
        ([key]) => keys.meta(oidOfKey(key)),
        ([key], meta) => expiresAtMs(decodeMeta(meta)) === numberOfKey(key),
      ),
  },
  {
    name: 'a line of the log',
    range: keys.logAfter(0),
    orphans: (reader, rows) =>
      without(
        reader,
        rows,
        ([, value]) => {
          const row = logKind(value);
          const none = oidFromBytes(new Uint8Array(32));
          return row?.kind === 'delete' ? keys.tombstoneOf(row.oid) : keys.meta(row?.oid ?? none);
        },
        ([key, value], owner) => {
          const lsn = numberOfKey(key);
          if (logKind(value)?.kind !== 'delete') return decodeMeta(owner).lsn === lsn;
          return Number(Buffer.from(owner).readBigUInt64BE()) === lsn;
        },
      ),
  },
  {
    name: 'a tombstone',
    range: keys.tombstones(),
    orphans: (reader, rows) =>
      without(
        reader,
        rows,
        ([key]) => keys.log(numberOfKey(key)),
        (_, log) => decodeLogRow(log).kind === 'delete',
      ),
  },
  {
    name: 'the number of a tombstone',
    range: keys.tombstonesOf(),
    orphans: (reader, rows) =>
      without(
        reader,
        rows,
        ([, value]) => keys.log(Number(Buffer.from(value).readBigUInt64BE())),
        ([key], log) => decodeLogRow(log).oid === oidOfKey(key),
      ),
  },
];
