import {
  type Change,
  type Filter,
  type Lsn,
  type Marker,
  type Noted,
  type ObjectPath,
  type PathBook,
  type PublishedObject,
  type Replica,
  SetFingerprint,
  type Source,
  type SourceState,
} from '../../awareness/index.ts';
import type { Clock, Random } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import {
  applyOperations,
  describeObject,
  ObjectSnapshot,
  ObjectTransaction,
  readObject,
  type StepResult,
  type StepWork,
  type StoredObject,
  type StoreOperation,
  sourceState,
} from '../changes/index.ts';
import { type CheckFindings, type CheckOptions, checkStore } from '../check/index.ts';
import { BatchedReads, type Database, type Write } from '../database/index.ts';
import { storeExpired, storeWritten } from '../events.ts';
import { FilterTable, type FollowedStore, type SetsOf, StandingSets } from '../filtered/index.ts';
import {
  emptyPartition,
  expel,
  learn,
  mark,
  ownRows,
  partitionPaths,
  partitionReplica,
  pathsAt,
  subjectOf,
  unlearn,
} from '../partitions/index.ts';
import {
  addPartition,
  ClientTable,
  decodeState,
  encodeState,
  freeNumber,
  keys,
  newEpoch,
  oidOfKey,
  oldTombstones,
  PartitionStates,
  type StoreState,
  textOfKey,
} from '../rows/index.ts';
import { ownSet, renewFingerprints, SetSummaries, shortIdsOf } from '../sets/index.ts';
import { defaultTtlSeconds } from '../settings.ts';
import { objectStoreModel } from './object-store-model.ts';

export interface ObjectStoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Elements in the journal of a sketch before it is written anew; for tests, which need it to be few. */
  readonly journalElements?: number;
}

/** Expired objects are deleted this many to a batch. */
const expiryStep = 512;

/**
 * The store that everything in Garner keeps its summary objects in: one LevelDB database with a change log, an
 * expiry order, tombstones and fingerprints. Every change is one atomic batch; a process killed at any moment
 * finds whole steps when it opens the store again. Steps are written one after the other.
 */
export class ObjectStore implements Source, AsyncDisposable {
  readonly model = objectStoreModel;
  readonly #database: Database;
  /** Objects of a page of hits are asked for one by one. */
  readonly #reads: BatchedReads;
  readonly #clock: Clock;
  /** Who learns from this store. */
  readonly clients: ClientTable;
  /** How long objects live that say nothing of it, from when they are learned. */
  defaultTtlSeconds = defaultTtlSeconds;
  readonly #watchers = new Set<(lsn: Lsn) => void>();
  readonly #partitions = new Map<string, number>();
  readonly #partitionStates: PartitionStates;
  #state: StoreState;
  #synced: Lsn = 0;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #summaries: SetSummaries;
  readonly #filters = new FilterTable(() => freeNumber(this.#database, this.#partitions.values()));

  private constructor(
    database: Database,
    state: StoreState,
    clock: Clock,
    clients: ClientTable,
    summaries: SetSummaries,
    states: PartitionStates,
  ) {
    this.clients = clients;
    this.#summaries = summaries;
    this.#database = database;
    this.#reads = new BatchedReads(database);
    this.#partitionStates = states;
    this.#state = state;
    this.#clock = clock;
  }

  /** Open the store in a database, made if missing. The database is closed with the store. */
  static async open(
    database: Database,
    { clock, random, journalElements }: ObjectStoreOptions,
  ): Promise<ObjectStore> {
    const row = await database.get(keys.state());
    const fresh = (): StoreState => ({
      ...{ epoch: newEpoch(random.bytes(12)), lsn: 0, horizon: 0, bodyBytes: 0 },
      fingerprint: new SetFingerprint(),
    });
    const found = row === undefined ? { state: fresh(), outdated: false } : decodeState(row, database.path);
    if (row === undefined)
      await database.batch([{ type: 'put', key: keys.state(), value: encodeState(found.state) }], {
        sync: true,
      });
    const state = found.outdated ? await renewFingerprints(database, found.state) : found.state;
    const summaries = await SetSummaries.open(
      database,
      (set) => shortIdsOf(database, set, state.epoch),
      journalElements,
    );
    const clients = await ClientTable.open(database, clock);
    const states = await PartitionStates.open(database);
    const store = new ObjectStore(database, state, clock, clients, summaries, states);
    for await (const [key, value] of database.entries(keys.partitionNames()))
      store.#partitions.set(textOfKey(key), Buffer.from(value).readUInt32BE());
    return store;
  }

  /** Number of objects. */
  get count(): number {
    return this.#state.fingerprint.count;
  }

  get lsn(): Lsn {
    return this.#state.lsn;
  }

  /** Name of this life of the store: LSNs of another mean nothing here. */
  get epoch(): string {
    return this.#state.epoch;
  }

  /** Bytes of all summaries in binary form. */
  get bodyBytes(): number {
    return this.#state.bodyBytes;
  }

  get meanBytes(): number | undefined {
    return this.count === 0 ? undefined : this.bodyBytes / this.count;
  }

  state(): Promise<SourceState> {
    return this.#exclusively(async () => {
      await this.#sync();
      return sourceState(this.#state);
    });
  }

  /**
   * The store as it is now, with its sketch when asked for. What it shows is on disk for good: a client never knows
   * more than we do after a crash.
   */
  async snapshot({ sketch = false } = {}): Promise<ObjectSnapshot> {
    return this.#exclusively(async () => {
      await this.#sync();
      const summary = sketch ? await this.#summaries.get(ownSet, this.count) : undefined;
      return new ObjectSnapshot(this.#state, this.#database.snapshot(), summary);
    });
  }

  onChange(watcher: (lsn: Lsn) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  get(oid: Oid): Promise<PublishedObject | undefined> {
    return readObject(this.#reads, oid);
  }

  /** What is known of an object beside its summary, or undefined. */
  describe(oid: Oid): Promise<StoredObject | undefined> {
    return describeObject(this.#reads, oid);
  }

  /** Whether a source's copy lists an object, with its content here or without. */
  async isOffered(oid: Oid): Promise<boolean> {
    const rows = [...this.#partitions.values()].map((partition) => keys.member(partition, oid));
    return (await this.#database.getMany(rows)).some((row) => row !== undefined);
  }

  /** Do these operations in one atomic batch, in order. */
  apply(operations: readonly StoreOperation[], { sync = false } = {}): Promise<StepResult> {
    return this.#step(sync, (tx) => applyOperations(tx, operations));
  }

  /** Let no partition hold these objects any more, here or not: their sources tell of them again. */
  async unlearn(oids: readonly Oid[]): Promise<void> {
    await this.#step(false, async (tx) => {
      for (const oid of oids) await unlearn(tx, this.#partitions.values(), oid);
      return { changed: 0, refreshed: 0, deleted: oids.length };
    });
  }

  /** Forget what has outlived its time-to-live by `graceSeconds`; resolves to how many objects went. */
  async expire(graceSeconds = 0): Promise<number> {
    const until = this.#clock.now() - graceSeconds * 1000;
    let expired = 0;
    for (;;) {
      const { deleted } = await this.#step(false, async (tx) => {
        const due: Oid[] = [];
        for await (const key of this.#database.keys({ ...keys.expiredBy(until), limit: expiryStep }))
          due.push(oidOfKey(key));
        await tx.prepare(due);
        for (const oid of due) await expel(tx, oid);
        return { changed: 0, refreshed: 0, deleted: due.length };
      });
      expired += deleted;
      if (deleted < expiryStep) break;
    }
    if (expired > 0) storeExpired.publish({ path: this.#database.path, count: expired });
    return expired;
  }

  /** Forget tombstones older than `ageSeconds`; clients that learned nothing since then must compare everything. */
  async forgetTombstones(ageSeconds: number): Promise<void> {
    const until = this.#clock.now() - ageSeconds * 1000;
    while (await this.#forgetSome(until));
  }

  /** Resolves to whether there are more. */
  #forgetSome(untilMs: number): Promise<boolean> {
    return this.#exclusively(async () => {
      const { writes, horizon, more } = await oldTombstones(this.#database, untilMs);
      if (horizon === undefined) return false;
      const state = { ...this.#state, horizon };
      await this.#database.batch([...writes, { type: 'put', key: keys.state(), value: encodeState(state) }]);
      this.#state = state;
      return more;
    });
  }

  /** Make every step so far survive a power cut. */
  flush(): Promise<void> {
    return this.#exclusively(() => this.#sync());
  }

  async #sync(): Promise<void> {
    const { lsn } = this.#state;
    if (this.#synced === lsn) return;
    await this.#database.batch([{ type: 'put', key: keys.state(), value: encodeState(this.#state) }], {
      sync: true,
    });
    this.#synced = lsn;
  }

  /** Names of the partitions with their numbers. */
  get partitions(): ReadonlyMap<string, number> {
    return this.#partitions;
  }

  /** This store's copy of the source of that name, made on first use. */
  async replica(name: string): Promise<Replica> {
    const partition = this.#partitions.get(name) ?? (await this.#newPartition(name));
    return partitionReplica(this.#database, partition, {
      state: () => this.#partitionStates.get(partition),
      summary: (count) => this.#exclusively(() => this.#summaries.get(partition, count)),
      learn: (changes, marker) => this.#learn(partition, changes, marker),
    });
  }

  /**
   * The objects for which a filter holds, as a source of their own; made on first use, which reads the whole store.
   * Of more than `mostFilters` the one asked least lately is dropped.
   */
  async filtered(filter: Filter): Promise<Source> {
    return this.#filters.source(filter, this.#followed);
  }

  /** Named sets of objects, `setsOf` telling in which an object is; `live`: those that there are. */
  standing(setsOf: SetsOf, live: Iterable<number>): Promise<StandingSets> {
    return StandingSets.open(this.#followed, setsOf, live);
  }

  get #followed(): FollowedStore {
    return {
      database: this.#database,
      summaries: this.#summaries,
      model: this.model,
      clock: this.#clock,
      epoch: this.#state.epoch,
      lsn: () => this.#state.lsn,
      horizon: () => this.#state.horizon,
      flush: () => this.flush(),
      onChange: (watcher) => this.onChange(watcher),
      exclusively: (work) => this.#exclusively(work),
    };
  }

  /** Forget a source and what only it offered. */
  async dropPartition(name: string): Promise<void> {
    const partition = this.#partitions.get(name);
    if (partition === undefined) return;
    await emptyPartition(this.#database, partition, (work) => this.#step(false, work));
    await this.#exclusively(async () =>
      this.#database.batch([...ownRows(name, partition), ...(await this.#summaries.forget(partition))]),
    );
    this.#partitions.delete(name);
    this.#partitionStates.forget(partition);
  }

  /** By which servers the objects of the source of that name have come, as it tells. */
  async paths(name: string): Promise<PathBook> {
    const partition = this.#partitions.get(name) ?? (await this.#newPartition(name));
    return partitionPaths(this.#database, partition, {
      state: () => this.#partitionStates.paths(partition),
      step: (work) => this.#step(false, work),
    });
  }

  /** By which servers objects have come here, the one they were at last first; undefined where there is none. */
  pathsOf(oids: readonly Oid[]): Promise<readonly (ObjectPath | undefined)[]> {
    const names = new Map([...this.#partitions].map(([name, number]) => [number, name]));
    return pathsAt(this.#database, oids, names);
  }

  /** Look at every row, and mend what is wrong when asked to. */
  check(options: CheckOptions): Promise<CheckFindings> {
    const moment = () =>
      this.#exclusively(async () => ({
        ...{ state: this.#state, partitions: new Map(this.#partitions) },
        reader: this.#database.snapshot(),
      }));
    return checkStore(
      {
        ...{ database: this.#database, partitions: this.#partitions, moment },
        ...{ states: this.#partitionStates, summaries: this.#summaries, state: () => this.#state },
        become: (state) => {
          this.#state = state;
        },
        exclusively: (work) => this.#exclusively(work),
        step: (work) => this.#step(true, work),
      },
      options,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clients.flush();
    await this.flush();
    await this.#turn;
    await this.#database[Symbol.asyncDispose]();
  }

  async #learn(partition: number, changes: readonly (Change | Noted)[], marker: Marker): Promise<void> {
    await this.#step(false, async (tx) => {
      await mark(tx, this.#database, partition, marker);
      await tx.prepare(changes.map(subjectOf), partition);
      for (const change of changes) await learn(tx, partition, change, this.defaultTtlSeconds);
      return { changed: 0, refreshed: 0, deleted: 0 };
    });
  }

  #newPartition(name: string): Promise<number> {
    const names = this.#partitions;
    return this.#exclusively(async () => names.get(name) ?? addPartition(this.#database, names, name));
  }

  async #step(sync: boolean, work: StepWork): Promise<StepResult> {
    const result = await this.#exclusively(async () => {
      const tx = new ObjectTransaction(this.#database, this.#partitionStates, this.#state, this.#clock.now());
      const counts = await work(tx);
      const { writes: rows, state } = tx.finish();
      const { elements } = tx;
      const write = async (journal: readonly Write[]) => {
        const writes = [...rows, ...journal];
        for (const set of tx.renamed) writes.push(...(await this.#summaries.forget(set)));
        const started = performance.now();
        await this.#database.batch(writes, { sync });
        storeWritten.publish({
          path: this.#database.path,
          lsn: state.lsn,
          writes: writes.length,
          ms: performance.now() - started,
        });
        this.#state = state;
        this.#partitionStates.written(tx.partitions, tx.pathStates);
      };
      await this.#summaries.follow(elements, (set) => tx.count(set), write);
      if (sync) this.#synced = state.lsn;
      return { ...counts, lsn: state.lsn, learned: tx.changed };
    });
    if (result.learned) for (const watcher of this.#watchers) watcher(result.lsn);
    const { learned: _, ...counts } = result;
    return counts;
  }

  /** One at a time: steps read rows before they write them. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
