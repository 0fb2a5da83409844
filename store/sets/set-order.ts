import {
  bytesOfHandle,
  type Epoch,
  type GroupScheme,
  type Handle,
  type OrderedView,
} from '../../awareness/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import { BlockOrderedSet } from './block-ordered-set.ts';
import type { SetRows } from './set-rows.ts';

/** A set in the order of a group scheme; undefined for timestamps, which stores and copies do not share. */
export async function orderedBy(
  scheme: GroupScheme,
  reader: DatabaseReader,
  rows: SetRows,
  epoch: Epoch,
): Promise<OrderedView | undefined> {
  if (scheme.order !== 'handle' || scheme.compresses !== 'signatures') return undefined;
  const entries = {
    all: async function* () {
      for await (const batch of reader.entryBatches(rows.all)) for (const row of batch) yield rows.entry(row);
    },
    from: async (position: string, count: number) => {
      const { gte } = rows.between(bytesOfHandle(position as Handle), undefined);
      const { lt } = rows.all as { readonly lt: Uint8Array };
      for await (const batch of reader.entryBatches({ gte, lt, limit: count })) return batch.map(rows.entry);
      return [];
    },
  };
  return BlockOrderedSet.make(entries, epoch);
}
