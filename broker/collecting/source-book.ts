import type { FilterSpec } from '../../exchange/index.ts';
import { failure } from '../../kernel/index.ts';
import { type Database, within } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { brokerFault } from '../events.ts';
import { type SourceAddress, sourceFrom, withoutSecrets } from './source-address.ts';

/** An order about a source, given while the Broker served. */
export interface SourceOrder {
  /** Its normalised address. */
  readonly url: string;
  /** The source as it was written; absent for one of the settings. */
  readonly added?: string;
  readonly isPaused: boolean;
  readonly intervalSeconds?: number;
  readonly filter?: FilterSpec;
  readonly token?: string;
  /** The caller and time of the last order; seconds since 1970. */
  readonly by: string;
  readonly at: number;
}

/** Max sources added beside those of the settings. */
const maxAdded = 1000;

const bytes = (text: string) => Buffer.from(text);

/**
 * The orders about sources that outlive a restart. Sources of the settings are the base: an order adds
 * sources or changes how one of the settings is collected from. It never removes one of the settings.
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
        brokerFault.publish({ where: `reading the order about ${withoutSecrets(url)}`, error });
      }
    }
    return book;
  }

  order(url: string): SourceOrder | undefined {
    return this.#orders.get(url);
  }

  /** Store an order in place of the last one about its source. Throws BROKER_SOURCES_MOST. */
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

  /** The sources of the settings with their orders applied, then the added ones. */
  joined(base: readonly SourceAddress[]): readonly SourceAddress[] {
    const inSettings = new Set(base.map(({ url }) => url));
    const added = [...this.#orders.values()].filter(
      (one) => one.added !== undefined && !inSettings.has(one.url),
    );
    return [...base.map((address) => this.ordered(address)), ...added.map((one) => this.addressOf(one))];
  }

  /** A source of the settings with its order applied. */
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

/** Read a stored order. Throws BROKER_SOURCE, TypeError. */
function orderFrom(url: string, row: unknown): SourceOrder {
  const { added, isPaused, intervalSeconds, filter, token, by, at } = (row ?? {}) as Record<string, unknown>;
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  const isTime = intervalSeconds === undefined || Number(intervalSeconds) > 0;
  const isFilter = filter === undefined || (typeof filter === 'object' && filter !== null);
  const isWhole = typeof isPaused === 'boolean' && typeof by === 'string' && typeof at === 'number';
  if (!isWhole || !isText(added) || !isText(token) || !isTime || !isFilter)
    throw new TypeError('it is not an order');
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
