import type { Keyring } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';
import type { Database, Write } from '../store/index.ts';
import { keyConflict } from './events.ts';

interface Row {
  readonly key: Uint8Array;
  /** When its last description ended, in seconds since 1970; 0 while one is listed. */
  readonly endedAt: number;
}

/** How long the key of a server is known after its last description ended, so that nobody takes its id meanwhile. */
const keptSeconds = 30 * 86_400;

const keyBytes = 32;
const endedBytes = 6;

function encode({ key, endedAt }: Row): Uint8Array {
  const bytes = Buffer.alloc(keyBytes + endedBytes);
  bytes.set(key);
  bytes.writeUIntBE(endedAt, keyBytes, endedBytes);
  return bytes;
}

function decode(value: Uint8Array): Row {
  const bytes = Buffer.from(value);
  return {
    key: new Uint8Array(bytes.subarray(0, keyBytes)),
    endedAt: bytes.readUIntBE(keyBytes, endedBytes),
  };
}

export interface RegistrarKeysOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Keys of servers that have no key here, as collecting knows them. */
  readonly collected: Pick<Keyring, 'keyOf' | 'learn'>;
  /** Max keys of servers whose descriptions have ended. */
  readonly maxEnded: number;
}

/**
 * The keys of registered servers. They are apart from the keys that collecting relies on: a stranger who registers
 * under a foreign id cannot stop the collection from that server.
 */
export class RegistrarKeys implements Pick<Keyring, 'keyOf' | 'learn'> {
  readonly #options: RegistrarKeysOptions;
  readonly #rows: Map<ServerId, Row>;

  private constructor(options: RegistrarKeysOptions, rows: Map<ServerId, Row>) {
    this.#options = options;
    this.#rows = rows;
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
    return this.#rows.get(server)?.key ?? this.#options.collected.keyOf(server);
  }

  async learn(server: ServerId, key: Uint8Array): Promise<boolean> {
    const known = this.#rows.get(server);
    if (known !== undefined) return Buffer.compare(known.key, key) === 0;
    // Synced: a listed description whose key is lost would be anybody's.
    await this.#write([[server, { key, endedAt: 0 }]], true);
    return true;
  }

  /**
   * The keys by which descriptions of other Registries are verified. A key that a server proved to the collector comes
   * first, then the first one that was shown here or there. Descriptions with another key are passed over and reported.
   */
  get forCollecting(): Keyring {
    const { collected } = this.#options;
    const keyOf = async (server: ServerId) => (await collected.keyOf(server)) ?? this.#rows.get(server)?.key;
    return {
      keyOf,
      learn: (server, key) => collected.learn(server, key),
      introduce: async (server, key) => {
        if ((await keyOf(server)) === undefined) await this.#write([[server, { key, endedAt: 0 }]], true);
      },
      hasReplaced: async (server) => {
        const [proved, shown] = [await collected.keyOf(server), this.#rows.get(server)?.key];
        return proved !== undefined && shown !== undefined && Buffer.compare(proved, shown) !== 0;
      },
      passOver: (server, url) => keyConflict.publish({ server, url }),
    };
  }

  /** Note which servers are listed, and drop keys of servers that have not been for long, or are too many. */
  async tend(isListed: (server: ServerId) => boolean): Promise<void> {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const changed: [ServerId, Row | undefined][] = [];
    const ended: [ServerId, number][] = [];
    for (const [server, { key, endedAt }] of this.#rows) {
      if (isListed(server)) {
        if (endedAt > 0) changed.push([server, { key, endedAt: 0 }]);
        continue;
      }
      if (endedAt === 0) changed.push([server, { key, endedAt: now }]);
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
