import {
  type Entry,
  type Epoch,
  handleOf,
  type ShortId,
  shortIdFor,
  signatureOf,
} from '../../awareness/index.ts';
import type { Database, KeyRange } from '../database/index.ts';
import {
  decodeEntry,
  decodeFiltered,
  decodeFilteredMember,
  decodePartition,
  keys,
  oidInLogRow,
  oidOfKey,
} from '../rows/index.ts';
import { ownSet } from './set-summaries.ts';

/** The place of a set's rows: the store's own, or those of a partition. */
export interface SetRows {
  readonly all: KeyRange;
  /** Rows of OIDs from `first` on, up to `end` (exclusive) or the last one. */
  between(
    first: Uint8Array,
    end: Uint8Array | undefined,
  ): { readonly gte: Uint8Array; readonly lt: Uint8Array };
  entry(row: readonly [Uint8Array, Uint8Array]): Entry;
  /** The set's latest changes in order, and the key of the row of such a change. */
  readonly changes?: {
    readonly all: KeyRange;
    subject(change: Uint8Array): Uint8Array | undefined;
  };
}

export const ownRows: SetRows = {
  all: keys.metas(),
  between: keys.metasFrom,
  entry: ([key, value]) => ({ oid: oidOfKey(key), ...decodeEntry(value) }),
  changes: {
    all: keys.logAfter(0),
    subject: (change) => {
      const oid = oidInLogRow(change);
      return oid && keys.metaOf(oid);
    },
  },
};

export function partitionRows(partition: number): SetRows {
  return {
    all: keys.members(partition),
    between: (first, end) => keys.membersFrom(partition, first, end),
    entry: ([key, digest]) => ({ oid: oidOfKey(key), lsn: 0, contentLsn: 0, digest }),
  };
}

/** The short id of an entry in one life of a store. */
export function shortIdIn(epoch: Epoch, { oid, digest }: Entry): ShortId {
  return shortIdFor(epoch, handleOf(oid), signatureOf(digest));
}

/** Short ids of all elements of a set; `epoch` is the store's own. None for a set that has not begun. */
export async function* shortIdsOf(
  database: Database,
  set: number,
  epoch: Epoch,
): AsyncIterable<readonly ShortId[]> {
  const named = await namingOf(database, set, epoch);
  if (named === undefined) return;
  for await (const entries of database.entryBatches(named.rows.all))
    yield entries.map((row) => shortIdIn(named.epoch, named.rows.entry(row)));
}

/** The rows of a set and the epoch that names its elements. */
async function namingOf(
  database: Database,
  set: number,
  epoch: Epoch,
): Promise<{ readonly rows: SetRows; readonly epoch: Epoch } | undefined> {
  if (set === ownSet) return { rows: ownRows, epoch };
  const [filtered, partition] = await database.getMany([keys.filtered(set), keys.partition(set)]);
  if (filtered !== undefined) return { rows: filteredRows(set), epoch: decodeFiltered(filtered).epoch };
  const marker = partition && decodePartition(partition).marker;
  return marker && { rows: partitionRows(set), epoch: marker.epoch };
}

export function filteredRows(set: number): SetRows {
  return {
    ...partitionRows(set),
    entry: ([key, value]) => {
      const { digest, lsn, contentLsn } = decodeFilteredMember(value);
      return { oid: oidOfKey(key), lsn, contentLsn, digest };
    },
  };
}
