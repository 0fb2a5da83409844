import type { Clock } from '../../kernel/index.ts';
import type { Database } from '../../store/index.ts';

/** The counts of a query. There is no address and no time of day, so none can leak. */
export interface LoggedQuery {
  readonly query: string;
  readonly count: number;
  /** How often it found nothing. */
  readonly withoutHits: number;
  /** The day of its last search, UTC, for example `2026-03-04`. */
  readonly lastDay: string;
}

export interface SearchReport {
  /** Searches counted, and those that found nothing. */
  readonly searches: number;
  readonly withoutHits: number;
  /** Most frequent first. */
  readonly queries: readonly LoggedQuery[];
}

/** Max different queries stored. The least frequent and oldest are dropped first. */
const maxQueries = 10_000;
const queriesAfterTidying = 9_000;
const maxLength = 120;

// A query is counted when it has not grown for `settledMs`. At most `maxPending` wait for that.
const settledMs = 3_000;
const maxPending = 200;
// The page searches during typing and once more for the final text. After this time it is another search.
const renewMs = 1_000;

interface Pending {
  readonly query: string;
  readonly total: number;
  readonly at: number;
}

const key = (query: string) => Buffer.from(query);
const totalsKey = Buffer.from([0]);

/** Counts of searches, on disk. A crash loses the counts since the last `flush`. */
export class SearchLog implements AsyncDisposable {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #queries = new Map<string, LoggedQuery>();
  readonly #changed = new Set<string>();
  #pending: Pending[] = [];
  #totals = { searches: 0, withoutHits: 0 };

  private constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  static async open(database: Database, clock: Clock): Promise<SearchLog> {
    const log = new SearchLog(database, clock);
    for await (const [name, value] of database.entries()) {
      const row = JSON.parse(Buffer.from(value).toString());
      if (Buffer.compare(name, totalsKey) === 0) log.#totals = row;
      else log.#queries.set(row.query, row);
    }
    return log;
  }

  /** Record an answered search. Of a query that grows while typed only the last state counts. */
  record(q: string, total: number): void {
    const query = q.replace(/\s+/g, ' ').trim().toLowerCase().slice(0, maxLength);
    if (query === '') return;
    const at = this.#clock.now();
    this.#settle(at);
    const isAgain = (other: Pending) => other.query === query && at - other.at >= renewMs;
    this.#pending = this.#pending.filter(
      (other) => isAgain(other) || (!query.startsWith(other.query) && !other.query.startsWith(query)),
    );
    if (this.#pending.length === maxPending) this.#count(this.#pending.shift() as Pending);
    this.#pending.push({ query, total, at });
  }

  /** Queries, most frequent first; `noHits`: only those that found nothing, by how often they did. */
  report({ noHits, limit }: { readonly noHits: boolean; readonly limit: number }): SearchReport {
    this.#settle(this.#clock.now());
    const weight = (row: LoggedQuery) => (noHits ? row.withoutHits : row.count);
    const queries = [...this.#queries.values()]
      .filter((row) => weight(row) > 0)
      .sort((a, b) => weight(b) - weight(a) || (a.query < b.query ? -1 : 1));
    return { ...this.#totals, queries: queries.slice(0, limit) };
  }

  async flush(): Promise<void> {
    this.#settle(this.#clock.now());
    if (this.#changed.size === 0) return;
    this.#tidy();
    const writes = Array.from(this.#changed, (query) => {
      const row = this.#queries.get(query);
      return row === undefined
        ? { type: 'del' as const, key: key(query) }
        : { type: 'put' as const, key: key(query), value: Buffer.from(JSON.stringify(row)) };
    });
    this.#changed.clear();
    const totals = Buffer.from(JSON.stringify(this.#totals));
    await this.#database.batch([...writes, { type: 'put', key: totalsKey, value: totals }]);
  }

  /** Count every search, the last ones too, and write the counts. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#settle(Number.POSITIVE_INFINITY);
    await this.flush();
  }

  #settle(now: number): void {
    const settled = this.#pending.filter(({ at }) => now - at >= settledMs || at > now);
    this.#pending = this.#pending.filter((one) => !settled.includes(one));
    for (const one of settled) this.#count(one);
  }

  #count({ query, total, at }: Pending): void {
    const known = this.#queries.get(query);
    const missed = total === 0 ? 1 : 0;
    this.#queries.set(query, {
      query,
      count: (known?.count ?? 0) + 1,
      withoutHits: (known?.withoutHits ?? 0) + missed,
      lastDay: new Date(at).toISOString().slice(0, 10),
    });
    this.#changed.add(query);
    this.#totals = {
      searches: this.#totals.searches + 1,
      withoutHits: this.#totals.withoutHits + missed,
    };
    if (this.#queries.size > maxQueries) this.#tidy();
  }

  #tidy(): void {
    if (this.#queries.size <= maxQueries) return;
    const worst = [...this.#queries.values()].sort(
      (a, b) => a.count - b.count || (a.lastDay < b.lastDay ? -1 : 1),
    );
    for (const { query } of worst.slice(0, this.#queries.size - queriesAfterTidying)) {
      this.#queries.delete(query);
      this.#changed.add(query);
    }
  }
}
