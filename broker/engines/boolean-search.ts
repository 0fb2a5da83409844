import { failure } from '../../kernel/index.ts';
import {
  compileQuery,
  isPlain,
  isSearchedByBareWords,
  type Language,
  type LeafNode,
  leafVariants,
  leafWords,
  type NearOperand,
  type PhraseNode,
  printQuery,
  type QueryNode,
  StepBudget,
  tellingParts,
  type WordNode,
} from '../../query/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import type { ReadCount } from '../search-engine.ts';
import { intersect, subtract, uniteAll } from './doc-set.ts';
import { engineErrors } from './errors.ts';
import { allField, fieldOf } from './index-fields.ts';
import { docnosOfAll, phraseDocnos } from './phrase-search.ts';
import type { PostingReader } from './posting-reader.ts';

/** What a boolean query is answered from. */
export interface BooleanSource {
  readonly reader: PostingReader;
  /** The languages of the objects. */
  readonly languages: readonly Language[];
  /** That of objects which tell none. */
  readonly fallback: Language;
  /** Every living docno, ascending. */
  readonly alive: () => Uint32Array;
  readonly isAlive: (docno: number) => boolean;
  /** The stored objects of these docnos, for leaves that postings do not answer. */
  readonly objectsOf: (docnos: Uint32Array) => AsyncIterable<readonly [docno: number, object: SummaryObject]>;
  /** How many objects one query may read. */
  readonly maxObjectsRead: number;
  /** What the question has read already, by this query and others. */
  readonly reads: ReadCount;
}

/** Queries that may read as much as one may, of all that are tried for one question. */
export const mostWideTrials = 3;

/**
 * Evaluates a query tree over postings. Sets may hold dead docnos (the caller drops them); what is not looked at,
 * because it lies outside `within`, is unspecified.
 */
export class BooleanSearch {
  readonly #source: BooleanSource;
  #objectsRead = 0;
  readonly #budget = new StepBudget();

  constructor(source: BooleanSource) {
    this.#source = source;
  }

  /** The docnos that match, ascending; right for those in `within` when it is given. */
  async evaluate(node: QueryNode, attribute?: string, within?: Uint32Array): Promise<Uint32Array> {
    switch (node.kind) {
      case 'attribute':
        return this.evaluate(node.operand, node.name.toLowerCase(), within);
      case 'and':
        return this.#and(node.operands, attribute, within);
      case 'or':
        return uniteAll(await this.#each(node.operands, attribute, within));
      case 'not':
        return subtract(within ?? this.#source.alive(), await this.evaluate(node.operand, attribute, within));
      case 'all':
        return within ?? this.#source.alive();
      default:
        return this.#leaf(node, attribute, within);
    }
  }

  /** Whether some leaf under this node can only be answered by reading objects. */
  #readsObjects(node: QueryNode, attribute?: string): boolean {
    switch (node.kind) {
      case 'word':
      case 'phrase':
        if (!isPlain(node) || (attribute !== undefined && fieldOf(attribute) === undefined)) return true;
        return !this.#source.reader.hasPositions && leafWords(node).length > 1;
      case 'attribute':
        return this.#readsObjects(node.operand, node.name.toLowerCase());
      case 'and':
      case 'or':
        return node.operands.some((operand) => this.#readsObjects(operand, attribute));
      case 'not':
        return this.#readsObjects(node.operand, attribute);
      case 'all':
        return false;
      default:
        return true;
    }
  }

  async #each(
    operands: readonly QueryNode[],
    attribute: string | undefined,
    within: Uint32Array | undefined,
  ) {
    const sets: Uint32Array[] = [];
    for (const operand of operands) sets.push(await this.evaluate(operand, attribute, within));
    return sets;
  }

  /** What postings can say narrows what has to be read; exclusions come after inclusions. */
  async #and(operands: readonly QueryNode[], attribute: string | undefined, within: Uint32Array | undefined) {
    const cost = (operand: QueryNode) =>
      (this.#readsObjects(operand, attribute) ? 2 : 0) + (operand.kind === 'not' ? 1 : 0);
    let found = within;
    for (const operand of [...operands].sort((a, b) => cost(a) - cost(b))) {
      const set = await this.evaluate(operand, attribute, found);
      found = found === undefined ? set : intersect(found, set);
      if (found.length === 0) break;
    }
    return found ?? this.#source.alive();
  }

  async #leaf(
    leaf: LeafNode,
    attribute: string | undefined,
    within: Uint32Array | undefined,
  ): Promise<Uint32Array> {
    if ((leaf.kind === 'word' || leaf.kind === 'phrase') && isPlain(leaf)) {
      const field = attribute === undefined ? allField : fieldOf(attribute);
      // Every language has as many terms of it.
      const told = leafWords(leaf).length < 2 || this.#source.reader.hasPositions;
      if (field !== undefined && told) return this.#indexed(field, leaf, within);
    }
    const candidates = (await this.#candidates(leaf, attribute, within)) ?? this.#source.alive();
    return this.#readObjects(
      leaf,
      attribute,
      within === undefined ? candidates : intersect(candidates, within),
    );
  }

  /** Docnos among which all matches of a leaf are, by its words that stand in the index; undefined: any may be one. */
  async #candidates(
    leaf: LeafNode | NearOperand,
    attribute: string | undefined,
    within: Uint32Array | undefined,
  ): Promise<Uint32Array | undefined> {
    switch (leaf.kind) {
      case 'word':
      case 'phrase':
        return this.#termCandidates(leaf, attribute, within);
      case 'sequence':
        return this.#allOf(tellingParts(leaf), attribute, within);
      case 'near':
        return this.#allOf(leaf.operands, attribute, within);
      case 'or': {
        const sets: Uint32Array[] = [];
        for (const operand of leaf.operands) {
          const set = await this.#candidates(operand, attribute, within);
          if (set === undefined) return undefined;
          sets.push(set);
        }
        return uniteAll(sets);
      }
      default:
        return undefined;
    }
  }

  async #termCandidates(
    leaf: WordNode | PhraseNode,
    attribute: string | undefined,
    within: Uint32Array | undefined,
  ): Promise<Uint32Array | undefined> {
    if (leaf.part === true || (leaf.errors ?? 0) !== 0) return undefined;
    // Bare words cover the attribute: its own matches are among theirs.
    const covering = attribute === undefined || isSearchedByBareWords(attribute) ? allField : undefined;
    const field = (attribute === undefined ? undefined : fieldOf(attribute)) ?? covering;
    return field === undefined ? undefined : this.#indexed(field, leaf, within);
  }

  async #allOf(
    leaves: readonly (LeafNode | NearOperand)[],
    attribute: string | undefined,
    within: Uint32Array | undefined,
  ): Promise<Uint32Array | undefined> {
    let found: Uint32Array | undefined;
    for (const leaf of leaves) {
      const set = await this.#candidates(leaf, attribute, found ?? within);
      if (set !== undefined) found = found === undefined ? set : intersect(found, set);
    }
    return found;
  }

  async #indexed(
    field: number,
    leaf: WordNode | PhraseNode,
    within: Uint32Array | undefined,
  ): Promise<Uint32Array> {
    const { reader, languages } = this.#source;
    const sets = leafVariants(leaf, languages).map(async (terms) => {
      if (terms.length === 1) return (await reader.postings(field, terms[0] as string)).docnos;
      return reader.hasPositions
        ? phraseDocnos(reader, field, terms, within)
        : (await docnosOfAll(reader, field, terms, within)).docnos;
    });
    return uniteAll(await Promise.all(sets));
  }

  async #readObjects(
    leaf: LeafNode,
    attribute: string | undefined,
    candidates: Uint32Array,
  ): Promise<Uint32Array> {
    const living = candidates.filter((docno) => this.#source.isAlive(docno));
    const { maxObjectsRead: limit, reads } = this.#source;
    this.#objectsRead += living.length;
    if (this.#objectsRead > limit || reads.objects + living.length > mostWideTrials * limit) {
      const part: QueryNode =
        attribute === undefined ? leaf : { kind: 'attribute', name: attribute, operand: leaf };
      throw failure(engineErrors.ENGINE_QUERY_TOO_WIDE, { part: printQuery(part), limit });
    }
    reads.objects += living.length;
    const matches = compileQuery(leaf, attribute, this.#source.fallback, this.#budget);
    const found: number[] = [];
    for await (const [docno, object] of this.#source.objectsOf(living))
      if (matches(object)) found.push(docno);
    return Uint32Array.from(found);
  }
}
