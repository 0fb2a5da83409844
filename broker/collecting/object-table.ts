import { sameBytes, schemeNamed } from '../../awareness/index.ts';
import type { Keyring } from '../../exchange/index.ts';
import type { ServerId } from '../../soif/index.ts';
import { type Database, within } from '../../store/index.ts';
import type { SchemeMeasure } from './round-history.ts';

/** A Broker's record of a source beside its objects. */
export interface SourceRow {
  readonly serverId: ServerId;
  readonly name: string;
  /** The address of the last connection. */
  readonly url: string;
  /** End of the last successful round; seconds since 1970. */
  readonly lastLearnedAt: number | null;
  /** Its place in the settings at the last collection; absent for one that was added while serving. */
  readonly from?: string;
}

const key = (text: string) => Buffer.from(text);

/** The Broker's table: its sources, their keys, the costs of schemes, the epoch of the engine's index. */
export class ObjectTable implements Keyring {
  /** Keys proved in a handshake. */
  readonly #keys: Database;
  /** Keys reported by a Broker that passes objects on. */
  readonly #introduced: Database;
  readonly #sources: Database;
  readonly #engines: Database;
  /** The last cost of each scheme: one row for each source. */
  readonly #measures: Database;
  readonly #rows = new Map<ServerId, SourceRow>();
  readonly #measured = new Map<ServerId, readonly SchemeMeasure[]>();

  private constructor(database: Database) {
    this.#keys = within(database, 'key');
    this.#introduced = within(database, 'introduced-key');
    this.#sources = within(database, 'source');
    this.#engines = within(database, 'engine');
    this.#measures = within(database, 'measure');
  }

  static async open(database: Database): Promise<ObjectTable> {
    const table = new ObjectTable(database);
    for await (const [, value] of table.#sources.entries()) {
      const row = JSON.parse(Buffer.from(value).toString()) as SourceRow;
      table.#rows.set(row.serverId, row);
    }
    for (const server of table.#rows.keys()) {
      const value = await table.#measures.get(key(server));
      if (value !== undefined)
        table.#measured.set(server, JSON.parse(Buffer.from(value).toString()) as SchemeMeasure[]);
    }
    return table;
  }

  async keyOf(server: ServerId): Promise<Uint8Array | undefined> {
    return (await this.#keys.get(key(server))) ?? this.#introduced.get(key(server));
  }

  async learn(server: ServerId, publicKey: Uint8Array): Promise<boolean> {
    const known = await this.#keys.get(key(server));
    if (known !== undefined) return sameBytes(known, publicKey);
    await this.#keys.batch([{ type: 'put', key: key(server), value: publicKey }], { sync: true });
    return true;
  }

  async introduce(server: ServerId, publicKey: Uint8Array): Promise<void> {
    if ((await this.keyOf(server)) !== undefined) return;
    await this.#introduced.batch([{ type: 'put', key: key(server), value: publicKey }], { sync: true });
  }

  async hasReplaced(server: ServerId): Promise<boolean> {
    const [proved, introduced] = [await this.#keys.get(key(server)), await this.#introduced.get(key(server))];
    return proved !== undefined && introduced !== undefined && !sameBytes(proved, introduced);
  }

  /** Every source ever collected from and not removed. */
  get sources(): readonly SourceRow[] {
    return [...this.#rows.values()];
  }

  source(server: ServerId): SourceRow | undefined {
    return this.#rows.get(server);
  }

  async note(row: SourceRow): Promise<void> {
    this.#rows.set(row.serverId, row);
    await this.#sources.batch([{ type: 'put', key: key(row.serverId), value: key(JSON.stringify(row)) }]);
  }

  /** Remove a source. Its key stays known, so that no other server can use its id later. */
  async forget(server: ServerId): Promise<void> {
    this.#rows.delete(server);
    this.#measured.delete(server);
    await this.#measures.batch([{ type: 'del', key: key(server) }]);
    await this.#sources.batch([{ type: 'del', key: key(server) }]);
  }

  /** The cost of each scheme when it last ran alone with a source. */
  measures(server: ServerId): readonly SchemeMeasure[] {
    return this.#measured.get(server) ?? [];
  }

  /** Store the cost of a scheme in place of its last one. Schemes that no longer exist are dropped. */
  async measure(server: ServerId, measure: SchemeMeasure): Promise<void> {
    const others = this.measures(server).filter(
      ({ scheme }) => scheme !== measure.scheme && schemeNamed(scheme) !== undefined,
    );
    const all = [...others, measure];
    this.#measured.set(server, all);
    await this.#measures.batch([{ type: 'put', key: key(server), value: key(JSON.stringify(all)) }]);
  }

  /** The epoch of the store from which an engine's index was made, or undefined. */
  async indexedEpoch(engine: string): Promise<string | undefined> {
    const value = await this.#engines.get(key(engine));
    return value === undefined ? undefined : Buffer.from(value).toString();
  }

  async setIndexedEpoch(engine: string, epoch: string): Promise<void> {
    await this.#engines.batch([{ type: 'put', key: key(engine), value: key(epoch) }], { sync: true });
  }
}
