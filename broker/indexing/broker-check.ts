import type { Clock } from '../../kernel/index.ts';
import {
  type CheckFindings,
  type CheckOptions,
  type DataFolder,
  damagedFiles,
  databasesIn,
  type MendedDatabase,
} from '../../store/index.ts';
import type { SearchEngine } from '../engines/index.ts';
import { checkIndex, type IndexFindings } from './index-check.ts';
import type { Indexer } from './indexer.ts';
import { indexName } from './indexer.ts';

/** The findings of a check of a Broker's data, and the repairs. */
export interface BrokerCheck {
  /** Files with a block that differs from what was written, by the folder of their database. */
  readonly damagedFiles: readonly string[];
  /** Databases that were damaged and made again from what could be read. */
  readonly mended: readonly MendedDatabase[];
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
  // Another engine's index may be in the folder. It is unused, and may be out of date.
  const isUsed = (name: string) => !name.startsWith('index') || name === indexName(engine.name);
  const names = (await databasesIn(folder.path)).filter(isUsed);
  const files = await damagedFiles(folder.path, names, { clock, inUse: true, ...(signal && { signal }) });
  const isStoreDamaged = files.some((file) => !file.startsWith('index'));
  const store = isStoreDamaged
    ? null
    : await folder.store.check({ repair, keptOut, ...(signal && { signal }) });
  const reached = () => indexer.reached(folder.store.lsn);
  const isIndexDamaged = files.length > 0 && !isStoreDamaged;
  const index = files.length > 0 ? null : ((await checkIndex(engine, folder.store, indexer, signal)) ?? null);
  const differs = isIndexDamaged || (index !== null && index.missing + index.ghosts > 0);
  const reindexed = repair && differs;
  if (reindexed) {
    await indexer.rebuild('a check found differences from the store');
    await reached();
  }
  const left = store === null || store.left > 0 || (differs && !reindexed);
  const ok = !left && !isStoreDamaged;
  return { damagedFiles: files, mended: folder.mended, store, index, reindexed, ok };
}
