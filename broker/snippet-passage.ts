/** Where a leaf of the query stands in a text; UTF-16 offsets. */
export interface Occurrence {
  readonly leaf: number;
  readonly start: number;
  readonly end: number;
}

/** A piece of text fit to be shown, with the matches in it as [start, end) offsets into it. */
export interface Passage {
  readonly text: string;
  readonly matches: readonly (readonly [start: number, end: number])[];
}

/**
 * The stretch of at most `width` units that holds the most different leaves, then the most occurrences, then comes
 * first. Occurrences are in the order of their starts; there is at least one.
 */
export function bestWindow(
  occurrences: readonly Occurrence[],
  width: number,
): readonly [first: number, last: number] {
  const inside = new Map<number, number>();
  let best: readonly [number, number] = [0, 0];
  let bestLeaves = 0;
  let bestCount = 0;
  let first = 0;
  for (const [last, { leaf, end }] of occurrences.entries()) {
    inside.set(leaf, (inside.get(leaf) ?? 0) + 1);
    while (first < last && end - (occurrences[first] as Occurrence).start > width) {
      const gone = (occurrences[first] as Occurrence).leaf;
      const left = (inside.get(gone) as number) - 1;
      if (left === 0) inside.delete(gone);
      else inside.set(gone, left);
      first++;
    }
    const count = last - first + 1;
    if (inside.size < bestLeaves || (inside.size === bestLeaves && count <= bestCount)) continue;
    best = [first, last];
    bestLeaves = inside.size;
    bestCount = count;
  }
  return best;
}

const blank = /\s/;
const ellipsis = '…';

/** How far a cut may move to fall between words. */
const wordReach = 24;

function wordStart(text: string, at: number, latest: number): number {
  if (at <= 0) return 0;
  for (let from = at; from <= Math.min(latest, at + wordReach); from++)
    if (blank.test(text[from - 1] as string)) return from;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at + 1 : at;
}

function wordEnd(text: string, at: number, earliest: number): number {
  if (at >= text.length) return text.length;
  for (let to = at; to >= Math.max(earliest, at - wordReach); to--)
    if (blank.test(text[to] as string)) return to;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at;
}

/**
 * Cut a passage of at most `maxLength` units around the best window: some context before, cuts between words where
 * there are any near, never inside a surrogate pair; white space and control characters become single spaces, `…`
 * stands where text was cut. A match longer than the passage is cut too.
 */
export function cutPassage(text: string, occurrences: readonly Occurrence[], maxLength: number): Passage {
  const room = Math.max(1, maxLength - 2 * ellipsis.length);
  const [first, last] = bestWindow(occurrences, room);
  const matchStart = occurrences[first]?.start ?? 0;
  const matchEnd = Math.min(occurrences[last]?.end ?? 0, matchStart + room);
  const spare = room - (matchEnd - matchStart);
  let from = wordStart(text, matchStart - Math.floor(spare / 3), matchStart);
  const to = wordEnd(text, from + room, matchEnd);
  // Near the end of the text what is not needed after goes before.
  if (to === text.length) from = wordStart(text, Math.max(0, to - room), matchStart);
  return tidy(text, from, Math.min(to, from + room), occurrences.slice(first));
}

/** The beginning of a text as a passage without matches. */
export function openingPassage(text: string, maxLength: number): Passage {
  const room = Math.max(1, maxLength - ellipsis.length);
  return tidy(text, 0, text.length <= maxLength ? text.length : wordEnd(text, room, room - wordReach), []);
}

function tidy(text: string, from: number, to: number, occurrences: readonly Occurrence[]): Passage {
  let shown = from > 0 ? ellipsis : '';
  const inner: number[] = [];
  let spaced = true;
  for (let at = from; at < to; at++) {
    inner.push(shown.length);
    const character = text[at] as string;
    const isBlank =
      character <= ' ' || (character >= '\x7f' && blank.test(character)) || isControl(character);
    if (!isBlank) shown += character;
    else if (!spaced) shown += ' ';
    spaced = isBlank;
  }
  inner.push(shown.length);
  const matches: [number, number][] = [];
  for (const { start, end } of occurrences) {
    if (start >= to) break;
    if (start < from) continue;
    const range: [number, number] = [
      inner[start - from] as number,
      inner[Math.min(end, to) - from] as number,
    ];
    const before = matches[matches.length - 1];
    if (before !== undefined && range[0] <= before[1]) before[1] = Math.max(before[1], range[1]);
    else if (range[1] > range[0]) matches.push(range);
  }
  shown = shown.trimEnd();
  return { text: to < text.length ? `${shown}${ellipsis}` : shown, matches };
}

const isControl = (character: string) => character >= '\x7f' && character <= '\x9f';
