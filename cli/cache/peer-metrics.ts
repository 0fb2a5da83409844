import { Counter, Gauge } from 'prom-client';
import type { Peers } from '../../cache/index.ts';
import { metricsRegistry } from '../server/metrics.ts';

type Rows = readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];

/** Register the metrics of the peers, read when they are scraped. */
export function peerMetrics(peers: () => Peers | undefined): void {
  const status = () => peers()?.status() ?? [];
  metric(
    Gauge,
    'garner_cache_peer_up',
    'Whether a peer is usable: 0 while silent, dead, denying, down or of unknown name',
    () =>
      status().map(({ name, role, state }) => ({
        labels: { peer: name, role },
        value: state === 'up' ? 1 : 0,
      })),
  );
  metric(Counter, 'garner_cache_peer_answers_total', 'Queries to peers (ICP, HTCP), by their answer', () =>
    status().flatMap(({ name, asked, answered, hits, misses, denied }) =>
      Object.entries({ hit: hits, miss: misses, denied, none: asked - answered }).map(([answer, value]) => ({
        labels: { peer: name, answer },
        value,
      })),
    ),
  );
  metric(Counter, 'garner_cache_peer_requests_total', 'Requests sent to peers, by result', () =>
    status().flatMap(({ name, fetched, failed, notThere, lame }) =>
      Object.entries({ answered: fetched, failed, 'not there': notThere, lame }).map(([result, value]) => ({
        labels: { peer: name, result },
        value,
      })),
    ),
  );
  metric(Counter, 'garner_cache_questions_total', 'Queries of other caches (ICP, HTCP), by our answer', () =>
    Object.entries(peers()?.counts() ?? {}).flatMap(
      ([protocol, { hits, misses, denied, dropped, unusable }]) =>
        Object.entries({ hit: hits, miss: misses, denied, dropped, unusable }).map(([answer, value]) => ({
          labels: { protocol, answer },
          value,
        })),
    ),
  );
}

/** A number, numbers by the values of one label, or numbers with all their labels. */
type Read = number | { readonly [value: string]: number } | Rows;

const labelNames = ['outcome', 'code', 'from', 'what', 'why', 'peer', 'role', 'answer', 'result', 'protocol'];

/** Register a metric that is read when it is scraped; `label` names the label of numbers by value. */
export function metric(
  kind: typeof Counter | typeof Gauge,
  name: string,
  help: string,
  read: () => Read,
  label = '',
): void {
  new kind({
    ...{ name, help, labelNames, registers: [metricsRegistry()] },
    collect() {
      this.reset();
      const found = read();
      if (typeof found === 'number') this.inc(found);
      else if (isRows(found)) for (const { labels, value } of found) this.inc(labels, Math.max(0, value));
      else for (const [value, count] of Object.entries(found)) this.inc({ [label]: value }, count);
    },
  });
}

const isRows = (read: Exclude<Read, number>): read is Rows => Array.isArray(read);
