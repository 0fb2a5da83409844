import { scanWords, termOf, wordOf } from '../../query/index.ts';
import type { Block, BlockRole, Field } from '../../readers/document/index.ts';
import { sentencesOf } from './sentences.ts';

/** A document as a summariser has read it. */
export interface ReadDocument {
  readonly title?: string;
  /** The other fields. Their terms count as covered; those of `Keywords` and the like weigh more. */
  readonly fields: readonly Field[];
  /** In reading order. */
  readonly blocks: readonly Block[];
  /** A language tag such as `en` or `pt-BR`, when the document names one. */
  readonly language?: string;
}

/** Scripts that put no spaces between words; the tokeniser cuts them into pairs of characters. */
const UnspacedScript = {
  none: 0,
  han: 1,
  katakana: 2,
  hiragana: 3,
  hangul: 4,
  other: 5,
  mixed: 6,
} as const;
type UnspacedScript = (typeof UnspacedScript)[keyof typeof UnspacedScript];

function scriptAt(code: number): UnspacedScript {
  if (code < 0x0e00) return UnspacedScript.none;
  if (code < 0x1000) return UnspacedScript.other;
  if (code < 0x10a0) return UnspacedScript.other;
  if (code < 0x1100) return UnspacedScript.none;
  if (code < 0x1200) return UnspacedScript.hangul;
  if (code >= 0x1780 && code < 0x1800) return UnspacedScript.other;
  if (code < 0x2e80) return UnspacedScript.none;
  if (code === 0x3005 || code === 0x3007) return UnspacedScript.han;
  if (code >= 0x3040 && code < 0x30a0) return UnspacedScript.hiragana;
  if (code >= 0x30a0 && code < 0x3100) return UnspacedScript.katakana;
  if (code >= 0x3400 && code < 0xa000) return UnspacedScript.han;
  if (code >= 0xac00 && code < 0xd7b0) return UnspacedScript.hangul;
  if (code >= 0xd800 && code < 0xe000) return UnspacedScript.other;
  if (code >= 0xf900 && code < 0xfb00) return UnspacedScript.han;
  if (code >= 0xff66 && code < 0xffa0) return UnspacedScript.katakana;
  return UnspacedScript.none;
}

/** The unspaced script of a token of `text`: `mixed` when its two characters are of different scripts. */
function scriptOf(text: string, start: number, end: number): UnspacedScript {
  const first = scriptAt(text.charCodeAt(start));
  if (first === UnspacedScript.none) return first;
  const last = scriptAt(text.charCodeAt(end - 1));
  return first === last ? first : UnspacedScript.mixed;
}

/** Max words of a document that are weighed; later words are in the full text only. */
export const maxTokens = 500_000;

/** One sentence: its place in its block, and its tokens, from `first` up to `end`. */
export interface Sentence {
  readonly block: number;
  readonly start: number;
  readonly stop: number;
  readonly first: number;
  readonly end: number;
}

/** A word or compound as the document spells it, such as `index` or `pg_dump`. */
export interface Spelling {
  readonly text: string;
  /** Identifiers of its terms, in order. */
  readonly terms: readonly number[];
  count: number;
}

/** A word as the document writes it, looked up once for each occurrence. */
interface Written {
  readonly term: number;
  /** Its spelling outside compounds. */
  spelling: Spelling | undefined;
}

// Weight of one occurrence: the words of a heading are chosen with care, those of a program listing are not.
const roleWeights: Readonly<Record<BlockRole, number>> = {
  heading: 3,
  paragraph: 1,
  item: 1,
  quote: 0.8,
  row: 0.7,
  pre: 0.5,
};
const titleWeight = 5;
const topHeadingWeight = 4;
const keywordsWeight = 4;
const informativeFields = /^(?:keywords|subject|abstract|description|dc\.subject|dc\.description)$/i;
// A word among the first counts up to twice.
const earlyTokens = 150;
// Max UTF-16 units of a spelling; longer compounds are split into words.
const maxSpelling = 40;
const maxUnspaced = 8;
const maxCompound = 4;
const joints = "._-'\u2019@&+/:";

/** A document as numbers: its terms, their spellings and places. Made in one pass, linear in the text. */
export class Reading {
  /** Terms as the query language compares them; their identifiers are the indexes. */
  readonly terms: string[] = [];
  /** Weighted frequency of each term. */
  readonly weights: number[] = [];
  readonly sentences: Sentence[] = [];
  readonly spellings: Spelling[] = [];
  /** Whether words were left out because there are more than `maxTokens`. */
  cut = false;

  readonly #written = new Map<string, Written>();
  readonly #terms = new Map<string, number>();
  readonly #spellings = new Map<string, Spelling>();
  #tokens = new Uint32Array(1024);
  // Where each token begins and ends in its block.
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #count = 0;

  // The spelling being read.
  #group: number[] = [];
  /** Its first word, when the text spells it so. */
  #first: Written | undefined;
  #groupStart = 0;
  #groupEnd = 0;
  #script: UnspacedScript = UnspacedScript.none;

  constructor({ title, fields, blocks }: ReadDocument) {
    if (title !== undefined) this.#scan(title, 0, title.length, titleWeight);
    for (const [name, value] of fields)
      if (informativeFields.test(name)) this.#scan(value, 0, value.length, keywordsWeight);
    for (let at = 0; at < blocks.length && !this.cut; at++) this.#block(blocks[at] as Block, at);
  }

  get tokenCount(): number {
    return this.#count;
  }

  /** Identifiers of the terms of a sentence, repeats included. */
  termsOf(sentence: Sentence): Uint32Array {
    return this.#tokens.subarray(sentence.first, sentence.end);
  }

  /** The term of a token. */
  term(token: number): number {
    return this.#tokens[token] as number;
  }

  /** Where a token begins in the text of its block. */
  start(token: number): number {
    return this.#starts[token] as number;
  }

  end(token: number): number {
    return this.#ends[token] as number;
  }

  #block(block: Block, index: number): void {
    const top = block.role === 'heading' && block.level === 1;
    const weight = top ? topHeadingWeight : roleWeights[block.role];
    for (const [start, stop] of sentencesOf(block)) {
      const first = this.#count;
      this.#scan(block.text, start, stop, weight);
      if (this.#count > first) this.sentences.push({ block: index, start, stop, first, end: this.#count });
      if (this.cut) return;
    }
  }

  #scan(whole: string, from: number, to: number, weight: number): void {
    const text = from === 0 && to === whole.length ? whole : whole.slice(from, to);
    const visit = (word: string, _: number, start: number, end: number, isWritten: boolean) => {
      if (this.#count === maxTokens) {
        this.cut = true;
        return true;
      }
      const written = isWritten ? this.#word(word) : undefined;
      const term = written?.term ?? this.#term(word);
      this.#push(term, weight, from + start, from + end);
      const script = scriptOf(text, start, end);
      if (this.#joins(text, script, start, end)) this.#group.push(term);
      else {
        this.#endSpelling(text);
        this.#group = [term];
        this.#first = written;
        this.#groupStart = start;
        this.#script = script;
      }
      this.#groupEnd = end;
      return false;
    };
    scanWords(text, visit, undefined, true);
    this.#endSpelling(text);
  }

  /** Whether a token continues the spelling before it. */
  #joins(text: string, script: UnspacedScript, start: number, end: number): boolean {
    if (this.#group.length === 0 || script !== this.#script) return false;
    const length = end - this.#groupStart;
    if (script !== UnspacedScript.none)
      return script !== UnspacedScript.mixed && start < this.#groupEnd && length <= maxUnspaced;
    const gap = start - this.#groupEnd;
    if (gap < 1 || gap > 2 || length > maxSpelling || this.#group.length >= maxCompound) return false;
    return joints.includes(text[start - 1] as string) && joints.includes(text[this.#groupEnd] as string);
  }

  #endSpelling(text: string): void {
    if (this.#group.length === 0) return;
    const alone = this.#group.length === 1 ? this.#first : undefined;
    if (alone?.spelling !== undefined) alone.spelling.count++;
    else {
      const spelled = text.slice(this.#groupStart, this.#groupEnd);
      const known = alone === undefined ? this.#spellings.get(spelled) : undefined;
      if (known !== undefined) known.count++;
      else {
        const spelling = { text: spelled, terms: this.#group, count: 1 };
        if (alone === undefined) this.#spellings.set(spelled, spelling);
        else alone.spelling = spelling;
        this.spellings.push(spelling);
      }
    }
    this.#group = [];
  }

  #word(text: string): Written {
    const known = this.#written.get(text);
    if (known !== undefined) return known;
    const written = { term: this.#term(wordOf(text)), spelling: undefined };
    this.#written.set(text, written);
    return written;
  }

  #term(word: string): number {
    const term = termOf(word);
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const id = this.terms.length;
    this.terms.push(term);
    this.weights.push(0);
    this.#terms.set(term, id);
    return id;
  }

  #push(term: number, weight: number, start: number, end: number): void {
    const at = this.#count++;
    if (at === this.#tokens.length) {
      this.#tokens = doubled(this.#tokens);
      this.#starts = doubled(this.#starts);
      this.#ends = doubled(this.#ends);
    }
    const early = at < earlyTokens ? 2 - at / earlyTokens : 1;
    this.weights[term] = (this.weights[term] as number) + weight * early;
    this.#tokens[at] = term;
    this.#starts[at] = start;
    this.#ends[at] = end;
  }
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
