import type { Pacing } from '../../../kernel/index.ts';
import { seek } from '../model/doc-set.ts';

/**
 * Receives the offsets of a term in one object: sorted, from `from` to `to`, exclusive, counted from
 * `origin`. `object`: how many objects were begun before it.
 */
export type PlaceVisitor = (object: number, docno: number, from: number, to: number, origin: number) => void;

/** The tokens of one field of many objects as numbers of terms: 4 bytes a token, 8 while they are sorted. */
export class TokenLists {
  #tokens = new Int32Array(1024);
  #length = 0;
  /** The start of each object in `#tokens`, and its docno. */
  readonly #starts: number[] = [];
  readonly #docnos: number[] = [];
  /** The start and the end of each run of variants, ascending. */
  readonly #variants: number[] = [];
  /** Separates two values of one object, so that no phrase spans both. */
  readonly #gap: number;
  /** Gaps and other terms in the last begun object that are not part of its length. */
  #gaps = 0;
  /** Whether a value has ended in it. */
  #ended = false;

  readonly #variantShare: number;

  /** `gap`: the number of the term between two values. `variantShare`: what an occurrence in a variant counts, of 1. */
  constructor(gap: number, variantShare: number) {
    this.#gap = gap;
    this.#variantShare = variantShare;
  }

  get objects(): number {
    return this.#docnos.length;
  }

  /** Tokens of the last begun object. */
  get lastLength(): number {
    return this.#length - (this.#starts.at(-1) ?? 0) - this.#gaps;
  }

  /** The following tokens are this object's. */
  begin(docno: number): void {
    this.#starts.push(this.#length);
    this.#docnos.push(docno);
    this.#gaps = 0;
    this.#ended = false;
  }

  /** Add the next terms. Those of a variant are no part of the object's length. */
  append(terms: Int32Array, isVariant = false): void {
    if (terms.length === 0) return;
    this.#reserve(terms.length + 1);
    if (this.#ended) {
      this.#ended = false;
      this.#tokens[this.#length++] = this.#gap;
      this.#gaps++;
    }
    this.#tokens.set(terms, this.#length);
    if (isVariant) {
      this.#variants.push(this.#length, this.#length + terms.length);
      this.#gaps += terms.length;
    }
    this.#length += terms.length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#tokens.length) return;
    const larger = new Int32Array(Math.max(this.#tokens.length * 2, this.#length + more));
    larger.set(this.#tokens.subarray(0, this.#length));
    this.#tokens = larger;
  }

  endValue(): void {
    this.#ended = this.#length > (this.#starts.at(-1) ?? 0);
  }

  /** Every token by its term (a counting sort). Yields to the event loop. */
  async sorted(termCount: number, pacing: Pacing): Promise<SortedTokens> {
    const tokens = this.#tokens.subarray(0, this.#length);
    const next = new Uint32Array(termCount + 1);
    for (const part of parts(tokens)) {
      for (const term of part) next[term + 1] = (next[term + 1] as number) + 1;
      await pacing.pause(part.length);
    }
    for (let term = 1; term <= termCount; term++)
      next[term] = (next[term] as number) + (next[term - 1] as number);
    const offsets = new Uint32Array(next[termCount] as number);
    let offset = 0;
    for (const part of parts(tokens)) {
      for (const term of part) {
        const place = next[term] as number;
        offsets[place] = offset++;
        next[term] = place + 1;
      }
      await pacing.pause(part.length);
    }
    const [starts, docnos, variants] = [this.#starts, this.#docnos, this.#variants].map((all) =>
      Uint32Array.from(all),
    ) as [Uint32Array, Uint32Array, Uint32Array];
    return new SortedTokens({ starts, docnos, variants, ends: next, offsets }, this.#variantShare);
  }
}

const partLength = 64 * 1024;

function* parts(tokens: Int32Array): Generator<Int32Array> {
  for (let at = 0; at < tokens.length; at += partLength) yield tokens.subarray(at, at + partLength);
}

/** Tokens sorted by term, within a term in the order in which they were read. */
export class SortedTokens {
  readonly #starts: Uint32Array;
  readonly #docnos: Uint32Array;
  /** The end of each term's offsets. */
  readonly #ends: Uint32Array;
  /** Of all tokens, term by term. */
  readonly offsets: Uint32Array;
  readonly #variants: Uint32Array;
  readonly #variantShare: number;

  constructor(
    all: Readonly<Record<'starts' | 'docnos' | 'ends' | 'offsets' | 'variants', Uint32Array>>,
    variantShare: number,
  ) {
    this.#starts = all.starts;
    this.#docnos = all.docnos;
    this.#ends = all.ends;
    this.offsets = all.offsets;
    this.#variants = all.variants;
    this.#variantShare = variantShare;
  }

  /** How often a term occurs among the offsets from `from` to before `to`, where variants count less. */
  frequency(from: number, to: number): number {
    const variants = this.#variants;
    let frequency = to - from;
    let next = 0;
    for (let at = from; at < to; at++) {
      next = seek(variants, (this.offsets[at] as number) + 1, next);
      if (next === variants.length) break;
      // Behind a start, and not behind the end.
      if (next % 2 === 1) frequency -= 1 - this.#variantShare;
    }
    return frequency;
  }

  occurrences(term: number): number {
    return (this.#ends[term] as number) - this.#from(term);
  }

  #from(term: number): number {
    return term === 0 ? 0 : (this.#ends[term - 1] as number);
  }

  /** Visit the objects of a term, in docno order. */
  visit(term: number, see: PlaceVisitor): void {
    const { offsets } = this;
    const starts = this.#starts;
    const last = starts.length - 1;
    const end = this.#ends[term] as number;
    let object = 0;
    for (let from = this.#from(term); from < end; ) {
      const offset = offsets[from] as number;
      // The last object that begins at or before it. Objects without tokens in this field are not begun.
      if (object < last && (starts[object + 1] as number) <= offset)
        object = seek(starts, offset + 1, object) - 1;
      const before = object < last ? (starts[object + 1] as number) : Number.POSITIVE_INFINITY;
      let to = from + 1;
      while (to < end && (offsets[to] as number) < before) to++;
      see(object, this.#docnos[object] as number, from, to, starts[object] as number);
      from = to;
    }
  }
}
