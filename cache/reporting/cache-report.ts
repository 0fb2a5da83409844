import type { DoorCounts } from '../doors/index.ts';
import type { EntryStore } from '../storage/index.ts';
import type { Counts } from './counters.ts';
import { diskErrorText } from './disk-errors.ts';
import { latencyBoundsMs, type Tallied } from './request-statistics.ts';

/** A parent or sibling in a report. */
export interface Neighbour {
  readonly role: 'parent' | 'sibling';
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** `silent`: not awaited until it answers; `dead`: queried now and then; `down`: unreachable over HTTP. */
  readonly state: 'up' | 'silent' | 'dead' | 'denying' | 'down' | 'unknown name';
  /** ICP and HTCP queries, and their answers. */
  readonly asked: number;
  readonly hits: number;
  readonly misses: number;
  /** Requests sent to it: answered, and failed. */
  readonly fetched: number;
  readonly failed: number;
  /** Entries of its digest, when there is one. */
  readonly digestEntries?: number;
}

/** A stored response in the list of the hottest or largest. */
export interface ListedObject {
  readonly url: string;
  readonly bytes: number;
  readonly hits: number;
  readonly status: number;
}

/** An origin server of an accelerator. */
export interface ReportedOrigin {
  readonly host: string | null;
  readonly url: string;
}

/** The cache's name, its origins and its addresses. */
export interface CachePlace {
  readonly name: string;
  /** The origin of an accelerator, preferably the one for every host; null for a proxy. */
  readonly origin: string | null;
  /** All origins, each with its host; null where it is for every host. */
  readonly origins: readonly ReportedOrigin[];
  readonly proxy: boolean;
  /** Addresses that it serves; empty when no process serves. */
  readonly addresses: readonly string[];
}

/** Milliseconds within which half, and 99 of 100, answers had a head. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** The answers since the start. */
export interface ReportedAnswers {
  /** Seconds since 1970. */
  readonly since: number;
  readonly requests: number;
  readonly outcomes: Omit<Counts, 'bytesFromStore' | 'bytesFromUpstream' | 'brokenOff'>;
  /** Answers among them that broke off after they had begun. */
  readonly brokenOff: number;
  /** Requests that ended in an error of this cache, by its code, including those whose answer had begun. */
  readonly errors: Readonly<Record<string, number>>;
  /** Refused by doors before they reached the cache, by the code of the error; not part of `requests`. */
  readonly refused: DoorCounts['refused'];
  /** Tunnels and upgraded connections. */
  readonly tunnels: DoorCounts['tunnels'];
  /** Answers from the store among cacheable requests, 0 to 1; null before the first. */
  readonly hitRatio: number | null;
  readonly byteHitRatio: number | null;
  readonly bytes: number;
  readonly bytesFromHere: number;
  readonly latency: { readonly fromHere: Percentiles | null; readonly others: Percentiles | null };
  readonly minutes: readonly {
    readonly at: number;
    readonly requests: number;
    readonly fromHere: number;
  }[];
}

/** A fault of the store's disk. Times are seconds since 1970. */
export interface ReportedTrouble {
  /** `short`: it has less room than cache.disk, and new responses replace old ones; otherwise nothing new is stored. */
  readonly state: 'short' | 'full' | 'failing';
  /** The error code, such as ENOSPC, its meaning, and advice. */
  readonly reason: string;
  readonly what: string;
  readonly cure: string;
  readonly since: number;
}

/** The disk fault of a store; null when there is none. */
export function reportedTrouble({ disk }: ReturnType<EntryStore['statistics']>): ReportedTrouble | null {
  const { state, reason, since } = disk;
  if (state === 'well' || reason === null || since === null) return null;
  return { state, reason, ...diskErrorText(reason), since };
}

/** The data of `garner cache status` and of the status page. Times are seconds since 1970. */
export interface CacheReport extends CachePlace {
  readonly role: 'cache';
  readonly now: number;
  /** Null when no process serves. */
  readonly answers: ReportedAnswers | null;
  readonly store: ReturnType<EntryStore['statistics']> & {
    readonly trouble: ReportedTrouble | null;
  };
  readonly hottest: readonly ListedObject[];
  readonly largest: readonly ListedObject[];
  readonly neighbours: readonly Neighbour[];
  /** Caches that send requests to this one; the name is null for a peer that sends no Via. */
  readonly children: readonly {
    readonly name: string | null;
    readonly address: string;
    readonly requests: number;
    readonly fromHere: number;
    readonly lastAt: number;
  }[];
}

const listed = 20;

/** The bucket bound of a percentile, `part` from 0 to 1; the last bound when it is above all. */
function percentile(counts: readonly number[], part: number): number | undefined {
  const all = counts.reduce((sum, one) => sum + one, 0);
  if (all === 0) return undefined;
  let sum = 0;
  for (const [at, count] of counts.entries()) {
    sum += count;
    if (sum >= part * all) return latencyBoundsMs[at] ?? latencyBoundsMs.at(-1);
  }
  return undefined;
}

function percentiles(counts: readonly number[]): Percentiles | null {
  const [p50, p99] = [percentile(counts, 0.5), percentile(counts, 0.99)];
  return p50 === undefined || p99 === undefined ? null : { p50, p99 };
}

/** The counts of the serving processes. */
interface Served {
  readonly counts: Counts;
  readonly tallied: Tallied;
  readonly doors: DoorCounts;
}

function answersOf({ counts, tallied, doors }: Served): ReportedAnswers {
  const { bytesFromStore, bytesFromUpstream, brokenOff, ...outcomes } = counts;
  const { sinceMs, errors, latency } = tallied;
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const { hit, validated, collapsed, pass } = outcomes;
  const fromHere = sum([hit, outcomes['stale-hit'], validated, outcomes['stale-on-error'], collapsed]);
  const requests = sum(Object.values(outcomes));
  const answerable = requests - pass - outcomes.failed - outcomes.refused;
  const bytes = bytesFromStore + bytesFromUpstream;
  return {
    since: sinceMs / 1000,
    ...doors,
    ...{ requests, outcomes, brokenOff, errors, bytes, bytesFromHere: bytesFromStore },
    hitRatio: answerable === 0 ? null : fromHere / answerable,
    byteHitRatio: bytes === 0 ? null : bytesFromStore / bytes,
    latency: {
      fromHere: percentiles(latency.fromHere.counts),
      others: percentiles(latency.others.counts),
    },
    minutes: tallied.minutes.map(({ atMs, ...counted }) => ({ at: atMs / 1000, ...counted })),
  };
}

export async function cacheReport(parts: {
  readonly place: CachePlace;
  readonly store: EntryStore;
  readonly nowMs: number;
  /** Absent when no process serves. */
  readonly served?: Served;
  readonly neighbours: readonly Neighbour[];
}): Promise<CacheReport> {
  const { place, store, nowMs, served, neighbours } = parts;
  const statistics = store.statistics();
  const list = async (order: 'hits' | 'size'): Promise<readonly ListedObject[]> =>
    (await store.top(order, listed)).map(({ entry, hits }) => ({
      ...{ url: entry.key, bytes: entry.contentLength, hits, status: entry.head.status },
    }));
  return {
    role: 'cache',
    ...place,
    now: nowMs / 1000,
    answers: served === undefined ? null : answersOf(served),
    store: { ...statistics, trouble: reportedTrouble(statistics) },
    hottest: await list('hits'),
    largest: await list('size'),
    neighbours,
    children: (served?.tallied.children ?? []).map(({ lastAtMs, ...child }) => ({
      ...child,
      lastAt: lastAtMs / 1000,
    })),
  };
}
