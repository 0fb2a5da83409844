import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { type CheckFindings, type CheckOptions, type DataFolder, damagedTables } from '../../store/index.ts';
import type { SearchEngine } from '../engines/index.ts';
import { checkIndex, type IndexFindings } from './index-check.ts';
import { indexName } from './index-name.ts';
import type { Indexer } from './indexer.ts';

/** What a check of a Broker's data has found, and what was done about it. */
export interface BrokerCheck {
  /** Files of which a block is not what was written, by the folder of their database. */
  readonly damagedFiles: readonly string[];
  /** Rows of the object store; null when its files are damaged, so that they cannot be told from each other. */
  readonly store: CheckFindings | null;
  /** The index beside the store; null when the engine cannot tell what it holds. */
  readonly index: IndexFindings | null;
  /** Whether the index was made anew. */
  readonly reindexed: boolean;
  /** Whether nothing is wrong now. */
  readonly ok: boolean;
}

export interface BrokerCheckOptions {
  readonly folder: DataFolder;
  readonly engine: SearchEngine;
  readonly indexer: Indexer;
  readonly clock: Clock;
  /** Of these objects those that are not here on purpose. */
  readonly keptOut: NonNullable<CheckOptions['keptOut']>;
  /** Mend what is wrong. */
  readonly repair: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Check a Broker's data against itself: the files, the rows of the object store, and the index against the store; mend
 * what can be mended. Runs beside everything else, in memory that does not grow with the store.
 */
export async function checkBroker(options: BrokerCheckOptions): Promise<BrokerCheck> {
  const { folder, engine, indexer, clock, keptOut, repair, signal } = options;
  const damagedFiles: string[] = [];
  // Another engine's index may lie there: nobody asks it, and it may be as old as it likes.
  const used = new Set(['store', 'table', indexName(engine.name)]);
  const databases = (await readdir(folder.path)).filter((name) => used.has(name));
  for (const name of databases.sort())
    for await (const file of damagedTables(join(folder.path, name), { clock, ...(signal && { signal }) }))
      damagedFiles.push(`${name}/${file}`);
  const isStoreDamaged = damagedFiles.some((file) => !file.startsWith('index'));
  const store = isStoreDamaged
    ? null
    : await folder.store.check({ repair, keptOut, ...(signal && { signal }) });
  const reached = () => indexer.reached(folder.store.lsn);
  const isIndexDamaged = damagedFiles.length > 0 && !isStoreDamaged;
  const index =
    damagedFiles.length > 0 ? null : ((await checkIndex(engine, folder.store, indexer, signal)) ?? null);
  const differs = isIndexDamaged || (index !== null && index.missing + index.ghosts > 0);
  const reindexed = repair && differs;
  if (reindexed) {
    await indexer.rebuild('a check has found it different from the store');
    await reached();
  }
  const left = store === null || store.left > 0 || (differs && !reindexed);
  return { damagedFiles, store, index, reindexed, ok: !left && !isStoreDamaged };
}
