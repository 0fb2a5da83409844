import type { Marker } from '../../awareness/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { Database, Write } from '../database/index.ts';
import { keys, textOfKey } from './object-keys.ts';

/** How far a client has learned, and when it last sent a request (seconds since 1970). */
export interface KnownClient {
  readonly name: string;
  readonly marker: Marker;
  readonly at: number;
  /** The public key that it proved, base64url; absent in rows of older versions. */
  readonly key?: string | undefined;
}

/** Max clients remembered: any client may connect under a new name. */
const maxClients = 1000;

/** Min seconds between two writes of a client; after a crash the next request restores the row. */
const writeSeconds = 60;

/** A client that has proved its key in a handshake. */
interface ProvedClient {
  readonly serverId: string;
  readonly publicKey: Uint8Array;
}

interface Row extends KnownClient {
  writtenAt: number;
}

/** The clients of a store, and how far each has learned: for status, and to tell known clients from strangers. */
export class ClientTable {
  readonly #database: Database;
  readonly #clock: Clock;
  /** In the order of their last requests. */
  readonly #rows: Map<string, Row>;

  private constructor(database: Database, clock: Clock, rows: readonly Row[]) {
    this.#database = database;
    this.#clock = clock;
    this.#rows = new Map(rows.map((row) => [row.name, row]));
  }

  static async open(database: Database, clock: Clock): Promise<ClientTable> {
    const rows: Row[] = [];
    for await (const [key, value] of database.entries({ ...keys.clients(), limit: maxClients })) {
      const {
        at,
        epoch,
        lsn,
        key: proved,
      } = JSON.parse(Buffer.from(value).toString()) as Marker & {
        at: number;
        key?: string;
      };
      rows.push({ name: textOfKey(key), marker: { epoch, lsn }, at, key: proved, writtenAt: at });
    }
    return new ClientTable(
      database,
      clock,
      rows.sort((a, b) => a.at - b.at),
    );
  }

  /** The clients, the most recent one at the end. */
  get list(): readonly KnownClient[] {
    return [...this.#rows.values()].map(({ name, marker, at }) => ({ name, marker, at }));
  }

  /** Whether a client that learned something has proved this public key. */
  hasKey(publicKey: Uint8Array): boolean {
    const key = base64url(publicKey);
    return [...this.#rows.values()].some((row) => row.key === key);
  }

  /** Record how far a client has learned; that it is lost when the store closes meanwhile does no harm. */
  readonly learned = (client: ProvedClient, { epoch, lsn }: Marker): void => {
    const key = base64url(client.publicKey);
    this.note(client.serverId, { epoch, lsn }, key).catch(() => undefined);
  };

  /** Record that a client has learned everything up to this marker, and the key that it proved. */
  async note(name: string, marker: Marker, key?: string): Promise<void> {
    const at = Math.floor(this.#clock.now() / 1000);
    const known = this.#rows.get(name);
    const due = known === undefined || at - known.writtenAt >= writeSeconds;
    this.#rows.delete(name);
    this.#rows.set(name, { name, marker, at, key, writtenAt: due ? at : known.writtenAt });
    const writes: Write[] = [];
    if (due) writes.push({ type: 'put', key: keys.client(name), value: encode({ marker, at, key }) });
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= maxClients) break;
      this.#rows.delete(oldest);
      writes.push({ type: 'del', key: keys.client(oldest) });
    }
    if (writes.length > 0) await this.#database.batch(writes);
  }

  async flush(): Promise<void> {
    const unwritten = [...this.#rows.values()].filter(({ at, writtenAt }) => at > writtenAt);
    for (const row of unwritten) row.writtenAt = row.at;
    if (unwritten.length === 0) return;
    await this.#database.batch(
      unwritten.map((row) => ({
        type: 'put',
        key: keys.client(row.name),
        value: encode(row),
      })),
    );
  }
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

function encode({ marker, at, key }: Pick<KnownClient, 'marker' | 'at' | 'key'>): Uint8Array {
  return Buffer.from(JSON.stringify({ ...marker, at, key }));
}
