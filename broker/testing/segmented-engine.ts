import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../store/index.ts';
import type { PostingDatabase } from '../engines/index-database/posting-database.ts';
import type { FlexsearchOptions } from '../engines/segmented/engine-options.ts';
import { SegmentedEngine } from '../engines/segmented/segmented-engine.ts';
import type { EngineFixture } from './engine-conformance.ts';

/** An engine's database in a folder of its own, which can be reopened. */
export async function flexsearchOnDisk(
  options: Pick<FlexsearchOptions, 'cacheBytes' | 'positions'> = {},
): Promise<EngineFixture & { database: PostingDatabase }> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-engine-'));
  const database = await openDatabase(join(folder, 'index'));
  return {
    database,
    open: (objectOf) =>
      SegmentedEngine.open({ database, objectOf, facetAttributes: ['Language', 'Publisher'], ...options }),
    settled: (engine) => (engine as SegmentedEngine).settled(),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** A database that dies at some batch. Like a killed process, it leaves earlier writes. */
export function dyingAfter(database: PostingDatabase, batches: number): PostingDatabase {
  let left = batches;
  return {
    get: (key) => database.get(key),
    getMany: (keys) => database.getMany(keys),
    entries: (range) => database.entries(range),
    keys: (range) => database.keys(range),
    snapshot: () => database.snapshot(),
    compact: (range) => database.compact(range),
    batch: async (writes) => {
      if (left-- <= 0) throw new Error('killed');
      await database.batch(writes);
    },
  };
}
