import { chooseWindow, firstProse, type Occurrence } from './snippet-window.ts';

/** A text to show, with its matches as [start, end) offsets into it. */
export interface Passage {
  readonly text: string;
  readonly matches: readonly (readonly [start: number, end: number])[];
}

const blank = /\s/;
const ellipsis = '…';

/** Four of these in a row are a drawn line, not text. */
const drawn = '=-~_*#^+.';
const drawnLength = 4;

/**
 * Cut a passage of at most `maxLength` units around the best window, between words where there are any, never
 * inside a surrogate pair. White space, control characters and drawn lines become single spaces, and `…`
 * marks a cut sentence.
 */
export function cutPassage(text: string, occurrences: readonly Occurrence[], maxLength: number): Passage {
  const room = Math.max(1, maxLength - 2 * ellipsis.length);
  const { from, to, wholeStart } = chooseWindow(text, occurrences, room);
  return tidy(text, from, Math.max(to, from + 1), wholeStart, occurrences);
}

/** The first running text of an object as a passage without matches. */
export function openingPassage(text: string, maxLength: number): Passage {
  const from = firstProse(text, maxLength * 4);
  const room = Math.max(1, maxLength - ellipsis.length);
  const { to } = chooseWindow(text.slice(from, from + 2 * room), [{ leaf: 0, start: 0, end: 0 }], room);
  return tidy(text, from, from + to, true, []);
}

function tidy(
  text: string,
  from: number,
  to: number,
  wholeStart: boolean,
  occurrences: readonly Occurrence[],
): Passage {
  let shown = wholeStart ? '' : ellipsis;
  const inner: number[] = [];
  let spaced = true;
  for (let at = from; at < to; at++) {
    inner.push(shown.length);
    const character = text[at] as string;
    const isBlank =
      character <= ' ' ||
      (character >= '\x7f' && (blank.test(character) || character <= '\x9f')) ||
      isDrawn(text, at);
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
  const wholeEnd = to >= text.length || /[.!?。！？]["'’”»)\]]*$/.test(shown);
  return { text: wholeEnd ? shown : `${shown}${ellipsis}`, matches };
}

/** Whether the character is part of a line drawn with it. */
function isDrawn(text: string, at: number): boolean {
  const character = text[at] as string;
  if (!drawn.includes(character)) return false;
  let length = 1;
  for (let next = at + 1; length < drawnLength && text[next] === character; next++) length++;
  for (let before = at - 1; length < drawnLength && text[before] === character; before--) length++;
  return length >= drawnLength;
}
