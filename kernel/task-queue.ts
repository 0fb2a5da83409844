/** Runs tasks one at a time, in the order of the calls. A task that throws does not stop the next one. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Run `task` after all earlier ones. Callers bound the number that wait. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when every task so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
