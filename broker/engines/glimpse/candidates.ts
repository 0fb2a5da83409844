import {
  type Language,
  type LeafNode,
  type NearOperand,
  nearLeaves,
  type QueryNode,
  regexFragments,
  type TokenTest,
  tokenTests,
  type WordLeaf,
} from '../../../query/index.ts';
import { ObjectBits } from './object-bits.ts';
import type { VocabularyEntry } from './vocabulary-block.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';
import { type VocabularyKind, vocabularyOf } from './vocabulary-writer.ts';
import { isCut, termFilter, vocabularyTest, wordFilter } from './word-filter.ts';

/** What the index says of a query: docnos that match for sure, and those that may. */
export interface Candidates {
  readonly sure: ObjectBits;
  /** Everything that matches is here; what is sure too. */
  readonly possible: ObjectBits;
}

/** What candidates are found in. */
export interface CandidateSource {
  readonly vocabulary: VocabularyReader;
  /** Objects in a block, as a power of two. */
  readonly blockBits: number;
  /** The languages of the objects. */
  readonly languages: readonly Language[];
  /** Docnos are below this. */
  readonly size: number;
  readonly alive: () => ObjectBits;
}

/** A token of a query as some languages read it. */
interface ReadToken {
  readonly test: TokenTest;
  readonly languages: readonly Language[];
}

/** More words are not looked for in bytes: reading the object costs no more. */
const mostNeeded = 32;

/** Finds candidates by the words that stand in blocks of objects (Manber and Wu 1994). */
export class CandidateSearch {
  readonly #source: CandidateSource;
  readonly #needed: (readonly string[])[] = [];

  constructor(source: CandidateSource) {
    this.#source = source;
  }

  /** Groups of words of which each match of the query has one, written in ASCII letters of any case. */
  get needed(): readonly (readonly string[])[] {
    return this.#needed;
  }

  /** What the index says of a query. `required`: everything that matches must match this node. */
  async of(node: QueryNode, attribute?: string, required = true): Promise<Candidates> {
    switch (node.kind) {
      case 'attribute':
        return this.of(node.operand, node.name.toLowerCase(), required);
      case 'and': {
        const all = this.#everything();
        for (const operand of node.operands) {
          const { sure, possible } = await this.of(operand, attribute, required);
          all.sure.intersect(sure);
          all.possible.intersect(possible);
        }
        return all;
      }
      case 'or': {
        const any = this.#nothing();
        for (const operand of node.operands) {
          const { sure, possible } = await this.of(operand, attribute, false);
          any.sure.unite(sure);
          any.possible.unite(possible);
        }
        return any;
      }
      case 'not': {
        const without = await this.of(node.operand, attribute, false);
        const { sure, possible } = this.#everything();
        sure.subtract(without.possible);
        possible.subtract(without.sure);
        return { sure, possible };
      }
      case 'all':
        return this.#everything();
      default:
        return this.#leaf(node, attribute, required);
    }
  }

  async #leaf(leaf: LeafNode, attribute: string | undefined, required: boolean): Promise<Candidates> {
    const kind = vocabularyOf(attribute);
    if (leaf.kind === 'range' || kind === undefined) return this.#anything();
    if (leaf.kind === 'regex') return this.#fragments(kind, regexFragments(leaf));
    if (leaf.kind === 'near') return this.#near(kind, leaf.operands);
    const found = await this.#words(kind, leaf, required);
    // Bare words are all that their vocabulary holds; the words of one attribute are among others there.
    return attribute === undefined ? found : { ...found, sure: this.#empty() };
  }

  async #near(kind: VocabularyKind, operands: readonly NearOperand[]): Promise<Candidates> {
    const { possible } = this.#everything();
    for (const operand of operands) {
      const any = this.#empty();
      for (const leaf of nearLeaves(operand)) any.unite((await this.#words(kind, leaf, false)).possible);
      possible.intersect(any);
    }
    return { sure: this.#empty(), possible };
  }

  async #words(kind: VocabularyKind, leaf: WordLeaf, required: boolean): Promise<Candidates> {
    const readings = this.#source.languages.map((language) => tokenTests(leaf, language));
    const tokens = readings[0]?.length ?? 0;
    if (tokens === 0) return this.#nothing();
    const { possible } = this.#everything();
    let sure = this.#empty();
    for (let token = 0; token < tokens; token++) {
      const found = await this.#token(kind, this.#read(readings, token), required);
      possible.intersect(found.possible);
      sure = found.sure;
    }
    // That words stand in an object does not say that they follow each other.
    return { possible, sure: tokens === 1 ? sure : this.#empty() };
  }

  /** The different tests of one token of a leaf, each with the languages that read it so. */
  #read(readings: readonly (readonly TokenTest[])[], token: number): ReadToken[] {
    const read = new Map<string, { readonly test: TokenTest; readonly languages: Language[] }>();
    for (const [index, language] of this.#source.languages.entries()) {
      const test = readings[index]?.[token] as TokenTest;
      const key = test.errors > 0 ? test.text : (test.term ?? test.text);
      const known = read.get(key);
      if (known === undefined) read.set(key, { test, languages: [language] });
      else known.languages.push(language);
    }
    return [...read.values()];
  }

  /** What matches one of these tests: a match has the token as its language reads it. */
  async #token(kind: VocabularyKind, readings: readonly ReadToken[], required: boolean): Promise<Candidates> {
    const found = this.#nothing();
    const words = new Set<string>();
    let plain = true;
    for (const reading of readings) {
      const isPlain = await this.#reading(kind, reading, found, words);
      if (isPlain === undefined) return this.#anything();
      plain &&= isPlain;
    }
    if (required && plain && words.size <= mostNeeded) this.#needed.push([...words]);
    return found;
  }

  /** Add what one reading finds; whether all its words are written in ASCII, or undefined where nothing can be told. */
  async #reading(
    kind: VocabularyKind,
    { test: asked, languages }: ReadToken,
    found: Candidates,
    words: Set<string>,
  ): Promise<boolean | undefined> {
    const { vocabulary, blockBits } = this.#source;
    const test = vocabularyTest(asked);
    if (test === undefined) return undefined;
    const holds = wordFilter(asked, test);
    // With errors, a term that carries no language may be of an object that reads the word otherwise.
    const exact = test.errors === 0 || languages.length === this.#source.languages.length;
    let plain = true;
    const note = (entry: VocabularyEntry) => {
      for (const one of entry.words) {
        if (test.form !== 'term' && !holds(one.word)) continue;
        words.add(one.word);
        plain &&= one.plain;
      }
      this.#take(found.possible, entry);
      const whole =
        asked.form === 'term' || (asked.form === 'word' && entry.words.every(({ word }) => holds(word)));
      if (whole && exact && blockBits === 0) this.#take(found.sure, entry);
    };
    if (test.form === 'term' && test.place === 'whole' && test.errors === 0)
      for (const entry of await vocabulary.term(kind, test.term ?? test.text)) note(entry);
    else for await (const entry of vocabulary.scan(kind, termFilter(asked, test, languages))) note(entry);
    return plain;
  }

  async #fragments(kind: VocabularyKind, fragments: readonly string[] | undefined): Promise<Candidates> {
    if (fragments === undefined) return this.#anything();
    const found = this.#nothing();
    const wanted = (_term: string, words: readonly string[]) =>
      words.some((word) => fragments.some((fragment) => word.includes(fragment)) || isCut(word));
    for await (const entry of this.#source.vocabulary.scan(kind, wanted)) this.#take(found.possible, entry);
    return found;
  }

  #take(bits: ObjectBits, { blocks }: VocabularyEntry): void {
    const { blockBits } = this.#source;
    const objects = 1 << blockBits;
    for (const block of blocks)
      for (let docno = block * objects; docno < (block + 1) * objects; docno++) bits.add(docno);
  }

  #empty(): ObjectBits {
    return new ObjectBits(this.#source.size);
  }

  #nothing(): Candidates {
    return { sure: this.#empty(), possible: this.#empty() };
  }

  #everything(): Candidates {
    return { sure: this.#source.alive(), possible: this.#source.alive() };
  }

  #anything(): Candidates {
    return { sure: this.#empty(), possible: this.#source.alive() };
  }
}
