import { seek } from './doc-set.ts';

/** Stands between two values of one object, so that no phrase reaches from one into the other. */
const gap = -1;

/** Where a term stands in one object: `offsets` from `from` to before `to`, counted from `origin`. */
export interface TermPlaces {
  /** How many objects were begun before it. */
  readonly object: number;
  readonly docno: number;
  readonly offsets: Uint32Array;
  readonly from: number;
  readonly to: number;
  readonly origin: number;
}

/**
 * The tokens of one field of many objects, as numbers of terms, in the order in which they were read: 4 bytes a
 * token, 8 while they are sorted by term.
 */
export class TokenLists {
  #tokens = new Int32Array(1024);
  #length = 0;
  /** Where each object begins in `#tokens`, and its docno. */
  readonly #starts: number[] = [];
  readonly #docnos: number[] = [];
  /** Of the object that was begun last. */
  #gaps = 0;

  get objects(): number {
    return this.#docnos.length;
  }

  /** Tokens of the object that was begun last. */
  get lastLength(): number {
    return this.#length - (this.#starts.at(-1) ?? 0) - this.#gaps;
  }

  /** The tokens that follow are this object's. */
  begin(docno: number): void {
    this.#starts.push(this.#length);
    this.#docnos.push(docno);
    this.#gaps = 0;
  }

  push(term: number): void {
    if (this.#length === this.#tokens.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#tokens);
      this.#tokens = larger;
    }
    this.#tokens[this.#length++] = term;
  }

  endValue(): void {
    this.push(gap);
    this.#gaps++;
  }

  /** Every token by its term; the lists are of no use afterwards. */
  sorted(termCount: number): SortedTokens {
    return new SortedTokens(
      this.#tokens.subarray(0, this.#length),
      Uint32Array.from(this.#starts),
      Uint32Array.from(this.#docnos),
      termCount,
    );
  }
}

/** Tokens sorted by term (a counting sort), within a term in the order in which they were read. */
export class SortedTokens {
  readonly #starts: Uint32Array;
  readonly #docnos: Uint32Array;
  /** Where each term's offsets end. */
  readonly #ends: Uint32Array;
  readonly #offsets: Uint32Array;

  constructor(tokens: Int32Array, starts: Uint32Array, docnos: Uint32Array, termCount: number) {
    this.#starts = starts;
    this.#docnos = docnos;
    const next = new Uint32Array(termCount + 1);
    let kept = 0;
    for (const term of tokens) {
      if (term === gap) continue;
      next[term + 1] = (next[term + 1] as number) + 1;
      kept++;
    }
    for (let term = 1; term <= termCount; term++)
      next[term] = (next[term] as number) + (next[term - 1] as number);
    this.#offsets = new Uint32Array(kept);
    for (let at = 0; at < tokens.length; at++) {
      const term = tokens[at] as number;
      if (term === gap) continue;
      const place = next[term] as number;
      this.#offsets[place] = at;
      next[term] = place + 1;
    }
    this.#ends = next;
  }

  /** How often a term stands in all objects. */
  occurrences(term: number): number {
    return (this.#ends[term] as number) - this.#from(term);
  }

  #from(term: number): number {
    return term === 0 ? 0 : (this.#ends[term - 1] as number);
  }

  /** Visit the objects that a term stands in, in docno order. */
  visit(term: number, see: (places: TermPlaces) => void): void {
    const offsets = this.#offsets;
    const starts = this.#starts;
    const end = this.#ends[term] as number;
    let object = 0;
    for (let from = this.#from(term); from < end; ) {
      const offset = offsets[from] as number;
      // The last object that begins at or before it; objects without tokens in this field are not begun.
      object = seek(starts, offset + 1, object) - 1;
      const before = starts[object + 1] ?? Number.POSITIVE_INFINITY;
      let to = from + 1;
      while (to < end && (offsets[to] as number) < before) to++;
      const [docno, origin] = [this.#docnos[object] as number, starts[object] as number];
      see({ object, docno, offsets, from, to, origin });
      from = to;
    }
  }
}
