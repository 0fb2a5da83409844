import { failure } from '../kernel/index.ts';
import type { DatabaseReader } from './database.ts';
import { storeErrors } from './errors.ts';
import { keys } from './object-keys.ts';

/** A number that no partition and no filtered set has. Throws STORE_CORRUPT when there is none left. */
export async function freeNumber(reader: DatabaseReader, partitions: Iterable<number>): Promise<number> {
  let highest = Math.max(0, ...partitions);
  for await (const [, value] of reader.entries(keys.filterNames()))
    highest = Math.max(highest, Buffer.from(value).readUInt32BE());
  if (highest > 0xffff_fffd)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a partition number out of range' });
  return highest + 1;
}
