import type { Oid, ServerId } from '../../soif/index.ts';
import type { ObjectStore, StoredObject } from '../../store/index.ts';
import type { DuplicateWatch } from './duplicate-watch.ts';

/** One object of a URL that several Gatherers have summarised. */
export interface Duplicate {
  readonly oid: Oid;
  readonly publisher: ServerId;
  /** Seconds since 1970. */
  readonly updatedAt: number;
}

/** A URL under more than one Gatherer, usually because one was set up again under another id. */
export interface DuplicateUrl {
  readonly url: string;
  /** The newest summary. */
  readonly newest: Duplicate;
  readonly older: readonly Duplicate[];
}

export interface Duplicates {
  readonly urls: readonly DuplicateUrl[];
  /** Whether there are more than those listed. */
  readonly isCut: boolean;
  readonly deleted: number;
}

export interface DuplicateOptions {
  /** Lists these URLs. */
  readonly watch: DuplicateWatch;
  /** Delete nothing. */
  readonly isDryRun: boolean;
  /** Deletes objects so that their sources do not bring them back. */
  readonly remove: (objects: readonly StoredObject[]) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Max URLs listed and cleaned in one call. */
const maxUrls = 10_000;
const deleteStep = 256;

/**
 * List the URLs with objects of several Gatherers, and delete the older objects of each unless it is a dry
 * run (Harvest: "delete older objects of duplicate URLs"). Reads only the objects of these URLs.
 */
export async function findDuplicates(
  store: ObjectStore,
  { watch, isDryRun, remove, signal }: DuplicateOptions,
): Promise<Duplicates> {
  await watch.upToDate(signal);
  const urls: DuplicateUrl[] = [];
  let { isCut } = watch;
  for await (const url of watch.urls()) {
    signal?.throwIfAborted();
    if (urls.length === maxUrls) {
      isCut = true;
      break;
    }
    const objects: Duplicate[] = [];
    for (const { oid, publisher } of await watch.objectsOf(url)) {
      const described = await store.describe(oid);
      if (described !== undefined) objects.push({ oid, publisher, updatedAt: described.updatedAt });
    }
    const [newest, ...older] = objects.sort((a, b) => b.updatedAt - a.updatedAt);
    if (newest !== undefined && older.length > 0) urls.push({ url, newest, older });
  }
  urls.sort((a, b) => (a.url < b.url ? -1 : 1));
  return { urls, isCut, deleted: isDryRun ? 0 : await deleteOlder(store, urls, remove, signal) };
}

async function deleteOlder(
  store: ObjectStore,
  urls: readonly DuplicateUrl[],
  remove: DuplicateOptions['remove'],
  signal: AbortSignal | undefined,
): Promise<number> {
  const older = urls.flatMap((one) => one.older);
  let deleted = 0;
  for (let at = 0; at < older.length; at += deleteStep) {
    signal?.throwIfAborted();
    const part = older.slice(at, at + deleteStep);
    // An object that was refreshed meanwhile is no longer the older one.
    const now = await Promise.all(part.map(({ oid }) => store.describe(oid)));
    const still = now.filter((object, i) => object !== undefined && object.updatedAt === part[i]?.updatedAt);
    await remove(still.filter((object) => object !== undefined));
    deleted += still.length;
  }
  return deleted;
}
