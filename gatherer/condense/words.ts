import type { Coverage } from './coverage.ts';
import type { Reading, Spelling } from './tokenised-document.ts';

/** The spelling that stands for each term: the most frequent one; of equals the shorter, then the earlier. */
function spellingsOf(reading: Reading): readonly (Spelling | undefined)[] {
  const best = new Array<Spelling | undefined>(reading.terms.length).fill(undefined);
  for (const spelling of reading.spellings) {
    for (const term of spelling.terms) {
      const other = best[term];
      const better =
        other === undefined ||
        spelling.count > other.count ||
        (spelling.count === other.count && spelling.text.length < other.text.length);
      if (better) best[term] = spelling;
    }
  }
  return best;
}

/**
 * At most `count` words that stand for terms not yet covered, best first: a document's vocabulary without its
 * repetitions, which is what retrieval by word needs. A compound stands for all its words.
 */
export function coveringWords(
  reading: Reading,
  scores: Float64Array,
  coverage: Coverage,
  count: number,
): string[] {
  const best = spellingsOf(reading);
  // Equal ones keep the order in which the document brings them.
  const order = Uint32Array.from(scores.keys()).sort(
    (a, b) => (scores[b] as number) - (scores[a] as number) || a - b,
  );
  const chosen: string[] = [];
  for (const term of order) {
    if (chosen.length >= count || scores[term] === 0) break;
    const spelling = best[term];
    if (coverage.held[term] === 1 || spelling === undefined) continue;
    chosen.push(spelling.text);
    coverage.add(spelling.terms);
  }
  return chosen;
}
