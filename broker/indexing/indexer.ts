import type { Lsn } from '../../awareness/index.ts';
import { type Clock, isGarnerError, Nap, type Random } from '../../kernel/index.ts';
import { decodeObject, type Oid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { ObjectTable } from '../collecting/index.ts';
import { engineErrors } from '../engines/errors.ts';
import type { IndexChange, SearchEngine } from '../engines/index.ts';
import { brokerFault, indexed, reindexing } from '../events.ts';
import { FollowLoop } from '../follow-loop.ts';
import type { AttributeNames } from './attribute-names.ts';
import { indexBatchBytes, indexBatchObjects } from './settings.ts';

export interface IndexerOptions {
  readonly store: ObjectStore;
  readonly engine: SearchEngine;
  readonly table: ObjectTable;
  /** The source that an object counts for. */
  readonly sourceOf: (partitions: readonly number[]) => string;
  /** Whether an object with this summary is kept out of the index, although the store has it. */
  readonly isGone?: (oid: Oid, digest: Uint8Array) => boolean;
  /** Learns the names of the attributes of the indexed objects. */
  readonly attributes?: AttributeNames;
  readonly clock: Clock;
  readonly random: Random;
}

/** A pass of this many summary bytes is a load: the next changes follow soon. */
const loadBytes = 512 * 1024;

/** A load ends when no change comes for `lullMs`. Changes are searchable after `maxMs` at the latest. */
const lullMs = 1000;
const maxMs = 5000;

/**
 * After `streamGoes` passes, each less than `streamGapMs` after the one before, changes are a stream, and
 * passes are `streamPaceMs` apart.
 */
const streamGoes = 4;
const streamGapMs = 1000;
const streamPaceMs = 500;

/**
 * Keeps an engine in step with the store. It follows the store's log from the engine's own LSN, so that a
 * restart resumes where the index stopped and no change is indexed twice.
 */
export class Indexer implements AsyncDisposable {
  readonly #options: IndexerOptions;
  readonly #store: ObjectStore;
  readonly #engine: SearchEngine;
  readonly #stop: () => void;
  readonly #loop: FollowLoop;
  /** The reason of a pending clearing of the index. */
  #rebuild: string | undefined;
  #fault: unknown;
  /** Bytes of the store's summaries when its log was last read to the end. */
  #seenBytes = 0;
  /** The last time a load was seen; milliseconds since 1970. */
  #loadedAt = Number.NEGATIVE_INFINITY;
  /** Start of the last pass, and the number of close passes up to it. */
  #wentAt = Number.NEGATIVE_INFINITY;
  #streak = 0;
  /** Ends a wait when a caller waits for indexing. */
  readonly #nap: Nap;
  /** The log may end before the store's LSN, where tombstones were removed. */
  #complete: Lsn = 0;
  #isFilling: boolean;
  #waiters: { readonly lsn: Lsn; readonly done: () => void; readonly fail: (error: unknown) => void }[] = [];

  private constructor(options: IndexerOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#engine = options.engine;
    this.#loop = new FollowLoop({
      ...{ clock: options.clock, random: options.random },
      ready: () => this.#gather(),
      pass: () => this.#pass(),
      failed: (error) => this.#failed(error),
    });
    this.#nap = new Nap(options.clock, this.#loop.signal);
    const changed = options.store.onChange(() => this.#loop.wake());
    const renewed = options.engine.onRenewed?.(() => this.#renewed());
    this.#stop = () => {
      changed();
      renewed?.();
    };
    this.#isFilling = options.engine.lsn === 0 && options.store.count > 0;
  }

  /** Start following. An index of another epoch, or beyond the reach of the log, is cleared. */
  static async start(options: IndexerOptions): Promise<Indexer> {
    const { store, engine, table } = options;
    const { epoch, lsn, horizon } = await store.state();
    const known = await table.indexedEpoch(engine.name);
    const reason =
      known !== epoch
        ? 'the index belongs to another epoch of the store'
        : engine.lsn > lsn
          ? 'the index is ahead of the store'
          : engine.lsn < horizon && engine.lsn > 0
            ? 'the store has dropped tombstones that the index has not seen'
            : undefined;
    if (reason !== undefined) {
      if (engine.lsn > 0) {
        reindexing.publish({ engine: engine.name, reason });
        await engine.clear();
      }
      await table.setIndexedEpoch(engine.name, epoch);
    }
    const indexer = new Indexer(options);
    indexer.#loop.wake();
    return indexer;
  }

  /** The names of the attributes of the indexed objects, where they are learned. */
  get attributes(): AttributeNames | undefined {
    return this.#options.attributes;
  }

  /** The error of the last try, if it failed. The indexer retries by itself. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Progress while the index is rebuilt from the store; undefined otherwise. */
  get rebuilding(): { readonly indexed: number; readonly objects: number } | undefined {
    if (!this.#isFilling) return undefined;
    return { indexed: this.#engine.count, objects: this.#store.count };
  }

  /** Rebuild the index from the store. Meanwhile, queries are answered from the objects indexed so far. */
  async rebuild(reason: string): Promise<void> {
    // The running loop clears it: between two batches of one step the index would skip the first.
    this.#rebuild = reason;
    this.#isFilling = this.#store.count > 0;
    this.#loop.wake();
  }

  /** Everything up to this LSN of the store is searchable. */
  get lsn(): Lsn {
    return this.#rebuild !== undefined ? 0 : Math.max(this.#engine.lsn, this.#complete);
  }

  /** Whether an object with this content is kept out of the index on purpose. */
  readonly isWithdrawn = (oid: Oid, digest: Uint8Array): boolean =>
    this.#options.isGone?.(oid, digest) ?? false;

  /** Take an object out of the index until its source changes it. The store keeps it. */
  async withdraw(oid: Oid): Promise<void> {
    await this.#loop.idle();
    // Queued before any later batch, which begins by reading the same LSN.
    const { lsn } = this.#engine;
    try {
      await this.#engine.apply([{ kind: 'remove', oid }], lsn, lsn);
    } catch (error) {
      // A rebuilt index leaves it out by itself.
      if (!isGarnerError(error, engineErrors.ENGINE_ANEW)) throw error;
    }
  }

  /** Resolve when everything up to `lsn` is searchable. */
  reached(lsn: Lsn): Promise<void> {
    if (this.lsn >= lsn) return Promise.resolve();
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    this.#nap.wake();
    return new Promise((done, fail) => {
      this.#waiters.push({ lsn, done, fail });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await this.#loop.close();
    for (const { done } of this.#waiters) done();
  }

  #renewed(): void {
    this.#complete = 0;
    this.#isFilling = this.#store.count > 0;
    this.#loop.wake();
  }

  async #pass(): Promise<void> {
    try {
      if (this.#rebuild !== undefined) await this.#clear(this.#rebuild);
      await this.#catchUp();
      this.#fault = undefined;
    } catch (error) {
      if (!isGarnerError(error, engineErrors.ENGINE_ANEW)) throw error;
      this.#loop.wake();
    }
  }

  #failed(error: unknown): void {
    this.#fault = error;
    brokerFault.publish({ where: 'indexing', error });
    for (const { fail } of this.#waiters) fail(error);
    this.#waiters = [];
  }

  async #clear(reason: string): Promise<void> {
    reindexing.publish({ engine: this.#engine.name, reason });
    await this.#engine.clear();
    this.#complete = 0;
    this.#seenBytes = 0;
    this.#rebuild = undefined;
    this.#isFilling = this.#store.count > 0;
  }

  /** Wait for a whole batch in a load, for a pause in a stream: larger batches need fewer merges. */
  async #gather(): Promise<void> {
    const { clock } = this.#options;
    const since = clock.now();
    const gap = since - this.#wentAt;
    if (this.#streak >= streamGoes && gap < streamPaceMs && this.#waiters.length === 0)
      await this.#nap.sleep(streamPaceMs - gap);
    for (;;) {
      if (clock.now() - since >= maxMs) return;
      if (clock.now() - this.#loadedAt > lullMs || this.#waiters.length > 0) return;
      const { lsn, bodyBytes } = this.#store;
      if (bodyBytes - this.#seenBytes >= indexBatchBytes) return;
      await this.#nap.sleep(lullMs);
      if (this.#loop.signal.aborted || this.#store.lsn === lsn) return;
      this.#loadedAt = clock.now();
    }
  }

  #goes(): void {
    const now = this.#options.clock.now();
    this.#streak = now - this.#wentAt < streamGapMs ? this.#streak + 1 : 1;
    this.#wentAt = now;
  }

  async #catchUp(): Promise<void> {
    await using snapshot = await this.#store.snapshot();
    const { bodyBytes } = this.#store;
    let batch: IndexChange[] = [];
    let bytes = 0;
    let indexedTo = this.#engine.lsn;
    const { attributes } = this.#options;
    if (indexedTo === 0 && this.#store.count > 0) await attributes?.restart();
    else if (attributes?.isWhole === false) {
      // The index is older than the list of names.
      for await (const { oid } of snapshot.scan()) {
        const stored = await snapshot.get(oid);
        if (stored !== undefined) attributes.note(decodeObject(stored.body));
        if (this.#loop.signal.aborted) return;
      }
      await attributes.complete();
    }
    let upTo = indexedTo;
    const flush = async () => {
      if (upTo === indexedTo) return;
      this.#goes();
      const started = performance.now();
      await attributes?.flush();
      await this.#engine.apply(batch, upTo, indexedTo);
      indexedTo = upTo;
      const ms = performance.now() - started;
      const behind = this.#store.lsn - upTo;
      indexed.publish({ engine: this.#engine.name, changes: batch.length, lsn: upTo, behind, ms });
      batch = [];
      bytes = 0;
      if (upTo >= snapshot.state.lsn) this.#isFilling = false;
      this.#release();
    };
    for await (const { change, partitions } of snapshot.history(indexedTo)) {
      if (this.#loop.signal.aborted) break;
      upTo = change.lsn;
      if (change.kind === 'refresh') continue;
      if (change.kind === 'delete') {
        batch.push({ kind: 'remove', oid: change.oid });
      } else {
        const { oid, body, digest } = change.object;
        if (this.isWithdrawn(oid, digest)) batch.push({ kind: 'remove', oid });
        else {
          const object = decodeObject(body);
          attributes?.note(object);
          batch.push({ kind: 'put', oid, object, source: this.#options.sourceOf(partitions) });
        }
        bytes += body.length;
      }
      if (batch.length >= indexBatchObjects || bytes >= indexBatchBytes) await flush();
    }
    await flush();
    if (bodyBytes - this.#seenBytes >= loadBytes) this.#loadedAt = this.#options.clock.now();
    this.#seenBytes = bodyBytes;
    // A lost index starts again from its own LSN.
    if (this.#loop.signal.aborted || this.#engine.lsn < upTo) return;
    this.#complete = snapshot.state.lsn;
    this.#isFilling = false;
    this.#release();
  }

  #release(): void {
    const reached = this.#waiters.filter(({ lsn }) => lsn <= this.lsn);
    this.#waiters = this.#waiters.filter(({ lsn }) => lsn > this.lsn);
    for (const { done } of reached) done();
  }
}

/** The database of an engine's index in a data folder. The first engine's has the plain name. */
export const indexName = (engine: string): string => (engine === 'flexsearch' ? 'index' : `index-${engine}`);
