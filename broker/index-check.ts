import type { Oid } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import type { Indexer } from './indexer.ts';
import type { SearchEngine } from './search-engine.ts';

/** How an index and its store differ. */
export interface IndexFindings {
  readonly indexed: number;
  /** Objects that are in the store and cannot be found. */
  readonly missing: number;
  /** Objects that can be found and are not in the store, or are there under two names. */
  readonly ghosts: number;
  /** The first of them. */
  readonly sample: readonly string[];
}

const sampleSize = 20;
/** While the store changes the two are looked at again, at most so often. */
const mostTries = 3;

/**
 * Compare what an index holds with the store, both in the order of OIDs and in constant memory; undefined for an engine
 * that cannot tell what it holds. An object that was taken out of the index on purpose
 * is not missing.
 */
export async function checkIndex(
  engine: SearchEngine,
  store: ObjectStore,
  indexer: Pick<Indexer, 'reached' | 'isWithdrawn'>,
  signal?: AbortSignal,
): Promise<IndexFindings | undefined> {
  for (let tries = 1; ; tries++) {
    await indexer.reached(store.lsn);
    const { lsn } = store;
    const found = await compare(engine, store, indexer, signal);
    if (found === undefined || found.missing + found.ghosts === 0) return found;
    if (store.lsn === lsn || tries >= mostTries) return found;
  }
}

async function compare(
  engine: SearchEngine,
  store: ObjectStore,
  { isWithdrawn }: Pick<Indexer, 'isWithdrawn'>,
  signal: AbortSignal | undefined,
): Promise<IndexFindings | undefined> {
  const indexed = engine.oids?.()[Symbol.asyncIterator]();
  if (indexed === undefined) return undefined;
  const sample: string[] = [];
  let [count, missing, ghosts] = [0, 0, 0];
  const ghost = (oid: Oid) => {
    ghosts++;
    if (sample.length < sampleSize) sample.push(`${oid} is indexed and should not be`);
  };
  const bytes = (oid: Oid) => Buffer.from(oid, 'base64url');
  await using snapshot = await store.snapshot();
  let next = await indexed.next();
  for await (const { oid, digest } of snapshot.scan()) {
    signal?.throwIfAborted();
    for (; !next.done && Buffer.compare(bytes(next.value), bytes(oid)) < 0; next = await indexed.next()) {
      count++;
      ghost(next.value);
    }
    const isOut = isWithdrawn(oid, digest);
    if (!next.done && next.value === oid) {
      count++;
      if (isOut) ghost(oid);
      next = await indexed.next();
      continue;
    }
    if (isOut) continue;
    missing++;
    if (sample.length < sampleSize) sample.push(`${oid} is here and is not indexed`);
  }
  for (; !next.done; next = await indexed.next()) {
    count++;
    ghost(next.value);
  }
  if (engine.count !== count) {
    ghosts += Math.abs(engine.count - count);
    sample.push(`the index says that it has ${engine.count} objects and names ${count}`);
  }
  return { indexed: count, missing, ghosts, sample: sample.slice(0, sampleSize) };
}
