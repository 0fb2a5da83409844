import { type ContentSummary, classOf } from './content-summary.ts';

/** A summary is sent again when more than this share of its words has changed. */
const maxChanged = 1 / 16;

/** The share of words that came, went, or moved by more than the half octave that a few objects may be. */
export function changedShare(last: ContentSummary, next: ContentSummary): number {
  let same = 0;
  for (const [term, objects] of next.terms) {
    const before = last.terms.get(term);
    if (before !== undefined && Math.abs(classOf(objects) - classOf(before)) <= 1) same++;
  }
  const larger = Math.max(last.terms.size, next.terms.size);
  return larger === 0 ? 0 : 1 - same / larger;
}

/**
 * Whether a summary differs so much from the one sent last that it is worth sending. A summary is sent whole: it
 * is small, and this way a Registry needs no former version to read it.
 */
export const isWorthSending = (last: ContentSummary, next: ContentSummary): boolean =>
  changedShare(last, next) > maxChanged || last.languages[0]?.[0] !== next.languages[0]?.[0];
