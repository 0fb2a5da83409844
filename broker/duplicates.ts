import { createHash } from 'node:crypto';
import type { Oid, ServerId } from '../soif/index.ts';
import type { ObjectStore, StoredObject } from '../store/index.ts';

/** One object of a URL that several Gatherers have summarised. */
export interface Duplicate {
  readonly oid: Oid;
  readonly publisher: ServerId;
  /** Seconds since 1970. */
  readonly updatedAt: number;
}

/** A URL under more than one Gatherer: as a rule one that was set up anew, under another id. */
export interface DuplicateUrl {
  readonly url: string;
  /** The newest summary. */
  readonly newest: Duplicate;
  readonly older: readonly Duplicate[];
}

export interface Duplicates {
  readonly urls: readonly DuplicateUrl[];
  /** There are more than are told. */
  readonly isCut: boolean;
  readonly deleted: number;
}

export interface DuplicateOptions {
  /** Delete nothing. */
  readonly isDryRun: boolean;
  /** Deletes objects so that their sources do not bring them back. */
  readonly remove: (objects: readonly StoredObject[]) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** URLs told and deleted from in one go. */
const mostUrls = 10_000;
const deleteStep = 256;
/** Marks by a hash of the URL, two bits each: 16 MiB whatever the size of the store. */
const marks = 2 ** 26;

const placeOf = (url: string) => createHash('md5').update(url).digest().readUInt32BE() % marks;

/**
 * Find the URLs of which there are objects by several Gatherers, and delete the older ones of each when asked to
 * (Harvest: "delete older objects of duplicate URLs"). Reads what is known of every object twice, and no contents.
 */
export async function findDuplicates(
  store: ObjectStore,
  { isDryRun, remove, signal }: DuplicateOptions,
): Promise<Duplicates> {
  const seen = new Uint8Array(marks / 8);
  const again = new Uint8Array(marks / 8);
  await using snapshot = await store.snapshot();
  for await (const rows of snapshot.log(0)) {
    signal?.throwIfAborted();
    for (const { meta } of rows) {
      if (meta === undefined) continue;
      const place = placeOf(meta.url);
      const [byte, bit] = [place >>> 3, 1 << (place & 7)];
      if (((seen[byte] as number) & bit) !== 0) again[byte] = (again[byte] as number) | bit;
      seen[byte] = (seen[byte] as number) | bit;
    }
  }
  const found = new Map<string, Duplicate[]>();
  let isCut = false;
  for await (const rows of snapshot.log(0)) {
    signal?.throwIfAborted();
    for (const { row, meta } of rows) {
      if (meta === undefined) continue;
      const place = placeOf(meta.url);
      if (((again[place >>> 3] as number) & (1 << (place & 7))) === 0) continue;
      const known = found.get(meta.url) ?? [];
      if (known.length === 0 && found.size >= 2 * mostUrls) {
        isCut = true;
        continue;
      }
      found.set(meta.url, known);
      known.push({ oid: row.oid, publisher: meta.publisher, updatedAt: meta.updatedAt });
    }
  }
  const urls = [...found]
    .filter(([, objects]) => objects.length > 1)
    .map(([url, objects]): DuplicateUrl => {
      const [newest, ...older] = objects.sort((a, b) => b.updatedAt - a.updatedAt);
      return { url, newest: newest as Duplicate, older };
    });
  const told = urls.slice(0, mostUrls);
  const deleted = isDryRun ? 0 : await deleteOlder(store, told, remove, signal);
  return { urls: told, isCut: isCut || told.length < urls.length, deleted };
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
    // One that was refreshed meanwhile is not the older one any more.
    const now = await Promise.all(part.map(({ oid }) => store.describe(oid)));
    const still = now.filter((object, i) => object !== undefined && object.updatedAt === part[i]?.updatedAt);
    await remove(still.filter((object) => object !== undefined));
    deleted += still.length;
  }
  return deleted;
}
