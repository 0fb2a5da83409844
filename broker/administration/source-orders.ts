import { type FilterSpec, filterFrom, filterText } from '../../exchange/index.ts';
import { failure, TaskQueue } from '../../kernel/index.ts';
import { parseQuery } from '../../query/index.ts';
import { type SourceAddress, type SourceOrder, sourceFrom } from '../collecting/index.ts';
import { brokerErrors } from '../errors.ts';
import type { Broker } from '../service/index.ts';

/** A source as an operator sees it. Times are seconds since 1970. */
export interface ListedSource {
  readonly url: string;
  readonly id: string | null;
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
  /** `settings`: from the settings; `added`: while serving; `former`: no longer collected from. */
  readonly kind: 'settings' | 'added' | 'former';
  /** The setting that names it, or the caller that added it. */
  readonly from: string;
  readonly paused: boolean;
  readonly intervalSeconds: number | null;
  readonly filter: FilterSpec | null;
  readonly objects: number;
  readonly lastLearnedAt: number | null;
}

export interface NewSource {
  readonly source: string;
  readonly intervalSeconds?: number;
  readonly filter?: FilterSpec;
  readonly isPaused?: boolean;
  readonly token?: string;
}

/** Min and max time between two rounds of a source; seconds. */
const [minInterval, maxInterval] = [1, 365 * 86_400];

/** The sources of a Broker, as its operator changes them while it serves. Each order outlives a restart. */
export class SourceOrders {
  readonly #broker: Broker;
  readonly #turns = new TaskQueue();

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  async list(): Promise<readonly ListedSource[]> {
    const broker = this.#broker;
    const { status } = broker.collector;
    const current = await Promise.all(
      status.map(async (source): Promise<ListedSource> => {
        const { url, serverId, name, state, error, from, intervalSeconds, filter, lastLearnedAt } = source;
        const order = broker.orders.sources.order(url);
        return {
          ...{ url, id: serverId, name, state, error, intervalSeconds, filter, lastLearnedAt },
          kind: this.#inSettings(url) ? 'settings' : 'added',
          from: from ?? (order?.added === undefined ? 'settings' : `added by ${order.by}`),
          paused: state === 'paused',
          objects: serverId === null ? 0 : await broker.objectsOf(serverId),
        };
      }),
    );
    const former = await Promise.all(
      broker.formerSources().map(
        async ({ serverId, url, name, lastLearnedAt }): Promise<ListedSource> => ({
          ...{ url, id: serverId, name, state: 'former', error: null, kind: 'former', lastLearnedAt },
          ...{ from: 'no longer collected from', paused: false, intervalSeconds: null, filter: null },
          objects: await broker.objectsOf(serverId),
        }),
      ),
    );
    return [...current, ...former];
  }

  /** Collect from one more source. Throws BROKER_SOURCE, BROKER_SOURCE_KNOWN, BROKER_SOURCES_MOST, BROKER_BODY. */
  add({ source, intervalSeconds, filter, isPaused = false, token }: NewSource, by: string): Promise<string> {
    return this.#turns.run(async () => {
      const { collector, orders } = this.#broker;
      const address = sourceFrom(source);
      const { url } = address;
      if (collector.has(url)) throw failure(brokerErrors.BROKER_SOURCE_KNOWN, { source: url });
      if (intervalSeconds !== undefined) checkInterval(intervalSeconds);
      if (filter !== undefined) checkFilter(filter);
      const order: SourceOrder = {
        ...{ url, added: source, isPaused, ...this.#stamp(by) },
        ...(intervalSeconds !== undefined && { intervalSeconds }),
        ...(filter !== undefined && { filter }),
        ...(token !== undefined && { token }),
      };
      await orders.sources.put(order);
      await collector.put(orders.sources.addressOf(order));
      return url;
    });
  }

  /** Pause a source, resume it, or set its interval (null: the Broker's own). Throws BROKER_NO_SOURCE. */
  change(
    text: string,
    wanted: { readonly isPaused?: boolean; readonly intervalSeconds?: number | null },
    by: string,
  ): Promise<string> {
    return this.#turns.run(async () => {
      const { collector, orders } = this.#broker;
      const { url } = collector.find(text);
      if (!collector.has(url)) throw failure(brokerErrors.BROKER_NO_SOURCE, { source: text.slice(0, 200) });
      const before = orders.sources.order(url);
      const base: SourceOrder = before ?? { url, isPaused: false, ...this.#stamp(by) };
      const { intervalSeconds: last, ...rest } = base;
      const isPaused = wanted.isPaused ?? rest.isPaused;
      const interval = wanted.intervalSeconds === undefined ? last : (wanted.intervalSeconds ?? undefined);
      if (interval !== undefined) checkInterval(interval);
      // The caller that added it stays on record.
      const stamp = rest.added === undefined ? this.#stamp(by) : { by: rest.by, at: rest.at };
      const order: SourceOrder = {
        ...{ ...rest, isPaused, ...stamp },
        ...(interval !== undefined && { intervalSeconds: interval }),
      };
      await orders.sources.put(order);
      if (isPaused !== (before?.isPaused ?? false)) await collector.put(this.#address(order));
      else collector.pace(url, interval);
      return url;
    });
  }

  /**
   * Stop collecting from a source; `forget` removes its objects now, also those of a former source. Throws
   * BROKER_NO_SOURCE, and BROKER_SOURCE_SET for a source that the settings would add again.
   */
  remove(text: string, { forget }: { readonly forget: boolean }): Promise<string> {
    return this.#turns.run(async () => {
      const { collector, orders } = this.#broker;
      const address = collector.find(text);
      const { url } = address;
      if (collector.has(url) && this.#inSettings(url))
        throw failure(brokerErrors.BROKER_SOURCE_SET, { source: url, from: address.from ?? 'settings' });
      if (!collector.has(url) && !forget)
        throw failure(brokerErrors.BROKER_NO_SOURCE, { source: text.slice(0, 200) });
      const servers = [...collector.status, ...this.#broker.formerSources()]
        .filter((source) => source.url === url)
        .map(({ serverId }) => serverId);
      await orders.sources.forget(url);
      await collector.drop(url);
      for (const server of servers)
        if (forget && server !== null && collector.status.every(({ serverId }) => serverId !== server))
          await collector.forget(server);
      return url;
    });
  }

  #inSettings(url: string): boolean {
    return this.#broker.settingSources.some((source) => source.url === url);
  }

  #address(order: SourceOrder): SourceAddress {
    const { settingSources, orders } = this.#broker;
    const base = settingSources.find(({ url }) => url === order.url);
    return base === undefined ? orders.sources.addressOf(order) : orders.sources.ordered(base);
  }

  #stamp(by: string): Pick<SourceOrder, 'by' | 'at'> {
    return { by, at: Math.floor(this.#broker.clock.now() / 1000) };
  }
}

const bad = (problem: string) => failure(brokerErrors.BROKER_BODY, { problem });

function checkInterval(seconds: number): void {
  if (!(seconds >= minInterval && seconds <= maxInterval))
    throw bad(`the interval is ${minInterval} to ${maxInterval} seconds`);
}

function checkFilter(filter: FilterSpec): void {
  const [note] = filter.query === undefined ? [] : parseQuery(filter.query).notes;
  if (note !== undefined) throw bad(`the filter's query cannot be used as written: ${note}`);
  if (filter.query === undefined && filter.age === undefined) throw bad('the filter filters nothing');
  // Check it as the source will read it.
  filterFrom(filterText(filter));
}
