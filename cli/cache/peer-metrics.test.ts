import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Peers } from '../../cache/index.ts';
import { metricsRegistry } from '../server/metrics.ts';
import { peerMetrics } from './peer-metrics.ts';

test('a peer that is of no use is not up in the metrics, whatever is wrong with it', async () => {
  const states = ['up', 'silent', 'dead', 'denying', 'down', 'unknown name'];
  const counts = { asked: 0, answered: 0, hits: 0, misses: 0, denied: 0 };
  const status = states.map((state) => ({
    ...{ name: state, role: 'parent', state, ...counts },
    ...{ fetched: 0, failed: 0, notThere: 0, lame: 0 },
  }));
  peerMetrics(() => ({ status: () => status, counts: () => ({}) }) as unknown as Peers);
  const text = await metricsRegistry().metrics();
  const up = [...text.matchAll(/^garner_cache_peer_up\{peer="([^"]*)",role="parent"\} (\d)$/gm)];
  assert.deepEqual(
    up.map(([, name, value]) => [name, value]),
    states.map((state) => [state, state === 'up' ? '1' : '0']),
  );
});
