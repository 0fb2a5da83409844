import {
  bytesOfHandle,
  type Entry,
  type Epoch,
  elementId,
  handleOf,
  type ShortId,
  shortIdOf,
} from '../awareness/index.ts';
import type { Database, KeyRange } from './database.ts';
import { keys, oidOfKey } from './object-keys.ts';
import { decodeMeta } from './object-meta.ts';
import { ownSet } from './set-summaries.ts';
import { decodePartition } from './store-state.ts';

/** Where the rows of a set of objects are: the store's own, or those of a partition. */
export interface SetRows {
  readonly all: KeyRange;
  /** Rows of OIDs from `first` on, up to `end` (exclusive) or the last one. */
  between(
    first: Uint8Array,
    end: Uint8Array | undefined,
  ): { readonly gte: Uint8Array; readonly lt: Uint8Array };
  entry(row: readonly [Uint8Array, Uint8Array]): Entry;
}

/** The rows of the store's own objects. */
export const ownRows: SetRows = {
  all: keys.metas(),
  between: keys.metasFrom,
  entry: ([key, value]) => {
    const { lsn, contentLsn, digest } = decodeMeta(value);
    return { oid: oidOfKey(key), lsn, contentLsn, digest };
  },
};

/** The rows of a partition's objects. */
export function partitionRows(partition: number): SetRows {
  return {
    all: keys.members(partition),
    between: (first, end) => keys.membersFrom(partition, first, end),
    entry: ([key, digest]) => ({ oid: oidOfKey(key), lsn: 0, contentLsn: 0, digest }),
  };
}

/** The short id of an entry in one life of a store. */
export function shortIdIn(epoch: Epoch, { oid, digest }: Entry): ShortId {
  return shortIdOf(bytesOfHandle(handleOf(oid)), elementId(epoch, oid, digest));
}

/** Short ids of all elements of a set; `epoch` is the store's own. None for a partition that has not begun. */
export async function* shortIdsOf(
  database: Database,
  set: number,
  epoch: Epoch,
): AsyncIterable<readonly ShortId[]> {
  const partition = set === ownSet ? undefined : await database.get(keys.partition(set));
  const named = set === ownSet ? epoch : partition && decodePartition(partition).marker?.epoch;
  if (named === undefined) return;
  const rows = set === ownSet ? ownRows : partitionRows(set);
  for await (const entries of database.entryBatches(rows.all))
    yield entries.map((row) => shortIdIn(named, rows.entry(row)));
}
