import { createHash } from 'node:crypto';
import {
  type Epoch,
  type Filter,
  type Lsn,
  SetFingerprint,
  type Source,
  type SourceState,
  type StoreModel,
} from '../../awareness/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { Database, Write } from '../database/index.ts';
import {
  decodeFiltered,
  decodeFilteredMember,
  decodeLogRow,
  decodeMeta,
  type FilteredState,
  keys,
  numberOfKey,
  oidOfKey,
  trimDeparted,
} from '../rows/index.ts';
import { SetChanges, type SetSummaries } from '../sets/index.ts';
import { FilteredSnapshot, filteredState } from './filtered-snapshot.ts';

/** Max objects judged in one step, so that the store's own writes get through in between. */
const stepObjects = 256;

/** The parts of a store that a filtered set uses. */
export interface FollowedStore {
  readonly database: Database;
  readonly summaries: SetSummaries;
  readonly model: StoreModel;
  readonly clock: Clock;
  readonly epoch: Epoch;
  readonly lsn: () => Lsn;
  /** Deletions up to this LSN have been forgotten. */
  readonly horizon: () => Lsn;
  readonly flush: () => Promise<void>;
  readonly onChange: (watcher: (lsn: Lsn) => void) => () => void;
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** The epoch of a set of that name: in another life of the store it is another set. */
export function epochOf(store: Epoch, name: string): Epoch {
  const hash = createHash('sha256').update(Buffer.from(store, 'base64url')).update(name).digest();
  return hash.subarray(0, 12).toString('base64url') as Epoch;
}

export function emptyState(epoch: Epoch): FilteredState {
  return { epoch, lsn: 0, storeLsn: 0, time: 0, horizon: 0, gone: 0, fingerprint: new SetFingerprint() };
}

/**
 * The objects of a store that match a filter, as a source of their own. Its log records what entered and
 * left, also by time. It follows the store's log when it is read; the first time it reads everything.
 */
export class FilteredSource implements Source {
  readonly model: StoreModel;
  readonly #store: FollowedStore;
  readonly #set: number;
  readonly #filter: Filter;

  constructor(store: FollowedStore, set: number, filter: Filter) {
    this.model = store.model;
    this.#store = store;
    this.#set = set;
    this.#filter = filter;
  }

  async state(): Promise<SourceState> {
    return filteredState(await this.#follow(async (state) => state));
  }

  async snapshot({ sketch = false } = {}): Promise<FilteredSnapshot> {
    return this.#follow(async (state) => {
      const { summaries, database } = this.#store;
      const summary = sketch ? await summaries.get(this.#set, state.fingerprint.count) : undefined;
      return new FilteredSnapshot(database.snapshot(), this.#set, state, summary);
    });
  }

  onChange(watcher: (lsn: Lsn) => void): () => void {
    return this.#store.onChange(watcher);
  }

  /** Follow the store and the clock up to now, and run a task before either can go on. */
  async #follow<Result>(then: (state: FilteredState) => Promise<Result>): Promise<Result> {
    await this.#store.flush();
    for (;;) {
      const done = await this.#store.exclusively(async () => {
        const state = await this.#read();
        const now = Math.max(state.time, Math.floor(this.#store.clock.now() / 1000));
        const behind = state.storeLsn < this.#store.lsn() || (await this.#due(now)).length > 0;
        if (!behind) return { result: await then(state) };
        await this.#step(state, now);
        return undefined;
      });
      if (done !== undefined) return done.result;
    }
  }

  async #read(): Promise<FilteredState> {
    const row = await this.#store.database.get(keys.filtered(this.#set));
    if (row !== undefined) return decodeFiltered(row);
    return emptyState(epochOf(this.#store.epoch, this.#filter.text));
  }

  async #due(now: number): Promise<readonly { readonly key: Uint8Array; readonly oid: Oid }[]> {
    const found: { key: Uint8Array; oid: Oid }[] = [];
    for await (const key of this.#store.database.keys({ ...keys.dueBy(this.#set, now), limit: stepObjects }))
      found.push({ key, oid: oidOfKey(key) });
    return found;
  }

  async #step(before: FilteredState, now: number): Promise<void> {
    const { database, summaries } = this.#store;
    const due = await this.#due(now);
    const changed = new Set<Oid>();
    let storeLsn = before.storeLsn;
    const range = { ...keys.logAfter(before.storeLsn), limit: stepObjects };
    for await (const [key, value] of database.entries(range)) {
      changed.add(decodeLogRow(value).oid);
      storeLsn = numberOfKey(key);
    }
    if (changed.size < stepObjects) storeLsn = this.#store.lsn();
    for (const { oid } of due) changed.add(oid);
    const step = new SetChanges(this.#set, before, now);
    await this.#judge([...changed], step, now);
    const { writes, state, change } = step.finish(storeLsn, now);
    const changes = new Map([[this.#set, change]]);
    const judged = due.map(({ key }): Write => ({ type: 'del', key }));
    await summaries.follow(
      changes,
      () => state.fingerprint.count,
      (journal) => database.batch([...judged, ...writes, ...journal]),
    );
    await trimDeparted(database, this.#set, state);
  }

  /** Judge these objects in their present form; each at most once a step. */
  async #judge(oids: readonly Oid[], changes: SetChanges, now: number): Promise<void> {
    const { database } = this.#store;
    const [metas, bodies, members, gones] = await Promise.all([
      database.getMany(oids.map(keys.meta)),
      database.getMany(oids.map(keys.body)),
      database.getMany(oids.map((oid) => keys.member(this.#set, oid))),
      database.getMany(oids.map((oid) => keys.filteredGone(this.#set, oid))),
    ]);
    for (const [i, oid] of oids.entries()) {
      const [meta, body, row] = [metas[i], bodies[i], members[i]];
      const member = row === undefined ? undefined : decodeFilteredMember(row);
      const verdict = meta === undefined || body === undefined ? undefined : this.#filter.judge(body, now);
      const digest = meta === undefined ? undefined : decodeMeta(meta).digest;
      if (verdict?.holds === true && digest !== undefined) {
        changes.enter(oid, digest, verdict.until ?? 0, { member, gone: gones[i] });
      } else {
        if (member !== undefined) changes.leave(oid, member);
        // An object that is not wanted yet may be wanted later without a change.
        if (verdict?.until !== undefined)
          changes.put(keys.due(this.#set, verdict.until, oid), new Uint8Array());
      }
    }
  }
}
