import { cutAtWord, graphemeStart } from '../../kernel/index.ts';
import { type Language, type QueryNode, searchedValues } from '../../query/index.ts';
import { Attributes, attributeText, type SummaryObject } from '../../soif/index.ts';
import { type PageSection, sectionsOf } from './page-sections.ts';
import { type ReadText, readText } from './read-text.ts';
import { occurrencesIn, type Search, searchesOf } from './snippet.ts';
import type { Occurrence } from './snippet-window.ts';

/** A part of a page to open it at. */
export interface HitSection {
  /** At most 300 UTF-16 units. */
  readonly heading: string;
  /** The identifier of the heading in the page; null for none. */
  readonly anchor: string | null;
  /** Opens the page there: with the identifier, else with the heading's words as a text fragment. */
  readonly url: string;
}

/** The sections of a page that answer a query. */
export interface AnsweringSections {
  /** The one that answers better than the page's title. */
  readonly section?: HitSection;
  /** Others that answer as well, best first. */
  readonly sections?: readonly HitSection[];
}

const maxText = 1024 * 1024;
const maxOthers = 3;
const maxHeading = 300;
const maxFragment = 120;
/** Words of a query this near each other, in UTF-16 units, answer it together. */
const nearby = 200;
const limits = { lookAhead: maxText, maxOccurrences: 1024 };

/** The leaves of the query that a section has. */
interface Answer {
  readonly section: PageSection;
  readonly index: number;
  /** Leaves in the heading, and in the heading, its text or the page's title. */
  readonly inHeading: ReadonlySet<number>;
  readonly all: ReadonlySet<number>;
  /** Length of the shortest piece of its text with all leaves of the text. */
  readonly span: number;
  /** How often the query occurs in its text. */
  readonly times: number;
}

/** The sections of an object that answer a query, as places to open the page at. */
export function bestSections(object: SummaryObject, query: QueryNode, language: Language): AnsweringSections {
  if (!/^(?:https?|file):[^#]+$/.test(object.url)) return {};
  const headings = valueText(object, Attributes.headings, query, language);
  if (headings === undefined) return {};
  const { leaves, searches } = searchesOf(query, language);
  const text = valueText(object, Attributes.fullText, query, language);
  const sections = sectionsOf(object, text?.text ?? '');
  const title = attributeText(object, Attributes.title)?.trim() ?? '';
  const inTitle = leavesOf(occurrencesIn({ text: title }, searchesFor(searches, 'title')));
  const answers = answersOf(sections, {
    inTitle,
    headings: occurrencesIn(headings, searchesFor(searches, 'headings'), limits),
    texts: text === undefined ? [] : occurrencesIn(text, searchesFor(searches, 'full-text'), limits),
  });
  answers.sort(
    (a, b) =>
      b.all.size - a.all.size ||
      b.inHeading.size - a.inHeading.size ||
      (a.inHeading.size > 0 ? a.section.heading.length - b.section.heading.length : 0) ||
      a.span - b.span ||
      b.times - a.times ||
      a.index - b.index,
  );
  const [first] = answers;
  if (first === undefined) return {};
  const isBetter = first.all.size > inTitle.size && !isTitle(first.section.heading, title);
  const others = answers
    .slice(isBetter ? 1 : 0)
    .filter(
      ({ all, inHeading, span, section }) =>
        all.size === first.all.size &&
        !isTitle(section.heading, title) &&
        (isBetter
          ? adds(inHeading, inTitle) || (leaves.length > 1 && all.size === leaves.length && span <= nearby)
          : inHeading.size === leaves.length),
    );
  const shown = (answer: Answer) => placeIn(object, answer.section);
  const section = isBetter ? shown(first) : undefined;
  const more = others
    .map(shown)
    .filter((place) => place !== undefined)
    .slice(0, maxOthers);
  return { ...(section && { section }), ...(more.length > 0 && { sections: more }) };
}

const isTitle = (heading: string, title: string) =>
  heading.trim().toLowerCase() === title.trim().toLowerCase();

const adds = (leaves: ReadonlySet<number>, known: ReadonlySet<number>) =>
  [...leaves].some((leaf) => !known.has(leaf));

const leavesOf = (occurrences: readonly Occurrence[]) => new Set(occurrences.map(({ leaf }) => leaf));

const searchesFor = (searches: readonly Search[], attribute: string) =>
  searches.filter((search) => search.attribute === undefined || search.attribute === attribute);

function valueText(
  object: SummaryObject,
  name: string,
  query: QueryNode,
  language: Language,
): ReadText | undefined {
  const value = searchedValues(object, name.toLowerCase())[0];
  return value === undefined || value.value.length > maxText ? undefined : readText(value, query, language);
}

function answersOf(
  sections: readonly PageSection[],
  found: {
    readonly inTitle: ReadonlySet<number>;
    readonly headings: readonly Occurrence[];
    readonly texts: readonly Occurrence[];
  },
): Answer[] {
  let lineStart = 0;
  const lines = sections.map(({ heading, ...section }) => {
    const start = lineStart;
    lineStart += heading.length + 1;
    return { start, end: start + heading.length, section };
  });
  const inHeadings = dealt(lines, found.headings);
  const inTexts = dealt(sections, found.texts);
  return [...new Set([...inHeadings.keys(), ...inTexts.keys()])].map((index): Answer => {
    const section = sections[index] as PageSection;
    const inHeading = leavesOf(inHeadings.get(index) ?? []);
    const below = inTexts.get(index) ?? [];
    const all = new Set([...found.inTitle, ...inHeading, ...leavesOf(below)]);
    return { section, index, inHeading, all, span: shortestSpan(below), times: below.length };
  });
}

/** Occurrences by the range that each lies in; ranges and occurrences are in the order of their starts. */
function dealt(
  ranges: readonly { readonly start: number; readonly end: number }[],
  occurrences: readonly Occurrence[],
): Map<number, Occurrence[]> {
  const byRange = new Map<number, Occurrence[]>();
  let at = 0;
  for (const occurrence of occurrences) {
    while (at < ranges.length && (ranges[at]?.end ?? 0) <= occurrence.start) at++;
    const range = ranges[at];
    if (range === undefined) break;
    if (range.start < 0 || occurrence.start < range.start || occurrence.end > range.end) continue;
    const inside = byRange.get(at) ?? [];
    inside.push(occurrence);
    byRange.set(at, inside);
  }
  return byRange;
}

/** The length of the shortest piece with an occurrence of each leaf that occurs. */
function shortestSpan(occurrences: readonly Occurrence[]): number {
  const wanted = leavesOf(occurrences).size;
  const counts = new Map<number, number>();
  let [from, shortest] = [0, Number.POSITIVE_INFINITY];
  for (const { leaf, end } of occurrences) {
    counts.set(leaf, (counts.get(leaf) ?? 0) + 1);
    for (; counts.size === wanted; from++) {
      const first = occurrences[from] as Occurrence;
      shortest = Math.min(shortest, end - first.start);
      const left = (counts.get(first.leaf) ?? 0) - 1;
      if (left > 0) counts.set(first.leaf, left);
      else counts.delete(first.leaf);
    }
  }
  return shortest;
}

/** Types that a browser shows as a page, where it finds a text fragment. */
const shownAsPage = /^(?:HTML|XHTML|Markdown|AsciiDoc|RestructuredText|README|FAQ|Text|RFC)$/i;

function placeIn(object: SummaryObject, { heading, anchor }: PageSection): HitSection | undefined {
  const fragment =
    anchor === undefined
      ? shownAsPage.test(attributeText(object, Attributes.type)?.trim() ?? '')
        ? textFragment(heading)
        : undefined
      : encodeURIComponent(anchor);
  if (fragment === undefined) return undefined;
  return {
    heading: cutAtWord(heading, maxHeading),
    anchor: anchor ?? null,
    url: `${object.url}#${fragment}`,
  };
}

/** A fragment that makes a browser scroll to these words (WICG, URL Fragment Text Directives). */
function textFragment(heading: string): string {
  const words = heading.slice(0, graphemeStart(heading, maxFragment));
  const whole = words === heading ? words : words.replace(/\s+\S*$/, '');
  return `:~:text=${encodeURIComponent(whole).replaceAll('-', '%2D')}`;
}
