import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import type { PostingDatabase, PostingRows } from './posting-database.ts';

/** Who uses an index when: one writer at a time, and any number of searches beside it. */
export class IndexAccess {
  readonly #searches = new Set<Promise<unknown>>();
  #writing: Promise<unknown> = Promise.resolve();
  #committing: Promise<void> | undefined;
  #closed = false;

  /** One writer at a time; a failed one does not stop the next. Rejects with ENGINE_CLOSED when it is. */
  exclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(failure(engineErrors.ENGINE_CLOSED, {}));
    const result = this.#writing.then(task);
    this.#writing = result.catch(() => {});
    return result;
  }

  /** Searches that run are known, so that what they read is not deleted under them. Throws ENGINE_CLOSED. */
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

  /** Write what makes the next moment, then make it the current one; nobody sees one without the other. */
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

  /** Read rows as they stand at the moment that is current, for as long as it takes: changes do not wait. */
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

  /** Let nobody in; false when it is closed already. */
  close(): boolean {
    const wasOpen = !this.#closed;
    this.#closed = true;
    return wasOpen;
  }

  /** Resolves when nobody is left inside. */
  async left(): Promise<void> {
    await this.#writing;
    await this.searchesEnded();
  }
}
