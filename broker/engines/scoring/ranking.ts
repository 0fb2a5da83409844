import {
  isSearchedByBareWords,
  type Language,
  positiveLeaves,
  type QueryNode,
  type TermGroup,
} from '../../../query/index.ts';
import { allField, fieldOf, titleField } from '../index-database/index-fields.ts';
import type { TermFrequencies, TermFrequency } from '../postings/term-frequencies.ts';
import type { GroupLists } from './group-lists.ts';

/** The weight of a title's own match beside that of the whole object. */
export const titleWeight = 0.2;

/** The max weight of a word's typed form beside that of its stem: that of a query of one word. */
export const maxTypedWeight = 1;
/** That of a query of two words, and the max of longer ones. */
export const pairTypedWeight = 0.4;

/**
 * The weight of the typed form of each of so many words. With three to six words, judged collections show that the form
 * says less than the choice of the words; with three any weight is a loss.
 */
function typedWeight(words: number): number {
  if (words === 1) return maxTypedWeight;
  if (words === 2) return pairTypedWeight;
  if (words === 3) return 0;
  return words < minLongQuery ? 0.1 : 0.3;
}

/** Words of a long query, which gives enough information for further steps. */
export const minLongQuery = 7;

/** One posting list that adds to scores. */
export interface RankedTerm {
  readonly field: number;
  readonly term: string;
  readonly weight: number;
}

/** A bare word of the query in one language. */
export type SequenceTerm = Pick<RankedTerm, 'term' | 'weight'>;

export interface Reading {
  readonly terms: readonly RankedTerm[];
  /** Its terms in bare words, in sequence. */
  readonly sequence: readonly SequenceTerm[];
}

export interface Ranking {
  /** Posting lists that are not empty, each once. */
  readonly terms: readonly RankedTerm[];
  readonly readings: ReadonlyMap<Language, Reading>;
}

interface Counted {
  readonly field: number;
  readonly term: string;
  /** The term of its typed form; '' for none. */
  readonly typed: string;
  /** Searched by bare words, and in titles once more. */
  readonly bare: boolean;
  /** The number of its word in the query, counted over all leaves; the same in every language. */
  readonly word: number;
  times: number;
  /** Its group when it is many terms under one name, which is a word of its own. */
  readonly group?: TermGroup;
}

/** The query's terms in one language, each once, and the bare ones in the query's order. */
function countedIn(
  query: QueryNode,
  language: Language,
): { readonly counted: readonly Counted[]; readonly sequence: readonly Counted[] } {
  const leaves = positiveLeaves(query, language);
  const nothingElse = leaves.every(({ stop }) => stop);
  const counted = new Map<string, Counted>();
  const sequence: Counted[] = [];
  let words = 0;
  for (const { terms, typed, groups, attribute, stop, weight } of leaves) {
    const first = words;
    words += terms.length;
    const own = attribute === undefined ? allField : fieldOf(attribute);
    const field = own ?? (isSearchedByBareWords(attribute as string) ? allField : undefined);
    if (field === undefined || (stop && !nothingElse)) continue;
    const bare = attribute === undefined;
    for (const [index, term] of terms.entries()) {
      const key = `${field} ${bare} ${term}`;
      const one = counted.get(key) ?? {
        ...{ field, term, bare, word: first + index, times: 0 },
        typed: bare ? (typed[index] ?? '') : '',
      };
      one.times += weight;
      counted.set(key, one);
      // Added words are not part of the query's sequence.
      if (bare && weight >= 1) sequence.push(one);
    }
    for (const group of groups) {
      const key = `${field} ${bare} ${group.name}`;
      const one = counted.get(key) ?? {
        ...{ field, term: group.name, typed: '', bare, word: -1, times: 0, group },
      };
      one.times += weight;
      counted.set(key, one);
    }
  }
  return { counted: [...counted.values()], sequence };
}

/** Make lists for the groups of the query. Returns the terms without groups that cannot be ranked. */
async function withGroups(
  counted: readonly (readonly Counted[])[],
  languages: readonly Language[],
  lists: GroupLists,
) {
  const groups = new Map<string, { readonly one: Counted; readonly readings: Map<Language, TermGroup> }>();
  for (const [index, all] of counted.entries())
    for (const one of all) {
      if (one.group === undefined) continue;
      const key = `${one.field} ${one.bare} ${one.term}`;
      const known = groups.get(key) ?? { one, readings: new Map() };
      known.readings.set(languages[index] as Language, one.group);
      groups.set(key, known);
    }
  const filed = new Set<string>();
  for (const [key, { one, readings }] of groups)
    if (await lists.file(readings, one.bare ? [allField, titleField] : [one.field])) filed.add(key);
  return counted.map((all) =>
    all.filter(
      ({ group, field, bare, term }) => group === undefined || filed.has(`${field} ${bare} ${term}`),
    ),
  );
}

/** Give the frequencies the terms that are one word in several languages. */
function joinLanguages(counted: Iterable<Counted>, frequencies: TermFrequencies): void {
  const byWord = new Map<number, Set<string>>();
  for (const { word, term, group } of counted)
    if (group === undefined) byWord.set(word, (byWord.get(word) ?? new Set()).add(term));
  for (const terms of byWord.values()) if (terms.size > 1) frequencies.join([...terms]);
}

/** The frequencies of the terms, each looked up once, because languages share most of them. */
async function frequenciesOf(
  counted: readonly Counted[],
  frequencies: TermFrequencies,
): Promise<(one: Counted) => TermFrequency> {
  const keyOf = ({ field, term }: Counted) => `${field} ${term}`;
  const different = [...new Map(counted.map((one) => [keyOf(one), one])).values()];
  const found = await Promise.all(different.map(({ field, term }) => frequencies.of(field, term)));
  const known = new Map(different.map((one, at) => [keyOf(one), found[at] as TermFrequency]));
  return (one) => known.get(keyOf(one)) as TermFrequency;
}

/**
 * The ranking of a query: the terms of its positive words and phrases as read in each language. A term weighs
 * log2(1 + occurrences / objects), times its frequency in the query. Weights add up to 1 in each language, so
 * that scores are comparable whatever the query's length. A prefix, a word with errors, a part of a word and
 * an expression are groups of the terms that they match.
 */
export async function rankingOf(
  query: QueryNode,
  frequencies: TermFrequencies,
  languages: readonly Language[],
  groups: GroupLists,
): Promise<Ranking> {
  const read = languages.map((language) => countedIn(query, language));
  const ranked = await withGroups(
    read.map(({ counted }) => counted),
    languages,
    groups,
  );
  joinLanguages(ranked.flat(), frequencies);
  const frequencyOf = await frequenciesOf(ranked.flat(), frequencies);
  const readings = new Map<Language, Reading>();
  // Terms that several languages leave unstemmed are one list, which counts once.
  const listed = new Map<string, readonly RankedTerm[]>();
  for (const [index, { sequence }] of read.entries()) {
    const all = ranked[index] as readonly Counted[];
    const weights = all.map((one) => one.times * burst(frequencyOf(one)));
    const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
    const formWeight = typedWeight(all.filter(({ bare }) => bare).length);
    const weightOf = new Map(all.map((one, at) => [one, (weights[at] as number) / sum]));
    const terms = all.flatMap((one) => {
      const { field, term, typed, bare } = one;
      const weight = weightOf.get(one) ?? 0;
      const key = `${field} ${bare} ${term}`;
      const lists = listed.get(key) ?? (bare ? bothFields(term, weight) : [{ field, term, weight }]);
      listed.set(key, lists);
      if (typed === '' || formWeight === 0) return lists;
      const forms = listed.get(typed) ?? [{ field, term: typed, weight: weight * formWeight }];
      listed.set(typed, forms);
      return [...lists, ...forms];
    });
    readings.set(languages[index] as Language, {
      terms,
      sequence: sequence.map((one) => ({ term: one.term, weight: weightOf.get(one) ?? 0 })),
    });
  }
  const held = await Promise.all(
    Array.from(listed.values(), async (lists) => {
      const [{ field, term }] = lists as readonly [RankedTerm];
      return (await frequencies.alone(field, term)).objects > 0 ? lists : [];
    }),
  );
  return { terms: held.flat(), readings };
}

/** A term of bare words: in the whole object, and in its title once more. */
export const bothFields = (term: string, weight: number): readonly RankedTerm[] => [
  { field: allField, term, weight },
  { field: titleField, term, weight: weight * titleWeight },
];

// A word repeated a hundred times must not become the topic of every object.
const maxBurst = 3;

function burst({ objects, occurrences }: TermFrequency): number {
  return objects === 0 ? 1 : Math.min(maxBurst, Math.log2(1 + occurrences / objects));
}
