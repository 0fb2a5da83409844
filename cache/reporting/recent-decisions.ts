import { type Decision, urlKey } from '../requests/index.ts';

/** The max number of decisions for `why`. */
const maxDecisions = 8192;

export interface Remembered {
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Replaced when its content breaks off. */
  decision: Decision;
}

/** The latest decisions except hits, which are explained from the store. The oldest is dropped first. */
export class RecentDecisions {
  readonly #ring: Remembered[] = [];
  #next = 0;

  /** Store a decision. Returns the stored object. */
  note(decided: Remembered): Remembered {
    const noted = { ...decided, url: urlKey(decided.url) };
    this.#ring[this.#next] = noted;
    this.#next = (this.#next + 1) % maxDecisions;
    return noted;
  }

  /** Those about one URL, latest first, max `count`. */
  about(url: string, count: number): readonly Remembered[] {
    const found: Remembered[] = [];
    const key = urlKey(url);
    const size = this.#ring.length;
    for (let back = 1; back <= size && found.length < count; back += 1) {
      const at = this.#ring[(this.#next - back + maxDecisions) % maxDecisions];
      if (at?.url === key) found.push({ ...at, url });
    }
    return found;
  }
}
