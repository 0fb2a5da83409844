import { failure } from '../../kernel/index.ts';
import type { Database, DatabaseReader } from '../database/index.ts';
import { storeErrors } from '../errors.ts';
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

/** Assign a number to a new partition of this name, in the database and among the known names. */
export async function addPartition(
  database: Database,
  names: Map<string, number>,
  name: string,
): Promise<number> {
  const partition = await freeNumber(database, names.values());
  const value = Buffer.alloc(4);
  value.writeUInt32BE(partition);
  await database.batch([{ type: 'put', key: keys.partitionName(name), value }]);
  names.set(name, partition);
  return partition;
}
