import { schemeNamed } from '../../awareness/index.ts';
import {
  currentKey,
  isReached,
  type KeyRow,
  type Keyring,
  rowLearned,
  rowSucceeded,
} from '../../exchange/index.ts';
import { TaskQueue } from '../../kernel/index.ts';
import {
  decodeKeyLinks,
  encodeKeyLinks,
  type KeyLink,
  type ServerId,
  type Succession,
  type SuccessionOutcome,
  successionOf,
} from '../../soif/index.ts';
import { type Database, within } from '../../store/index.ts';
import { keySucceeded } from '../events.ts';
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
  /** Its role at the last connection. */
  readonly role?: string;
}

const key = (text: string) => Buffer.from(text);

/** The Broker's table: its sources, their keys, the costs of schemes, the epoch of the engine's index. */
export class ObjectTable implements Keyring {
  /** Keys proved in a handshake. */
  readonly #keys: Database;
  /** Keys reported by a Broker that passes objects on. */
  readonly #introduced: Database;
  /** The links from one of these keys to the current one. */
  readonly #links: Database;
  /** Servers that revoked a key, until the objects that only that key has signed are dropped. */
  readonly #revoking: Database;
  readonly #sources: Database;
  readonly #engines: Database;
  /** The last cost of each scheme: one row for each source. */
  readonly #measures: Database;
  /** Called when a server has revoked a key. */
  onRevocation: () => void = () => {};
  // One at a time: what is known of a server and the write that depends on it are one step.
  readonly #turns = new TaskQueue();
  readonly #rows = new Map<ServerId, SourceRow>();
  readonly #measured = new Map<ServerId, readonly SchemeMeasure[]>();

  private constructor(database: Database) {
    this.#keys = within(database, 'key');
    this.#introduced = within(database, 'introduced-key');
    this.#links = within(database, 'key-links');
    this.#revoking = within(database, 'revoking-key');
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
    return currentKey(await this.#row(server));
  }

  learn(server: ServerId, publicKey: Uint8Array): Promise<boolean> {
    return this.#turns.run(() => this.#learn(server, publicKey));
  }

  async #learn(server: ServerId, publicKey: Uint8Array): Promise<boolean> {
    const row = await this.#row(server);
    const learned = rowLearned(row, publicKey);
    if (learned === undefined) return false;
    // Links first: links of another key than the proved one must not remain.
    if (learned.links.length < row.links.length)
      await this.#links.batch([{ type: 'del', key: key(server) }], { sync: true });
    if (row.proved === undefined)
      await this.#keys.batch([{ type: 'put', key: key(server), value: publicKey }], { sync: true });
    return true;
  }

  async introduce(server: ServerId, publicKey: Uint8Array): Promise<void> {
    if ((await this.keyOf(server)) !== undefined) return;
    await this.#introduced.batch([{ type: 'put', key: key(server), value: publicKey }], { sync: true });
  }

  async hasReplaced(server: ServerId): Promise<boolean> {
    const { proved, introduced, links } = await this.#row(server);
    return proved !== undefined && introduced !== undefined && !isReached(proved, introduced, links);
  }

  async successionOf(server: ServerId): Promise<Succession | undefined> {
    return successionOf(server, (await this.#row(server)).links);
  }

  succeed(server: ServerId, links: readonly KeyLink[]): Promise<SuccessionOutcome> {
    return this.#turns.run(() => this.#succeed(server, links));
  }

  async #succeed(server: ServerId, links: readonly KeyLink[]): Promise<SuccessionOutcome> {
    const before = await this.#row(server);
    const { outcome, row, succession } = rowSucceeded(server, before, links);
    if (row === undefined || succession === undefined) return outcome;
    // Not by their numbers: the links go back a few changes only, so former revoked keys leave them.
    const known = successionOf(server, before.links)?.revoked ?? [];
    const isRevocation = !succession.revoked.every((one) =>
      known.some((other) => Buffer.compare(one, other) === 0),
    );
    if (isRevocation)
      await this.#revoking.batch([{ type: 'put', key: key(server), value: key('') }], { sync: true });
    const value = encodeKeyLinks(row.links);
    await this.#links.batch([{ type: 'put', key: key(server), value }], { sync: true });
    keySucceeded.publish({ server, isRevocation });
    if (isRevocation) this.onRevocation();
    return outcome;
  }

  /** Servers that revoked a key since their objects were checked last, with their present links. */
  async revoking(): Promise<ReadonlyMap<ServerId, readonly KeyLink[]>> {
    const servers = new Map<ServerId, readonly KeyLink[]>();
    for await (const [bytes] of this.#revoking.entries()) {
      const server = Buffer.from(bytes).toString() as ServerId;
      servers.set(server, (await this.#row(server)).links);
    }
    return servers;
  }

  /** The objects of a server are checked by these links: none that only a revoked key has signed is left. */
  revoked(server: ServerId, links: readonly KeyLink[]): Promise<void> {
    return this.#turns.run(async () => {
      const present = encodeKeyLinks((await this.#row(server)).links);
      // It revoked another key meanwhile.
      if (Buffer.compare(present, encodeKeyLinks(links)) !== 0) return;
      await this.#revoking.batch([{ type: 'del', key: key(server) }]);
    });
  }

  async #row(server: ServerId): Promise<KeyRow> {
    const [proved, introduced, links] = await Promise.all(
      [this.#keys, this.#introduced, this.#links].map((rows) => rows.get(key(server))),
    );
    return { proved, introduced, links: (links && decodeKeyLinks(links)) ?? [] };
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
