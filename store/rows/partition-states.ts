import { type PathState, SetFingerprint } from '../../awareness/index.ts';
import type { Database } from '../database/index.ts';
import { keys, setOfKey } from './object-keys.ts';
import { decodePathState } from './path-rows.ts';
import { type PartitionBytes, SourceBytes } from './source-bytes.ts';
import { decodePartition, type PartitionState } from './store-state.ts';

/** The states of a store's partitions, in memory after the first read. */
export class PartitionStates {
  readonly #database: Database;
  readonly #known = new Map<number, PartitionState>();
  /** For partitions whose source has sent paths: Gatherers send none. */
  readonly #paths = new Map<number, PathState>();
  readonly bytes: SourceBytes;

  private constructor(database: Database) {
    this.#database = database;
    this.bytes = new SourceBytes(database);
  }

  static async open(database: Database): Promise<PartitionStates> {
    const states = new PartitionStates(database);
    for await (const [key, value] of database.entries(keys.pathStates()))
      states.#paths.set(setOfKey(key), decodePathState(value));
    return states;
  }

  /** The state of a partition's paths, or undefined when its source never sent any. */
  paths(partition: number): PathState | undefined {
    return this.#paths.get(partition);
  }

  /** A partition's state as of the last batch; the caller owns its fingerprint. */
  async get(partition: number): Promise<PartitionState> {
    const known = this.#known.get(partition) ?? (await this.#read(partition));
    return { marker: known.marker, fingerprint: known.fingerprint.copy() };
  }

  /** Record that a batch with these states was written. */
  written(
    states: ReadonlyMap<number, PartitionState>,
    paths: ReadonlyMap<number, PathState>,
    bytes?: PartitionBytes,
  ): void {
    if (bytes !== undefined) this.bytes.follow(bytes);
    for (const [partition, state] of paths) this.#paths.set(partition, state);
    for (const [partition, { marker, fingerprint }] of states)
      this.#known.set(partition, { marker, fingerprint: fingerprint.copy() });
  }

  forget(partition: number): void {
    this.#known.delete(partition);
    this.#paths.delete(partition);
  }

  async #read(partition: number): Promise<PartitionState> {
    const row = await this.#database.get(keys.partition(partition));
    const read =
      row === undefined ? { marker: undefined, fingerprint: new SetFingerprint() } : decodePartition(row);
    // A batch that was written meanwhile is newer.
    const known = this.#known.get(partition) ?? read;
    this.#known.set(partition, known);
    return known;
  }
}
