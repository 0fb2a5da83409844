import type { Clock } from '../../kernel/index.ts';
import {
  type CheckFindings,
  type DataFolder,
  damagedFiles,
  databasesIn,
  type MendedDatabase,
} from '../../store/index.ts';
import { AnnotationStore, openAnnotations } from '../annotate/index.ts';
import { FetchStore } from '../publish/index.ts';

/** The findings of a check of a Gatherer's data, and the repairs. */
export interface GathererCheck {
  /** As `store/000005.log`. */
  readonly damagedFiles: readonly string[];
  /** Databases that were damaged and made again from what could be read. */
  readonly mended: readonly MendedDatabase[];
  /** Findings in the rows of the object store; null when files are damaged and nothing was repaired. */
  readonly store: CheckFindings | null;
  /** Whether the data is now free of faults. */
  readonly ok: boolean;
}

export interface GathererCheckOptions {
  readonly clock: Clock;
  readonly repair: boolean;
  readonly signal?: AbortSignal;
}

/** Open the databases of a Gatherer. Where one has lost rows, the next run compares everything. */
export async function openRows(folder: DataFolder, limits: { readonly maxAnnotations?: number } = {}) {
  const fetchStore = await FetchStore.open(await folder.database('fetch'));
  const { database, copy } = await openAnnotations(folder);
  const annotations = await AnnotationStore.open(database, { ...limits, copy });
  if (folder.isMended('store', 'fetch', 'annotations', 'annotations-copy')) {
    // The values that an annotation hid have no second copy: all documents are read again.
    await fetchStore.doubt({ everything: folder.isMended('annotations') });
    await folder.settleMended();
  }
  return { fetchStore, annotations };
}

/** Check a Gatherer's data against itself, and repair it on request; the next run gathers what could not be kept. */
export async function checkGatherer(
  folder: DataFolder,
  fetchStore: FetchStore,
  { clock, repair, signal }: GathererCheckOptions,
): Promise<GathererCheck> {
  const names = await databasesIn(folder.path);
  const files = await damagedFiles(folder.path, names, { clock, inUse: true, ...(signal && { signal }) });
  const store = await folder.store.check({ repair, ...(signal && { signal }) });
  if (repair && store.faults > 0) await fetchStore.doubt();
  return { damagedFiles: files, mended: folder.mended, store, ok: files.length === 0 && store.left === 0 };
}
