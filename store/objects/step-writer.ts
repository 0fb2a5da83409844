import type { Lsn } from '../../awareness/index.ts';
import { type Clock, TaskQueue } from '../../kernel/index.ts';
import { ObjectTransaction, type StepResult, type StepWork } from '../changes/index.ts';
import type { Database, Write } from '../database/index.ts';
import { storeWritten } from '../events.ts';
import {
  encodeState,
  keys,
  oldTombstones,
  type PartitionStates,
  type StoreState,
  withdrawalsRow,
} from '../rows/index.ts';
import type { SetSummaries } from '../sets/index.ts';

interface StepWriterParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly summaries: SetSummaries;
  readonly partitionStates: PartitionStates;
  readonly state: StoreState;
}

/**
 * Writes the steps of a store, one after the other, each as one batch. It holds the store's state, which changes only
 * with a batch, and notifies watchers of each step from which a client could learn.
 */
export class StepWriter {
  readonly #parts: StepWriterParts;
  readonly #watchers = new Set<(lsn: Lsn) => void>();
  /** The state as of the last batch. */
  state: StoreState;
  /** Max time-to-live of an object, whatever its publisher says. */
  maxTtlSeconds = Number.POSITIVE_INFINITY;
  #synced: Lsn = 0;
  readonly #tasks = new TaskQueue();

  constructor(parts: StepWriterParts) {
    this.#parts = parts;
    this.state = parts.state;
  }

  onChange(watcher: (lsn: Lsn) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Run tasks one at a time: steps read rows before they write them. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#tasks.run(work);
  }

  /** The same once every step so far survives a power cut. */
  afterSync<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.exclusively(async () => {
      await this.#sync();
      return work();
    });
  }

  settled(): Promise<void> {
    return this.#tasks.ended();
  }

  async step(sync: boolean, work: StepWork): Promise<StepResult> {
    const { database, clock, summaries, partitionStates } = this.#parts;
    const { learned, ...result } = await this.exclusively(async () => {
      const bounds = { nowMs: clock.now(), maxTtlSeconds: this.maxTtlSeconds };
      const tx = new ObjectTransaction(database, partitionStates, this.state, bounds);
      const counts = await work(tx);
      const { writes: rows, state } = tx.finish();
      const write = async (journal: readonly Write[]) => {
        const writes = [...rows, ...journal];
        for (const set of tx.renamed) writes.push(...(await summaries.forget(set)));
        const started = performance.now();
        await database.batch(writes, { sync });
        storeWritten.publish({
          path: database.path,
          lsn: state.lsn,
          writes: writes.length,
          ms: performance.now() - started,
        });
        this.state = state;
        partitionStates.written(tx.partitions, tx.pathStates, tx.bytes);
      };
      await summaries.follow(tx.elements, (set) => tx.count(set), write);
      if (sync) this.#synced = state.lsn;
      return { ...counts, lsn: state.lsn, learned: tx.changed };
    });
    if (learned) for (const watcher of this.#watchers) watcher(result.lsn);
    return result;
  }

  /** Forget some of the tombstones from before this time. Resolves to whether there are more. */
  forgetTombstones(untilMs: number): Promise<boolean> {
    return this.exclusively(async () => {
      const { database } = this.#parts;
      const { writes, horizon, more, withdrawals } = await oldTombstones(database, untilMs);
      if (horizon === undefined) return false;
      const state = { ...this.state, horizon, withdrawals: this.state.withdrawals - withdrawals };
      const row: Write = { type: 'put', key: keys.state(), value: encodeState(state) };
      await database.batch([...writes, row, ...(withdrawals === 0 ? [] : [withdrawalsRow(state)])]);
      this.state = state;
      return more;
    });
  }

  async #sync(): Promise<void> {
    const { lsn } = this.state;
    if (this.#synced === lsn) return;
    const row: Write = { type: 'put', key: keys.state(), value: encodeState(this.state) };
    await this.#parts.database.batch([row], { sync: true });
    this.#synced = lsn;
  }
}
