import { isCut } from '../vocabulary/form-filter.ts';
import { JoinedTexts } from './joined-texts.ts';
import type { ObjectList, StoredLists } from './object-lists.ts';
import { entriesPerValue, type VocabularyBlock, type VocabularyEntry } from './vocabulary-block.ts';
import type { TextFilter } from './word-filter.ts';

/** The vocabulary of one kind of one segment in memory, for finding words by anything but their terms. */
export class SegmentWords {
  readonly #terms: JoinedTexts;
  readonly #words: JoinedTexts;
  /** Whether each word is plain, a bit each. */
  readonly #plain: Uint8Array;
  /** The first word of each term, and the start of one after the last. */
  readonly #firstWords: Uint32Array;
  readonly #cut: readonly number[];
  readonly #lists: readonly StoredLists[];

  private constructor(terms: readonly string[], parts: ReadParts) {
    this.#terms = new JoinedTexts(terms);
    this.#words = new JoinedTexts(parts.words);
    this.#plain = Uint8Array.from(parts.plain);
    this.#firstWords = Uint32Array.from([...parts.firstWords, parts.words.length]);
    this.#cut = parts.words.flatMap((word, index) => (isCut(word) ? [index] : []));
    this.#lists = parts.lists;
  }

  /** All blocks of a vocabulary, in their order. All but the last are full. */
  static async of(blocks: AsyncIterable<VocabularyBlock>): Promise<SegmentWords> {
    const terms: string[] = [];
    const parts: ReadParts = { words: [], plain: [], firstWords: [], lists: [] };
    for await (const block of blocks) {
      parts.lists.push(block.lists);
      for (const { term, words } of block.texts()) {
        terms.push(term);
        parts.firstWords.push(parts.words.length);
        for (const { word, plain } of words) {
          parts.words.push(word);
          parts.plain.push(plain ? 1 : 0);
        }
      }
    }
    return new SegmentWords(terms, parts);
  }

  /** Bytes in memory. */
  get bytes(): number {
    const lists = this.#lists.reduce((sum, { bytes }) => sum + bytes, 0);
    const arrays = this.#plain.byteLength + this.#firstWords.byteLength + 8 * this.#cut.length;
    return this.#terms.bytes + this.#words.bytes + arrays + lists;
  }

  get length(): number {
    return this.#terms.length;
  }

  term(at: number): string {
    return this.#terms.at(at);
  }

  /** The objects of a term. Throws ENGINE_DAMAGED. */
  list(at: number): ObjectList {
    const lists = this.#lists[Math.floor(at / entriesPerValue)] as StoredLists;
    return lists.at(at % entriesPerValue);
  }

  entry(at: number): VocabularyEntry {
    const [from, to] = [this.#firstWords[at] as number, this.#firstWords[at + 1] as number];
    const words = Array.from({ length: to - from }, (_, index) => ({
      ...{ word: this.#words.at(from + index), plain: this.#plain[from + index] === 1 },
    }));
    return { term: this.term(at), words, list: this.list(at) };
  }

  /** The terms that a filter accepts, ascending. */
  wanted({ among, pieces, cutToo, holds }: TextFilter): readonly number[] {
    const texts = among === 'terms' ? this.#terms : this.#words;
    const found = new Set<number>();
    const take = among === 'terms' ? found : { add: (word: number) => found.add(this.#termOf(word)) };
    if (pieces.length === 0) {
      for (let at = 0; at < texts.length; at++) if (holds(texts.at(at))) take.add(at);
    } else {
      for (const at of texts.holding(pieces)) if (holds(texts.at(at))) take.add(at);
      if (cutToo) for (const at of this.#cut) take.add(at);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Words with this prefix, each with its term. */
  *beginning(prefix: string): Generator<{ readonly word: string; readonly term: number }> {
    for (const at of this.#words.beginning(prefix))
      yield { word: this.#words.at(at), term: this.#termOf(at) };
  }

  /** The term of a word. Every term has at least one word. */
  #termOf(word: number): number {
    let [from, to] = [0, this.#terms.length - 1];
    while (from < to) {
      const middle = (from + to + 1) >>> 1;
      if ((this.#firstWords[middle] as number) <= word) from = middle;
      else to = middle - 1;
    }
    return from;
  }
}

interface ReadParts {
  readonly words: string[];
  readonly plain: number[];
  readonly firstWords: number[];
  readonly lists: StoredLists[];
}
