import type { Block } from '../../readers/document/index.ts';
import type { Reading } from './tokenised-document.ts';

// Max different pairs of words that are counted; later ones are ignored.
const maxPairs = 65_536;
const minTimes = 2;
const headingTimes = 2;

/** Two words that occur next to each other repeatedly. */
export interface Phrase {
  /** As first written. */
  readonly text: string;
  readonly terms: readonly [number, number];
  readonly score: number;
}

interface Pair {
  readonly terms: readonly [number, number];
  readonly text: string;
  readonly start: number;
  readonly end: number;
  times: number;
}

/** At most `count` pairs of significant words, best first: they restore the weight that a list loses. */
export function phrasesOf(
  reading: Reading,
  blocks: readonly Block[],
  scores: Float64Array,
  isStop: (term: number) => boolean,
  count: number,
): Phrase[] {
  const pairs = new Map<number, Pair>();
  for (const { block, first, end } of reading.sentences) {
    const { text, role } = blocks[block] as Block;
    const times = role === 'heading' ? headingTimes : 1;
    for (let token = first + 1; token < end; token++) {
      const [a, b] = [reading.term(token - 1), reading.term(token)];
      const blank = reading.end(token - 1);
      if (reading.start(token) !== blank + 1 || text.charCodeAt(blank) !== 32) continue;
      if (a === b || isStop(a) || isStop(b)) continue;
      const key = a * scores.length + b;
      const known = pairs.get(key);
      if (known !== undefined) known.times += times;
      else if (pairs.size < maxPairs)
        pairs.set(key, {
          terms: [a, b],
          text,
          start: reading.start(token - 1),
          end: reading.end(token),
          times,
        });
    }
  }
  const phrases: Phrase[] = [];
  for (const { terms, text, start, end, times } of pairs.values()) {
    if (times < minTimes) continue;
    const [a, b] = terms;
    const score = (times / (times + 2)) * ((scores[a] as number) + (scores[b] as number));
    phrases.push({ text: text.slice(start, end), terms, score });
  }
  return phrases.sort((a, b) => b.score - a.score).slice(0, count);
}
