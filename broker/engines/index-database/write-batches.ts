import type { KeyRange } from './index-keys.ts';
import type { PostingDatabase, PostingWrite } from './posting-database.ts';

const batchBytes = 256 * 1024;
const batchWrites = 2_000;

/** Writes collected into batches of bounded size. */
export class WriteBatches {
  readonly #database: PostingDatabase;
  #writes: PostingWrite[] = [];
  #pending = 0;
  /** Bytes of the values put so far. */
  bytes = 0;

  constructor(database: PostingDatabase) {
    this.#database = database;
  }

  async put(key: Uint8Array, value: Uint8Array): Promise<void> {
    await this.write({ type: 'put', key, value });
  }

  async write(write: PostingWrite): Promise<void> {
    this.#writes.push(write);
    const length = write.type === 'put' ? write.value.length : 0;
    this.bytes += length;
    this.#pending += length + write.key.length;
    if (this.#pending >= batchBytes || this.#writes.length >= batchWrites) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#writes.length > 0) await this.#database.batch(this.#writes);
    this.#writes = [];
    this.#pending = 0;
  }
}

/** Delete every key of a range, a bounded batch at a time. Returns their number. */
export async function deleteRange(
  database: PostingDatabase,
  range: KeyRange,
  signal: AbortSignal,
): Promise<number> {
  const batches = new WriteBatches(database);
  let deleted = 0;
  for await (const key of database.keys(range)) {
    signal.throwIfAborted();
    // The iterator may reuse its buffers.
    await batches.write({ type: 'del', key: Uint8Array.from(key) });
    deleted++;
  }
  await batches.flush();
  return deleted;
}
