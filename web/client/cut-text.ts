const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

// Units on each side that are read to find the character at a place; few characters are longer.
const reach = 128;

/**
 * The last place up to `at` where a text may be cut: not inside a character as readers see it (a grapheme cluster of
 * UAX #29: a letter with its marks, a family of emoji, a flag).
 */
export function graphemeStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  if (text.charCodeAt(at - 1) < 128 && text.charCodeAt(at) < 128) return at;
  const from = Math.max(0, at - reach);
  const found = graphemes.segment(text.slice(from, at + reach)).containing(at - from);
  return found === undefined || (found.index === 0 && from > 0) ? at : from + found.index;
}

/** A text in at most `length` UTF-16 units: cut between words where there are any, with `…` at the end. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = graphemeStart(text, Math.max(0, length - 1));
  const part = text.slice(0, end + 1);
  const blank = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'));
  return `${text.slice(0, blank > end / 2 ? blank : end).trimEnd()}…`;
}
