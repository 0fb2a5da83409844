import { SetFingerprint } from '../awareness/index.ts';
import type { Database } from './database.ts';
import { keys } from './object-keys.ts';
import { decodePartition, type PartitionState } from './store-state.ts';

/** The states of a store's partitions, in memory once they were read: every round with a source asks for them often. */
export class PartitionStates {
  readonly #database: Database;
  readonly #known = new Map<number, PartitionState>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** A partition's state as of the last batch; its fingerprint is the caller's own. */
  async get(partition: number): Promise<PartitionState> {
    const known = this.#known.get(partition) ?? (await this.#read(partition));
    return { marker: known.marker, fingerprint: known.fingerprint.copy() };
  }

  /** A batch with these states is written. */
  written(states: ReadonlyMap<number, PartitionState>): void {
    for (const [partition, { marker, fingerprint }] of states)
      this.#known.set(partition, { marker, fingerprint: fingerprint.copy() });
  }

  forget(partition: number): void {
    this.#known.delete(partition);
  }

  async #read(partition: number): Promise<PartitionState> {
    const row = await this.#database.get(keys.partition(partition));
    const read =
      row === undefined ? { marker: undefined, fingerprint: new SetFingerprint() } : decodePartition(row);
    // A batch that was written meanwhile knows better.
    const known = this.#known.get(partition) ?? read;
    this.#known.set(partition, known);
    return known;
  }
}
