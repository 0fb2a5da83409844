import type { Clock } from '../../kernel/index.ts';
import { CacheDigest } from './digest.ts';

/** What a digest is made of. */
export interface Contents {
  /** How many keys there are. */
  entries(): number;
  /** URLs of what is stored, in no order. */
  keys(): AsyncIterable<string>;
}

/** Others ask for it once in this time, and more often while we are young: then it fills quickly. */
export const renewalMs = 60 * 60 * 1000;
const youngMs = 5 * 60 * 1000;
/** Room for what comes in until the next one is made. */
const growth = 1.5;
const minCapacity = 1000;
const slice = 2000;

/**
 * The digest of what we store: made of all keys now and then, since nothing can be taken out of one, and added to in
 * between.
 */
export class OwnDigest {
  readonly #contents: Contents;
  readonly #clock: Clock;
  readonly #bornMs: number;
  #digest = CacheDigest.empty(minCapacity);
  #making: CacheDigest | undefined;
  #madeMs = 0;
  #made = false;

  constructor(contents: Contents, clock: Clock) {
    this.#contents = contents;
    this.#clock = clock;
    this.#bornMs = clock.now();
  }

  /** Something came into the store. */
  stored(url: string): void {
    this.#digest.add(url);
    this.#making?.add(url);
  }

  /** Make it anew; others have their turn between slices of keys. Rejects when the signal aborts or keys cannot be read. */
  async renew(signal: AbortSignal): Promise<void> {
    const made = CacheDigest.empty(Math.max(minCapacity, this.#contents.entries() * growth));
    this.#making = made;
    try {
      let count = 0;
      for await (const key of this.#contents.keys()) {
        signal.throwIfAborted();
        made.add(key);
        if (++count % slice === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      this.#digest = made;
      this.#madeMs = this.#clock.now();
      this.#made = true;
    } finally {
      this.#making = undefined;
    }
  }

  /** It is fuller than it was made for, so that it says yes too often. */
  get outgrown(): boolean {
    return this.#digest.count > this.#digest.capacity;
  }

  /** The one that others may have, with when it was made and how long it is good; undefined until it was made once. */
  current(): { readonly digest: CacheDigest; readonly madeMs: number; readonly untilMs: number } | undefined {
    if (!this.#made) return undefined;
    const now = this.#clock.now();
    const goodMs = Math.min(renewalMs, Math.max(youngMs, now - this.#bornMs));
    return { digest: this.#digest, madeMs: this.#madeMs, untilMs: now + goodMs };
  }
}
