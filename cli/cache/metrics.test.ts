import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyBoundsMs } from '../../cache/index.ts';
import { metricsRegistry } from '../server/metrics.ts';
import { cacheMetrics, type MeasuredCache } from './metrics.ts';

test('the metrics of a cache have its counts, and its answer times as a histogram', async () => {
  const counts = latencyBoundsMs.map((_, at) => (at < 2 ? 3 : 0));
  const latency = { fromHere: { counts: [...counts, 4], sumMs: 25_500 }, others: { counts: [], sumMs: 0 } };
  const cache = {
    cache: { counts: () => ({ hit: 10, miss: 2, bytesFromStore: 5, bytesFromUpstream: 7, brokenOff: 1 }) },
    store: { statistics: () => ({ entries: 6, disk: { state: 'full' }, evicted: 2 }) },
    tally: { read: () => ({ errors: { CACHE_SILENT: 1 }, latency }) },
    doors: () => ({ refused: { CACHE_BUSY: 8 }, tunnels: { opened: 9, open: 3 } }),
  } as unknown as MeasuredCache;
  cacheMetrics(cache);
  // A second scrape has the same numbers.
  await metricsRegistry().metrics();
  const lines = (await metricsRegistry().metrics()).split('\n');
  for (const line of [
    'garner_cache_requests_total{outcome="hit"} 10',
    'garner_cache_requests_total{outcome="miss"} 2',
    'garner_cache_broken_off_total 1',
    'garner_cache_errors_total{code="CACHE_SILENT"} 1',
    'garner_cache_refused_total{code="CACHE_BUSY"} 8',
    'garner_cache_tunnels_total 9',
    'garner_cache_tunnels 3',
    'garner_cache_bytes_total{from="upstream"} 7',
    'garner_cache_left_total{why="evicted"} 2',
    'garner_cache_store_trouble 1',
    '# TYPE garner_cache_answer_seconds histogram',
    'garner_cache_answer_seconds_bucket{le="0.001",from="fromHere"} 3',
    'garner_cache_answer_seconds_bucket{le="10",from="fromHere"} 6',
    'garner_cache_answer_seconds_bucket{le="+Inf",from="fromHere"} 10',
    'garner_cache_answer_seconds_sum{from="fromHere"} 25.5',
    'garner_cache_answer_seconds_count{from="fromHere"} 10',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.filter((one) => one.includes('cache')).join('\n')}`);
});
