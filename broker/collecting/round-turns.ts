import type { ServerId } from '../../soif/index.ts';

/** Lets one round of a source follow the other, whoever asks for it and over whatever session. */
export class RoundTurns {
  /** The last turn of each source that has any; these never reject. */
  readonly #last = new Map<ServerId, Promise<void>>();

  /** Do this when every turn of the source that was taken before has ended. Callers bound how many wait. */
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

  /** Resolves when no turn is under way or waits. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
