import type { Marker } from '../../awareness/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { Database, Write } from '../database/index.ts';
import { keys, textOfKey } from './object-keys.ts';

/** How far a client has learned, and when it last sent a request (seconds since 1970). */
export interface KnownClient {
  readonly name: string;
  readonly marker: Marker;
  readonly at: number;
}

/** Max clients remembered: any client may connect under a new name. */
const maxClients = 1000;

/** Min seconds between two writes of a client; after a crash the next request restores the row. */
const writeSeconds = 60;

interface Row extends KnownClient {
  writtenAt: number;
}

/** The clients of a store and how far each has learned, for status alone: no decision uses it. */
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
      const { at, epoch, lsn } = JSON.parse(Buffer.from(value).toString()) as Marker & { at: number };
      rows.push({ name: textOfKey(key), marker: { epoch, lsn }, at, writtenAt: at });
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

  /** Record that a client has learned everything up to this marker. */
  async note(name: string, marker: Marker): Promise<void> {
    const at = Math.floor(this.#clock.now() / 1000);
    const known = this.#rows.get(name);
    const due = known === undefined || at - known.writtenAt >= writeSeconds;
    this.#rows.delete(name);
    this.#rows.set(name, { name, marker, at, writtenAt: due ? at : known.writtenAt });
    const writes: Write[] = [];
    if (due) writes.push({ type: 'put', key: keys.client(name), value: encode(marker, at) });
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
      unwritten.map(({ name, marker, at }) => ({
        type: 'put',
        key: keys.client(name),
        value: encode(marker, at),
      })),
    );
  }
}

function encode(marker: Marker, at: number): Uint8Array {
  return Buffer.from(JSON.stringify({ ...marker, at }));
}
