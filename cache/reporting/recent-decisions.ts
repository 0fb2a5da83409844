import { type Decision, urlKey } from '../requests/index.ts';

/** Decisions that are remembered, for questions of why. */
const remembered = 8192;

/** One request and what was done with it. */
export interface Remembered {
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Another one when its content breaks off. */
  decision: Decision;
}

/** What was decided lately, hits left out: those are told from the store. The oldest is forgotten first. */
export class RecentDecisions {
  readonly #ring: Remembered[] = [];
  #next = 0;

  /** Remember one. What is given back is what is remembered. */
  note(decided: Remembered): Remembered {
    const noted = { ...decided, url: urlKey(decided.url) };
    this.#ring[this.#next] = noted;
    this.#next = (this.#next + 1) % remembered;
    return noted;
  }

  /** Those about one URL, the latest first, at most `count`. */
  about(url: string, count: number): readonly Remembered[] {
    const found: Remembered[] = [];
    const key = urlKey(url);
    const size = this.#ring.length;
    for (let back = 1; back <= size && found.length < count; back += 1) {
      const at = this.#ring[(this.#next - back + remembered) % remembered];
      if (at?.url === key) found.push({ ...at, url });
    }
    return found;
  }
}
