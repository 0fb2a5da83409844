import type { Clock } from '../../kernel/index.ts';
import { CacheDigest } from './digest.ts';

export interface Contents {
  entries(): number;
  /** URLs of the stored responses, in no order. */
  keys(): AsyncIterable<string>;
}

/** Peers fetch it at this interval, and more often in its first hour, while it fills quickly. */
export const renewalMs = 60 * 60 * 1000;
const youngMs = 5 * 60 * 1000;
/** Room for responses stored before the next rebuild. */
const growth = 1.5;
const minCapacity = 1000;
const slice = 2000;

/** The digest of our store: rebuilt from all keys, as nothing can be removed, and extended meanwhile. */
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

  stored(url: string): void {
    this.#digest.add(url);
    this.#making?.add(url);
  }

  /** Rebuild it in slices of keys. Rejects when the signal aborts or keys cannot be read. */
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

  /** It has more URLs than its capacity, and so too many false positives. */
  get outgrown(): boolean {
    return this.#digest.count > this.#digest.capacity;
  }

  /** The digest for peers, with its time and expiry; undefined until it was built once. */
  current(): { readonly digest: CacheDigest; readonly madeMs: number; readonly untilMs: number } | undefined {
    if (!this.#made) return undefined;
    const now = this.#clock.now();
    const goodMs = Math.min(renewalMs, Math.max(youngMs, now - this.#bornMs));
    return { digest: this.#digest, madeMs: this.#madeMs, untilMs: now + goodMs };
  }
}
