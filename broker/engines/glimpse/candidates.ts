import {
  type Language,
  type LeafNode,
  type NearNode,
  nearLeaves,
  type QueryNode,
  type RegexLiterals,
  regexLiterals,
  type TokenTest,
  termParts,
  tokenTests,
  type WordLeaf,
} from '../../../query/index.ts';
import { DocBits } from '../model/doc-bits.ts';
import { isCut, vocabularyTest } from '../vocabulary/form-filter.ts';
import type { ObjectList } from './object-lists.ts';
import type { Placed, PlacedRun, PlacedToken, PlaceSearch, ReadToken } from './place-search.ts';
import type { VocabularyEntry } from './vocabulary-block.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';
import { type VocabularyKind, vocabularyOf } from './vocabulary-writer.ts';
import { fragmentFilter, textFilter, wordFilter } from './word-filter.ts';

/** The index's answer to a query: docnos that match for certain, and those that may match. */
export interface Candidates {
  readonly sure: DocBits;
  /** All matches are among these, including the sure ones. */
  readonly possible: DocBits;
}

export interface CandidateSource {
  readonly vocabulary: VocabularyReader;
  /** The languages of the objects. */
  readonly languages: readonly Language[];
  /** Docnos are below this. */
  readonly size: number;
  readonly alive: () => DocBits;
  /** Finds words by their places in objects, when the index has places. */
  readonly places?: PlaceSearch | undefined;
}

/** A leaf's candidates and, if the index knows all words of its tokens, the run of these words. */
interface WordCandidates extends Candidates {
  readonly run: PlacedRun | undefined;
}

/** More words are not searched for in bytes, because reading the object costs no more. */
const maxNeeded = 32;

/** Finds candidates by the words of blocks of objects (Manber and Wu 1994). */
export class CandidateSearch {
  readonly #source: CandidateSource;
  readonly #needed: (readonly string[])[] = [];

  constructor(source: CandidateSource) {
    this.#source = source;
  }

  /** Groups of words. Each match of the query contains a word of each group, in ASCII letters of any case. */
  get needed(): readonly (readonly string[])[] {
    return this.#needed;
  }

  /** The index's answer for objects `within`. `required`: every match must match this node. */
  async of(
    node: QueryNode,
    attribute?: string,
    required = true,
    within: DocBits = this.#source.alive(),
  ): Promise<Candidates> {
    switch (node.kind) {
      case 'attribute':
        return this.of(node.operand, node.name.toLowerCase(), required, within);
      case 'and': {
        const all = this.#everything();
        all.possible.intersect(within);
        // Words are evaluated first, because they leave fewer objects whose places must be read.
        const cost = ({ kind }: QueryNode) => (kind === 'word' ? 0 : kind === 'not' ? 2 : 1);
        for (const operand of [...node.operands].sort((a, b) => cost(a) - cost(b))) {
          const { sure, possible } = await this.of(operand, attribute, required, all.possible);
          all.sure.intersect(sure);
          all.possible.intersect(possible);
        }
        return all;
      }
      case 'or': {
        const any = this.#nothing();
        for (const operand of node.operands) {
          const { sure, possible } = await this.of(operand, attribute, false, within);
          any.sure.unite(sure);
          any.possible.unite(possible);
        }
        return any;
      }
      case 'not': {
        const without = await this.of(node.operand, attribute, false, within);
        const { sure, possible } = this.#everything();
        sure.subtract(without.possible);
        possible.subtract(without.sure);
        return { sure, possible };
      }
      case 'all':
        return this.#everything();
      default:
        return this.#leaf(node, attribute, required, within);
    }
  }

  async #leaf(
    leaf: LeafNode,
    attribute: string | undefined,
    required: boolean,
    within: DocBits,
  ): Promise<Candidates> {
    const kind = vocabularyOf(attribute);
    if (leaf.kind === 'range' || kind === undefined) return this.#anything();
    if (leaf.kind === 'regex') return this.#literals(kind, regexLiterals(leaf));
    if (leaf.kind === 'near') return this.#near(kind, attribute, leaf, within);
    const { run, ...found } = await this.#words(kind, leaf, required);
    // The vocabulary of bare words holds no others. In that of one attribute there are words of others too.
    const known = attribute === undefined ? found : { ...found, sure: this.#empty() };
    return run === undefined ? known : this.#placed({ kind, attribute, runs: [run] }, known, within);
  }

  async #near(
    kind: VocabularyKind,
    attribute: string | undefined,
    { operands, distance }: NearNode,
    within: DocBits,
  ): Promise<Candidates> {
    const { possible } = this.#everything();
    const sides: PlacedRun[][] = [];
    let isWhole = true;
    for (const operand of operands) {
      const any = this.#empty();
      const runs: PlacedRun[] = [];
      for (const leaf of nearLeaves(operand)) {
        const found = await this.#words(kind, leaf, false);
        any.unite(found.possible);
        if (found.run === undefined) isWhole = false;
        else runs.push(found.run);
      }
      possible.intersect(any);
      sides.push(runs);
    }
    const found = { sure: this.#empty(), possible };
    const [runs = [], others = []] = sides;
    if (!isWhole) return found;
    return this.#placed({ kind, attribute, runs, near: { runs: others, distance } }, found, within);
  }

  /** The candidates that remain after a check of the words' places, as far as the index has them. */
  async #placed(placed: Placed, { sure, possible }: Candidates, within: DocBits): Promise<Candidates> {
    const { places } = this.#source;
    if (places === undefined) return { sure, possible };
    possible.intersect(within);
    const open = this.#empty();
    open.unite(possible);
    open.subtract(sure);
    const { matching, doubtful } = await places.of(placed, open.docnos());
    for (const docno of matching) sure.add(docno);
    const left = this.#empty();
    left.unite(sure);
    for (const docno of doubtful) left.add(docno);
    return { sure, possible: left };
  }

  async #words(kind: VocabularyKind, leaf: WordLeaf, required: boolean): Promise<WordCandidates> {
    const readings = this.#source.languages.map((language) => tokenTests(leaf, language));
    const tokens = readings[0]?.length ?? 0;
    if (tokens === 0) return { ...this.#nothing(), run: [] };
    const { possible } = this.#everything();
    let sure = this.#empty();
    const run: PlacedToken[] = [];
    for (let token = 0; token < tokens; token++) {
      const read = this.#read(readings, token);
      const terms = new Set<string>();
      const found = await this.#token(kind, read, required, terms);
      possible.intersect(found.possible);
      sure = found.sure;
      if (found.isKnown) run.push({ readings: read, terms });
    }
    // That words occur in an object does not mean that they follow each other.
    return {
      ...{ possible, sure: tokens === 1 ? sure : this.#empty() },
      run: run.length === tokens ? run : undefined,
    };
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

  /** Candidates for one of these tests, each token read in its object's language. Adds to `terms`. */
  async #token(
    kind: VocabularyKind,
    readings: readonly ReadToken[],
    required: boolean,
    terms: Set<string>,
  ): Promise<Candidates & { readonly isKnown: boolean }> {
    const found = this.#nothing();
    const words = new Set<string>();
    let plain = true;
    for (const reading of readings) {
      const isPlain = await this.#reading(kind, reading, found, words, terms);
      if (isPlain === undefined) return { ...this.#anything(), isKnown: false };
      plain &&= isPlain;
    }
    if (required && plain && words.size <= maxNeeded) this.#needed.push([...words]);
    return { ...found, isKnown: true };
  }

  /** Add a reading's candidates. Returns whether all its words are ASCII, or undefined if unknown. */
  async #reading(
    kind: VocabularyKind,
    { test: wanted, languages }: ReadToken,
    found: Candidates,
    words: Set<string>,
    terms: Set<string>,
  ): Promise<boolean | undefined> {
    const { vocabulary } = this.#source;
    const test = vocabularyTest(wanted);
    if (test === undefined) return undefined;
    const holds = wordFilter(wanted, test);
    // With errors, a term without a language may be of an object that reads the word otherwise.
    const isRead = test.errors === 0 || languages.length === this.#source.languages.length;
    const ifRead = this.#empty();
    let plain = true;
    const note = (entry: VocabularyEntry) => {
      terms.add(entry.term);
      for (const one of entry.words) {
        if (test.form !== 'term' && !holds(one.word)) continue;
        words.add(one.word);
        plain &&= one.plain;
      }
      this.#take(found.possible, entry.list);
      const whole =
        wanted.form === 'term' || (wanted.form === 'word' && entry.words.every(({ word }) => holds(word)));
      if (!whole || entry.list.blockBits > 0) return;
      this.#take(isRead || termParts(entry.term)[0] !== '' ? found.sure : ifRead, entry.list);
    };
    const hasTerm = test.form === 'term' || test.own !== undefined;
    if (hasTerm && test.place === 'whole' && test.errors === 0)
      for (const entry of await vocabulary.term(kind, test.term ?? test.text)) note(entry);
    else for await (const entry of vocabulary.scan(kind, textFilter(wanted, test, languages))) note(entry);
    if (!isRead) {
      const inLanguages = this.#empty();
      for await (const list of vocabulary.objectsIn(languages)) this.#take(inLanguages, list);
      ifRead.intersect(inLanguages);
      found.sure.unite(ifRead);
    }
    return plain;
  }

  async #literals(kind: VocabularyKind, literals: RegexLiterals | undefined): Promise<Candidates> {
    if (literals === undefined) return this.#anything();
    const holders = new Map(literals.pieces.map((piece) => [piece, this.#empty()]));
    const held = (piece: string, words: readonly string[]) =>
      words.some((word) => word.includes(piece) || isCut(word));
    for await (const entry of this.#source.vocabulary.scan(kind, fragmentFilter(literals.pieces))) {
      const words = entry.words.map(({ word }) => word);
      for (const [piece, bits] of holders) if (held(piece, words)) this.#take(bits, entry.list);
    }
    const copied = (bits: DocBits, join: (copy: DocBits) => void) => {
      const copy = bits.copy();
      join(copy);
      return copy;
    };
    const possible = literals.combine((piece) => holders.get(piece), {
      intersect: (a, b) => copied(a, (copy) => copy.intersect(b)),
      unite: (a, b) => copied(a, (copy) => copy.unite(b)),
    });
    return possible === undefined ? this.#anything() : { sure: this.#empty(), possible };
  }

  #take(bits: DocBits, { blockBits, blocks }: ObjectList): void {
    const objects = 1 << blockBits;
    for (const block of blocks)
      for (let docno = block * objects; docno < (block + 1) * objects; docno++) bits.add(docno);
  }

  #empty(): DocBits {
    return new DocBits(this.#source.size);
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
