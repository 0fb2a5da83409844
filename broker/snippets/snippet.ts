import {
  defaultLanguage,
  isSearchedByBareWords,
  type Language,
  languageOfObject,
  matchersOf,
  positiveLeaves,
  type QueryLeaf,
  type QueryNode,
  type SearchedValue,
  searchedValues,
  type TextMatcher,
  urlAttribute,
} from '../../query/index.ts';
import { Attributes, attributeText, type SummaryObject } from '../../soif/index.ts';
import { type ReadText, readText } from './read-text.ts';
import { cutPassage, openingPassage, type Passage } from './snippet-passage.ts';
import type { Occurrence } from './snippet-window.ts';

/** The text shown for a hit, its matches, and the attribute it is from ('' for none). */
export interface Snippet extends Passage {
  readonly attribute: string;
  /** The attributes, by their names in the object, in which a word or phrase of the query occurs. */
  readonly matched: readonly string[];
}

// Attributes that are searched for a passage first. Then come the others, and last the title and the URL.
const preferred = ['full-text', 'partial-text', 'abstract', 'description', 'headings', 'keywords'];
const lastResort = ['title', urlAttribute];

const defaultLimits = {
  /** Characters that are searched after the first match, for a better passage. */
  lookAhead: 64 * 1024,
  /** Max matches of each word, so that a frequent word does not displace the others. */
  maxOccurrences: 128,
};

const decoder = new TextDecoder();
const multiValue = /-\d{1,9}$/;
const plainName = (name: string) => name.replace(multiValue, '');

function rank(name: string): number {
  const plain = plainName(name).toLowerCase();
  const first = preferred.indexOf(plain);
  if (first >= 0) return first;
  const last = lastResort.indexOf(plain);
  return preferred.length + (last >= 0 ? last + 1 : 0);
}

/** Prepared leaves of a query, grouped by attribute. */
export interface Search {
  readonly attribute: string | undefined;
  readonly leaves: readonly number[];
  readonly matcher: TextMatcher;
}

export interface Searches {
  readonly leaves: readonly QueryLeaf[];
  readonly searches: readonly Search[];
}

/** The searches of a query in a language, prepared once for all of its objects. */
const known = new WeakMap<QueryNode, Map<Language, Searches>>();

/** The searches of a query in a language. */
export function searchesOf(query: QueryNode, language: Language): Searches {
  const byLanguage = known.get(query) ?? new Map<Language, Searches>();
  known.set(query, byLanguage);
  const before = byLanguage.get(language);
  if (before !== undefined) return before;
  const leaves = positiveLeaves(query, language);
  const made = { leaves, searches: searchesFor(leaves, language) };
  byLanguage.set(language, made);
  return made;
}

function searchesFor(leaves: readonly QueryLeaf[], language: Language): Search[] {
  const byAttribute = new Map<string | undefined, number[]>();
  leaves.forEach(({ attribute }, index) => {
    byAttribute.set(attribute, [...(byAttribute.get(attribute) ?? []), index]);
  });
  return Array.from(byAttribute).flatMap(([attribute, indexes]) =>
    matchersOf(
      indexes.map((index) => (leaves[index] as QueryLeaf).node),
      language,
    ).map(({ leaves: own, matcher }) => ({
      attribute,
      leaves: own.map((index) => indexes[index] as number),
      matcher,
    })),
  );
}

/** The values that the searches concern, each with its searches, by rank and then in the object's order. */
function valuesOf(
  object: SummaryObject,
  searches: readonly Search[],
): { value: SearchedValue; searches: Search[] }[] {
  const found = new Map<SearchedValue | string, { value: SearchedValue; searches: Search[] }>();
  for (const search of searches) {
    for (const value of searchedValues(object, search.attribute)) {
      const key = typeof value.value === 'string' ? value.value : value;
      const known = found.get(key);
      if (known === undefined) found.set(key, { value, searches: [search] });
      else known.searches.push(search);
    }
  }
  return [...found.values()].sort((a, b) => rank(a.value.name) - rank(b.value.name));
}

/** Where the leaves of searches occur in a text, in order, as far as `limits` allow. */
export function occurrencesIn(
  { text, places }: ReadText,
  searches: readonly Search[],
  { lookAhead, maxOccurrences }: typeof defaultLimits = defaultLimits,
): Occurrence[] {
  const found: Occurrence[] = [];
  for (const { matcher, leaves } of searches) {
    let until = Number.POSITIVE_INFINITY;
    const counts = leaves.map(() => 0);
    let full = 0;
    const visit = (leaf: number, start: number, end: number) => {
      if (start > until) return true;
      until = Math.min(until, start + lookAhead);
      const count = (counts[leaf] ?? 0) + 1;
      counts[leaf] = count;
      if (count <= maxOccurrences) found.push({ leaf: leaves[leaf] as number, start, end });
      if (count === maxOccurrences) full++;
      return full === leaves.length;
    };
    matcher.search(text, visit, places);
  }
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * The passage to show for a hit. It is from the attribute that has the most different words and phrases of
 * the query; of equal ones from the first, in the order text, summary, others, title, URL. When nothing
 * matches, it is the beginning of the object's text. `maxLength` is in UTF-16 units.
 */
export function snippet(
  object: SummaryObject,
  query: QueryNode,
  options: { readonly maxLength: number; readonly language?: Language },
): Snippet {
  const language = languageOfObject(object, options.language ?? defaultLanguage);
  const { leaves, searches } = searchesOf(query, language);
  const matched = new Set<string>();
  let best: { name: string; text: string; occurrences: Occurrence[]; leaves: number } | undefined;
  for (const { value, searches: own } of valuesOf(object, searches)) {
    const name = plainName(value.name);
    const isBest = best?.leaves === leaves.length;
    if (isBest && matched.has(name)) continue;
    const read = readText(value, query, language);
    if (isBest) {
      if (own.some(({ matcher }) => matcher.test(read.text, read.places))) matched.add(name);
      continue;
    }
    const occurrences = occurrencesIn(read, own);
    if (occurrences.length > 0) matched.add(name);
    const covered = new Set(occurrences.map(({ leaf }) => leaf)).size;
    if (covered > (best?.leaves ?? 0)) best = { name, text: read.text, occurrences, leaves: covered };
  }
  if (best === undefined) return { ...opening(object, options.maxLength), matched: [] };
  const from = repeatedTitle(best.text, attributeText(object, Attributes.title) ?? '');
  const after = best.occurrences
    .filter(({ start }) => start >= from)
    .map(({ start, end, ...rest }) => ({ ...rest, start: start - from, end: end - from }));
  // The title is shown above the passage: it is repeated only where the words are nowhere else.
  const passage =
    from > 0 && after.length > 0
      ? cutPassage(best.text.slice(from), after, options.maxLength)
      : cutPassage(best.text, best.occurrences, options.maxLength);
  return { ...passage, attribute: best.name, matched: [...matched] };
}

/** Max units of a title that is looked for at the beginning of a text. */
const maxTitle = 300;

/** Where a text goes on behind a heading that is the title, or its part before the name of the site; 0 without one. */
function repeatedTitle(text: string, title: string): number {
  const whole = title.slice(0, maxTitle).trim();
  for (const name of [whole, whole.replace(/\s+[—–|·-]\s.*$/s, '')]) {
    const words = name.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (words.length < 2) continue;
    // A small letter would go on with the sentence.
    const heading = new RegExp(`^\\s*${words.join('\\s+')}[\\s.:¶#|–—-]+(?=[^\\s\\p{Ll}])`, 'u');
    const found = heading.exec(text.slice(0, 2 * maxTitle));
    if (found !== null) return found[0].length;
  }
  return 0;
}

function opening(object: SummaryObject, maxLength: number): Omit<Snippet, 'matched'> {
  const shown = object.attributes
    .filter(({ name, value }) => value.length > 0 && isSearchedByBareWords(name))
    .sort((a, b) => openingRank(a.name) - openingRank(b.name))[0];
  if (shown === undefined) return { text: '', matches: [], attribute: '' };
  // A character takes at most four bytes.
  const text = decoder.decode(shown.value.subarray(0, 4 * maxLength + 400));
  return { ...openingPassage(text, maxLength), attribute: plainName(shown.name) };
}

/** The rank of an attribute for an opening without matches. The description comes before the text. */
const openingRank = (name: string) => (plainName(name).toLowerCase() === 'description' ? -1 : rank(name));
