import { type AnchoredHeading, headingsOf, type SummaryObject } from '../../soif/index.ts';

/** A heading of a page and where its text lies in the page's text; `start` is -1 where that is not known. */
export interface PageSection extends AnchoredHeading {
  readonly start: number;
  /** Where the next section begins, or the text ends. */
  readonly end: number;
}

// A heading that is on many lines, such as "Example", makes many places.
const maxPlaces = 20_000;

/** A line of the text that may be a heading, and the best way to place the headings up to it. */
interface Place {
  readonly index: number;
  readonly start: number;
  readonly total: number;
  readonly before: Place | undefined;
}

/** The sections of objects in memory; they are freed with them. */
const known = new WeakMap<SummaryObject, readonly PageSection[]>();

/** The sections of a page, in the order of its headings. `text` is its whole text. */
export function sectionsOf(object: SummaryObject, text: string): readonly PageSection[] {
  const before = known.get(object);
  if (before !== undefined) return before;
  const headings = headingsOf(object);
  const starts = placed(headings, text);
  let end = text.length;
  const sections = headings
    .map((heading, index) => ({ heading, start: starts[index] ?? -1 }))
    .reverse()
    .map(({ heading, start }): PageSection => {
      const section = { ...heading, start, end };
      if (start >= 0) end = start;
      return section;
    })
    .reverse();
  known.set(object, sections);
  return sections;
}

/**
 * Where each heading is in the text. A table of contents has the same lines as the headings: of all ways to place the
 * headings in their order, the one with the longest texts below them is right.
 */
function placed(headings: readonly AnchoredHeading[], text: string): number[] {
  // From the last, so that two headings do not share a line.
  const indexes = new Map<string, number[]>();
  for (const [index, { heading }] of [...headings.entries()].reverse()) {
    const same = indexes.get(heading) ?? [];
    same.push(index);
    if (heading !== '') indexes.set(heading, same);
  }
  const lines = headingLines(text, indexes);
  const best = new BestPlaces(headings.length);
  let places = 0;
  for (const [at, { start, end, line }] of lines.entries()) {
    const below = (lines[at + 1]?.start ?? text.length) - end;
    for (const index of indexes.get(line) ?? []) {
      if (++places > maxPlaces) break;
      const before = best.upTo(index);
      best.add({ index, start, before, total: (before?.total ?? 0) + below + 1 });
    }
  }
  const starts = headings.map(() => -1);
  for (let place = best.upTo(headings.length); place !== undefined; place = place.before)
    starts[place.index] = place.start;
  return starts;
}

function headingLines(
  text: string,
  headings: ReadonlyMap<string, unknown>,
): { readonly start: number; readonly end: number; readonly line: string }[] {
  const lines: { start: number; end: number; line: string }[] = [];
  for (let start = 0; headings.size > 0 && start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if (headings.has(line)) lines.push({ start, end, line });
    start = end + 1;
  }
  return lines;
}

/** The best place up to each heading: a Fenwick tree of maxima. */
class BestPlaces {
  readonly #tree: (Place | undefined)[];

  constructor(headings: number) {
    this.#tree = new Array<Place | undefined>(headings + 1).fill(undefined);
  }

  /** The best of the places of headings before `index`. */
  upTo(index: number): Place | undefined {
    let best: Place | undefined;
    for (let at = index; at > 0; at -= at & -at) {
      const place = this.#tree[at];
      if (place !== undefined && place.total > (best?.total ?? 0)) best = place;
    }
    return best;
  }

  add(place: Place): void {
    for (let at = place.index + 1; at < this.#tree.length; at += at & -at)
      if (place.total > (this.#tree[at]?.total ?? 0)) this.#tree[at] = place;
  }
}
