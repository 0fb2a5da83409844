import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { type CheckFindings, type CheckOptions, type DataFolder, damagedTables } from '../../store/index.ts';
import type { SearchEngine } from '../engines/index.ts';
import { checkIndex, type IndexFindings } from './index-check.ts';
import type { Indexer } from './indexer.ts';
import { indexName } from './indexer.ts';

/** The findings of a check of a Broker's data, and the repairs. */
export interface BrokerCheck {
  /** Files with a block that differs from what was written, by the folder of their database. */
  readonly damagedFiles: readonly string[];
  /** Findings in the rows of the object store; null when its files are damaged. */
  readonly store: CheckFindings | null;
  /** Findings in the index; null when the engine cannot list its objects. */
  readonly index: IndexFindings | null;
  /** Whether the index was rebuilt. */
  readonly reindexed: boolean;
  /** Whether the data is now free of faults. */
  readonly ok: boolean;
}

export interface BrokerCheckOptions {
  readonly folder: DataFolder;
  readonly engine: SearchEngine;
  readonly indexer: Indexer;
  readonly clock: Clock;
  /** The objects among these that are kept out on purpose. */
  readonly keptOut: NonNullable<CheckOptions['keptOut']>;
  readonly repair: boolean;
  readonly signal?: AbortSignal;
}

/** Check a Broker's files, its store's rows, and its index against the store, in constant memory. */
export async function checkBroker(options: BrokerCheckOptions): Promise<BrokerCheck> {
  const { folder, engine, indexer, clock, keptOut, repair, signal } = options;
  const damagedFiles: string[] = [];
  // Another engine's index may be in the folder. It is unused, and may be out of date.
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
    await indexer.rebuild('a check found differences from the store');
    await reached();
  }
  const left = store === null || store.left > 0 || (differs && !reindexed);
  return { damagedFiles, store, index, reindexed, ok: !left && !isStoreDamaged };
}
