import { Counter, Gauge, Histogram } from 'prom-client';
import {
  type DoorCounts,
  latencyBoundsMs,
  type ObjectCache,
  type OpenedCache,
  type Peers,
  type RequestStatistics,
  type Workers,
} from '../../cache/index.ts';
import type { MetricsProvider } from '../../http/index.ts';
import { metricsProvider, metricsRegistry } from '../server/metrics.ts';
import { metric, peerMetrics } from './peer-metrics.ts';

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

/** The metrics of this process with those of a cache, read when they are scraped, so that hits stay as fast. */
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

function register(): void {
  const counts = () => measured?.cache.counts();
  const store = () => measured?.store.statistics();
  metric(
    Counter,
    'garner_cache_requests_total',
    'Requests answered, by outcome',
    () => {
      const { bytesFromStore: _, bytesFromUpstream: __, brokenOff: ___, ...outcomes } = counts() ?? {};
      return outcomes as Record<string, number>;
    },
    'outcome',
  );
  metric(
    Counter,
    'garner_cache_broken_off_total',
    'Answers that broke off after they had begun, because the upstream did not send the rest',
    () => counts()?.brokenOff ?? 0,
  );
  metric(
    Counter,
    'garner_cache_errors_total',
    'Requests that ended in an error of the cache, by its code',
    () => ({ ...measured?.tally.read().errors }),
    'code',
  );
  metric(
    Counter,
    'garner_cache_refused_total',
    'Requests, tunnels and connections that a door refused before they reached the cache, by the code of the error',
    () => measured?.doors().refused ?? {},
    'code',
  );
  metric(
    Counter,
    'garner_cache_tunnels_total',
    'Tunnels and upgraded connections that were opened',
    () => measured?.doors().tunnels.opened ?? 0,
  );
  metric(
    Gauge,
    'garner_cache_tunnels',
    'Tunnels and upgraded connections that are open',
    () => measured?.doors().tunnels.open ?? 0,
  );
  metric(
    Counter,
    'garner_cache_bytes_total',
    'Bytes of contents whose length was known, by source',
    () => {
      const { bytesFromStore = 0, bytesFromUpstream = 0 } = counts() ?? {};
      return { store: bytesFromStore, upstream: bytesFromUpstream };
    },
    'from',
  );
  metric(
    Gauge,
    'garner_cache_store_bytes',
    'Bytes that are stored, and their budgets',
    () => {
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
    },
    'what',
  );
  metric(
    Counter,
    'garner_cache_left_total',
    'Responses that left the store or were not admitted, by reason',
    () => {
      const { evicted = 0, damaged = 0, refused = 0 } = store() ?? {};
      return { evicted, damaged, refused };
    },
    'why',
  );
  metric(Gauge, 'garner_cache_responses', 'Responses in the store', () => store()?.entries ?? 0);
  metric(
    Gauge,
    'garner_cache_store_trouble',
    'Whether the disk refused the last response that was to be stored',
    () => (['full', 'failing'].includes(store()?.disk.state ?? 'well') ? 1 : 0),
  );
  metric(
    Gauge,
    'garner_cache_workers',
    'Worker processes that answer hits beside the process with the store',
    () => measured?.workers?.alive ?? 0,
  );
  metric(
    Counter,
    'garner_cache_workers_lost_total',
    'Worker processes that ended unexpectedly and were restarted',
    () => measured?.workers?.lost ?? 0,
  );
  answerTimes();
}

/** The part of a Histogram's state for one set of labels. */
interface HistogramValues {
  readonly labels: { readonly from?: string };
  readonly bucketValues: Record<number, number>;
  sum: number;
  count: number;
}

/** Times to the head of an answer. The cache counts them: observing each answer here would make hits slower. */
function answerTimes(): void {
  new Histogram({
    name: 'garner_cache_answer_seconds',
    help: 'Seconds until the head of an answer',
    labelNames: ['from'],
    buckets: latencyBoundsMs.map((ms) => ms / 1000),
    registers: [metricsRegistry()],
    collect() {
      const latency = Object.entries(measured?.tally.read().latency ?? {});
      for (const [from] of latency) this.zero({ from });
      const all = (this as unknown as { readonly hashMap: Record<string, HistogramValues> }).hashMap;
      for (const values of Object.values(all)) {
        const counted = latency.find(([from]) => from === values.labels.from)?.[1];
        if (counted === undefined) continue;
        for (const [at, ms] of latencyBoundsMs.entries())
          values.bucketValues[ms / 1000] = counted.counts[at] ?? 0;
        values.count = counted.counts.reduce((sum, count) => sum + count, 0);
        values.sum = counted.sumMs / 1000;
      }
    },
  });
}
