import { type NearNode, nearLeaves, tokenTests } from '../syntax/index.ts';
import type { Language, TextMatcher, TextVisitor } from '../words/index.ts';
import { TokenMatcher } from './token-matcher.ts';

/** Positions of the first and the last token of a match in a text. */
export interface TokenSpan {
  readonly first: number;
  readonly last: number;
}

/** A match of an operand, with UTF-16 offsets. */
interface Run extends TokenSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds both operands of a NEAR where they are near each other; time n log n in the length of the text. */
export class NearMatcher implements TextMatcher {
  readonly #matcher: TokenMatcher;
  readonly #lengths: readonly number[];
  readonly #lefts: number;
  readonly #distance: number;

  constructor({ operands: [left, right], distance }: NearNode, language: Language) {
    const lefts = nearLeaves(left);
    const tests = [...lefts, ...nearLeaves(right)].map((leaf) => tokenTests(leaf, language));
    this.#lefts = lefts.length;
    this.#lengths = tests.map((own) => own.length);
    this.#matcher = new TokenMatcher(tests, language);
    this.#distance = distance;
  }

  test(text: string): boolean {
    const { lefts, rights } = this.#runs(text);
    return lefts.some(nearAny(rights, this.#distance));
  }

  search(text: string, visit: TextVisitor): void {
    const { lefts, rights } = this.#runs(text);
    const near = [
      ...lefts.filter(nearAny(rights, this.#distance)),
      ...rights.filter(nearAny(lefts, this.#distance)),
    ];
    near.sort((a, b) => a.end - b.end || a.start - b.start);
    for (const { start, end } of near) if (visit(0, start, end)) return;
  }

  #runs(text: string): { lefts: Run[]; rights: Run[] } {
    const lefts: Run[] = [];
    const rights: Run[] = [];
    this.#matcher.search(text, (run, start, end, last) => {
      const first = last - (this.#lengths[run] as number) + 1;
      (run < this.#lefts ? lefts : rights).push({ first, last, start, end });
      return false;
    });
    return { lefts, rights };
  }
}

/** A test for spans: whether one of `others` is within that number of tokens and shares none. */
export function nearAny(others: readonly TokenSpan[], distance: number): (span: TokenSpan) => boolean {
  const lasts = Float64Array.from(others, ({ last }) => last).sort();
  const firsts = Float64Array.from(others, ({ first }) => first).sort();
  const gap = distance + 1;
  return ({ first, last }) =>
    holdsBetween(lasts, first - gap, first - 1) || holdsBetween(firsts, last + 1, last + gap);
}

/** Whether one of the ascending numbers is from `low` to `high`. */
function holdsBetween(numbers: Float64Array, low: number, high: number): boolean {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] as number) < low) from = middle + 1;
    else to = middle;
  }
  return from < numbers.length && (numbers[from] as number) <= high;
}
