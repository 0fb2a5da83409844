import { Counter, Gauge } from 'prom-client';
import type { Peers } from '../../cache/index.ts';
import { metricsRegistry } from '../server/metrics.ts';

type Rows = readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];

/** Register what is measured of the caches that ours works with; read when it is asked for. */
export function peerMetrics(peers: () => Peers | undefined): void {
  const status = () => peers()?.status() ?? [];
  rows(
    Gauge,
    'garner_cache_peer_up',
    'Whether a peer is of use: 0 while silent, dead, denying, down or of no known name',
    () =>
      status().map(({ name, role, state }) => ({
        labels: { peer: name, role },
        value: state === 'up' ? 1 : 0,
      })),
  );
  rows(Counter, 'garner_cache_peer_answers_total', 'Questions to peers (ICP, HTCP), by their answer', () =>
    status().flatMap(({ name, asked, answered, hits, misses, denied }) =>
      Object.entries({ hit: hits, miss: misses, denied, none: asked - answered }).map(([answer, value]) => ({
        labels: { peer: name, answer },
        value,
      })),
    ),
  );
  rows(Counter, 'garner_cache_peer_requests_total', 'Requests sent to peers, by what came of them', () =>
    status().flatMap(({ name, fetched, failed, notThere, lame }) =>
      Object.entries({ answered: fetched, failed, 'not there': notThere, lame }).map(([result, value]) => ({
        labels: { peer: name, result },
        value,
      })),
    ),
  );
  rows(Counter, 'garner_cache_questions_total', 'Questions of others (ICP, HTCP), by our answer', () =>
    Object.entries(peers()?.counts() ?? {}).flatMap(
      ([protocol, { hits, misses, denied, dropped, unusable }]) =>
        Object.entries({ hit: hits, miss: misses, denied, dropped, unusable }).map(([answer, value]) => ({
          labels: { protocol, answer },
          value,
        })),
    ),
  );
}

function rows(kind: typeof Counter | typeof Gauge, name: string, help: string, read: () => Rows): void {
  const labelNames = ['peer', 'role', 'answer', 'result', 'protocol'];
  new kind({
    ...{ name, help, labelNames, registers: [metricsRegistry()] },
    collect() {
      this.reset();
      for (const { labels, value } of read()) this.inc(labels, Math.max(0, value));
    },
  });
}
