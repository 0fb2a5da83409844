import type { Database } from '../database/index.ts';
import { keys } from './object-keys.ts';
import { decodeMeta, type ObjectMeta } from './object-meta.ts';

type Weighed = Pick<ObjectMeta, 'partitions' | 'bodyBytes'>;

/** Bytes of summaries, by the partitions that claim them. */
export class PartitionBytes {
  readonly #bytes = new Map<number, number>();

  /** An object's row is replaced; either may be absent. */
  replace(before: Weighed | undefined, after: Weighed | undefined): void {
    for (const partition of before?.partitions ?? []) this.#add(partition, -(before?.bodyBytes ?? 0));
    for (const partition of after?.partitions ?? []) this.#add(partition, after?.bodyBytes ?? 0);
  }

  include(changes: PartitionBytes): void {
    for (const [partition, bytes] of changes.#bytes) this.#add(partition, bytes);
  }

  of(partition: number): number {
    return this.#bytes.get(partition) ?? 0;
  }

  #add(partition: number, bytes: number): void {
    this.#bytes.set(partition, this.of(partition) + bytes);
  }
}

/** The bytes of each source: counted once, where someone asks for them, and then changed with every step. */
export class SourceBytes {
  #bytes = new PartitionBytes();
  readonly #database: Database;
  #counted: Promise<void> | undefined;
  #isFollowing = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Note a step that was written. */
  follow(changes: PartitionBytes): void {
    if (this.#isFollowing) this.#bytes.include(changes);
  }

  /** The bytes of a partition; `exclusively` runs work between two steps. */
  async of(
    partition: number,
    exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>,
  ): Promise<number> {
    this.#counted ??= this.#count(exclusively);
    await this.#counted;
    return this.#bytes.of(partition);
  }

  async #count(exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>): Promise<void> {
    try {
      await using snapshot = await exclusively(async () => {
        this.#bytes = new PartitionBytes();
        this.#isFollowing = true;
        return this.#database.snapshot();
      });
      for await (const [, value] of snapshot.entries(keys.metas()))
        this.#bytes.replace(undefined, decodeMeta(value));
    } catch (error) {
      // The next call counts again: the disk may read by then.
      this.#counted = undefined;
      throw error;
    }
  }
}
