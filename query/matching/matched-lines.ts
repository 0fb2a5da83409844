import { cutAtWord, graphemeStart } from '../../kernel/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import type { QueryNode } from '../syntax/index.ts';
import { defaultLanguage, type Language, languageOfObject, searchedValues } from '../words/index.ts';
import { positiveLeaves } from './leaves.ts';
import { matchersOf } from './matchers.ts';

/** A line of an attribute value that holds a match. */
export interface MatchedLine {
  /** The attribute's name as the object has it. */
  readonly attribute: string;
  /** 1, 2, 3 ... in the value. */
  readonly line: number;
  /** Without surrounding blanks, control characters as spaces; a long line starts near its first match. */
  readonly text: string;
  /** The matches in `text`: [start, end) in UTF-16 units, in order, without overlaps. */
  readonly matches: readonly (readonly [start: number, end: number])[];
}

/** Lines longer than this many UTF-16 units are cut. */
export const maxLineLength = 500;

/** Units of a long line that are shown before its first match. */
const lead = 100;

/** Max matches in one value; more would only mark marked text. */
const maxMatches = 10_000;

const decoder = new TextDecoder();
const controls = /\p{Cc}/gu;
const breaks = /\r\n|[\n\r\u2028\u2029]/g;

/**
 * The lines of an object that match its query (the matched lines of Glimpse, harvest.txt 3.3): for every
 * attribute that a word, phrase, or expression of the query looks at, in the object's order, at most `limit`
 * lines. Leaves under NOT and comparisons match no line. A match over several lines is in each of them.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { matchedLines, parseQuery } from 'garner/query';
 * import { summaryObject } from 'garner/soif';
 *
 * const page = summaryObject('https://harbour.example/', [['Full-Text', 'Moorings\nUse two ropes.']]);
 * assert.deepEqual(matchedLines(page, parseQuery('rope').query, 10), [
 *   { attribute: 'Full-Text', line: 2, text: 'Use two ropes.', matches: [[8, 13]] },
 * ]);
 */
export function matchedLines(
  object: SummaryObject,
  query: QueryNode,
  limit: number,
  fallback: Language = defaultLanguage,
): MatchedLine[] {
  const lines: MatchedLine[] = [];
  for (const [{ name, value }, found] of matchesByValue(object, query, languageOfObject(object, fallback))) {
    if (lines.length >= limit) break;
    const text = typeof value === 'string' ? value : decoder.decode(value);
    lines.push(...linesOf(name, text, disjoint(found), limit - lines.length));
  }
  return lines;
}

type Range = readonly [start: number, end: number];

/** The values that hold a match, in the object's order. */
function matchesByValue(object: SummaryObject, query: QueryNode, language: Language) {
  const leaves = positiveLeaves(query, language);
  const attributes = new Set(leaves.map(({ attribute }) => attribute));
  const found = new Map<string | Uint8Array, { name: string; value: string | Uint8Array; ranges: Range[] }>();
  for (const attribute of attributes) {
    const own = leaves.filter((leaf) => leaf.attribute === attribute).map(({ node }) => node);
    const matchers = matchersOf(own, language);
    for (const searched of searchedValues(object, attribute)) {
      const { name, value } = searched;
      const text = typeof value === 'string' ? value : decoder.decode(value);
      const known = found.get(value) ?? { name, value, ranges: [] };
      for (const { matcher } of matchers)
        matcher.search(text, (_, start, end) => known.ranges.push([start, end]) >= maxMatches);
      if (known.ranges.length > 0) found.set(value, known);
    }
  }
  const order = new Map(object.attributes.map(({ value }, index) => [value as string | Uint8Array, index]));
  const place = (value: string | Uint8Array) => order.get(value) ?? order.size;
  return [...found.values()]
    .sort((a, b) => place(a.value) - place(b.value))
    .map(({ ranges, ...searched }) => [searched, ranges] as const);
}

function disjoint(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const kept: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = kept.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else kept.push([start, end]);
  }
  return kept;
}

function linesOf(attribute: string, text: string, ranges: readonly Range[], limit: number): MatchedLine[] {
  const lines: MatchedLine[] = [];
  let first = 0;
  let from = 0;
  for (let line = 1; from <= text.length && first < ranges.length && lines.length < limit; line++) {
    breaks.lastIndex = from;
    const found = breaks.exec(text);
    const to = found?.index ?? text.length;
    const own: Range[] = [];
    while (first < ranges.length && (ranges[first] as Range)[0] < to) {
      const [start, end] = ranges[first] as Range;
      if (Math.min(end, to) > Math.max(start, from)) own.push([Math.max(start, from), Math.min(end, to)]);
      if (end > to) break;
      first++;
    }
    if (own.length > 0)
      lines.push({ attribute, line, ...shown(text.slice(from, to).replace(controls, ' '), own, from) });
    from = found === null ? text.length + 1 : breaks.lastIndex;
    while (first < ranges.length && (ranges[first] as Range)[1] <= from) first++;
  }
  return lines;
}

/** A line for display, cut around its first match when it is long. */
function shown(
  line: string,
  matches: readonly Range[],
  offset: number,
): Pick<MatchedLine, 'text' | 'matches'> {
  const blanks = line.length - line.trimStart().length;
  const firstMatch = (matches[0] as Range)[0] - offset;
  const isLong = line.trim().length > maxLineLength;
  let from = isLong ? Math.max(blanks, Math.min(firstMatch - lead, line.length - maxLineLength)) : blanks;
  from = graphemeStart(line, from);
  // A match may begin with blanks, which are not shown.
  const text = cutAtWord(line.slice(from).trimEnd(), maxLineLength);
  const inside = matches
    .map(
      ([start, end]): Range => [
        Math.max(0, start - offset - from),
        Math.min(text.length, end - offset - from),
      ],
    )
    .filter(([start, end]) => end > start);
  return { text, matches: inside };
}
