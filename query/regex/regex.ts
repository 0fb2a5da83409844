import type { TextMatcher, TextVisitor } from '../words/index.ts';
import { Alphabet } from './alphabet.ts';
import { Dfa, type StepCounter } from './dfa.ts';
import { type LiteralPlan, literalsOf } from './literals.ts';
import { buildNfa, CharSets, type Nfa } from './nfa.ts';
import type { StepBudget } from './step-budget.ts';
import { parseRegex, type RegexTree } from './syntax.ts';

/** A match is extended at most this many units beyond its last known end, so that searching stays linear. */
const maxGap = 1024;

/** The gap once such reading found nothing in `overrunsOfText` times the text's length. */
const minGap = 2;
const overrunsOfText = 8;

const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/**
 * A regular expression compiled for many texts (docs/query-language.md has its syntax). A text takes time at
 * most its length times the expression's states (a thousand at most), usually one look-up a character.
 */
export class Regex implements TextMatcher {
  readonly #tree: RegexTree;
  readonly #pattern: string;
  readonly #sets = new CharSets();
  readonly #forward: Nfa;
  readonly #alphabet: Alphabet;
  readonly #counter: StepCounter;
  readonly #finding: Dfa;
  #beginning: Dfa | undefined;
  #extending: Dfa | undefined;

  /** `case`: case matters. Throws QUERY_REGEX; reading texts throws QUERY_COSTLY when a budget is spent. */
  constructor(
    pattern: string,
    options: { readonly case?: boolean; readonly budget?: StepBudget | undefined } = {},
  ) {
    this.#counter = { steps: 0, budget: options.budget };
    this.#pattern = pattern;
    this.#tree = parseRegex(pattern, options.case === true);
    this.#forward = buildNfa(this.#tree, pattern, false, this.#sets);
    this.#alphabet = new Alphabet(
      this.#sets.all,
      this.#forward.instructions.some(
        (one) => one.kind === 'assert' && (one.assertion === 'wordEdge' || one.assertion === 'noWordEdge'),
      ),
    );
    this.#finding = new Dfa(this.#forward, this.#alphabet, true, this.#counter);
  }

  get states(): number {
    return this.#forward.instructions.length;
  }

  /** Characters read and instructions followed so far, in all texts. */
  get steps(): number {
    return this.#counter.steps;
  }

  /**
   * Pieces of normalised words of every matching text, each in one token up to `maxWordLength`; or undefined.
   */
  literals(): LiteralPlan | undefined {
    return literalsOf(this.#tree);
  }

  /** Whether the expression matches somewhere in `text`. */
  test(text: string): boolean {
    const [alphabet, dfa] = [this.#alphabet, this.#finding];
    let state = dfa.start(alphabet.edge);
    for (let at = 0; at < text.length; at++) {
      const code = text.codePointAt(at) as number;
      if (code > 0xffff) at++;
      const result = dfa.step(state, alphabet.kindOf(code));
      if ((result & 1) === 1) {
        this.#counter.steps += at + 1;
        return true;
      }
      state = result >> 1;
    }
    this.#counter.steps += text.length;
    return (dfa.step(state, alphabet.edge) & 1) === 1;
  }

  /**
   * Visit the matches of at least one character, from left to right, without overlaps: each begins as early
   * and is as long as possible (but see `maxGap` and `overrunsOfText`).
   */
  search(text: string, visit: TextVisitor): void {
    if (!this.test(text)) return;
    const starts = this.#startsIn(text);
    let overrun = overrunsOfText * text.length + maxGap;
    for (let start = starts.indexOf(1); start >= 0; ) {
      const { end, at } = this.#longestFrom(text, start, overrun > 0 ? maxGap : minGap);
      overrun -= at - Math.max(start, end);
      if (end > start && visit(0, start, end)) return;
      start = starts.indexOf(1, end > start ? end : start + 1);
    }
  }

  /** 1 at every offset where a match begins. */
  #startsIn(text: string): Uint8Array {
    this.#beginning ??= new Dfa(
      buildNfa(this.#tree, this.#pattern, true, this.#sets),
      this.#alphabet,
      true,
      this.#counter,
    );
    const [alphabet, dfa] = [this.#alphabet, this.#beginning];
    const starts = new Uint8Array(text.length + 1);
    let state = dfa.start(alphabet.edge);
    let at = text.length;
    while (at > 0) {
      const isPair = isLow(text.charCodeAt(at - 1)) && at > 1 && isHigh(text.charCodeAt(at - 2));
      const width = isPair ? 2 : 1;
      const result = dfa.step(state, alphabet.kindOf(text.codePointAt(at - width) as number));
      if ((result & 1) === 1) starts[at] = 1;
      state = result >> 1;
      at -= width;
    }
    if ((dfa.step(state, alphabet.edge) & 1) === 1) starts[0] = 1;
    this.#counter.steps += text.length;
    return starts;
  }

  /** The end of the longest match that begins at `start`, and the end of the text read for it. */
  #longestFrom(text: string, start: number, gap: number): { readonly end: number; readonly at: number } {
    this.#extending ??= new Dfa(this.#forward, this.#alphabet, false, this.#counter);
    const [alphabet, dfa] = [this.#alphabet, this.#extending];
    const before = start - (start > 1 && isLow(text.charCodeAt(start - 1)) ? 2 : 1);
    let state = dfa.start(start === 0 ? alphabet.edge : alphabet.kindOf(text.codePointAt(before) as number));
    let end = -1;
    let at = start;
    while (end < 0 || at - end <= gap) {
      const code = text.codePointAt(at);
      const result = dfa.step(state, code === undefined ? alphabet.edge : alphabet.kindOf(code));
      if ((result & 1) === 1) end = at;
      state = result >> 1;
      if (code === undefined || dfa.isDead(state)) break;
      at += code > 0xffff ? 2 : 1;
    }
    this.#counter.steps += at - start;
    return { end, at };
  }
}
