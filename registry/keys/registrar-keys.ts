import { isReached, type Keyring, rowSucceeded } from '../../exchange/index.ts';
import { type Clock, RecentMap, TaskQueue } from '../../kernel/index.ts';
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

/** Max keys that are known only because another Registry reported them. */
const maxReported = 50_000;

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

const firstRow = (key: Uint8Array): Row => ({ key, endedAt: 0, number: 0, links: [] });

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
  /** Of servers that are listed, or were. */
  readonly #rows: Map<ServerId, Row>;
  /** Of servers of which another Registry has a description that is not listed here. */
  readonly #reported = new RecentMap<ServerId, Row>(maxReported);
  readonly #log: SuccessionLog;
  // One at a time: what is known of a server and the write that depends on it are one step.
  readonly #turns = new TaskQueue();

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

  async keyOf(server: ServerId): Promise<Uint8Array | undefined> {
    const row = await this.#known(server);
    return row && currentOf(row);
  }

  learn(server: ServerId, key: Uint8Array): Promise<boolean> {
    return this.#turns.run(async () => {
      const known = await this.#known(server);
      if (known !== undefined && Buffer.compare(currentOf(known), key) !== 0) return false;
      if (!this.#rows.has(server)) await this.#list([[server, known ?? firstRow(key)]]);
      return true;
    });
  }

  async successionOf(server: ServerId): Promise<Succession | undefined> {
    return successionOf(server, this.#shown(server)?.links ?? []);
  }

  succeed(server: ServerId, links: readonly KeyLink[]): Promise<SuccessionOutcome> {
    return this.#turns.run(async () => {
      const row = await this.#known(server);
      if (row === undefined) return 'foreign';
      const { outcome, succession } = rowSucceeded(server, { proved: row.key, links: row.links }, links);
      if (succession === undefined) return outcome;
      const next = { ...row, links: succession.links };
      if (row === this.#reported.get(server)) this.#reported.set(server, next);
      else await this.#list([[server, next]]);
      return outcome;
    });
  }

  /** Keep the reported keys of servers whose descriptions are taken now. */
  keep(servers: Iterable<ServerId>): Promise<void> {
    return this.#turns.run(async () => {
      const rows: [ServerId, Row][] = [];
      for (const server of servers) {
        const row = this.#reported.get(server);
        if (row !== undefined && (await this.#known(server)) === row) rows.push([server, row]);
      }
      if (rows.length > 0) await this.#list(rows);
    });
  }

  /** The keys that registered under a server id before the server itself proved this other key; none when absent. */
  replacedBy(server: ServerId, proved: Uint8Array): readonly Uint8Array[] | undefined {
    const row = this.#rows.get(server);
    if (row === undefined || isReached(proved, currentOf(row), row.links)) return undefined;
    return [row.key, ...row.links.flatMap(({ key, next }) => [key, next])];
  }

  /** Drop the keys that registered under a server id. */
  drop(server: ServerId): Promise<void> {
    return this.#turns.run(async () => {
      const row = this.#rows.get(server);
      // It still shows that the id is disputed.
      if (row !== undefined) this.#reported.set(server, row);
      await this.#write([[server, undefined]], true);
    });
  }

  /** The servers that have revoked a key. */
  get revoking(): readonly ServerId[] {
    return [...this.#rows]
      .filter(([, { links }]) => links.some(({ isRevoked }) => isRevoked))
      .map(([server]) => server);
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

  /** What a server showed or was reported of it, apart from collecting. */
  #shown(server: ServerId): Row | undefined {
    return this.#rows.get(server) ?? this.#reported.get(server);
  }

  async #known(server: ServerId): Promise<Row | undefined> {
    return this.#rows.get(server) ?? (await this.#collected(server)) ?? this.#reported.get(server);
  }

  async #collected(server: ServerId): Promise<Row | undefined> {
    const { collected } = this.#options;
    const key = await collected.keyOf(server);
    const links = (await collected.successionOf?.(server))?.links ?? [];
    return key && { ...firstRow(key), links };
  }

  /**
   * The keys by which descriptions of other Registries are verified. A key that a server proved to the collector comes
   * first, then the first one that was shown here or there. Descriptions with another key are passed over and reported.
   */
  get forCollecting(): Keyring & Pick<RegistrarKeys, 'succeed'> {
    const { collected } = this.#options;
    const keyOf = async (server: ServerId) => {
      const row = this.#shown(server);
      return (await collected.keyOf(server)) ?? (row && currentOf(row));
    };
    return {
      keyOf,
      learn: (server, key) => collected.learn(server, key),
      introduce: async (server, key) => {
        if ((await keyOf(server)) === undefined) this.#reported.set(server, firstRow(key));
      },
      hasReplaced: async (server) => {
        const [proved, row] = [await collected.keyOf(server), this.#shown(server)];
        return proved !== undefined && row !== undefined && !isReached(proved, currentOf(row), row.links);
      },
      successionOf: async (server) =>
        (await collected.keyOf(server)) === undefined
          ? this.successionOf(server)
          : collected.successionOf?.(server),
      succeed: async (server, links) => {
        const hasRow = this.#rows.has(server);
        if ((await collected.keyOf(server)) === undefined) return this.succeed(server, links);
        const outcome = (await collected.succeed?.(server, links)) ?? 'foreign';
        if (hasRow) await this.succeed(server, links);
        return outcome;
      },
      passOver: (server, url) => keyConflict.publish({ server, url }),
    };
  }

  /** Note which servers are listed, and drop keys of servers that have not been for long, or are too many. */
  tend(isListed: (server: ServerId) => boolean): Promise<void> {
    return this.#turns.run(() => this.#tend(isListed));
  }

  async #tend(isListed: (server: ServerId) => boolean): Promise<void> {
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

  /** Store rows of listed servers. Those that changed their keys get the next numbers. */
  async #list(rows: readonly (readonly [ServerId, Row])[]): Promise<void> {
    // The time comes in because the highest number may have left with its row.
    let number = Math.max(this.#log.last + 1, this.#options.clock.now());
    const numbered = rows.map(
      ([server, row]) => [server, row.links.length === 0 ? row : { ...row, number: number++ }] as const,
    );
    // Synced: a listed description whose key is lost would be anybody's.
    await this.#write(numbered, true);
    for (const [server, row] of numbered) {
      this.#reported.delete(server);
      if (row.number > 0) this.#log.add(row.number, server);
    }
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
