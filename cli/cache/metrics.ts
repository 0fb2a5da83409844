import { Counter, Gauge } from 'prom-client';
import {
  type DoorCounts,
  type Latency,
  latencyBoundsMs,
  type ObjectCache,
  type OpenedCache,
  type Peers,
  type RequestStatistics,
  type Workers,
} from '../../cache/index.ts';
import type { MetricsProvider } from '../../http/index.ts';
import { metricsProvider, metricsRegistry } from '../server/metrics.ts';
import { peerMetrics } from './peer-metrics.ts';

/** A cache whose numbers are scraped. */
export interface MeasuredCache {
  readonly cache: ObjectCache;
  readonly store: OpenedCache['store'];
  readonly tally: RequestStatistics;
  doors(): DoorCounts;
  readonly peers?: Peers;
  readonly workers?: Workers;
}

let measured: MeasuredCache | undefined;
let hasPeers = false;

/** The metrics of this process with those of a cache, read when they are asked for: a hit costs nothing more. */
export function cacheMetrics(cache: MeasuredCache): MetricsProvider {
  const provider = metricsProvider('cache');
  if (measured === undefined) register();
  if (cache.peers !== undefined && !hasPeers) {
    hasPeers = true;
    peerMetrics(() => measured?.peers);
  }
  measured = cache;
  return provider;
}

/** A counter that is read from elsewhere. */
function counter(
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<string, number>>,
): void {
  new Counter({
    ...{ name, help, labelNames: [label], registers: [metricsRegistry()] },
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    },
  });
}

function gauge(
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<string, number>>,
): void {
  new Gauge({
    ...{ name, help, labelNames: [label], registers: [metricsRegistry()] },
    collect() {
      for (const [value, amount] of Object.entries(read())) this.set({ [label]: value }, amount);
    },
  });
}

function register(): void {
  const counts = () => measured?.cache.counts();
  const store = () => measured?.store.statistics();
  counter('garner_cache_requests_total', 'Requests answered, by what they came to', 'outcome', () => {
    const { bytesFromStore: _, bytesFromUpstream: __, brokenOff: ___, ...outcomes } = counts() ?? {};
    return outcomes as Record<string, number>;
  });
  new Counter({
    ...{ name: 'garner_cache_broken_off_total', registers: [metricsRegistry()] },
    help: 'Answers that broke off after they had begun, as what was asked did not send the rest',
    collect() {
      this.reset();
      this.inc(counts()?.brokenOff ?? 0);
    },
  });
  counter(
    'garner_cache_errors_total',
    'Requests that ended in an error of the cache, by its code',
    'code',
    () => ({
      ...measured?.tally.read().errors,
    }),
  );
  counter(
    'garner_cache_refused_total',
    'Requests, tunnels and connections that a door refused before the cache was asked, by the code of the error',
    'code',
    () => measured?.doors().refused ?? {},
  );
  new Counter({
    ...{ name: 'garner_cache_tunnels_total', registers: [metricsRegistry()] },
    help: 'Tunnels and upgraded connections that were opened',
    collect() {
      this.reset();
      this.inc(measured?.doors().tunnels.opened ?? 0);
    },
  });
  new Gauge({
    name: 'garner_cache_tunnels',
    help: 'Tunnels and upgraded connections that are open',
    registers: [metricsRegistry()],
    collect() {
      this.set(measured?.doors().tunnels.open ?? 0);
    },
  });
  counter(
    'garner_cache_bytes_total',
    'Bytes of contents whose length was known, by where they came from',
    'from',
    () => {
      const { bytesFromStore = 0, bytesFromUpstream = 0 } = counts() ?? {};
      return { store: bytesFromStore, upstream: bytesFromUpstream };
    },
  );
  gauge('garner_cache_store_bytes', 'Bytes that are kept, and what may be kept', 'what', () => {
    const {
      diskBytes = 0,
      diskBudgetBytes = 0,
      memoryBytes = 0,
      memoryBudgetBytes = 0,
      contentBytes = 0,
    } = store() ?? {};
    return {
      ...{ content: contentBytes, disk: diskBytes, memory: memoryBytes },
      ...{ 'disk budget': diskBudgetBytes, 'memory budget': memoryBudgetBytes },
    };
  });
  counter(
    'garner_cache_left_total',
    'Responses that left the store or were not let in, by why',
    'why',
    () => {
      const { evicted = 0, damaged = 0, refused = 0 } = store() ?? {};
      return { evicted, damaged, refused };
    },
  );
  new Gauge({
    ...{ name: 'garner_cache_responses', help: 'Responses in the store', registers: [metricsRegistry()] },
    collect() {
      this.set(store()?.entries ?? 0);
    },
  });
  new Gauge({
    name: 'garner_cache_store_trouble',
    help: 'Whether the disk refused the last response that was to be stored',
    registers: [metricsRegistry()],
    collect() {
      const { state = 'well' } = store()?.disk ?? {};
      this.set(state === 'full' || state === 'failing' ? 1 : 0);
    },
  });
  new Gauge({
    ...{ name: 'garner_cache_workers', registers: [metricsRegistry()] },
    help: 'Worker processes that answer hits beside the process with the store',
    collect() {
      this.set(measured?.workers?.alive ?? 0);
    },
  });
  new Counter({
    ...{ name: 'garner_cache_workers_lost_total', registers: [metricsRegistry()] },
    help: 'Worker processes that ended unasked and were started anew',
    collect() {
      this.reset();
      this.inc(measured?.workers?.lost ?? 0);
    },
  });
  answerTimes();
}

/** Times to the head of an answer as a histogram, from counts that are kept elsewhere. */
function answerTimes(): void {
  const labels = ['from', 'le'];
  new Counter({
    name: 'garner_cache_answer_seconds_bucket',
    help: 'Answers of which the head was there within so many seconds',
    labelNames: labels,
    registers: [metricsRegistry()],
    collect() {
      this.reset();
      const { latency } = measured?.tally.read() ?? {};
      for (const [from, counted] of Object.entries(latency ?? {})) {
        let sum = 0;
        for (const [at, count] of counted.counts.entries()) {
          sum += count;
          const bound = latencyBoundsMs[at];
          this.inc({ from, le: bound === undefined ? '+Inf' : String(bound / 1000) }, sum);
        }
      }
    },
  });
  const total = (name: string, help: string, read: (latency: Latency) => number) =>
    counter(name, help, 'from', () => {
      const { latency } = measured?.tally.read() ?? {};
      return Object.fromEntries(
        Object.entries(latency ?? {}).map(([from, counted]) => [from, read(counted)]),
      );
    });
  total(
    'garner_cache_answer_seconds_sum',
    'Seconds until those heads were there, together',
    ({ sumMs }) => sumMs / 1000,
  );
  total('garner_cache_answer_seconds_count', 'Answers whose times are counted', ({ counts }) =>
    counts.reduce((sum, count) => sum + count, 0),
  );
}
