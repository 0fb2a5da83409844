import type { Lsn, Source, SourceState } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { Write } from '../database/index.ts';
import {
  decodeFiltered,
  decodeLogRow,
  decodeProgress,
  decodeSets,
  deleteSetRows,
  encodeFiltered,
  encodeProgress,
  encodeSets,
  type FilteredState,
  keys,
  numberOfKey,
  oidOfKey,
  type StandingProgress,
  setOfKey,
  trimDeparted,
} from '../rows/index.ts';
import { FilteredSnapshot, filteredState } from './filtered-snapshot.ts';
import { emptyState, epochOf, type FollowedStore } from './filtered-source.ts';
import { StandingSetUpdate } from './standing-set-update.ts';

/** Returns the standing sets of an object, from its binary form; numbers of other sets are ignored. */
export type SetsOf = (body: Uint8Array) => readonly number[];

/** Standing sets are numbered from here on; partitions and filtered sets are far below. */
const firstNumber = 0x8000_0000;

/** Max objects judged in one step, so that the store's own writes get through in between. */
const stepObjects = 16;

/** Max memberships written in one step; one object alone may have more. */
const stepMemberships = 4096;

/** Max sets with a sketch in memory, the last used ones; others are compared without one. */
const maxSketches = 64;

/** A standing set as a source, with the events of its objects. */
export interface StandingSource extends Source {
  snapshot(options?: { readonly sketch?: boolean }): Promise<FilteredSnapshot>;
}

/**
 * Named sets of a store's objects, very many of them, each a source with a log of its own. An object that
 * changes is judged once for all sets, and only its own sets are written, in one batch with the progress
 * along the log. New sets are filled by one reading of the store.
 */
export class StandingSets {
  readonly #store: FollowedStore;
  readonly #setsOf: SetsOf;
  readonly #live: Set<number>;
  readonly #sketched = new Set<number>();
  readonly #watchers = new Map<number, Set<(lsn: Lsn) => void>>();
  #progress: StandingProgress;
  /** The highest number of any present or former set. */
  #highest: number;
  #lastGiven: number;
  #swept: Lsn = 0;
  /** A sweep in progress: the horizon at which it began, and the last object that it has checked. */
  #sweeping: { readonly horizon: Lsn; after: Oid | undefined } | undefined;
  #synced: StandingProgress | undefined;

  private constructor(
    store: FollowedStore,
    setsOf: SetsOf,
    live: Set<number>,
    progress: StandingProgress,
    highest: number,
  ) {
    this.#store = store;
    this.#setsOf = setsOf;
    this.#live = live;
    this.#progress = progress;
    this.#highest = highest;
    this.#lastGiven = highest;
  }

  /** `live`: the present sets. Missing ones are made, and the remains of others are deleted. */
  static async open(store: FollowedStore, setsOf: SetsOf, live: Iterable<number>): Promise<StandingSets> {
    const { database } = store;
    const numbers = new Set(live);
    const row = await database.get(keys.standing());
    const progress =
      row === undefined
        ? {
            ...{ storeLsn: store.lsn(), judged: store.lsn() },
            ...{ filled: firstNumber - 1, filling: firstNumber - 1, after: undefined },
          }
        : decodeProgress(row);
    const known = new Set<number>();
    for await (const key of database.keys(keys.filteredFrom(firstNumber))) known.add(setOfKey(key));
    let highest = Math.max(progress.filled, progress.filling);
    for (const number of [numbers, known].flatMap((some) => [...some])) highest = Math.max(highest, number);
    const sets = new StandingSets(store, setsOf, numbers, progress, highest);
    for await (const key of database.keys(keys.summaries()))
      if (setOfKey(key) >= firstNumber) sets.#sketched.add(setOfKey(key));
    for (const number of known) if (!numbers.has(number)) await sets.#delete(number);
    const missing = [...numbers].filter((number) => !known.has(number));
    if (missing.length > 0) await sets.add(missing);
    return sets;
  }

  /** A number that no set has had. Sets must be added in the order of their numbers. */
  newNumber(): number {
    return ++this.#lastGiven;
  }

  /** Make sets of these numbers; `follow` fills them. */
  add(numbers: readonly number[]): Promise<void> {
    return this.#store.exclusively(async () => {
      // Without any set the log was not followed; present objects are read when the sets are filled.
      const now = this.#store.lsn();
      const progress = { ...this.#progress, ...(this.#isIdle && { storeLsn: now, judged: now }) };
      const writes = numbers.map((number): Write => {
        const value = encodeFiltered(this.#begin(number));
        return { type: 'put', key: keys.filtered(number), value };
      });
      await this.#store.database.batch([
        ...writes,
        { type: 'put', key: keys.standing(), value: encodeProgress(progress) },
      ]);
      this.#progress = progress;
      for (const number of numbers) {
        this.#live.add(number);
        this.#highest = Math.max(this.#highest, number);
      }
    });
  }

  async remove(number: number): Promise<void> {
    this.#live.delete(number);
    this.#watchers.delete(number);
    await this.#delete(number);
  }

  /** Whether a set has been filled from the objects that were present when it was made. */
  isFilled(number: number): boolean {
    return number <= this.#progress.filled;
  }

  /** Follow the store up to now, and fill new sets. */
  async follow(signal?: AbortSignal): Promise<void> {
    await this.#upToDate(async () => undefined, signal);
  }

  /** The set of this number as a source. */
  source(number: number): StandingSource {
    return {
      model: this.#store.model,
      state: (): Promise<SourceState> =>
        this.#upToDate(async () => {
          await this.#sync();
          return filteredState(await this.#read(number));
        }),
      snapshot: ({ sketch = false } = {}) =>
        this.#upToDate(async () => {
          await this.#sync();
          const state = await this.#read(number);
          const summary = sketch ? await this.#summary(number, state) : undefined;
          return new FilteredSnapshot(this.#store.database.snapshot(), number, state, summary);
        }),
      onChange: (watcher) => this.#watch(number, watcher),
    };
  }

  /** States of these sets as last written; cheap, and a little behind the store while it changes. */
  async states(numbers: readonly number[]): Promise<readonly SourceState[]> {
    const rows = await this.#store.database.getMany(numbers.map(keys.filtered));
    return rows.map((row, i) =>
      filteredState(row === undefined ? this.#begin(numbers[i] as number) : decodeFiltered(row)),
    );
  }

  get #isIdle(): boolean {
    return this.#live.size === 0;
  }

  #watch(number: number, watcher: (lsn: Lsn) => void): () => void {
    const watchers = this.#watchers.get(number) ?? new Set();
    this.#watchers.set(number, watchers);
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(number) === watchers) this.#watchers.delete(number);
    };
  }

  /** Run a task when every set is up to date, before the store can go on. */
  async #upToDate<Result>(then: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.#store.flush();
    for (;;) {
      signal?.throwIfAborted();
      const done = await this.#store.exclusively(async () => {
        const changed = await this.#step();
        return changed === undefined ? { result: await then() } : { changed };
      });
      if ('result' in done) return done.result;
      for (const [number, lsn] of done.changed)
        for (const watcher of this.#watchers.get(number) ?? []) watcher(lsn);
    }
  }

  /** One step; resolves to the sets that it changed, or to undefined when there is nothing left to do. */
  async #step(): Promise<ReadonlyMap<number, Lsn> | undefined> {
    const { storeLsn, filled } = this.#progress;
    if (this.#isIdle) return undefined;
    const horizon = this.#store.horizon();
    if (storeLsn < horizon && this.#swept !== horizon) return this.#sweep(horizon);
    if (storeLsn < this.#store.lsn()) return this.#followLog();
    if (filled < this.#highest) return this.#fill();
    return undefined;
  }

  async #followLog(): Promise<ReadonlyMap<number, Lsn>> {
    const { database } = this.#store;
    const { storeLsn, judged } = this.#progress;
    const logged: { readonly oid: Oid; readonly lsn: Lsn }[] = [];
    for await (const [key, value] of database.entries({ ...keys.logAfter(storeLsn), limit: stepObjects }))
      logged.push({ oid: decodeLogRow(value).oid, lsn: numberOfKey(key) });
    const step = this.#placing();
    const taken = await step.follow(
      logged.map(({ oid }) => oid),
      judged,
      stepMemberships,
    );
    const isLast = logged.length < stepObjects && taken === logged.length;
    const upTo = isLast ? this.#store.lsn() : (logged[taken - 1]?.lsn ?? storeLsn);
    return this.#write(step, { ...this.#progress, storeLsn: upTo, ...(isLast && { judged: upTo }) });
  }

  /** Judge some of the objects that were present before the newest sets. */
  async #fill(): Promise<ReadonlyMap<number, Lsn>> {
    const { database } = this.#store;
    const { filled, after } = this.#progress;
    const isNew = this.#progress.filling <= filled;
    const filling = isNew ? this.#highest : this.#progress.filling;
    const from = isNew || after === undefined ? undefined : oidOfKey(after);
    const oids: Oid[] = [];
    for await (const key of database.keys({ ...keys.metas(from), limit: stepObjects }))
      oids.push(oidOfKey(key));
    const step = this.#placing();
    const taken = await step.fill(oids, (set) => set > filled && set <= filling, stepMemberships);
    const isLast = oids.length < stepObjects && taken === oids.length;
    const last = oids[taken - 1];
    const progress = isLast
      ? { ...this.#progress, filled: filling, filling, after: undefined }
      : { ...this.#progress, filling, after: last === undefined ? undefined : keys.meta(last).subarray(1) };
    return this.#write(step, progress);
  }

  /** Deletions were forgotten before they were followed: look for members without an object, some at a time. */
  async #sweep(horizon: Lsn): Promise<ReadonlyMap<number, Lsn>> {
    const { database } = this.#store;
    this.#sweeping ??= { horizon, after: undefined };
    const oids: Oid[] = [];
    for await (const key of database.keys({ ...keys.allSetsOf(this.#sweeping.after), limit: stepObjects }))
      oids.push(oidOfKey(key));
    if (oids.length === 0) {
      this.#swept = this.#sweeping.horizon;
      this.#sweeping = undefined;
      return new Map();
    }
    const step = this.#placing();
    const taken = await step.sweep(oids, stepMemberships);
    this.#sweeping.after = oids[taken - 1];
    return this.#write(step, this.#progress);
  }

  #placing(): StandingSetUpdate {
    const now = Math.floor(this.#store.clock.now() / 1000);
    return new StandingSetUpdate(this.#store.database, {
      now,
      setsOf: (body) => this.#setsOf(body).filter((set) => this.#live.has(set)),
      begin: (set) => this.#begin(set),
      isLive: (set) => this.#live.has(set),
    });
  }

  async #write(step: StandingSetUpdate, progress: StandingProgress): Promise<ReadonlyMap<number, Lsn>> {
    const { database, summaries } = this.#store;
    const { writes, sets } = step.finish(progress.storeLsn);
    const row: Write = { type: 'put', key: keys.standing(), value: encodeProgress(progress) };
    const changes = new Map(
      [...sets].filter(([set]) => this.#sketched.has(set)).map(([set, { change }]) => [set, change]),
    );
    await summaries.follow(
      changes,
      (set) => sets.get(set)?.state.fingerprint.count ?? 0,
      (journal) => database.batch([...writes, ...journal, row]),
    );
    this.#progress = progress;
    for (const [set, { state }] of sets) await trimDeparted(database, set, state);
    return new Map([...sets].map(([set, { state }]) => [set, state.lsn]));
  }

  /** Sync, because answers to clients must be durable. */
  async #sync(): Promise<void> {
    if (this.#synced === this.#progress) return;
    const progress = this.#progress;
    await this.#store.database.batch(
      [{ type: 'put', key: keys.standing(), value: encodeProgress(progress) }],
      { sync: true },
    );
    this.#synced = progress;
  }

  async #summary(number: number, state: FilteredState) {
    const { summaries, database } = this.#store;
    const others = [...this.#sketched].filter((set) => set !== number);
    this.#sketched.clear();
    for (const set of [...others, number]) this.#sketched.add(set);
    for (const set of others.slice(0, Math.max(0, this.#sketched.size - maxSketches))) {
      this.#sketched.delete(set);
      await database.batch(await summaries.forget(set));
    }
    return summaries.get(number, state.fingerprint.count);
  }

  async #read(number: number): Promise<FilteredState> {
    const row = await this.#store.database.get(keys.filtered(number));
    return row === undefined ? this.#begin(number) : decodeFiltered(row);
  }

  /** The first state of a set. Its number is never used again, so it names the set's epoch within the store's. */
  #begin(number: number): FilteredState {
    return emptyState(epochOf(this.#store.epoch, `standing set ${number}`));
  }

  async #delete(number: number): Promise<void> {
    const { database, summaries } = this.#store;
    let after: Oid | undefined;
    for (let more = true; more; ) {
      // In parts, so that the store's own writes get through in between.
      more = await this.#store.exclusively(async () => {
        const oids: Oid[] = [];
        for await (const key of database.keys({ ...keys.members(number, after), limit: stepMemberships }))
          oids.push(oidOfKey(key));
        const rows = await database.getMany(oids.map(keys.setsOf));
        await database.batch(
          oids.map((oid, i): Write => {
            const others = decodeSets(rows[i]).filter((set) => set !== number);
            return others.length === 0
              ? { type: 'del', key: keys.setsOf(oid) }
              : { type: 'put', key: keys.setsOf(oid), value: encodeSets(others) };
          }),
        );
        after = oids.at(-1);
        return oids.length === stepMemberships;
      });
    }
    await this.#store.exclusively(async () => {
      this.#sketched.delete(number);
      await database.batch(await summaries.forget(number));
      await deleteSetRows(database, number);
    });
  }
}
