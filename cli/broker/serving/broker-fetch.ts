import { type Fetch, HttpClient, userAgent } from '../../../fetch/index.ts';
import { systemClock, systemRandom } from '../../../kernel/index.ts';
import { allowedHosts } from '../../config/allowed-hosts.ts';
import type { EffectiveConfig } from '../../config/config.ts';
import { version } from '../../config/version.ts';

/** A Broker's client for the URLs of its results: polite, and in private networks only where the operator allows it. */
export interface BrokerFetch extends AsyncDisposable {
  readonly fetch: Fetch;
}

const connections = 4;
const retries = 1;

/** The client of `fetch.*`, with few connections: no fetch of a Broker is urgent. `ownHosts` are allowed as well. */
export function brokerFetch(config: EffectiveConfig, ownHosts: readonly string[]): BrokerFetch {
  const client = new HttpClient({
    ...{ userAgent: userAgent(version(), config.text('fetch.contact')), connections, retries },
    ...{ clock: systemClock, random: systemRandom },
    allowHosts: [...allowedHosts(config, 'fetch.allow-hosts'), ...ownHosts],
    delayMs: config.seconds('fetch.delay') * 1000,
    connectTimeoutMs: config.seconds('fetch.connect-timeout') * 1000,
    headersTimeoutMs: config.seconds('fetch.headers-timeout') * 1000,
    idleTimeoutMs: config.seconds('fetch.idle-timeout') * 1000,
    totalTimeoutMs: config.seconds('fetch.total-timeout') * 1000,
    maxBytes: config.bytes('fetch.max-bytes'),
  });
  return { fetch: client.fetch, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

/** The client for the documents by which sites name their Gatherers. */
export function proofFetch(config: EffectiveConfig, ownHosts: readonly string[]): BrokerFetch {
  const client = new HttpClient({
    ...{
      userAgent: userAgent(version(), config.text('fetch.contact')),
      clock: systemClock,
      random: systemRandom,
    },
    allowHosts: [...allowedHosts(config, 'fetch.allow-hosts'), ...ownHosts],
    ...{ delayMs: 0, retries: 0, totalTimeoutMs: 10_000 },
  });
  return { fetch: client.fetch, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}
