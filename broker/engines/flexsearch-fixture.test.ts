import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../store/index.ts';
import type { EngineFixture } from '../engine-conformance.ts';
import { FlexsearchEngine } from './flexsearch-engine.ts';
import type { FlexsearchOptions } from './flexsearch-options.ts';
import type { PostingDatabase } from './index-database/index.ts';

/** An engine's database in a folder of its own, that can be opened again and again. */
export async function flexsearchOnDisk(
  options: Pick<FlexsearchOptions, 'cacheBytes' | 'positions'> = {},
): Promise<EngineFixture & { database: PostingDatabase }> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-engine-'));
  const database = await openDatabase(join(folder, 'index'));
  return {
    database,
    open: (objectOf) =>
      FlexsearchEngine.open({ database, objectOf, facetAttributes: ['Language', 'Publisher'], ...options }),
    settled: (engine) => (engine as FlexsearchEngine).settled(),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
