import type { Lsn } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { SearchEngine } from '../engines/index.ts';
import type { Indexer } from './indexer.ts';

/** Differences between an index and its store. */
export interface IndexFindings {
  readonly indexed: number;
  /** Objects that are in the store and cannot be found. */
  readonly missing: number;
  /** Objects that can be found and are not in the store, or are found under two ids. */
  readonly ghosts: number;
  /** The first differences. */
  readonly sample: readonly string[];
}

const sampleSize = 20;
/** Max comparisons while the store changes. */
const maxTries = 3;
/** Max differences to compare again. Changes of the store cannot explain more than these. */
const maxStored = 10_000;

type Difference = 'missing' | 'ghost';

/** One comparison. Its differences include changes of the store during it. */
interface Comparison {
  readonly indexed: number;
  readonly differences: ReadonlyMap<Oid, Difference>;
  readonly counts: Readonly<Record<Difference, number>>;
  /** The error of the engine's own count. */
  readonly miscounted: number;
}

/**
 * Compare an index with the store, both in the order of OIDs and in constant memory. Undefined for an engine
 * that cannot list its objects. An object taken out of the index on purpose is not missing. When the store
 * changes meanwhile, the comparison is repeated, and only differences found each time are reported.
 */
export async function checkIndex(
  engine: SearchEngine,
  store: ObjectStore,
  indexer: Pick<Indexer, 'reached' | 'isWithdrawn'>,
  signal?: AbortSignal,
): Promise<IndexFindings | undefined> {
  let lasting: Comparison | undefined;
  for (let tries = 1; ; tries++) {
    await indexer.reached(store.lsn);
    const { lsn } = store;
    const found = await compare(engine, store, indexer, signal);
    if (found === undefined) return undefined;
    lasting = lasting === undefined ? found : inBoth(lasting, found);
    const isQuiet = store.lsn === lsn;
    if (!isQuiet && isWhole(lasting)) {
      const still = await unchanged(lasting, store, indexer, lsn);
      lasting = { ...lasting, ...still, miscounted: 0 };
    }
    const { counts, miscounted } = lasting;
    const differs = counts.missing + counts.ghost + miscounted > 0;
    if (isQuiet || !differs || !isWhole(lasting) || tries >= maxTries) return findingsOf(lasting);
  }
}

const isWhole = ({ differences, counts }: Comparison) => differences.size === counts.missing + counts.ghost;

function inBoth(first: Comparison, second: Comparison): Comparison {
  const both = [...second.differences].filter(([oid, kind]) => first.differences.get(oid) === kind);
  return { ...second, ...counted(both) };
}

/** Without objects changed in the store since this LSN, which the index could not have. */
async function unchanged(
  { differences }: Comparison,
  store: ObjectStore,
  { isWithdrawn }: Pick<Indexer, 'isWithdrawn'>,
  lsn: Lsn,
) {
  const still: (readonly [Oid, Difference])[] = [];
  for (const [oid, kind] of differences) {
    const object = await store.describe(oid);
    const isStill =
      kind === 'missing'
        ? object !== undefined && object.lsn <= lsn
        : object === undefined || isWithdrawn(oid, object.digest);
    if (isStill) still.push([oid, kind]);
  }
  return counted(still);
}

function counted(
  differences: readonly (readonly [Oid, Difference])[],
): Pick<Comparison, 'differences' | 'counts'> {
  const missing = differences.filter(([, kind]) => kind === 'missing').length;
  return { differences: new Map(differences), counts: { missing, ghost: differences.length - missing } };
}

function findingsOf({ indexed, differences, counts, miscounted }: Comparison): IndexFindings {
  const sample = [...differences].map(([oid, kind]) =>
    kind === 'ghost' ? `${oid} is indexed but should not be` : `${oid} is stored but not indexed`,
  );
  if (miscounted > 0) sample.push(`the object count of the index is wrong by ${miscounted}`);
  return {
    ...{ indexed, missing: counts.missing, ghosts: counts.ghost + miscounted },
    sample: sample.slice(0, sampleSize),
  };
}

async function compare(
  engine: SearchEngine,
  store: ObjectStore,
  { isWithdrawn }: Pick<Indexer, 'isWithdrawn'>,
  signal: AbortSignal | undefined,
): Promise<Comparison | undefined> {
  const indexed = engine.oids?.()[Symbol.asyncIterator]();
  if (indexed === undefined) return undefined;
  const differences = new Map<Oid, Difference>();
  const counts = { missing: 0, ghost: 0 };
  let count = 0;
  const differs = (oid: Oid, kind: Difference) => {
    counts[kind]++;
    if (differences.size < maxStored) differences.set(oid, kind);
  };
  const bytes = (oid: Oid) => Buffer.from(oid, 'base64url');
  await using snapshot = await store.snapshot();
  let next = await indexed.next();
  for await (const { oid, digest } of snapshot.scan()) {
    signal?.throwIfAborted();
    for (; !next.done && Buffer.compare(bytes(next.value), bytes(oid)) < 0; next = await indexed.next()) {
      count++;
      differs(next.value, 'ghost');
    }
    const isOut = isWithdrawn(oid, digest);
    if (!next.done && next.value === oid) {
      count++;
      if (isOut) differs(oid, 'ghost');
      next = await indexed.next();
    } else if (!isOut) differs(oid, 'missing');
  }
  for (; !next.done; next = await indexed.next()) {
    count++;
    differs(next.value, 'ghost');
  }
  return { indexed: count, differences, counts, miscounted: Math.abs(engine.count - count) };
}
