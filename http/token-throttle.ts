import { type Clock, failure } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';

/** Wrong tokens that are answered at once: people mistype. */
const free = 5;
/** The first wait after them; each further wrong token doubles it. */
const firstMs = 100;
const maxMs = 2000;
/** Interval after which one wrong token is forgotten. */
const forgottenMs = 5000;
/** Max guesses that wait at one time: a part of the requests that a server takes. */
const maxWaiting = 64;

/** 24 random bytes, as servers make them: they cannot be guessed at any speed. */
const random = /^(?:garner_)?[\w-]{32}$/;

/**
 * Makes guessing slow. The answer to a wrong token waits, longer after more wrong ones from any callers; that
 * to a right one never waits. While too many guesses wait, a token that a person could have chosen is not
 * checked, so that no quick answer reveals a right one: at most 32 of them a second are tried. The state is
 * three numbers.
 */
export class WrongTokens {
  readonly #clock: Clock;
  #lately = 0;
  #at: number;
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** Call before a token is checked. Throws HTTP_GUESSING while too many wrong ones wait. */
  admit(token: string): void {
    if (this.#waiting >= maxWaiting && !random.test(token)) throw failure(httpErrors.HTTP_GUESSING, {});
  }

  /** Resolves when a wrong token may be answered, even if its caller left: that makes no room for others. */
  async answered(): Promise<void> {
    const ms = this.#wait();
    if (ms === 0 || this.#waiting >= maxWaiting) return;
    this.#waiting++;
    await this.#clock.sleep(ms).finally(() => {
      this.#waiting--;
    });
  }

  /** Count one more wrong token, and return the wait of its answer in milliseconds. */
  #wait(): number {
    const now = this.#clock.now();
    // A clock that was set back would make the memory last as much longer.
    if (now < this.#at) this.#at = now;
    const forgotten = Math.floor((now - this.#at) / forgottenMs);
    this.#lately = Math.max(0, this.#lately - forgotten) + 1;
    if (forgotten > 0 || this.#lately === 1) this.#at = now;
    // A higher count would not wait longer, but take longer to be forgotten.
    this.#lately = Math.min(this.#lately, free + 1 + Math.ceil(Math.log2(maxMs / firstMs)));
    return this.#lately <= free ? 0 : Math.min(maxMs, firstMs * 2 ** (this.#lately - free - 1));
  }
}
