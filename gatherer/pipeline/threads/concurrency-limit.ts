/** How many may work at once, and when more than one is worth its cost. */
export interface TurnOptions {
  /** At most. */
  readonly width: number;
  /** How long somebody must have waited, in milliseconds and all together, for one more to be let in. */
  readonly strainMs: number;
}

/**
 * Hands out turns, first come, first served. It begins with one at a time and lets in one more, up to `width`, whenever
 * somebody has waited for long enough: a few documents are done by one thread before a second has started.
 */
export class ConcurrencyLimit {
  readonly #options: TurnOptions;
  readonly #waiting: (() => void)[] = [];
  #allowed = 1;
  #busy = 0;
  /** Time in which somebody waited, in milliseconds, before the wait that began at `#since`. */
  #waited = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Resolves when it is the caller's turn; who has had it calls `leave`. */
  async take(): Promise<void> {
    if (this.#busy < this.#allowed) {
      this.#busy++;
      return;
    }
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#watch();
    await turn;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#ease();
    if (next === undefined) this.#busy--;
    else next();
  }

  /** Begin with one again. */
  rest(): void {
    this.#allowed = 1;
    this.#waited = 0;
  }

  /** Somebody waits: see to it that one more is let in when that has gone on for long enough. */
  #watch(): void {
    const { width, strainMs } = this.#options;
    if (this.#timer !== undefined || this.#allowed >= width) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#admit(), Math.max(0, strainMs - this.#waited));
  }

  #ease(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waited += performance.now() - this.#since;
  }

  #admit(): void {
    this.#timer = undefined;
    this.#waited = 0;
    this.#allowed++;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#busy++;
    next();
    if (this.#waiting.length > 0) this.#watch();
  }
}
