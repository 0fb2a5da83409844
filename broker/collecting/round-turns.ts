import type { ServerId } from '../../soif/index.ts';

/** Runs the rounds of one source one after the other, whatever their callers and sessions. */
export class RoundTurns {
  /** The last round of each source that has any. These promises never reject. */
  readonly #last = new Map<ServerId, Promise<void>>();

  /** Run `work` after every earlier round of the source. Callers bound the number that wait. */
  async take<Result>(source: ServerId, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(source) ?? Promise.resolve()).then(work);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(source, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(source) === ended) this.#last.delete(source);
    }
  }

  /** Resolves when all rounds that run or wait now have ended; undefined where there is none. */
  begun(): Promise<void> | undefined {
    return this.#last.size === 0 ? undefined : Promise.all(this.#last.values()).then(() => undefined);
  }

  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
