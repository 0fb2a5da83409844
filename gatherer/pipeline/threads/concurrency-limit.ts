/** Max concurrency, and when more than one is worth its cost. */
export interface TurnOptions {
  /** Max jobs at a time. */
  readonly width: number;
  /** Total waiting time, in milliseconds, before one more is admitted. */
  readonly strainMs: number;
}

/** Limits concurrency: it begins with one and admits one more, up to `width`, after `strainMs` of waiting. */
export class ConcurrencyLimit {
  readonly #options: TurnOptions;
  readonly #waiting: (() => void)[] = [];
  #allowed = 1;
  #busy = 0;
  /** Total waiting time, in milliseconds, before the wait that began at `#since`. */
  #waited = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Resolves when the caller may begin; it calls `leave` at its end. */
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

  /** Reset the limit to one. */
  rest(): void {
    this.#allowed = 1;
    this.#waited = 0;
  }

  /** Start the timer that admits one more after enough waiting. */
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
