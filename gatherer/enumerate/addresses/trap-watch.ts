import { RecentMap } from '../../../kernel/index.ts';
import { addressShape } from './address-shape.ts';

/** Max patterns that are counted at a time; the least recently used one is forgotten first. */
const maxPatterns = 10_000;
/** A page that shows something new outweighs this many that do not. */
const freshWeight = 5;
/** A page that no page of its own pattern led to is less of a suspect. */
const listedWeight = 0.25;
/** Pages without news of a wider pattern, as a multiple of the limit, before all of it is left out. */
const wideFactor = 2;
const minPages = 2;

/** Counts the pages that show nothing new by the pattern of their addresses, and names the patterns without end. */
export class TrapWatch {
  readonly #limit: number;
  readonly #dull = new RecentMap<string, number>(maxPatterns);
  readonly #braked = new Map<string, string>();
  /** The highest count so far: below the limit nothing is braked. */
  #highest = 0;

  /** Max pages of one pattern that show nothing new; 0 for no limit. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The rule that leaves an address out, if there is one. */
  brake(url: string): string | undefined {
    if (this.#limit === 0 || this.#highest < this.#limit) return undefined;
    const { fine, wide } = addressShape(url);
    const braked = this.#braked.get(fine) ?? this.#braked.get(wide ?? fine);
    if (braked !== undefined) return braked;
    const inFine = this.#dull.get(fine) ?? 0;
    const inWide = wide === undefined ? 0 : (this.#dull.get(wide) ?? 0);
    if (inFine >= this.#limit) return this.#leaveOut(fine, fine);
    if (wide !== undefined && inFine >= this.#allowed(inWide)) return this.#leaveOut(wide, fine);
    if (wide === undefined || wide.includes('?') || inWide < this.#limit * wideFactor) return undefined;
    return this.#leaveOut(wide, wide);
  }

  /** Note a page that was read. `from`: the page that led to it; `fresh`: it shows something new. */
  note(url: string, from: string | undefined, fresh: boolean): void {
    if (this.#limit === 0) return;
    const { fine, wide, repeats } = addressShape(url);
    const before = from === undefined ? undefined : addressShape(from);
    const own = before?.fine === fine || (wide !== undefined && before?.wide === wide);
    this.#count(fine, fresh && !repeats, own);
    if (wide !== undefined) this.#count(wide, fresh && !repeats, own);
  }

  #count(pattern: string, fresh: boolean, own: boolean): void {
    const before = this.#dull.get(pattern);
    if (fresh && before === undefined) return;
    const dull = fresh ? Math.max(0, (before ?? 0) - freshWeight) : (before ?? 0) + (own ? 1 : listedWeight);
    if (dull > 0) this.#dull.set(pattern, dull);
    else this.#dull.delete(pattern);
    this.#highest = Math.max(this.#highest, dull);
  }

  /** Max pages of a narrow pattern: fewer, the more pages without news its wider pattern has. */
  #allowed(inWide: number): number {
    const share = inWide <= this.#limit ? 1 : (this.#limit / inWide) ** 4;
    return Math.max(minPages, this.#limit * share);
  }

  #leaveOut(named: string, pattern: string): string {
    const rule = `a trap: ${this.#limit} pages like ${named} show nothing new (gatherer.trap-pages)`;
    if (this.#braked.size < maxPatterns) this.#braked.set(pattern, rule);
    return rule;
  }
}
