import { type Keyring, pushVerb, sourceVerbs, type Verb } from '../../exchange/index.ts';
import { type Clock, failure, Nap } from '../../kernel/index.ts';
import { decodeObject, isOid, type Oid, type ServerId, type SummaryObject } from '../../soif/index.ts';
import type { DataFolder } from '../../store/index.ts';
import {
  type AwarenessReport,
  type CollectingRules,
  Collector,
  deleteObjects,
  type ObjectOrigin,
  ObjectTable,
  originOf,
  proving,
  type ReportOptions,
  reportAwareness,
  type SchemeMeasure,
  type SourceRow,
  sourceOf,
} from '../collecting/index.ts';
import type { SearchEngine } from '../engines/index.ts';
import { brokerErrors } from '../errors.ts';
import { brokerFault } from '../events.ts';
import type { BrokerCheck, BrokerCheckOptions } from '../indexing/index.ts';
import { AttributeNames, checkBroker, Indexer } from '../indexing/index.ts';
import {
  AnswerCache,
  ExampleQueries,
  QueryManager,
  SearchLog,
  type SearchReport,
  type SourceSummary,
} from '../searching/index.ts';
import { type TableQuestion, TableReader } from '../table-access/index.ts';
import {
  type Duplicates,
  DuplicateWatch,
  findDuplicates,
  type LinkCheck,
  LinkChecks,
} from '../upkeep/index.ts';
import { Views, Webhooks } from '../views/index.ts';
import type { BrokerOptions } from './broker-options.ts';
import { type BrokerOrders, openOrders } from './broker-orders.ts';
import { bulkVerb } from './bulk.ts';
import { firstCollecting, sourceSummaries } from './source-summaries.ts';

/** The parts of an open Broker beside its store, table and index. */
interface BrokerParts {
  readonly log: SearchLog | undefined;
  readonly links: LinkChecks | undefined;
  readonly views: Views;
  readonly webhooks: Webhooks;
  readonly orders: BrokerOrders;
  readonly duplicates: DuplicateWatch;
}

/** Collects from its sources, stores and indexes their objects, and answers queries about them. */
export class Broker implements AsyncDisposable {
  readonly name: string;
  readonly collector: Collector;
  readonly queries: QueryManager;
  /** The same answers, cached while nothing changes. */
  readonly answers: AnswerCache;
  readonly indexer: Indexer;
  readonly engine: SearchEngine;
  readonly views: Views;
  readonly webhooks: Webhooks;
  readonly startedAt: number;
  readonly #log: SearchLog | undefined;
  readonly #links: LinkChecks | undefined;
  readonly #duplicates: DuplicateWatch;
  readonly #tables: TableReader | undefined;
  /** Orders given while serving: sources, settings, and blocked objects. */
  readonly orders: BrokerOrders;
  readonly #folder: DataFolder;
  readonly #table: ObjectTable;
  readonly #examples: ExampleQueries;
  readonly #options: BrokerOptions;
  readonly #abort = new AbortController();
  #cleaning: Promise<void> = Promise.resolve();
  readonly #nap: Nap;
  /** Its owner's, set before `start` and `verbs`. */
  rules: CollectingRules | undefined;

  private constructor(
    options: BrokerOptions,
    table: ObjectTable,
    indexer: Indexer,
    { log, links, views, webhooks, orders, duplicates }: BrokerParts,
  ) {
    const { folder, engine, name, clock, random } = options;
    const { settings, blocks, proved, quotas } = orders;
    this.orders = orders;
    this.#duplicates = duplicates;
    this.#options = options;
    this.#nap = new Nap(clock, this.#abort.signal);
    this.#log = log;
    this.#links = links;
    const { fetch, showsTables } = options;
    this.#tables = showsTables && fetch ? new TableReader({ store: folder.store, fetch, clock }) : undefined;
    this.#folder = folder;
    this.#table = table;
    this.name = name;
    this.engine = engine;
    this.indexer = indexer;
    this.views = views;
    this.webhooks = webhooks;
    this.startedAt = Math.floor(clock.now() / 1000);
    this.#examples = new ExampleQueries({ store: folder.store, engine, clock, random });
    this.collector = new Collector({
      sources: orders.sources.joined(options.sources),
      store: folder.store,
      table,
      identity: folder.identity,
      name,
      clock,
      random,
      intervalSeconds: () => settings.seconds('broker.interval'),
      keyring: () => this.keyring,
      guard: (replica, source) =>
        proving(proved, blocks.guard(this.rules?.guard(replica) ?? replica, folder.store), source),
      quotas,
      trouble: (source) => proved?.trouble(source),
      ...{ silenceSeconds: options.silenceSeconds ?? 0, deleteGuard: options.deleteGuard },
      ...(options.token === undefined ? {} : { token: options.token }),
      ...(options.scheme === undefined ? {} : { scheme: options.scheme }),
      ...(options.wire === undefined ? {} : { wire: options.wire }),
    });
    folder.store.defaultTtlSeconds = settings.seconds('broker.time-to-live');
    settings.onChange((key) => this.#changed(key));
    this.queries = new QueryManager({
      store: folder.store,
      engine,
      sources: () => this.sources(),
      sourceOf: (partitions) => sourceOf(folder, partitions),
      snippetLength: options.snippetLength,
      ...{ clock, random },
      ...(options.synonyms && { synonyms: options.synonyms }),
      showsTables: this.#tables !== undefined,
      ...(options.templates && { templates: options.templates }),
      ...(log && { log }),
      rebuilding: () => indexer.rebuilding,
      collecting: () => firstCollecting(this.collector, engine),
      resolve: (query) => views.resolve(query),
      ...(indexer.attributes && { attributes: indexer.attributes }),
    });
    this.answers = new AnswerCache({
      search: (parameters, signal) => this.queries.search(parameters, signal),
      ...{ ...(log && { log }), life: clock.now() },
      moment: () => ({
        index: `${engine.lsn} ${engine.count} ${indexer.rebuilding === undefined} ${firstCollecting(this.collector, engine) === undefined} ${folder.store.epoch} ${folder.store.lsn} ${views.revision} ${settings.revision}`,
        sources: this.sources(),
      }),
    });
  }

  /** Open the Broker of a data folder. The caller still closes the folder and the engine. */
  static async open(options: BrokerOptions): Promise<Broker> {
    const { folder, engine } = options;
    const database = await folder.database('table');
    const table = await ObjectTable.open(database);
    const remove = (oids: readonly Oid[]) => deleteObjects(folder, oids);
    const orders = await openOrders(options, { database, keyring: table }, remove);
    const { clock, random, fetch } = options;
    const links =
      options.checksLinks &&
      fetch &&
      (await LinkChecks.open({
        ...{ database: await folder.database('links'), store: folder.store, clock, fetch },
        withdraw: (oid) => indexer.withdraw(oid),
      }));
    const attributes = await AttributeNames.open(database);
    const indexer: Indexer = await Indexer.start({
      ...{ attributes, store: folder.store, engine, table, clock, random },
      sourceOf: (partitions) => sourceOf(folder, partitions),
      ...(links && { isGone: (oid, digest) => links.isGone(oid, digest) }),
    });
    const log = options.countsSearches && (await SearchLog.open(await folder.database('searches'), clock));
    const parts = { database: await folder.database('views'), clock, random };
    const onFault = (error: unknown) => brokerFault.publish({ where: 'updating the views', error });
    const views = await Views.open({ ...parts, store: folder.store, onFault });
    const sending = { fetch: options.webhookFetch, check: options.webhookCheck };
    const webhooks = await Webhooks.open({ ...parts, ...sending, views, onFault });
    const duplicates = await DuplicateWatch.open({
      ...{ store: folder.store, database },
      onFault: (error) => brokerFault.publish({ where: 'looking for duplicates', error }),
    });
    return new Broker(options, table, indexer, {
      ...{ log: log || undefined, links: links || undefined, views, webhooks, orders, duplicates },
    });
  }

  /** Counted searches. Throws BROKER_NO_SEARCH_LOG. */
  searches(noHits: boolean, limit: number): SearchReport {
    if (this.#log === undefined) throw failure(brokerErrors.BROKER_NO_SEARCH_LOG, {});
    return this.#log.report({ noHits, limit });
  }

  /** View an object's document as a table. Throws BROKER_NO_CHECKS and the errors of `TableReader.ask`. */
  async table(oid: string, question: TableQuestion): ReturnType<TableReader['ask']> {
    if (this.#tables === undefined) throw failure(brokerErrors.BROKER_NO_CHECKS, {});
    return this.#tables.ask(oid, question);
  }

  /** Check whether an object's link still works. Throws BROKER_NO_CHECKS, BROKER_NO_OBJECT, BROKER_BUSY. */
  async checkLink(oid: string): Promise<LinkCheck> {
    if (this.#links === undefined) throw failure(brokerErrors.BROKER_NO_CHECKS, {});
    if (!isOid(oid)) throw failure(brokerErrors.BROKER_NO_OBJECT, { oid: oid.slice(0, 64) });
    return this.#links.check(oid);
  }

  /** Start to collect, and to remove expired objects. */
  start(): void {
    this.collector.start();
    this.webhooks.start();
    this.#cleaning = this.#clean();
  }

  /** Every source, including former ones while their objects live. */
  sources(): readonly SourceSummary[] {
    return sourceSummaries(this.collector, this.formerSources());
  }

  /** Sources that this Broker once collected from. */
  formerSources(): readonly SourceRow[] {
    const current = new Set(this.collector.status.map(({ serverId }) => serverId));
    return this.#table.sources.filter(({ serverId }) => !current.has(serverId));
  }

  /** The sources of the settings, before any orders. */
  get settingSources(): BrokerOptions['sources'] {
    return this.#options.sources;
  }

  /**
   * Remove the sources that had this one's place in the settings before it, with the objects that only they
   * offered. Added sources, and sources that were removed without their objects, are not among these.
   */
  async forgetBefore(source: ServerId, place: string): Promise<void> {
    const before = this.formerSources().filter(({ serverId, from }) => serverId !== source && from === place);
    for (const { serverId } of before) await this.collector.forget(serverId);
    // A first round that a crash cut short leaves a copy and no row.
    const rows = [...this.#table.sources, ...this.collector.status];
    const known = new Set([source, ...rows.map(({ serverId }) => serverId)]);
    const copies = [...this.#folder.store.partitions.keys()] as ServerId[];
    for (const copy of copies) if (!known.has(copy)) await this.collector.forget(copy);
  }

  /** Delete objects, some hundred at most. Sources are not queried for them while these blocks last. */
  delete(blocks: Parameters<BrokerOrders['blocks']['delete']>[0]): Promise<void> {
    return this.orders.blocks.delete(blocks, (oids) => deleteObjects(this.#folder, oids));
  }

  /** Let a deleted object return at the next round. Resolves to false when it is not blocked. */
  unblock(oid: Oid): Promise<boolean> {
    return this.orders.blocks.lift(oid, (oids) => this.#folder.store.unlearn(oids));
  }

  /** An object's summary. Throws BROKER_NO_OBJECT. */
  async object(oid: string): Promise<SummaryObject> {
    const stored = isOid(oid) ? await this.#folder.store.get(oid) : undefined;
    if (stored === undefined) throw failure(brokerErrors.BROKER_NO_OBJECT, { oid: oid.slice(0, 64) });
    return decodeObject(stored.body);
  }

  /** Remove objects past their time-to-live, and old tombstones. Resolves to the number of objects. */
  async forgetExpired(): Promise<number> {
    const { settings } = this.orders;
    const expired = await this.#folder.store.expire(settings.seconds('broker.grace'));
    await this.#folder.store.forgetTombstones(settings.seconds('store.tombstones'));
    return expired;
  }

  /** Check the data against itself, and repair it on request. */
  check(options: Pick<BrokerCheckOptions, 'repair' | 'signal'>): Promise<BrokerCheck> {
    const { folder, engine, clock } = this.#options;
    const keptOut = (oids: readonly Oid[]) => this.orders.blocks.blocked(oids);
    return checkBroker({ ...options, folder, engine, clock, keptOut, indexer: this.indexer });
  }

  /** URLs of several Gatherers. All but the newest object of each are deleted, unless it is a dry run. */
  duplicates(options: { readonly isDryRun: boolean; readonly signal?: AbortSignal }): Promise<Duplicates> {
    const at = Math.floor(this.#options.clock.now() / 1000);
    const [reason, by] = ['an older summary of a URL that several Gatherers offer', 'duplicates'];
    return findDuplicates(this.#folder.store, {
      ...options,
      watch: this.#duplicates,
      remove: (objects) =>
        this.delete(
          objects.map(({ oid, url, digest }) => ({ oid, url, digest, isForGood: false, reason, by, at })),
        ),
    });
  }

  /** How many URLs several Gatherers have summarised, as far as is known now. Costs nothing. */
  get duplicateUrls(): number {
    return this.#duplicates.count;
  }

  origin(oid: Oid, object: SummaryObject): Promise<ObjectOrigin | undefined> {
    return originOf(this.#folder, this.#table, oid, object);
  }

  /** Offered objects that are not taken: they came by this Broker itself, or by too many servers. */
  async passedOver(source: ServerId): Promise<{ readonly own: number; readonly far: number }> {
    if (!this.#folder.store.partitions.has(source)) return { own: 0, far: 0 };
    const { own, far } = await (await this.#folder.store.paths(source)).state();
    return { own, far };
  }

  /** Three queries with matches, made of titles of the store; the same ones for some minutes. */
  examples(): Promise<readonly string[]> {
    return this.#examples.get();
  }

  /** The number of objects that a source offers. Costs one read. */
  async objectsOf(source: string): Promise<number> {
    if (!this.#folder.store.partitions.has(source)) return 0;
    return (await (await this.#folder.store.replica(source)).state()).count;
  }

  /** The cost of each scheme when it last ran alone with a source. */
  measuresOf(source: ServerId): readonly SchemeMeasure[] {
    return this.#table.measures(source);
  }

  /** Report every scheme between this Broker and a source. Throws BROKER_NO_SOURCE, BROKER_NOT_DIALLED. */
  async explain(source: string, options: ReportOptions): Promise<AwarenessReport> {
    const address = this.collector.find(source);
    if (address.pusher !== undefined) throw failure(brokerErrors.BROKER_NOT_DIALLED, { source: address.url });
    return reportAwareness(address, this.collector.options, options);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** The keys of publishers. */
  get keyring(): Keyring {
    return this.rules?.keyring ?? this.#table;
  }

  get folder(): DataFolder {
    return this.#folder;
  }

  /** The verbs of its wire, as a source of other Brokers, for sources that push, and for bulk transfer. */
  verbs(): Readonly<Record<string, Verb>> {
    const { folder, clock } = this.#options;
    const { serverId, sign } = folder.identity;
    const given = { view: (name: string) => this.views.source(name), learned: folder.store.clients.learned };
    const pathsOf = (oids: Iterable<Oid>) => folder.store.pathsOf([...oids]);
    return {
      ...sourceVerbs({
        source: folder.store,
        ...given,
        pathsOf,
        serverId,
        sign,
        clock,
        keyring: this.keyring,
      }),
      push: pushVerb((session) => this.collector.pushed(session)),
      query: bulkVerb(this.queries, folder, this.keyring),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.collector[Symbol.asyncDispose]();
    await this.#cleaning;
    await this.indexer[Symbol.asyncDispose]();
    await this.webhooks[Symbol.asyncDispose]();
    await this.#duplicates[Symbol.asyncDispose]();
    await this.views[Symbol.asyncDispose]();
    await this.#log?.[Symbol.asyncDispose]();
  }

  async #clean(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.forgetExpired();
        await this.#links?.tick();
        await this.orders.proved?.tick(signal);
        await this.#log?.flush();
      } catch (error) {
        brokerFault.publish({ where: 'removing expired objects', error });
      }
      await this.#nap.sleep(this.orders.settings.seconds('broker.cleaning') * 1000);
    }
  }

  #changed(key: string): void {
    if (key === 'broker.interval') this.collector.pace();
    if (key === 'broker.time-to-live')
      this.#folder.store.defaultTtlSeconds = this.orders.settings.seconds(key);
    if (['broker.cleaning', 'broker.grace', 'store.tombstones'].includes(key)) this.#nap.wake();
  }
}
