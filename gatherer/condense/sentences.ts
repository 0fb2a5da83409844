import type { Block } from '../../readers/document/index.ts';

/** Max UTF-16 units of a sentence; a longer one is cut at a blank, or anywhere if it has none. */
export const maxSentenceLength = 400;

const closing = /[)\]"'\u2019\u201d\u00bb]/;
const fullWidthStops = '\u3002\uff01\uff1f\u0964\u06d4';

/** Whether a sentence may begin at `at`: anything but a lower-case letter, so that "e.g. this" continues. */
const begins = (text: string, at: number) => at >= text.length || !/^\p{Ll}/u.test(text.slice(at, at + 2));

/**
 * The sentences of a block in order, as offsets; together they hold every character but blanks between them. Lines
 * of preformatted text, rows and headings are sentences; elsewhere a stop, a question or exclamation mark before a
 * blank ends one. Linear in the text.
 */
export function* sentencesOf({ role, text }: Block): Generator<readonly [start: number, end: number]> {
  const byLine = role === 'pre' || role === 'row';
  let start = 0;
  let blank = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let end = -1;
    if (code === 10) {
      blank = at;
      if (byLine) end = at;
    } else if (code === 32) blank = at;
    else if ((code === 46 || code === 33 || code === 63) && !byLine && role !== 'heading') {
      let after = at + 1;
      while (after < at + 4 && closing.test(text[after] ?? '')) after++;
      const next = text.charCodeAt(after);
      if ((next === 32 || next === 10) && begins(text, after + 1)) end = after;
    } else if (code > 0x900 && fullWidthStops.includes(text[at] as string)) end = at + 1;
    if (end < 0 && at - start >= maxSentenceLength) {
      end = blank > start ? blank : at;
      const last = text.charCodeAt(end - 1);
      if (last >= 0xd800 && last < 0xdc00) end++;
    }
    if (end >= 0) {
      if (end > start) yield [start, end];
      start = end;
      while (start < text.length && (text[start] === ' ' || text[start] === '\n')) start++;
      at = Math.max(at, start - 1);
    }
  }
  if (start < text.length) yield [start, text.length];
}
