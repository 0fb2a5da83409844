import { RecentMap } from '../../kernel/index.ts';
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

/** Max parsed queries in memory, the most recently evaluated ones. */
const maxParsed = 16_384;

/** An index is not rebuilt for fewer removals. */
const fewRemoved = 1000;

interface ParsedQuery {
  readonly tree: QueryNode;
  holds?: (object: SummaryObject) => boolean;
}

/** A standing query: the words that find it, and other words that an object must have. */
interface Standing {
  readonly number: number;
  /** Numbers of the words under which it is found; undefined for one that is always evaluated. */
  readonly under: readonly number[] | undefined;
  /** Numbers of words that every match has as well. */
  readonly also: readonly number[];
  /** Whether an object that has them matches. */
  readonly isAll: boolean;
}

export interface QueryMatches {
  readonly matched: readonly number[];
  /** Queries found by the object's terms, and those that are always evaluated. */
  readonly candidates: number;
  /** Candidates whose other required words were there too. */
  readonly evaluated: number;
  /** Of these, the number evaluated node by node, because required terms alone do not decide them. */
  readonly asked: number;
  /** Of these, the number that had to read the object's text, because terms alone did not decide. */
  readonly read: number;
}

/**
 * Finds which of very many standing queries an object matches, without evaluating most of them. Each is
 * stored under the rarest words that it requires. Those that an object's terms find are evaluated like
 * `compileQuery`, unless they lack another required word.
 */
export class QueryIndex {
  readonly #treeOf: (number: number) => QueryNode;
  readonly #standing = new Map<number, Standing>();
  readonly #numbers = new WordNumbers();
  /** Queries by the number of the word under which they are found. */
  readonly #under: Standing[][] = [];
  readonly #always = new Set<Standing>();
  /** For each word's number, the sequence number of the last object with the word. */
  #marks = new Uint32Array(1024);
  #object = 0;
  readonly #attributes = new Map<string, number>();
  readonly #parsed = new RecentMap<number, ParsedQuery>(maxParsed);
  readonly rarity = new TermRarity();
  #removed = 0;

  /** `treeOf` returns the query of a number. It is called again when the parsed query was dropped. */
  constructor(treeOf: (number: number) => QueryNode) {
    this.#treeOf = treeOf;
  }

  get size(): number {
    return this.#standing.size;
  }

  /** Number of queries that require no term and are evaluated for every object. */
  get always(): number {
    return this.#always.size;
  }

  /** Whether a query requires a term, so that it is not evaluated for every object. */
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
    // Terms that no query requires any longer stay until there are too many of them.
    if (++this.#removed > this.#standing.size + fewRemoved) this.#rebuild();
  }

  match(object: SummaryObject): QueryMatches {
    const terms = new ObjectTerms(object, new Set(this.#attributes.keys()));
    this.rarity.note(terms);
    const present = this.#mark(terms);
    const matched: number[] = [];
    let [candidates, evaluated, asked, read] = [0, 0, 0, 0];
    // A query found under several terms comes once for each of them.
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

  /** Mark the words of the object that some query requires. Returns their numbers. */
  #mark(terms: ObjectTerms): readonly number[] {
    if (this.#marks.length < this.#under.length) {
      const longer = new Uint32Array(this.#under.length * 2);
      longer.set(this.#marks);
      this.#marks = longer;
    }
    // After four thousand million objects the count restarts.
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
    for (const map of [this.#standing, this.#numbers, this.#always, this.#attributes]) map.clear();
    for (const number of numbers) this.add(number, this.#treeOf(number));
  }

  #numberOf(place: WordPlace): number {
    const number = this.#numbers.of(place);
    this.#under[number] ??= [];
    return number;
  }

  #parsedOf(number: number): ParsedQuery {
    const known = this.#parsed.get(number);
    if (known !== undefined) return known;
    const parsed: ParsedQuery = { tree: this.#treeOf(number) };
    this.#parsed.set(number, parsed);
    return parsed;
  }
}
