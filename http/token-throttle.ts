import { type Clock, failure, RecentMap } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';

/** Wrong tokens that are answered at once: people mistype. */
const free = 5;
/** The first wait after them; each further wrong token doubles it. */
const firstMs = 100;
const maxMs = 2000;
/** Interval after which one wrong token is forgotten. */
const forgottenMs = 5000;
/** Max guesses of one client that wait at one time, and max further tokens of it that are checked only after a wait. */
const maxWaiting = 64;
/** Clients that are remembered; one that is forgotten starts again. */
const maxClients = 4096;

/** 24 random bytes, as servers make them: they cannot be guessed at any speed. */
const random = /^(?:garner_)?[\w-]{32}$/;

interface Guesser {
  lately: number;
  at: number;
  waiting: number;
  late: number;
}

/**
 * Makes guessing slow, for each client by itself. The answer to a wrong token waits, longer after more wrong ones of that
 * client; that to a right one does not. While too many guesses of a client wait, a token that a person could have
 * chosen is checked only after the longest wait, right or wrong, so that no quick answer reveals a right one: a
 * client tries at most 64 of them a second.
 */
export class WrongTokens {
  readonly #clock: Clock;
  readonly #clients = new RecentMap<string, Guesser>(maxClients);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Call before a token is checked. Resolves to whether it has waited. Throws HTTP_GUESSING while too many wait. */
  async admit(token: string, client: string): Promise<boolean> {
    const guesser = this.#clients.get(client);
    if (guesser === undefined || guesser.waiting < maxWaiting || random.test(token)) return false;
    if (guesser.late >= maxWaiting) throw failure(httpErrors.HTTP_GUESSING, {});
    guesser.late++;
    await this.#clock.sleep(maxMs).finally(() => {
      guesser.late--;
    });
    return true;
  }

  /** Resolves when a wrong token may be answered, even if its caller left: that makes no room for others. */
  async answered(client: string): Promise<void> {
    const guesser = this.#clients.get(client) ?? { lately: 0, at: this.#clock.now(), waiting: 0, late: 0 };
    this.#clients.set(client, guesser);
    const ms = this.#wait(guesser);
    if (ms === 0 || guesser.waiting >= maxWaiting) return;
    guesser.waiting++;
    await this.#clock.sleep(ms).finally(() => {
      guesser.waiting--;
    });
  }

  /** Count one more wrong token, and return the wait of its answer in milliseconds. */
  #wait(guesser: Guesser): number {
    const now = this.#clock.now();
    // A clock that was set back would make the memory last as much longer.
    if (now < guesser.at) guesser.at = now;
    const forgotten = Math.floor((now - guesser.at) / forgottenMs);
    guesser.lately = Math.max(0, guesser.lately - forgotten) + 1;
    if (forgotten > 0 || guesser.lately === 1) guesser.at = now;
    // A higher count would not wait longer, but take longer to be forgotten.
    guesser.lately = Math.min(guesser.lately, free + 1 + Math.ceil(Math.log2(maxMs / firstMs)));
    return guesser.lately <= free ? 0 : Math.min(maxMs, firstMs * 2 ** (guesser.lately - free - 1));
  }
}
