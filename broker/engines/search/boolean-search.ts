import {
  isSearchedByBareWords,
  isWhole,
  type Language,
  type LeafNode,
  leafVariants,
  leafWords,
  type PhraseNode,
  type QueryNode,
  type RangeNode,
  readRange,
  regexLiterals,
  type TextLeaf,
  type WordNode,
} from '../../../query/index.ts';
import { baseName } from '../../../soif/index.ts';
import { readStarts } from '../codecs/position-codec.ts';
import { allField, fieldOf, valuesField } from '../index-database/index-fields.ts';
import { DocBits } from '../model/doc-bits.ts';
import { intersect, subtract, unite, uniteAll } from '../model/doc-set.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import type { TermFinder } from '../vocabulary/term-finder.ts';
import { isFiled, kindsOf, rangesOver, valueTerm } from '../vocabulary/value-terms.ts';
import { ObjectVerifier, type VerifiedObjects } from './object-verifier.ts';
import { type IndexAnswer, WordSearch } from './word-search.ts';

/** The inputs for the evaluation of a boolean query. */
export interface BooleanSource extends VerifiedObjects {
  readonly reader: PostingReader;
  readonly finder: TermFinder;
  readonly languages: readonly Language[];
  /** Every living docno, ascending. */
  readonly alive: () => Uint32Array;
  readonly signal: AbortSignal | undefined;
}

/** More than any index has. */
const max = 2 ** 32;

/** The answer when nothing is known of any object. */
const undecided: IndexAnswer = { sure: new Uint32Array(), possible: undefined };

/**
 * Evaluates a query tree over postings. Parts of a leaf that these do not decide are read in the stored
 * objects. Sets may contain dead docnos (the caller drops them). Results outside `within` are unspecified.
 */
export class BooleanSearch {
  readonly #source: BooleanSource;
  readonly #verifier: ObjectVerifier;
  readonly #searches = new Map<number, WordSearch>();

  constructor(source: BooleanSource) {
    this.#source = source;
    this.#verifier = new ObjectVerifier(source);
  }

  /** The docnos that match, ascending; correct only for those in `within`. `isRefused`: in a NOT. */
  async evaluate(
    node: QueryNode,
    attribute?: string,
    within?: Uint32Array,
    isRefused = false,
  ): Promise<Uint32Array> {
    this.#source.signal?.throwIfAborted();
    switch (node.kind) {
      case 'attribute':
        return this.evaluate(node.operand, node.name.toLowerCase(), within, isRefused);
      case 'and':
        return this.#and(node.operands, attribute, within, isRefused);
      case 'or':
        return uniteAll(await this.#each(node.operands, attribute, within, isRefused));
      case 'not':
        return subtract(
          within ?? this.#source.alive(),
          await this.evaluate(node.operand, attribute, within, !isRefused),
        );
      case 'all':
        return within ?? this.#source.alive();
      default:
        return this.#leaf(node, attribute, within, isRefused);
    }
  }

  /** 0 for nodes that postings answer, more for a search of the vocabulary, most for reading objects. */
  #cost(node: QueryNode, attribute: string | undefined): number {
    switch (node.kind) {
      case 'attribute':
        return this.#cost(node.operand, node.name.toLowerCase());
      case 'and':
      case 'or':
        return Math.max(0, ...node.operands.map((operand) => this.#cost(operand, attribute)));
      case 'not':
        return this.#cost(node.operand, attribute) + 1;
      case 'all':
        return 0;
      case 'regex':
        return 6;
      case 'range':
        return 3;
      default:
        if (attribute !== undefined && fieldOf(attribute) === undefined) return 6;
        return (node.kind === 'word' || node.kind === 'phrase') && this.#isIndexed(node) ? 0 : 3;
    }
  }

  /** Objects of a plain word, as far as lists in memory show. The rarest word first leaves the fewest. */
  #size(node: QueryNode, attribute: string | undefined): number {
    if (node.kind === 'attribute') return this.#size(node.operand, node.name.toLowerCase());
    const field = attribute === undefined ? allField : fieldOf(attribute);
    if (node.kind !== 'word' || field === undefined || !isWhole(node)) return max;
    const { reader, languages } = this.#source;
    let size = 0;
    for (const [term = '', ...more] of leafVariants(node, languages))
      size += (more.length > 0 ? undefined : reader.held(field, term)?.docnos.length) ?? max;
    return Math.min(size, max);
  }

  async #each(
    operands: readonly QueryNode[],
    attribute: string | undefined,
    within: Uint32Array | undefined,
    isRefused: boolean,
  ) {
    const sets: Uint32Array[] = [];
    for (const operand of operands) sets.push(await this.evaluate(operand, attribute, within, isRefused));
    return sets;
  }

  /** Conditions that postings answer narrow those that need reading. Exclusions come after inclusions. */
  async #and(
    operands: readonly QueryNode[],
    attribute: string | undefined,
    within: Uint32Array | undefined,
    isRefused: boolean,
  ) {
    const costs = new Map(operands.map((operand) => [operand, this.#cost(operand, attribute)]));
    const costOf = (operand: QueryNode) => costs.get(operand) as number;
    const sizes = new Map(operands.map((operand) => [operand, this.#size(operand, attribute)]));
    const sizeOf = (operand: QueryNode) => sizes.get(operand) as number;
    let found = within;
    for (const operand of [...operands].sort((a, b) => costOf(a) - costOf(b) || sizeOf(a) - sizeOf(b))) {
      const set = await this.evaluate(operand, attribute, found, isRefused);
      found = found === undefined ? set : intersect(found, set);
      if (found.length === 0) break;
    }
    return found ?? this.#source.alive();
  }

  /** Whether a word or phrase is answered by the lists of its terms alone. */
  #isIndexed(leaf: WordNode | PhraseNode): boolean {
    // It has the same number of terms in every language.
    return isWhole(leaf) && (leafWords(leaf).length < 2 || this.#source.reader.hasPositions);
  }

  async #leaf(
    leaf: LeafNode,
    attribute: string | undefined,
    within: Uint32Array | undefined,
    isRefused: boolean,
  ): Promise<Uint32Array> {
    const { sure, possible } = await this.#answerTo(leaf, attribute, within);
    if (possible === sure) return sure;
    const candidates = possible ?? this.#source.alive();
    const open = within === undefined ? candidates : intersect(candidates, within);
    return unite(sure, await this.#verifier.matching(leaf, attribute, subtract(open, sure), isRefused));
  }

  async #answerTo(
    leaf: LeafNode,
    attribute: string | undefined,
    within: Uint32Array | undefined,
  ): Promise<IndexAnswer> {
    if (leaf.kind === 'range') {
      const { reader, signal } = this.#source;
      return (attribute && (await rangeMatches(leaf, attribute, reader, signal))) || undecided;
    }
    const own = attribute === undefined ? allField : fieldOf(attribute);
    if (own !== undefined) return this.#knownBy(own, leaf, within);
    if (attribute === undefined || !isSearchedByBareWords(attribute)) return undecided;
    // Bare words cover the attribute: its own matches are among theirs.
    return { ...undecided, possible: (await this.#knownBy(allField, leaf, within)).possible };
  }

  async #knownBy(field: number, leaf: TextLeaf, within: Uint32Array | undefined): Promise<IndexAnswer> {
    switch (leaf.kind) {
      case 'regex': {
        const literals = regexLiterals(leaf);
        return literals === undefined ? undecided : this.#search(field).literals(literals);
      }
      case 'near':
        return this.#search(field).near(leaf, within);
      case 'prefix':
      case 'sequence':
        return this.#search(field).run(leaf, within);
      default: {
        if (!isWhole(leaf)) return this.#search(field).run(leaf, within);
        const docnos = await this.#indexed(field, leaf, within);
        return { sure: this.#isIndexed(leaf) ? docnos : undecided.sure, possible: docnos };
      }
    }
  }

  #search(field: number): WordSearch {
    const known = this.#searches.get(field) ?? new WordSearch(this.#source, field);
    this.#searches.set(field, known);
    return known;
  }

  async #indexed(
    field: number,
    leaf: WordNode | PhraseNode,
    within: Uint32Array | undefined,
  ): Promise<Uint32Array> {
    const { reader, languages } = this.#source;
    const sets = leafVariants(leaf, languages).map(async (terms) => {
      if (terms.length === 1) {
        const { docnos } = await reader.postings(field, terms[0] as string);
        return within !== undefined && within.length < docnos.length ? intersect(within, docnos) : docnos;
      }
      return reader.hasPositions
        ? phraseDocnos(reader, field, terms, within)
        : (await docnosOfAll(reader, field, terms, within)).docnos;
    });
    return uniteAll(await Promise.all(sets));
  }
}

/** The index's answer to a range over an attribute (lower-case); undefined for text and names not filed. */
async function rangeMatches(
  leaf: RangeNode,
  attribute: string,
  reader: PostingReader,
  signal: AbortSignal | undefined,
): Promise<IndexAnswer | undefined> {
  const { reading, span } = readRange(leaf, attribute);
  const base = baseName(attribute);
  if (reading === 'text' || span === undefined || !isFiled(base)) return undefined;
  const { low, high, lowOpen, highOpen } = span;
  const bits = new DocBits(reader.lastDocno + 1);
  for (const kind of low <= high ? kindsOf[reading] : []) {
    const [first, last] = [valueTerm(base, kind, low), valueTerm(base, kind, high)];
    for (const range of rangesOver(base, kind, span))
      await reader.sweepRange(
        valuesField,
        range,
        (term, { docnos }) => {
          if ((lowOpen && term === first) || (highOpen && term === last)) return;
          for (const docno of docnos) bits.add(docno);
        },
        { signal },
      );
  }
  const possible = bits.docnos();
  // Numbered attributes (`Author-2`) are filed with the others of their name.
  return { sure: base === attribute ? possible : new Uint32Array(), possible };
}

/**
 * The docnos in which the terms follow each other in a field, among `within`. Positions are read term by
 * term, rarest first, and only of objects that are still possible.
 */
async function phraseDocnos(
  reader: PostingReader,
  field: number,
  terms: readonly string[],
  within: Uint32Array | undefined,
): Promise<Uint32Array> {
  const { order, docnos: together } = await docnosOfAll(reader, field, terms, within);
  let docnos = together;
  if (docnos.length === 0) return docnos;
  let starts: (number[] | undefined)[] | undefined;
  for (const index of order) {
    const possible: Uint32Array = docnos;
    const found = new Array<number[] | undefined>(possible.length);
    for (const stored of await reader.positions(field, terms[index] as string))
      readStarts(stored, possible, index, starts, found);
    const remaining: number[] = [];
    for (const [at, list] of found.entries()) if (list !== undefined) remaining.push(at);
    docnos = Uint32Array.from(remaining, (at) => possible[at] as number);
    starts = remaining.map((at) => found[at]);
    if (docnos.length === 0) break;
  }
  return docnos;
}

/** The docnos that have all the terms, in any order, and the terms' places, rarest first. */
async function docnosOfAll(
  reader: PostingReader,
  field: number,
  terms: readonly string[],
  within: Uint32Array | undefined,
): Promise<{ readonly docnos: Uint32Array; readonly order: readonly number[] }> {
  const postings = await Promise.all(terms.map((term) => reader.postings(field, term)));
  const lengthOf = (index: number) => postings[index]?.docnos.length ?? 0;
  const order = terms.map((_, index) => index).sort((a, b) => lengthOf(a) - lengthOf(b));
  let docnos = within;
  for (const index of order) {
    const own = postings[index]?.docnos ?? new Uint32Array();
    docnos = docnos === undefined ? own : intersect(docnos, own);
    if (docnos.length === 0) break;
  }
  return { docnos: docnos ?? new Uint32Array(), order };
}
