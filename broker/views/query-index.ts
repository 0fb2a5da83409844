import {
  attributesOf,
  compileQuery,
  ObjectTerms,
  type QueryNode,
  requiredWords,
  type WordPlace,
} from '../../query/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import { TermRarity } from './term-rarity.ts';
import { WordNumbers } from './word-numbers.ts';

/** Queries kept parsed, those asked last. */
const maxParsed = 16_384;

/** An index is not made anew for fewer removals. */
const fewRemoved = 1000;

/** A standing query as it is kept: where it is looked up, and what else must be there before it is asked. */
interface Standing {
  readonly number: number;
  /** Numbers of words under which it stands; undefined among those that are always asked. */
  readonly under: readonly number[] | undefined;
  /** Numbers of words that every match has as well. */
  readonly also: readonly number[];
  /** Whether an object that has them matches. */
  readonly isAll: boolean;
}

/** What became of one object. */
export interface QueryMatches {
  readonly matched: readonly number[];
  /** Queries found by the object's terms and those that are always asked. */
  readonly candidates: number;
  /** Candidates whose other required words were there too. */
  readonly evaluated: number;
  /** Of these, how many were asked node by node, since there is more to them than required terms. */
  readonly asked: number;
  /** Of these, how many had to read the object's text, since terms alone did not decide. */
  readonly read: number;
}

/**
 * Which of very many standing queries an object matches, without asking most of them. Each query stands under the
 * rarest of the words that it requires; an object's own terms find the queries that may match, those that lack another
 * required word are passed over, and the rest are asked exactly as `compileQuery` would answer.
 */
export class QueryIndex {
  readonly #treeOf: (number: number) => QueryNode;
  readonly #standing = new Map<number, Standing>();
  readonly #numbers = new WordNumbers();
  /** Queries by the number of the word under which they stand. */
  readonly #under: Standing[][] = [];
  readonly #always = new Set<Standing>();
  /** By the number of a word, the last object that had it: its place in the order of objects. */
  #marks = new Uint32Array(1024);
  #object = 0;
  readonly #attributes = new Map<string, number>();
  readonly #parsed = new Map<
    number,
    { readonly tree: QueryNode; holds?: (object: SummaryObject) => boolean }
  >();
  readonly rarity = new TermRarity();
  #removed = 0;

  /** `treeOf` gives the query of a number; it is asked again when the parsed one was dropped. */
  constructor(treeOf: (number: number) => QueryNode) {
    this.#treeOf = treeOf;
  }

  get size(): number {
    return this.#standing.size;
  }

  /** How many queries have no required term and are asked of every object. */
  get always(): number {
    return this.#always.size;
  }

  /** Whether a query requires a term, so that it is not asked of every object. */
  isIndexed(query: QueryNode): boolean {
    return requiredWords(query, () => 1).anyOf !== undefined;
  }

  add(number: number, query: QueryNode): void {
    const { anyOf, allOf, isAll } = requiredWords(query, (place) => this.rarity.of(place));
    const under = anyOf?.map((place) => this.#numberOf(place));
    const standing = { number, under, also: allOf.map((place) => this.#numberOf(place)), isAll };
    this.#standing.set(number, standing);
    if (under === undefined) this.#always.add(standing);
    else for (const term of under) (this.#under[term] as Standing[]).push(standing);
    for (const name of new Set(attributesOf(query)))
      this.#attributes.set(name, (this.#attributes.get(name) ?? 0) + 1);
  }

  remove(number: number): void {
    const standing = this.#standing.get(number);
    if (standing === undefined) return;
    this.#standing.delete(number);
    this.#always.delete(standing);
    for (const name of new Set(attributesOf(this.#treeOf(number)))) {
      const left = (this.#attributes.get(name) ?? 1) - 1;
      if (left === 0) this.#attributes.delete(name);
      else this.#attributes.set(name, left);
    }
    this.#parsed.delete(number);
    for (const term of standing.under ?? []) {
      const list = this.#under[term] as Standing[];
      list.splice(list.indexOf(standing), 1);
    }
    // Terms that no query requires any more are left behind until there are too many of them.
    if (++this.#removed > this.#standing.size + fewRemoved) this.#rebuild();
  }

  match(object: SummaryObject): QueryMatches {
    const terms = new ObjectTerms(object, new Set(this.#attributes.keys()));
    this.rarity.note(terms);
    const present = this.#mark(terms);
    const matched: number[] = [];
    let [candidates, evaluated, asked, read] = [0, 0, 0, 0];
    // Those that stand under several terms come once for each that is there.
    const seen = new Set<Standing>();
    const consider = (standing: Standing): void => {
      const { number, under, also, isAll } = standing;
      if (under !== undefined && under.length > 1) {
        if (seen.has(standing)) return;
        seen.add(standing);
      }
      candidates++;
      for (const term of also) if (this.#marks[term] !== this.#object) return;
      evaluated++;
      if (isAll) {
        matched.push(number);
        return;
      }
      asked++;
      const parsed = this.#parsedOf(number);
      let holds = terms.judge(parsed.tree);
      if (holds === undefined) {
        read++;
        parsed.holds ??= compileQuery(parsed.tree);
        holds = parsed.holds(object);
      }
      if (holds) matched.push(number);
    };
    for (const standing of this.#always) consider(standing);
    for (const term of present) for (const standing of this.#under[term] as Standing[]) consider(standing);
    return { matched, candidates, evaluated, asked, read };
  }

  /** Mark the words of the object that some query requires; their numbers. */
  #mark(terms: ObjectTerms): readonly number[] {
    if (this.#marks.length < this.#under.length) {
      const longer = new Uint32Array(this.#under.length * 2);
      longer.set(this.#marks);
      this.#marks = longer;
    }
    // After four thousand million objects the count begins anew.
    if (this.#object === 0xffff_ffff) {
      this.#marks.fill(0);
      this.#object = 0;
    }
    this.#object++;
    const present: number[] = [];
    this.#numbers.visit(terms, (number) => {
      this.#marks[number] = this.#object;
      present.push(number);
    });
    return present;
  }

  #rebuild(): void {
    const numbers = [...this.#standing.keys()];
    this.#removed = 0;
    this.#under.length = 0;
    for (const kept of [this.#standing, this.#numbers, this.#always, this.#attributes]) kept.clear();
    for (const number of numbers) this.add(number, this.#treeOf(number));
  }

  #numberOf(place: WordPlace): number {
    const number = this.#numbers.of(place);
    this.#under[number] ??= [];
    return number;
  }

  #parsedOf(number: number) {
    const parsed = this.#parsed.get(number) ?? { tree: this.#treeOf(number) };
    this.#parsed.delete(number);
    this.#parsed.set(number, parsed);
    if (this.#parsed.size > maxParsed) this.#parsed.delete(this.#parsed.keys().next().value as number);
    return parsed;
  }
}
