import { failure, TaskQueue } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import type { PostingDatabase, PostingRows } from './posting-database.ts';

/** Coordinates the use of an index: one writer at a time, and any number of searches beside it. */
export class IndexAccess {
  readonly #searches = new Set<Promise<unknown>>();
  readonly #writers = new TaskQueue();
  #committing: Promise<void> | undefined;
  #closed = false;

  /** One writer at a time. A failed one does not stop the next. Rejects with ENGINE_CLOSED. */
  exclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(failure(engineErrors.ENGINE_CLOSED, {}));
    return this.#writers.run(task);
  }

  /** Registers a running search, so that the data it reads is not deleted meanwhile. Throws ENGINE_CLOSED. */
  async reading<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw failure(engineErrors.ENGINE_CLOSED, {});
    const running = task();
    this.#searches.add(running);
    try {
      return await running;
    } finally {
      this.#searches.delete(running);
    }
  }

  /** Write the next moment, then make it the current one. No reader sees one without the other. */
  async commit(write: () => Promise<void>, makeCurrent: () => void): Promise<void> {
    const writing = write();
    this.#committing = writing;
    try {
      await writing;
      makeCurrent();
    } finally {
      this.#committing = undefined;
    }
  }

  /** Read rows as of the current moment, for as long as it takes. Changes do not wait. */
  atOneMoment<Moment, Result>(
    database: PostingDatabase,
    current: () => Moment,
    task: (moment: Moment, rows: PostingRows) => Promise<Result>,
  ): Promise<Result> {
    return this.reading(async () => {
      while (this.#committing !== undefined) await this.#committing.catch(() => {});
      const moment = current();
      await using rows = database.snapshot();
      return await task(moment, rows);
    });
  }

  /** Resolves when every search that runs now has ended. */
  async searchesEnded(): Promise<void> {
    await Promise.allSettled(this.#searches);
  }

  /** Refuse further users. Returns false when it is closed already. */
  close(): boolean {
    const wasOpen = !this.#closed;
    this.#closed = true;
    return wasOpen;
  }

  /** Resolves when no user is left. */
  async left(): Promise<void> {
    await this.#writers.ended();
    await this.searchesEnded();
  }
}
