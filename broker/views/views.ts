import type { Source } from '../../awareness/index.ts';
import { type Clock, failure, type Random, TaskQueue } from '../../kernel/index.ts';
import { ObjectTerms, type ParsedQuery, printQuery } from '../../query/index.ts';
import { decodeObject } from '../../soif/index.ts';
import type { Database, ObjectStore, StandingSets, StandingSource } from '../../store/index.ts';
import { FollowLoop } from '../follow-loop.ts';
import { viewErrors } from './errors.ts';
import { objectMatched } from './events.ts';
import { QueryIndex } from './query-index.ts';
import type { TermRarity } from './term-rarity.ts';
import { resolveViews } from './view-query.ts';
import { type View, type ViewDefinition, ViewTable } from './view-table.ts';

/** Enough objects to distinguish frequent terms from rare ones. */
const sample = 256;

/** Count the terms of some objects. OIDs are hashes, so the first objects are a fair sample. */
async function seedRarity(store: ObjectStore, rarity: TermRarity): Promise<void> {
  await using snapshot = await store.snapshot();
  let left = sample;
  for await (const { oid } of snapshot.scan()) {
    const object = await snapshot.get(oid);
    if (object !== undefined) rarity.note(new ObjectTerms(decodeObject(object.body), new Set()));
    if (--left === 0) return;
  }
}

export interface ViewsOptions {
  readonly store: ObjectStore;
  /** Holds the definitions. The objects' memberships are in the store. */
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives errors of following the store. The views try again. */
  readonly onFault?: (error: unknown) => void;
}

/** Max views of one Broker. */
export const maxViews = 200_000;

/** Max views whose query requires no term: each is checked for every changed object. */
export const maxUnindexed = 64;

export interface ViewStatus {
  readonly name: string;
  readonly query: string;
  readonly over: string | null;
  readonly description: string | null;
  /** The query in full, with the queries of the views that it uses. */
  readonly understood: string;
  readonly objects: number;
  /** The view's own epoch and log sequence number. */
  readonly epoch: string;
  readonly lsn: number;
  /** False while it is filled with the objects that existed before it. */
  readonly filled: boolean;
  /** Seconds since 1970. */
  readonly createdAt: number;
}

/**
 * Named queries over a Broker's objects (harvest.txt 3.3: Nebula's views and standing queries), each stored
 * as a set that others can collect like any store.
 */
export class Views implements AsyncDisposable {
  readonly #options: ViewsOptions;
  readonly #table: ViewTable;
  readonly #index: QueryIndex;
  readonly #sets: StandingSets;
  readonly #stop: () => void;
  readonly #loop: FollowLoop;
  /** Whether terms of objects were counted before the first view was defined. */
  #isSeeded: boolean;
  /** Definitions change one after the other, because sets are added in the order of their numbers. */
  readonly #changes = new TaskQueue();

  private constructor(options: ViewsOptions, table: ViewTable, index: QueryIndex, sets: StandingSets) {
    this.#options = options;
    this.#table = table;
    this.#index = index;
    this.#sets = sets;
    this.#isSeeded = table.size > 0;
    const { clock, random, onFault } = options;
    this.#loop = new FollowLoop({
      ...{ clock, random },
      pass: () => this.upToDate(),
      failed: (error) => {
        if (!this.#loop.signal.aborted) onFault?.(error);
      },
    });
    this.#stop = options.store.onChange(() => this.#wake());
  }

  static async open(options: ViewsOptions): Promise<Views> {
    const { store, database } = options;
    const table = await ViewTable.open(database);
    const index = new QueryIndex((number) => table.queryOf(number));
    if (table.size > 0) await seedRarity(store, index.rarity);
    for (const number of table.numbers) index.add(number, table.queryOf(number));
    const sets = await store.standing((body) => {
      const started = performance.now();
      const { matched, candidates, evaluated } = index.match(decodeObject(body));
      const ms = performance.now() - started;
      objectMatched.publish({ queries: index.size, candidates, evaluated, matched: matched.length, ms });
      return matched;
    }, table.numbers);
    const views = new Views(options, table, index, sets);
    views.#wake();
    return views;
  }

  get size(): number {
    return this.#table.size;
  }

  /** A number that changes with every change of the definitions, in this process. */
  get revision(): number {
    return this.#table.revision;
  }

  /**
   * Define views, all or none. An existing view with the same definition stays as it is. They are filled
   * afterwards. Throws VIEW_NAME, VIEW_EXISTS, VIEW_QUERY, VIEW_UNKNOWN, VIEW_UNINDEXED, VIEW_TOO_MANY.
   */
  add(definitions: readonly ViewDefinition[]): Promise<void> {
    return this.#changes.run(async () => {
      if (!this.#isSeeded) await seedRarity(this.#options.store, this.#index.rarity);
      this.#isSeeded = true;
      const wanted = definitions.filter((definition) => !this.#isThere(definition));
      const names = new Set(wanted.map(({ name }) => name));
      if (this.#table.size + names.size > maxViews)
        throw failure(viewErrors.VIEW_TOO_MANY, { max: maxViews });
      if (names.size < wanted.length)
        throw failure(viewErrors.VIEW_EXISTS, { view: twice(wanted.map(({ name }) => name)) });
      let unindexed = this.#index.always;
      const queries = wanted.map((definition) => {
        const query = this.#table.check(definition);
        if (!this.#index.isIndexed(query) && ++unindexed > maxUnindexed)
          throw failure(viewErrors.VIEW_UNINDEXED, { view: definition.name, max: maxUnindexed });
        return query;
      });
      const createdAt = Math.floor(this.#options.clock.now() / 1000);
      const views = wanted.map(
        (definition): View => ({ ...definition, number: this.#sets.newNumber(), createdAt }),
      );
      await this.#table.add(views);
      for (const [i, query] of queries.entries()) this.#index.add((views[i] as View).number, query);
      await this.#sets.add(views.map(({ number }) => number));
      this.#wake();
    });
  }

  /** Remove a view with its log. Throws VIEW_UNKNOWN, VIEW_IN_USE. */
  remove(name: string): Promise<void> {
    return this.#changes.run(async () => {
      const view = this.#table.get(name);
      const by = this.#table.userOf(name);
      if (by !== undefined) throw failure(viewErrors.VIEW_IN_USE, { view: name, by });
      this.#index.remove(view.number);
      await this.#table.remove(view);
      await this.#sets.remove(view.number);
    });
  }

  /** A view as a source: another Broker collects it like a store. Throws VIEW_UNKNOWN. */
  source(name: string): StandingSource & Source {
    return this.#sets.source(this.#table.get(name).number);
  }

  has(name: string): boolean {
    return this.#table.find(name) !== undefined;
  }

  /** Whether a view has been filled with the objects that existed before it. Throws VIEW_UNKNOWN. */
  isFilled(name: string): boolean {
    return this.#sets.isFilled(this.#table.get(name).number);
  }

  /** The status of a view. Throws VIEW_UNKNOWN. */
  async status(name: string): Promise<ViewStatus> {
    return (await this.#statusOf([this.#table.get(name)]))[0] as ViewStatus;
  }

  /** At most `limit` views in the order of their names, starting after `after`. */
  list(limit: number, after?: string): Promise<readonly ViewStatus[]> {
    return this.#statusOf(this.#table.list(limit, after));
  }

  /** A query with the names of views replaced by their queries, and a note for each unknown name. */
  resolve(parsed: ParsedQuery): ParsedQuery {
    const { query, unknown } = resolveViews(parsed.query, (name) => {
      const operand = this.#table.meaning(name);
      // A doubly negated node is not relaxed: a search without matches does not leave the view.
      return operand && { kind: 'not', operand: { kind: 'not', operand } };
    });
    const notes = unknown.map((name) => `no view is called ${name}: "view" was searched as an attribute`);
    return { ...parsed, query, notes: [...parsed.notes, ...notes] };
  }

  /** Resolve when every view is filled and has followed the store up to now. */
  async upToDate(): Promise<void> {
    await this.#sets.follow(this.#loop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await this.#loop.close();
    await this.#changes.ended();
  }

  #isThere(definition: ViewDefinition): boolean {
    const { name, query, over, description } = definition;
    const known = this.#table.find(name);
    if (known === undefined) return false;
    if (known.query !== query || known.over !== over || known.description !== description)
      throw failure(viewErrors.VIEW_EXISTS, { view: name });
    return true;
  }

  async #statusOf(views: readonly View[]): Promise<readonly ViewStatus[]> {
    const states = await this.#sets.states(views.map(({ number }) => number));
    return views.map(({ name, query, over = null, description = null, number, createdAt }, i) => {
      const { count: objects, epoch, lsn } = states[i] as (typeof states)[number];
      const understood = printQuery(this.#table.queryOf(number));
      const filled = this.#sets.isFilled(number);
      return { name, query, over, description, understood, objects, epoch, lsn, filled, createdAt };
    });
  }

  #wake(): void {
    if (this.#table.size > 0) this.#loop.wake();
  }
}

/** The first name that comes twice. */
function twice(names: readonly string[]): string {
  return names.find((name, i) => names.indexOf(name) < i) ?? '';
}
