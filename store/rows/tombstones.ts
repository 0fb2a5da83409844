import type { Lsn } from '../../awareness/index.ts';
import type { DatabaseReader, Write } from '../database/index.ts';
import { keys, numberOfKey } from './object-keys.ts';
import { decodeLogRow } from './object-meta.ts';

/** Tombstones forgotten in one step. */
const forgetStep = 512;

/**
 * The writes that remove the tombstones of objects deleted before a time, the oldest first and not all when there
 * are many, and the resulting horizon; undefined when no tombstone is old enough.
 */
export async function oldTombstones(
  reader: DatabaseReader,
  untilMs: number,
): Promise<{ readonly writes: readonly Write[]; readonly horizon: Lsn | undefined; readonly more: boolean }> {
  const writes: Write[] = [];
  let horizon: Lsn | undefined;
  let count = 0;
  for await (const key of reader.keys(keys.tombstones())) {
    const lsn = numberOfKey(key);
    const value = await reader.get(keys.log(lsn));
    const row = value === undefined ? undefined : decodeLogRow(value);
    if (row?.kind === 'delete') {
      if (row.atMs > untilMs) break;
      writes.push({ type: 'del', key: keys.log(lsn) }, { type: 'del', key: keys.tombstoneOf(row.oid) });
    }
    writes.push({ type: 'del', key });
    horizon = lsn;
    if (++count >= forgetStep) break;
  }
  return { writes, horizon, more: count >= forgetStep };
}
