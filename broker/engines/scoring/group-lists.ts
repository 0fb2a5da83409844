import { isGarnerError } from '../../../kernel/index.ts';
import {
  editsBetween,
  type Language,
  queryErrors,
  type TermGroup,
  type TokenTest,
  termParts,
  wordTester,
} from '../../../query/index.ts';
import { noPostings, type Postings, resolution } from '../codecs/posting-codec.ts';
import { seek } from '../model/doc-set.ts';
import type { TermGroupScore } from '../model/search-engine.ts';
import { nearestSlot, slotWeight } from '../postings/impact.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import type { TermFinder } from '../vocabulary/term-finder.ts';

/** Max terms by which one group ranks: those most similar to the query's. */
const maxGroupTerms = 256;
/** Max groups of one query that rank. */
const maxGroups = 8;

/** Max terms that an explanation names. */
const maxShown = 10;

/** A group as read in each language. */
export type GroupReadings = ReadonlyMap<Language, TermGroup>;

/** A term of a group, and its weight relative to an exact match: 1 or less. */
interface Member {
  readonly term: string;
  readonly likeness: number;
}

export interface GroupSource {
  readonly reader: PostingReader;
  readonly finder: TermFinder;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes posting lists for groups of terms, so that a group ranks like one term: with the value of the best of
 * them, reduced for every error, and the rarity of all together.
 */
export class GroupLists {
  readonly #source: GroupSource;
  readonly #members = new Map<string, Promise<readonly Member[] | undefined>>();

  constructor(source: GroupSource) {
    this.#source = source;
  }

  /** Give the reader a list under the group's name in these fields; false when it cannot be ranked. */
  async file(group: GroupReadings, fields: readonly number[]): Promise<boolean> {
    const [name] = Array.from(group.values(), (one) => one.name);
    if (name === undefined) return false;
    if (!this.#members.has(name) && this.#members.size >= maxGroups) return false;
    const known = this.#members.get(name) ?? this.#expanded(group);
    this.#members.set(name, known);
    const members = await known;
    if (members === undefined) return false;
    for (const field of fields) this.#source.reader.file(field, name, await this.#list(field, members));
    return true;
  }

  /** The terms of a name, and those that an object has in a field; undefined for names of terms. */
  async explain(field: number, name: string, docno: number): Promise<TermGroupScore | undefined> {
    const members = await this.#members.get(name);
    if (members === undefined) return undefined;
    const { reader, signal } = this.#source;
    const found = new Set<string>();
    const terms = members.map(({ term }) => term);
    const visit = (at: number, { docnos }: Postings) => {
      if (docnos[seek(docnos, docno, 0)] === docno) found.add(terms[at] as string);
      return false;
    };
    await reader.sweep(field, terms, { signal, visit });
    return { terms: terms.length, found: terms.filter((term) => found.has(term)).slice(0, maxShown) };
  }

  async #expanded(group: GroupReadings): Promise<readonly Member[] | undefined> {
    const [first] = group.values();
    if (first?.regex !== undefined) return this.#passing(first);
    const tests = new Map<Language, TokenTest>();
    for (const [language, { test }] of group) if (test !== undefined) tests.set(language, test);
    const found = await this.#source.finder.terms(tests);
    if (found === undefined) return undefined;
    const members = [...found.sure, ...found.unsure].map((term) => ({
      term,
      likeness: likeness(term, tests),
    }));
    return members.sort(mostAlike).slice(0, maxGroupTerms);
  }

  /** Terms with words that match the expression, or with pieces of one over several words. */
  async #passing({
    regex,
  }: Extract<TermGroup, { readonly regex: object }>): Promise<readonly Member[] | undefined> {
    const tester = wordTester(regex);
    if (tester === undefined) return undefined;
    try {
      const terms = await this.#source.finder.termsPassing(tester.pieces, tester.passes, maxGroupTerms);
      return terms.map((term) => ({ term, likeness: 1 }));
    } catch (error) {
      if (isGarnerError(error, queryErrors.QUERY_COSTLY)) return undefined;
      throw error;
    }
  }

  async #list(field: number, members: readonly Member[]): Promise<Postings> {
    if (members.length === 0) return noPostings;
    const { reader, signal } = this.#source;
    // The best slot of each docno plus 1; 0 where no term occurs.
    const best = new Uint8Array(reader.lastDocno + 1);
    let occurrences = 0;
    let count = 0;
    const slotsOf = new Map<number, Uint8Array>();
    await reader.sweep(
      field,
      members.map(({ term }) => term),
      {
        signal,
        visit: (at, { docnos, slots, occurrences: times }) => {
          occurrences += times;
          const { likeness: worth } = members[at] as Member;
          const lessened = slotsOf.get(worth) ?? lessenedSlots(worth);
          slotsOf.set(worth, lessened);
          for (let index = 0; index < docnos.length; index++) {
            const docno = docnos[index] as number;
            const slot = (lessened[slots[index] as number] as number) + 1;
            const known = best[docno] as number;
            if (known === 0) count++;
            if (known === 0 || slot < known) best[docno] = slot;
          }
          return false;
        },
      },
    );
    const docnos = new Uint32Array(count);
    const slots = new Uint8Array(count);
    let at = 0;
    for (let docno = 0; docno < best.length; docno++) {
      const slot = best[docno] as number;
      if (slot === 0) continue;
      docnos[at] = docno;
      slots[at++] = slot - 1;
    }
    return { docnos, slots, occurrences };
  }
}

/** For each slot the one with this share of its value. */
const lessenedSlots = (share: number): Uint8Array =>
  Uint8Array.from({ length: resolution }, (_, slot) => nearestSlot(share * (slotWeight[slot] as number)));

/** Only the minimum number of a term's errors matters, not the letters after a prefix or around a part. */
function likeness(term: string, tests: ReadonlyMap<Language, TokenTest>): number {
  const [carried, stem] = termParts(term);
  let best = 0;
  for (const [language, { text, errors, place }] of tests) {
    if (carried !== '' && carried !== language) continue;
    if (place !== 'whole' || errors === 0) return 1;
    best = Math.max(best, 1 / (1 + (editsBetween(text, stem, errors) ?? errors)));
  }
  return best;
}

/** Those most similar to the query first, then the shortest, which are the commonest. */
const mostAlike = (a: Member, b: Member): number =>
  b.likeness - a.likeness || a.term.length - b.term.length || (a.term < b.term ? -1 : 1);
