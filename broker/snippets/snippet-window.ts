import { graphemeStart } from '../../kernel/index.ts';

/** An occurrence of a leaf of the query in a text; UTF-16 offsets. */
export interface Occurrence {
  readonly leaf: number;
  readonly start: number;
  readonly end: number;
}

/** A range of text to show. `whole` edges are at the beginning or end of a sentence, a line or the text. */
export interface TextWindow {
  readonly from: number;
  readonly to: number;
  readonly wholeStart: boolean;
}

/** A match further from the beginning than this may fall outside the visible lines. */
const leadMax = 72;

/** About two lines: the visible part of a passage. */
const visible = 140;

/** Context before a match when its sentence begins too far away. */
const shortLead = 32;

/** A line at least this long that ends without a full stop continues in the next one. */
const wrappedLine = 50;

/** Min length of a line of running text to open with. Menu entries are seldom as long. */
const openingLine = 70;

const wideBlank = /\s/;
const wideLowerCase = /\p{Ll}/u;

/** Whether there is a blank at `at`; outside the text there is none. */
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return code >= 128 && wideBlank.test(text[at] as string);
}

function isLowerCase(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code >= 97 && code <= 122 : wideLowerCase.test(text[at] as string);
}

/** Whether the text up to `at` (exclusive) ends a sentence; closing quotes and brackets may follow the stop. */
function endsSentence(text: string, at: number): boolean {
  let last = at - 1;
  while (last > 0 && last > at - 4 && '"\'’”»)]'.includes(text[last] as string)) last--;
  const stop = text[last] as string;
  if ('。！？'.includes(stop)) return true;
  // "e.g." and "i.e." end no sentence, nor do dots in a row.
  return stop === '!' || stop === '?' || (stop === '.' && text[last - 2] !== '.' && text[last - 1] !== '.');
}

/** Whether a sentence, a block or the text begins at `at`. */
function begins(text: string, at: number): boolean {
  if (at === 0) return true;
  if ('。！？'.includes(text[at - 1] as string)) return true;
  if (!isBlank(text, at - 1) || isBlank(text, at)) return false;
  const small = isLowerCase(text, at);
  let before = at - 1;
  let newLine = false;
  for (; before >= 0 && before > at - 80 && isBlank(text, before); before--)
    newLine ||= text[before] === '\n';
  if (before < 0) return true;
  if (endsSentence(text, before + 1)) return newLine || !small;
  if (!newLine) return false;
  if (!small) return true;
  for (let back = 0; back < wrappedLine; back++) if ((text[before - back] ?? '\n') === '\n') return true;
  return false;
}

/** The first place from `at` to `latest` that is not inside a character as readers see it. */
function characterFrom(text: string, at: number, latest: number): number {
  for (let from = at; from < latest; from++) if (graphemeStart(text, from) === from) return from;
  return graphemeStart(text, latest);
}

/** The next place from `at` to `latest` that does not cut a word in two. */
function wordStart(text: string, at: number, latest: number): number {
  if (at <= 0) return 0;
  for (let from = at; from <= latest; from++) if (isBlank(text, from - 1)) return from;
  return characterFrom(text, at, latest);
}

function startOf(text: string, match: Occurrence, room: number): { from: number; whole: boolean } {
  const spare = Math.max(0, room - (match.end - match.start));
  const lead = Math.min(leadMax, Math.floor(room / 3), spare);
  const earliest = Math.max(0, match.start - lead);
  for (let at = match.start; at >= earliest; at--) if (begins(text, at)) return { from: at, whole: true };
  const near = Math.max(earliest, match.start - shortLead);
  const from = wordStart(text, near, match.start);
  // One long word, for example an identifier, is shown from its beginning.
  const cutsWord = from === match.start || !isBlank(text, from - 1);
  return { from: cutsWord ? wordStart(text, earliest, match.start) : from, whole: false };
}

/** 1 for running text, towards 0 for menus, lists of names, tables and code. */
function prose(text: string, from: number, to: number): number {
  let [breaks, odd, pauses] = [0, 0, 0];
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) breaks++;
    else if (code === 44 || code === 46) pauses += at + 1 >= text.length || isBlank(text, at + 1) ? 1 : 0;
    else if (code === 0x3001 || code === 0x3002 || code === 0xff0c) pauses++;
    else if (code < 128 && !isPlain(code)) odd++;
  }
  const length = Math.max(1, to - from);
  const lines = Math.max(0, 1 - 0.25 * Math.max(0, breaks - 1));
  // Headings in a row have no commas and full stops.
  const sentences = pauses > 0 ? 1 : 0.7;
  return lines * sentences * Math.max(0, 1 - (5 * odd) / length) * Math.min(1, length / 60);
}

/** Letters, blanks and the apostrophe. */
function isPlain(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || code <= 32 || code === 39;
}

/**
 * Choose the part of a text to show, in at most `room` units: it holds most of the query, reads as sentences,
 * begins with one and comes early. Occurrences (at least one) are in the order of their starts.
 */
export function chooseWindow(text: string, occurrences: readonly Occurrence[], room: number): TextWindow {
  const weights = new Map(occurrences.map((match) => [match.leaf, weightOf(text, match)]));
  const total = Array.from(weights.values()).reduce((sum, weight) => sum + weight, 0);
  const first = occurrences[0] as Occurrence;
  let best: { from: number; whole: boolean; needed: number; score: number } | undefined;
  let tried = -1;
  for (const [index, match] of occurrences.entries()) {
    const { from, whole } = startOf(text, match, room);
    if (from === tried) continue;
    tried = from;
    const { held, needed } = heldBy(occurrences, index, from, room, weights);
    const early = 1 / (1 + (match.start - first.start) / 2000);
    const sure = held / total + (whole ? 0.1 : 0);
    const reading = 0.3 + 0.2 * early;
    // Even with the best reading score it could not win.
    if (best !== undefined && sure + reading <= best.score) continue;
    const seen = Math.min(text.length, from + Math.min(room, visible));
    const score = sure + reading * Math.min(1, 1.2 * prose(text, from, seen));
    if (best === undefined || score > best.score) best = { from, whole, needed, score };
  }
  const { from, whole, needed } = best ?? { from: 0, whole: true, needed: 0 };
  return { from, to: endOf(text, from, needed, room), wholeStart: whole };
}

/** Very short words are mostly frequent: "a", "of", "the". Other scripts need fewer characters. */
function weightOf(text: string, { start, end }: Occurrence): number {
  if (end - start > 3 || text.charCodeAt(start) > 0x2ff) return 1;
  return end - start === 3 ? 0.5 : 0.3;
}

/** How much of the query the window holds, and how far it must reach for that. */
function heldBy(
  occurrences: readonly Occurrence[],
  index: number,
  from: number,
  room: number,
  weights: ReadonlyMap<number, number>,
): { held: number; needed: number } {
  const seen = new Set<number>();
  let [held, needed] = [0, 0];
  let last: Occurrence | undefined;
  for (let at = index; at < occurrences.length; at++) {
    const match = occurrences[at] as Occurrence;
    if (match.end > from + room && at > index) break;
    const weight = weights.get(match.leaf) ?? 0;
    if (!seen.has(match.leaf)) {
      held += match.end <= from + visible ? weight : weight * 0.6;
      needed = match.end;
      seen.add(match.leaf);
      // Adjacent words of the query mean more than separate ones.
      if (last !== undefined && last.leaf !== match.leaf && match.start - last.end <= 2) held += weight * 0.2;
    }
    last = match;
  }
  return { held, needed };
}

/** The end of the window: with a sentence when one ends late enough, else between words. */
function endOf(text: string, from: number, needed: number, room: number): number {
  const limit = from + room;
  if (limit >= text.length) return text.length;
  const earliest = Math.max(Math.min(needed, limit), from + Math.floor(room / 2));
  let word = -1;
  for (let to = limit; to >= earliest; to--) {
    if (!isBlank(text, to)) continue;
    if (word < 0) word = to;
    if (endsSentence(text, to)) return to;
  }
  if (word >= 0) return word;
  const cut = graphemeStart(text, limit);
  if (cut > from) return cut;
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code < 0xe000 ? limit - 1 : limit;
}

/** The start of the first line that reads as text, within the first `reach` units; 0 when there is none. */
export function firstProse(text: string, reach: number): number {
  for (let at = 0; at >= 0 && at < reach && at < text.length; ) {
    const end = text.indexOf('\n', at);
    const lineEnd = end < 0 ? text.length : end;
    if (lineEnd - at >= openingLine && prose(text, at, Math.min(lineEnd, at + visible)) > 0.6) return at;
    at = end < 0 ? -1 : end + 1;
  }
  return 0;
}
