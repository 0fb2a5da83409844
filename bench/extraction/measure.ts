// The measure of scrapinghub's article-extraction-benchmark: multisets of four-word shingles.

/** Runs of letters, digits and underscores. */
export function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** The agreement of an extracted text with the true one. */
export interface Agreement {
  readonly precision: number;
  readonly recall: number;
}

const shingleWords = 4;

function shingles(text: string): Map<string, number> {
  const found = words(text);
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, found.length - shingleWords + 1); at++) {
    const shingle = found.slice(at, at + shingleWords).join(' ');
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

/** Precision and recall of `found` against `truth`; 1 when both are equal, also when both are empty. */
export function agreement(truth: string, found: string): Agreement {
  const wanted = shingles(truth);
  const got = shingles(found);
  let common = 0;
  let extra = 0;
  let missing = 0;
  for (const [shingle, count] of wanted) {
    const have = got.get(shingle) ?? 0;
    common += Math.min(count, have);
    missing += Math.max(0, count - have);
  }
  for (const [shingle, count] of got) extra += Math.max(0, count - (wanted.get(shingle) ?? 0));
  if (extra === 0 && missing === 0) return { precision: 1, recall: 1 };
  return {
    precision: common + extra === 0 ? 0 : common / (common + extra),
    recall: common + missing === 0 ? 0 : common / (common + missing),
  };
}

/** Average precision and recall over pages, and F1 of the two averages. */
export function overall(pages: readonly Agreement[]): Agreement & { readonly f1: number } {
  const mean = (pick: (one: Agreement) => number) =>
    pages.reduce((sum, one) => sum + pick(one), 0) / Math.max(1, pages.length);
  const precision = mean((one) => one.precision);
  const recall = mean((one) => one.recall);
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}
