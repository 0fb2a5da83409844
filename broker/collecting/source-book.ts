import type { FilterSpec } from '../../exchange/index.ts';
import { failure } from '../../kernel/index.ts';
import { type Database, within } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { brokerFault } from '../events.ts';
import { type SourceAddress, sourceFrom, withoutSecrets } from './source-address.ts';

/** What was ordered about a source while the Broker served. */
export interface SourceOrder {
  /** Its address, normalised. */
  readonly url: string;
  /** The source as it was written; absent for one that stands in the settings. */
  readonly added?: string;
  readonly isPaused: boolean;
  readonly intervalSeconds?: number;
  readonly filter?: FilterSpec;
  readonly token?: string;
  /** Who ordered it last, and when; seconds since 1970. */
  readonly by: string;
  readonly at: number;
}

/** Sources that may be added beside those of the settings. */
const maxAdded = 1000;

const bytes = (text: string) => Buffer.from(text);

/**
 * The orders about sources that outlive a restart. Sources of the settings are the base: an order adds to them or
 * changes how one of them is collected from, and never takes one away.
 */
export class SourceBook {
  readonly #rows: Database;
  readonly #orders = new Map<string, SourceOrder>();

  private constructor(database: Database) {
    this.#rows = within(database, 'source-order');
  }

  static async open(database: Database): Promise<SourceBook> {
    const book = new SourceBook(database);
    for await (const [key, value] of book.#rows.entries()) {
      const url = Buffer.from(key).toString();
      try {
        book.#orders.set(url, orderFrom(url, JSON.parse(Buffer.from(value).toString())));
      } catch (error) {
        brokerFault.publish({ where: `reading what was ordered about ${withoutSecrets(url)}`, error });
      }
    }
    return book;
  }

  order(url: string): SourceOrder | undefined {
    return this.#orders.get(url);
  }

  /** Keep an order in the place of the last one about its source. Throws BROKER_SOURCES_MOST. */
  async put(order: SourceOrder): Promise<void> {
    const added = [...this.#orders.values()].filter((one) => one.added !== undefined);
    if (order.added !== undefined && !this.#orders.has(order.url) && added.length >= maxAdded)
      throw failure(brokerErrors.BROKER_SOURCES_MOST, { max: maxAdded });
    const value = bytes(JSON.stringify(order));
    await this.#rows.batch([{ type: 'put', key: bytes(order.url), value }], { sync: true });
    this.#orders.set(order.url, order);
  }

  async forget(url: string): Promise<void> {
    await this.#rows.batch([{ type: 'del', key: bytes(url) }], { sync: true });
    this.#orders.delete(url);
  }

  /** The sources of the settings, each as it was ordered, and then those that were added. */
  joined(base: readonly SourceAddress[]): readonly SourceAddress[] {
    const inSettings = new Set(base.map(({ url }) => url));
    const added = [...this.#orders.values()].filter(
      (one) => one.added !== undefined && !inSettings.has(one.url),
    );
    return [...base.map((address) => this.ordered(address)), ...added.map((one) => this.addressOf(one))];
  }

  /** A source of the settings as it was ordered. */
  ordered(address: SourceAddress): SourceAddress {
    const order = this.#orders.get(address.url);
    return order === undefined ? address : { ...address, ...changes(order) };
  }

  /** A source that was added. */
  addressOf(order: SourceOrder): SourceAddress {
    const { added = order.url, token } = order;
    return { ...sourceFrom(added), ...changes(order), ...(token !== undefined && { token }) };
  }
}

/** An order as it was kept. Throws BROKER_SOURCE, TypeError. */
function orderFrom(url: string, row: unknown): SourceOrder {
  const { added, isPaused, intervalSeconds, filter, token, by, at } = (row ?? {}) as Record<string, unknown>;
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  const isTime = intervalSeconds === undefined || Number(intervalSeconds) > 0;
  const isFilter = filter === undefined || (typeof filter === 'object' && filter !== null);
  const isWhole = typeof isPaused === 'boolean' && typeof by === 'string' && typeof at === 'number';
  if (!isWhole || !isText(added) || !isText(token) || !isTime || !isFilter)
    throw new TypeError('it is no order');
  if (sourceFrom(typeof added === 'string' ? added : url).url !== url)
    throw new TypeError('it is about another source');
  return row as SourceOrder;
}

function changes({ isPaused, intervalSeconds, filter }: SourceOrder): Partial<SourceAddress> {
  return {
    isPaused,
    ...(intervalSeconds !== undefined && { intervalSeconds }),
    ...(filter !== undefined && { filter }),
  };
}
