import {
  bytesOfHandle,
  type Entry,
  type Epoch,
  type Handle,
  handleOf,
  handlesOf,
  type ShortId,
} from '../awareness/index.ts';
import type { DatabaseReader } from './database.ts';
import { type SetRows, shortIdIn } from './set-rows.ts';

/** The rows that begin with a handle: its OID has 16 more bytes. */
function oidsOf(handle: Handle): readonly [Uint8Array, Uint8Array | undefined] {
  const first = bytesOfHandle(handle);
  const end = Buffer.from(first);
  for (let i = end.length - 1; i >= 0; i--) {
    end[i] = ((end[i] as number) + 1) & 0xff;
    if (end[i] !== 0) return [first, end];
  }
  return [first, undefined];
}

/**
 * The entries of a set with these handles or short ids, undefined where there is none. Short ids tell where in the
 * set to look: no second index is needed, and each costs one jump of an iterator.
 */
export async function findEntries(
  names: readonly (Handle | ShortId)[],
  reader: DatabaseReader,
  rows: SetRows,
  epoch: Epoch,
): Promise<readonly (Entry | undefined)[]> {
  const ranges = names.map((name) => {
    if (typeof name === 'string') return rows.between(...oidsOf(name));
    const { first, end } = handlesOf(name);
    return rows.between(first, end);
  });
  const found = await reader.entriesIn(ranges);
  return names.map((name, i) => {
    for (const row of found[i] ?? []) {
      const entry = rows.entry(row);
      if (typeof name === 'string' ? handleOf(entry.oid) === name : shortIdIn(epoch, entry) === name)
        return entry;
    }
    return undefined;
  });
}
