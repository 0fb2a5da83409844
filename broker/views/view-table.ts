import { failure } from '../../kernel/index.ts';
import { parseQuery, type QueryNode } from '../../query/index.ts';
import { type Database, type Write, within } from '../../store/index.ts';
import { viewErrors } from './errors.ts';
import { nodesOf, resolveViews } from './view-query.ts';

export interface ViewDefinition {
  readonly name: string;
  /** In the query language. It may name other views (`view: NAME`). */
  readonly query: string;
  /** The view whose objects it selects from; without it, all objects. */
  readonly over?: string;
  readonly description?: string;
}

export interface View extends ViewDefinition {
  /** The number of its set in the store. */
  readonly number: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
}

/** Max nodes of a view's query, including those of the views that it uses. */
const maxNodes = 1024;

const maxDescriptionLength = 1000;

const namePattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

const key = (name: string) => Buffer.from(name);

export class ViewTable {
  readonly #rows: Database;
  readonly #views = new Map<string, View>();
  readonly #byNumber = new Map<number, View>();
  /** Names in order, made for the first listing. */
  #sorted: readonly string[] | undefined;
  /** How many views use each view. */
  readonly #uses = new Map<string, number>();
  #revision = 0;

  private constructor(database: Database) {
    this.#rows = within(database, 'view');
  }

  static async open(database: Database): Promise<ViewTable> {
    const table = new ViewTable(database);
    for await (const rows of table.#rows.entryBatches())
      for (const [, value] of rows) table.#note(JSON.parse(Buffer.from(value).toString()) as View);
    for (const view of table.#views.values()) table.#use(view, 1);
    return table;
  }

  get size(): number {
    return this.#views.size;
  }

  /** A number that changes with every change of the definitions, in this process. */
  get revision(): number {
    return this.#revision;
  }

  get numbers(): Iterable<number> {
    return this.#byNumber.keys();
  }

  find(name: string): View | undefined {
    return this.#views.get(name);
  }

  /** Throws VIEW_UNKNOWN. */
  get(name: string): View {
    const view = this.#views.get(name);
    if (view === undefined) throw failure(viewErrors.VIEW_UNKNOWN, { view: name.slice(0, 80) });
    return view;
  }

  /** At most `limit` views in the order of their names, starting after `after`. */
  list(limit: number, after = ''): readonly View[] {
    this.#sorted ??= [...this.#views.keys()].sort();
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] as string) <= after) low = middle + 1;
      else high = middle;
    }
    return this.#sorted.slice(low, low + limit).map((name) => this.get(name));
  }

  /** The query of a view's number, with the queries of the views that it uses. */
  queryOf(number: number): QueryNode {
    const view = this.#byNumber.get(number);
    return view === undefined ? nothing : this.#resolved(view);
  }

  /** The query of a name in another query, or undefined. */
  meaning(name: string): QueryNode | undefined {
    const view = this.#views.get(name);
    return view && this.#resolved(view);
  }

  /** The resolved query of a definition. Throws VIEW_NAME, VIEW_QUERY, and VIEW_UNKNOWN. */
  check({ name, query, over, description = '' }: ViewDefinition): QueryNode {
    if (!namePattern.test(name)) throw failure(viewErrors.VIEW_NAME, { view: name.slice(0, 80) });
    const bad = (problem: string) => failure(viewErrors.VIEW_QUERY, { view: name, problem });
    const [note] = parseQuery(query).notes;
    if (query.trim() === '') throw bad('it is empty');
    if (note !== undefined) throw bad(note);
    if (description.length > maxDescriptionLength)
      throw bad(`its description is longer than ${maxDescriptionLength} characters`);
    const { unknown } = resolveViews(parseQuery(query).query, (other) => this.meaning(other));
    if (unknown.length > 0) this.get(unknown[0] as string);
    if (over !== undefined) this.get(over);
    const meant = this.#resolved({ query, ...(over !== undefined && { over }) });
    if (nodesOf(meant) > maxNodes)
      throw bad(`with the views that it uses it has more than ${maxNodes} parts`);
    return meant;
  }

  /** A view that uses this one, or undefined. */
  userOf(name: string): string | undefined {
    if ((this.#uses.get(name) ?? 0) === 0) return undefined;
    for (const view of this.#views.values()) if (this.#madeOf(view).includes(name)) return view.name;
    return undefined;
  }

  async add(views: readonly View[]): Promise<void> {
    await this.#rows.batch(
      views.map((view): Write => ({ type: 'put', key: key(view.name), value: key(JSON.stringify(view)) })),
      { sync: true },
    );
    this.#revision++;
    for (const view of views) {
      this.#note(view);
      this.#use(view, 1);
    }
  }

  async remove({ name, number }: View): Promise<void> {
    await this.#rows.batch([{ type: 'del', key: key(name) }], { sync: true });
    this.#revision++;
    this.#use(this.get(name), -1);
    this.#views.delete(name);
    this.#byNumber.delete(number);
    this.#sorted = undefined;
  }

  #note(view: View): void {
    this.#views.set(view.name, view);
    this.#byNumber.set(view.number, view);
    this.#sorted = undefined;
  }

  #madeOf({ query, over }: Pick<View, 'query' | 'over'>): readonly string[] {
    // Most queries name no view, and parsing takes time when there are many.
    const views = namesNoView(query)
      ? []
      : resolveViews(parseQuery(query).query, (name) => this.meaning(name)).views;
    return over === undefined ? views : [...new Set([over, ...views])];
  }

  #use(view: View, by: 1 | -1): void {
    for (const name of this.#madeOf(view)) this.#uses.set(name, (this.#uses.get(name) ?? 0) + by);
  }

  #resolved({ query, over }: Pick<View, 'query' | 'over'>): QueryNode {
    const read = parseQuery(query).query;
    const own = namesNoView(query) ? read : resolveViews(read, (name) => this.meaning(name)).query;
    const parent = over === undefined ? undefined : this.meaning(over);
    return parent === undefined ? own : { kind: 'and', operands: [parent, own] };
  }
}

const namesNoView = (query: string) => !/view/i.test(query);

const nothing: QueryNode = { kind: 'not', operand: { kind: 'all' } };
