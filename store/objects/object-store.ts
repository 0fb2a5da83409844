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
  type StoreModel,
} from '../../awareness/index.ts';
import type { Clock, Random } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import {
  applyOperations,
  describeObject,
  ObjectSnapshot,
  readObject,
  type StepResult,
  type StoredObject,
  type StoreOperation,
  sourceState,
} from '../changes/index.ts';
import type { CheckFindings, CheckOptions } from '../check/index.ts';
import { BatchedReads, type Database, type Write } from '../database/index.ts';
import { storeExpired } from '../events.ts';
import { FilterTable, type FollowedStore, type SetsOf, StandingSets } from '../filtered/index.ts';
import {
  dropVersions,
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
  decodeMeta,
  decodeState,
  decodeTombstone,
  decodeWithdrawals,
  encodeState,
  freeNumber,
  keys,
  newEpoch,
  oidOfKey,
  PartitionStates,
  type StoreState,
  textOfKey,
} from '../rows/index.ts';
import { ownSet, renewFingerprints, SetSummaries, shortIdsOf } from '../sets/index.ts';
import { defaultTtlSeconds } from '../settings.ts';
import { StepWriter } from './step-writer.ts';

/** The properties of every object store for its clients, of a Gatherer as of a Broker. */
export const objectStoreModel: StoreModel = {
  updates: 'in-place',
  deletes: true,
  handleReuse: true,
  handles: 'arbitrary',
  monotoneStamps: true,
  tombstones: true,
  log: true,
};

export interface ObjectStoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Elements in the journal of a sketch before it is rewritten; for tests, which need a small number. */
  readonly journalElements?: number;
}

/** Max expired objects that are deleted in one batch. */
const expiryStep = 512;

/**
 * The store of all summary objects of a server: one LevelDB database with a change log, an expiry order, tombstones
 * and fingerprints. Every change is one atomic batch; after a process was killed, the store has whole steps only.
 */
export class ObjectStore implements Source, AsyncDisposable {
  readonly model = objectStoreModel;
  readonly #database: Database;
  /** The objects of a page of hits are requested one by one. */
  readonly #reads: BatchedReads;
  readonly #clock: Clock;
  readonly clients: ClientTable;
  /** Time-to-live of learned objects that name none. */
  defaultTtlSeconds = defaultTtlSeconds;
  readonly #partitions = new Map<string, number>();
  readonly #partitionStates: PartitionStates;
  readonly #writer: StepWriter;
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
    this.#writer = new StepWriter({ database, clock, summaries, partitionStates: states, state });
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
      ...{ fingerprint: new SetFingerprint(), withdrawals: 0 },
    });
    const found = row === undefined ? { state: fresh(), outdated: false } : decodeState(row, database.path);
    const first: Write = { type: 'put', key: keys.state(), value: encodeState(found.state) };
    if (row === undefined) await database.batch([first], { sync: true });
    const opened = found.outdated ? await renewFingerprints(database, found.state) : found.state;
    const state = { ...opened, withdrawals: decodeWithdrawals(await database.get(keys.withdrawals())) };
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

  /** Max time-to-live of objects that are stored or renewed from now on. */
  set maxTtlSeconds(seconds: number) {
    this.#writer.maxTtlSeconds = seconds;
  }

  get count(): number {
    return this.#state.fingerprint.count;
  }

  /** Number of deletions with their publishers' signatures, until they are forgotten with their tombstones. */
  get withdrawals(): number {
    return this.#state.withdrawals;
  }

  get lsn(): Lsn {
    return this.#state.lsn;
  }

  /** Id of this life of the store: LSNs of another life have no meaning here. */
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
    return this.#writer.afterSync(async () => sourceState(this.#state));
  }

  /** The present store, on disk for good: a client never knows more than the store does after a crash. */
  async snapshot({ sketch = false } = {}): Promise<ObjectSnapshot> {
    return this.#writer.afterSync(async () => {
      const summary = sketch ? await this.#summaries.get(ownSet, this.count) : undefined;
      return new ObjectSnapshot(this.#state, this.#database.snapshot(), summary);
    });
  }

  onChange(watcher: (lsn: Lsn) => void): () => void {
    return this.#writer.onChange(watcher);
  }

  get(oid: Oid): Promise<PublishedObject | undefined> {
    return readObject(this.#reads, oid);
  }

  /** An object's facts without its summary, or undefined. */
  describe(oid: Oid): Promise<StoredObject | undefined> {
    return describeObject(this.#reads, oid);
  }

  /** Versions of an object up to this Update-Time were withdrawn by its publisher; 0 for none. */
  async withdrawnAt(oid: Oid): Promise<number> {
    const [meta, grave] = await this.#database.getMany([keys.meta(oid), keys.tombstoneOf(oid)]);
    if (meta !== undefined) return decodeMeta(meta).withdrawnAt;
    return grave === undefined ? 0 : decodeTombstone(grave).withdrawnAt;
  }

  /** Whether a source's copy lists an object, whether or not its content is here. */
  async isOffered(oid: Oid): Promise<boolean> {
    const rows = [...this.#partitions.values()].map((partition) => keys.member(partition, oid));
    return (await this.#database.getMany(rows)).some((row) => row !== undefined);
  }

  /**
   * Do these operations in one atomic batch, in order. `ifNewer` is for a publisher's statements that may arrive by
   * sources too: one that is older than what is known has no effect.
   */
  apply(operations: readonly StoreOperation[], { sync = false, ifNewer = false } = {}): Promise<StepResult> {
    return this.#writer.step(sync, (tx) => applyOperations(tx, operations, ifNewer));
  }

  /** Remove these objects from every partition, present or not: their sources send them again. */
  async unlearn(oids: readonly Oid[]): Promise<void> {
    await this.#writer.step(false, async (tx) => {
      for (const oid of oids) await unlearn(tx, this.#partitions.values(), oid);
      return { changed: 0, refreshed: 0, deleted: oids.length };
    });
  }

  /** Delete these versions of objects where they are held: their sources send them again. */
  dropVersions(versions: readonly Pick<PublishedObject, 'oid' | 'signature'>[]): Promise<StepResult> {
    return this.#writer.step(false, (tx) => dropVersions(tx, this.#partitions.values(), versions));
  }

  /** Delete the objects that have outlived their time-to-live by `graceSeconds`; resolves to their number. */
  async expire(graceSeconds = 0): Promise<number> {
    const until = this.#clock.now() - graceSeconds * 1000;
    let expired = 0;
    for (;;) {
      const { deleted } = await this.#writer.step(false, async (tx) => {
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
    while (await this.#writer.forgetTombstones(until));
  }

  /** Make every step so far survive a power cut. */
  flush(): Promise<void> {
    return this.#writer.afterSync(async () => undefined);
  }

  get partitions(): ReadonlyMap<string, number> {
    return this.#partitions;
  }

  /** Bytes of the stored summaries that a source offers. The first call reads the row of every object. */
  async bytesOf(name: string): Promise<number> {
    const partition = this.#partitions.get(name);
    if (partition === undefined) return 0;
    return this.#partitionStates.bytes.of(partition, (work) => this.#writer.exclusively(work));
  }

  /** This store's copy of the source of that name, made on first use. */
  async replica(name: string): Promise<Replica> {
    const partition = this.#partitions.get(name) ?? (await this.#newPartition(name));
    return partitionReplica(this.#database, partition, {
      state: () => this.#partitionStates.get(partition),
      summary: (count) => this.#writer.exclusively(() => this.#summaries.get(partition, count)),
      learn: (changes, marker) => this.#learn(partition, changes, marker),
    });
  }

  /**
   * The objects that match a filter, as a source of their own; made on first use, which reads the whole store.
   * Above `maxFilters` the least recently used one is dropped.
   */
  async filtered(filter: Filter): Promise<Source> {
    return this.#filters.source(filter, this.#followed);
  }

  /** Named sets of objects; `setsOf` returns the sets of an object; `live`: the present sets. */
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
      exclusively: (work) => this.#writer.exclusively(work),
    };
  }

  /** Forget a source and the objects that only it offered. */
  async dropPartition(name: string): Promise<void> {
    const partition = this.#partitions.get(name);
    if (partition === undefined) return;
    await emptyPartition(this.#database, partition, (work) => this.#writer.step(false, work));
    await this.#writer.exclusively(async () =>
      this.#database.batch([...ownRows(name, partition), ...(await this.#summaries.forget(partition))]),
    );
    this.#partitions.delete(name);
    this.#partitionStates.forget(partition);
  }

  /** The servers through which the objects of the source of that name have come, as it reports. */
  async paths(name: string): Promise<PathBook> {
    const partition = this.#partitions.get(name) ?? (await this.#newPartition(name));
    return partitionPaths(this.#database, partition, {
      state: () => this.#partitionStates.paths(partition),
      step: (work) => this.#writer.step(false, work),
    });
  }

  /** The servers through which objects have come here, the last one first; undefined for an absent object. */
  pathsOf(oids: readonly Oid[]): Promise<readonly (ObjectPath | undefined)[]> {
    const names = new Map([...this.#partitions].map(([name, number]) => [number, name]));
    return pathsAt(this.#database, oids, names);
  }

  /** Check every row, and repair faults if so requested. */
  async check(options: CheckOptions): Promise<CheckFindings> {
    // Loaded at the first check.
    const { checkStore } = await import('../check/index.ts');
    const moment = () =>
      this.#writer.exclusively(async () => ({
        ...{ state: this.#state, partitions: new Map(this.#partitions) },
        reader: this.#database.snapshot(),
      }));
    return checkStore(
      {
        ...{ database: this.#database, partitions: this.#partitions, moment },
        ...{ states: this.#partitionStates, summaries: this.#summaries, state: () => this.#state },
        become: (state) => {
          this.#writer.state = state;
        },
        exclusively: (work) => this.#writer.exclusively(work),
        step: (work) => this.#writer.step(true, work),
      },
      options,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clients.flush();
    await this.flush();
    await this.#writer.settled();
    await this.#database[Symbol.asyncDispose]();
  }

  async #learn(partition: number, changes: readonly (Change | Noted)[], marker: Marker): Promise<void> {
    await this.#writer.step(false, async (tx) => {
      await mark(tx, this.#database, partition, marker);
      await tx.prepare(changes.map(subjectOf), partition);
      for (const change of changes) await learn(tx, partition, change, this.defaultTtlSeconds);
      return { changed: 0, refreshed: 0, deleted: 0 };
    });
  }

  #newPartition(name: string): Promise<number> {
    const names = this.#partitions;
    return this.#writer.exclusively(async () => names.get(name) ?? addPartition(this.#database, names, name));
  }

  get #state(): StoreState {
    return this.#writer.state;
  }
}
