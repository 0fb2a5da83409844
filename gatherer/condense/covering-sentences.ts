import type { Reading, Sentence } from './tokenised-document.ts';

/** The terms that a summary holds so far. */
export class Coverage {
  /** 1 at the identifiers of these terms. */
  readonly held: Uint8Array;

  constructor(terms: number) {
    this.held = new Uint8Array(terms);
  }

  add(terms: Iterable<number>): void {
    for (const term of terms) this.held[term] = 1;
  }
}

const passes = 14;
const slope = 0.72;
/** Cost of a sentence besides its letters: a sentence of two words is worth little to a reader. */
const sentenceCost = 24;
// Documents and sections begin with their subject: a sentence there is preferred this many times.
const earlyTokens = 300;
const earlyBonus = 10;
const topicBonus = 5;

/** How much a sentence is preferred because of its place. */
function preferences(reading: Reading, usable: (sentence: Sentence) => boolean): Float64Array {
  const preferred = new Float64Array(reading.sentences.length);
  let afterHeading = true;
  for (let at = 0; at < preferred.length; at++) {
    const sentence = reading.sentences[at] as Sentence;
    const used = usable(sentence);
    const early = Math.max(0, 1 - sentence.first / earlyTokens);
    if (used) preferred[at] = 1 + earlyBonus * early + (afterHeading ? topicBonus : 0);
    afterHeading = !used;
  }
  return preferred;
}

/**
 * Choose sentences with the highest total score in `length` UTF-16 units, greedily by the gain for their length and
 * place. Falling thresholds replace a sorted queue: every sentence is examined a bounded number of times, and the whole
 * is linear. The gain of a sentence only falls as others are chosen (submodularity), so a sentence below the threshold
 * is not counted again until the threshold has reached it. Returns indexes in reading order and adds the terms to
 * `coverage`.
 */
export function coveringSentences(
  reading: Reading,
  scores: Float64Array,
  coverage: Coverage,
  usable: (sentence: Sentence) => boolean,
  length: number,
): number[] {
  const { sentences } = reading;
  const preferred = preferences(reading, usable);
  const gains = new Float64Array(sentences.length);
  const stamp = new Uint32Array(scores.length);
  let stamps = 0;
  const gainOf = (at: number): number => {
    const sentence = sentences[at] as Sentence;
    stamps++;
    let gain = 0;
    for (const term of reading.termsOf(sentence)) {
      if (stamp[term] === stamps || coverage.held[term] === 1) continue;
      stamp[term] = stamps;
      gain += scores[term] as number;
    }
    return ((preferred[at] as number) * gain) / (sentence.stop - sentence.start + sentenceCost);
  };
  let threshold = 0;
  for (let at = 0; at < sentences.length; at++) {
    gains[at] = preferred[at] === 0 ? 0 : gainOf(at);
    threshold = Math.max(threshold, gains[at] as number);
  }
  const chosen: number[] = [];
  let left = length;
  for (let pass = 0; pass < passes && threshold > 0; pass++) {
    threshold *= slope;
    for (let at = 0; at < sentences.length; at++) {
      if ((gains[at] as number) < threshold) continue;
      const sentence = sentences[at] as Sentence;
      const size = sentence.stop - sentence.start + 1;
      gains[at] = size > left ? 0 : gainOf(at);
      if ((gains[at] as number) < threshold) continue;
      gains[at] = 0;
      chosen.push(at);
      left -= size;
      coverage.add(reading.termsOf(sentence));
    }
  }
  return chosen.sort((a, b) => a - b);
}
