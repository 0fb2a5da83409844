import { schemeNamed } from '../../awareness/index.ts';
import type { Keyring } from '../../exchange/index.ts';
import type { ServerId } from '../../soif/index.ts';
import { type Database, within } from '../../store/index.ts';
import type { SchemeMeasure } from './round-history.ts';

/** What a Broker remembers of a source beside its objects. */
export interface SourceRow {
  readonly serverId: ServerId;
  readonly name: string;
  /** The address last connected to. */
  readonly url: string;
  /** Seconds since 1970; when a round last ended well. */
  readonly lastLearnedAt: number | null;
  /** Where it stood among the settings when it was last asked; absent for one that was added while serving. */
  readonly from?: string;
}

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
const key = (text: string) => Buffer.from(text);

/**
 * The Broker's own table beside its object store: who its sources are, the keys they speak with, what the
 * schemes took with them, and which life of the store its engine has indexed.
 */
export class ObjectTable implements Keyring {
  /** Proved in a handshake. */
  readonly #keys: Database;
  /** Said by a Broker that passes objects on. */
  readonly #introduced: Database;
  readonly #sources: Database;
  readonly #engines: Database;
  /** What each scheme last took, by source: a row for each. */
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
    if (known !== undefined) return equal(known, publicKey);
    await this.#keys.batch([{ type: 'put', key: key(server), value: publicKey }], { sync: true });
    return true;
  }

  async introduce(server: ServerId, publicKey: Uint8Array): Promise<void> {
    if ((await this.keyOf(server)) !== undefined) return;
    await this.#introduced.batch([{ type: 'put', key: key(server), value: publicKey }], { sync: true });
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

  /** Forget a source; its key stays known, so that nobody else can speak as that server later. */
  async forget(server: ServerId): Promise<void> {
    this.#rows.delete(server);
    this.#measured.delete(server);
    await this.#measures.batch([{ type: 'del', key: key(server) }]);
    await this.#sources.batch([{ type: 'del', key: key(server) }]);
  }

  /** What each scheme took when it was last run alone with a source. */
  measures(server: ServerId): readonly SchemeMeasure[] {
    return this.#measured.get(server) ?? [];
  }

  /** Keep what a scheme took, in the place of what it took before; a scheme that is no more goes. */
  async measure(server: ServerId, measure: SchemeMeasure): Promise<void> {
    const others = this.measures(server).filter(
      ({ scheme }) => scheme !== measure.scheme && schemeNamed(scheme) !== undefined,
    );
    const kept = [...others, measure];
    this.#measured.set(server, kept);
    await this.#measures.batch([{ type: 'put', key: key(server), value: key(JSON.stringify(kept)) }]);
  }

  /** The epoch of the store that an engine's index was made from, or undefined. */
  async indexedEpoch(engine: string): Promise<string | undefined> {
    const value = await this.#engines.get(key(engine));
    return value === undefined ? undefined : Buffer.from(value).toString();
  }

  async setIndexedEpoch(engine: string, epoch: string): Promise<void> {
    await this.#engines.batch([{ type: 'put', key: key(engine), value: key(epoch) }], { sync: true });
  }
}
