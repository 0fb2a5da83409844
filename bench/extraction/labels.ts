import { words } from './measure.ts';

/**
 * How much of each block of a page is true text: the share of its words in a longest common subsequence of page and
 * truth. Of several longest ones, the earliest in the page is used. -1 for a block without words.
 */
export function labelsOf(blocks: readonly string[], truth: string): number[] {
  const wanted = words(truth);
  const page: string[] = [];
  const blockOf: number[] = [];
  const counts = blocks.map((text, block) => {
    const found = words(text);
    for (const word of found) {
      page.push(word);
      blockOf.push(block);
    }
    return found.length;
  });
  const known = new Map<string, number>();
  const number = (word: string) => {
    const one = known.get(word) ?? known.size;
    known.set(word, one);
    return one;
  };
  const wantedIds = Int32Array.from(wanted, number);
  const pageIds = Int32Array.from(page, number);
  const matched = new Int32Array(blocks.length);
  for (const at of commonSubsequence(pageIds, wantedIds)) {
    const block = blockOf[at] as number;
    matched[block] = (matched[block] as number) + 1;
  }
  return counts.map((count, block) => (count === 0 ? -1 : (matched[block] as number) / count));
}

/** Positions in `page` of a longest common subsequence that favours adjacent words. */
function commonSubsequence(page: Int32Array, wanted: Int32Array): number[] {
  const width = wanted.length + 1;
  // Each matched word counts 2, and 1 more when the word before it is matched too.
  const from = new Uint8Array((page.length + 1) * width);
  let scores = new Int32Array(width);
  let runs = new Int32Array(width).fill(-1_000_000);
  for (let row = 1; row <= page.length; row++) {
    const nextScores = new Int32Array(width);
    const nextRuns = new Int32Array(width).fill(-1_000_000);
    for (let column = 1; column < width; column++) {
      const cell = row * width + column;
      if (page[row - 1] === wanted[column - 1]) {
        const goesOn = (runs[column - 1] as number) + 3;
        const begins = (scores[column - 1] as number) + 2;
        nextRuns[column] = Math.max(goesOn, begins);
        if (goesOn > begins) from[cell] = 4;
      }
      const skipPage = scores[column] as number;
      const skipWanted = nextScores[column - 1] as number;
      const best = Math.max(skipPage, skipWanted, nextRuns[column] as number);
      nextScores[column] = best;
      from[cell] = (from[cell] as number) | (best === skipPage ? 1 : best === skipWanted ? 2 : 3);
    }
    scores = nextScores;
    runs = nextRuns;
  }
  const found: number[] = [];
  let row = page.length;
  let column = width - 1;
  let inRun = false;
  while (row > 0 && column > 0) {
    const cell = from[row * width + column] as number;
    if (inRun || (cell & 3) === 3) {
      found.push(row - 1);
      inRun = (cell & 4) !== 0;
      row--;
      column--;
    } else if ((cell & 3) === 1) row--;
    else column--;
  }
  return found;
}
