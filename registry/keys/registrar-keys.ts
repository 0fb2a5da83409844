import { isReached, type Keyring, rowSucceeded } from '../../exchange/index.ts';
import type { Clock } from '../../kernel/index.ts';
import {
  decodeKeyLinks,
  encodeKeyLinks,
  type KeyLink,
  type ServerId,
  type Succession,
  type SuccessionOutcome,
  successionOf,
} from '../../soif/index.ts';
import type { Database, Write } from '../../store/index.ts';
import { keyConflict } from '../events.ts';
import { SuccessionLog } from './succession-log.ts';

interface Row {
  /** The first key. */
  readonly key: Uint8Array;
  /** When its last description ended, in seconds since 1970; 0 while one is listed. */
  readonly endedAt: number;
  /** The number of its last change of key; 0 for none. */
  readonly number: number;
  /** The links from the first key, or a later one, to the current one. */
  readonly links: readonly KeyLink[];
}

/** A server with its keys. */
export interface PublishedKey {
  readonly server: ServerId;
  readonly key: Uint8Array;
  readonly links: readonly KeyLink[];
}

/** How long the key of a server is known after its last description ended, so that nobody takes its id meanwhile. */
const keptSeconds = 30 * 86_400;

const keyBytes = 32;
const numberBytes = 6;

function encode({ key, endedAt, number, links }: Row): Uint8Array {
  const bytes = Buffer.alloc(keyBytes + 2 * numberBytes);
  bytes.set(key);
  bytes.writeUIntBE(endedAt, keyBytes, numberBytes);
  bytes.writeUIntBE(number, keyBytes + numberBytes, numberBytes);
  return Buffer.concat([bytes, encodeKeyLinks(links)]);
}

function decode(value: Uint8Array): Row {
  const bytes = Buffer.from(value);
  const at = keyBytes + numberBytes;
  // A row of a server that never changed its key may end here.
  const hasLinks = bytes.length >= at + numberBytes;
  return {
    key: new Uint8Array(bytes.subarray(0, keyBytes)),
    endedAt: bytes.readUIntBE(keyBytes, numberBytes),
    number: hasLinks ? bytes.readUIntBE(at, numberBytes) : 0,
    links: hasLinks ? (decodeKeyLinks(bytes.subarray(at + numberBytes)) ?? []) : [],
  };
}

const currentOf = ({ key, links }: Pick<Row, 'key' | 'links'>) => links.at(-1)?.next ?? key;

export interface RegistrarKeysOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Keys of servers that have no key here, as collecting knows them. */
  readonly collected: Pick<Keyring, 'keyOf' | 'learn' | 'successionOf' | 'succeed'>;
  /** Max keys of servers whose descriptions have ended. */
  readonly maxEnded: number;
}

/**
 * The keys of registered servers. They are apart from the keys that collecting relies on: a stranger who registers
 * under a foreign id cannot stop the collection from that server.
 */
export class RegistrarKeys implements Pick<Keyring, 'keyOf' | 'learn' | 'successionOf' | 'succeed'> {
  readonly #options: RegistrarKeysOptions;
  readonly #rows: Map<ServerId, Row>;
  readonly #log: SuccessionLog;

  private constructor(options: RegistrarKeysOptions, rows: Map<ServerId, Row>) {
    this.#options = options;
    this.#rows = rows;
    this.#log = new SuccessionLog((server) => rows.get(server)?.number ?? 0);
    const changed = [...rows].filter(([, { number }]) => number > 0);
    for (const [server, { number }] of changed.sort(([, a], [, b]) => a.number - b.number))
      this.#log.add(number, server);
  }

  static async open(options: RegistrarKeysOptions): Promise<RegistrarKeys> {
    const rows = new Map<ServerId, Row>();
    for await (const [key, value] of options.database.entries())
      rows.set(Buffer.from(key).toString() as ServerId, decode(value));
    return new RegistrarKeys(options, rows);
  }

  get count(): number {
    return this.#rows.size;
  }

  async keyOf(server: ServerId): Promise<Uint8Array | undefined> {
    const row = this.#rows.get(server);
    return row === undefined ? this.#options.collected.keyOf(server) : currentOf(row);
  }

  async learn(server: ServerId, key: Uint8Array): Promise<boolean> {
    const known = this.#rows.get(server);
    if (known !== undefined) return Buffer.compare(currentOf(known), key) === 0;
    // Synced: a listed description whose key is lost would be anybody's.
    await this.#write([[server, { key, endedAt: 0, number: 0, links: [] }]], true);
    return true;
  }

  async successionOf(server: ServerId): Promise<Succession | undefined> {
    return successionOf(server, this.#rows.get(server)?.links ?? []);
  }

  async succeed(server: ServerId, links: readonly KeyLink[]): Promise<SuccessionOutcome> {
    const row = this.#rows.get(server) ?? (await this.#collected(server));
    if (row === undefined) return 'foreign';
    const { outcome, succession } = rowSucceeded(server, { proved: row.key, links: row.links }, links);
    if (succession === undefined) return outcome;
    const number = this.#log.last + 1;
    await this.#write([[server, { ...row, number, links: succession.links }]], true);
    this.#log.add(number, server);
    return outcome;
  }

  /** The current key of a server that has registered here, and the links to it. */
  published(server: ServerId): PublishedKey | undefined {
    const row = this.#rows.get(server);
    return row && { server, key: currentOf(row), links: row.links };
  }

  /** At most `limit` servers that changed their keys after the change of this number, the last change of each. */
  changedSince(
    since: number,
    limit: number,
  ): { readonly keys: readonly PublishedKey[]; readonly next: number; readonly last: number } {
    const { servers, next } = this.#log.page(since, limit);
    const keys = servers.flatMap((server) => this.published(server) ?? []);
    return { keys, next, last: this.#log.last };
  }

  async #collected(server: ServerId): Promise<Row | undefined> {
    const { collected } = this.#options;
    const key = await collected.keyOf(server);
    const links = (await collected.successionOf?.(server))?.links ?? [];
    return key && { key, endedAt: 0, number: 0, links };
  }

  /**
   * The keys by which descriptions of other Registries are verified. A key that a server proved to the collector comes
   * first, then the first one that was shown here or there. Descriptions with another key are passed over and reported.
   */
  get forCollecting(): Keyring & Pick<RegistrarKeys, 'succeed'> {
    const { collected } = this.#options;
    const keyOf = async (server: ServerId) => {
      const row = this.#rows.get(server);
      return (await collected.keyOf(server)) ?? (row && currentOf(row));
    };
    return {
      keyOf,
      learn: (server, key) => collected.learn(server, key),
      introduce: async (server, key) => {
        if ((await keyOf(server)) === undefined)
          await this.#write([[server, { key, endedAt: 0, number: 0, links: [] }]], true);
      },
      hasReplaced: async (server) => {
        const [proved, row] = [await collected.keyOf(server), this.#rows.get(server)];
        return proved !== undefined && row !== undefined && !isReached(proved, currentOf(row), row.links);
      },
      successionOf: async (server) =>
        (await collected.keyOf(server)) === undefined
          ? this.successionOf(server)
          : collected.successionOf?.(server),
      succeed: async (server, links) => {
        const isListed = this.#rows.has(server);
        if ((await collected.keyOf(server)) === undefined) return this.succeed(server, links);
        const outcome = (await collected.succeed?.(server, links)) ?? 'foreign';
        if (isListed) await this.succeed(server, links);
        return outcome;
      },
      passOver: (server, url) => keyConflict.publish({ server, url }),
    };
  }

  /** Note which servers are listed, and drop keys of servers that have not been for long, or are too many. */
  async tend(isListed: (server: ServerId) => boolean): Promise<void> {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const changed: [ServerId, Row | undefined][] = [];
    const ended: [ServerId, number][] = [];
    for (const [server, row] of this.#rows) {
      const { endedAt } = row;
      if (isListed(server)) {
        if (endedAt > 0) changed.push([server, { ...row, endedAt: 0 }]);
        continue;
      }
      if (endedAt === 0) changed.push([server, { ...row, endedAt: now }]);
      ended.push([server, endedAt || now]);
    }
    ended.sort(([, a], [, b]) => a - b);
    const tooMany = ended.length - this.#options.maxEnded;
    for (const [at, [server, endedAt]] of ended.entries())
      if (at < tooMany || endedAt < now - keptSeconds) changed.push([server, undefined]);
    if (changed.length > 0) await this.#write(changed, false);
  }

  async #write(rows: readonly (readonly [ServerId, Row | undefined])[], sync: boolean): Promise<void> {
    const writes = rows.map(([server, row]): Write => {
      const key = Buffer.from(server);
      return row === undefined ? { type: 'del', key } : { type: 'put', key, value: encode(row) };
    });
    await this.#options.database.batch(writes, { sync });
    for (const [server, row] of rows)
      if (row === undefined) this.#rows.delete(server);
      else this.#rows.set(server, row);
  }
}
