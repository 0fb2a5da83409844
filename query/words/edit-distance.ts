interface EditRules {
  /** Edits beyond this are not counted. */
  readonly max: number;
  /** The text may have anything before and after. */
  readonly inside: boolean;
  /** Two swapped neighbours count as one edit, once each. */
  readonly swaps: boolean;
}

/**
 * Insertions, deletions and substitutions of code points (Levenshtein 1966) or, with `inside`, those to some
 * part of the text (Sellers 1980), there the first number within bounds. A number above `max` means more.
 * Takes the length of the text times `max` or, with `inside`, times the other length.
 */
function edits(pattern: string, text: string, { max, inside, swaps }: EditRules): number {
  const wanted = [...pattern];
  const found = [...text];
  const height = wanted.length;
  const tooMany = max + 1;
  if (!inside && Math.abs(height - found.length) > max) return tooMany;
  if (inside && height <= max) return height;
  // Column by column: the distances between the first `row` characters of the pattern and the text read so
  // far.
  let older = new Array<number>(height + 1).fill(tooMany);
  let last = Array.from({ length: height + 1 }, (_, row) => row);
  let next = new Array<number>(height + 1).fill(tooMany);
  for (const [index, character] of found.entries()) {
    const first = inside ? 1 : Math.max(1, index + 1 - max);
    const bottom = inside ? height : Math.min(height, index + 1 + max);
    next[first - 1] = inside ? 0 : first === 1 ? index + 1 : tooMany;
    let best = next[first - 1] as number;
    for (let row = first; row <= bottom; row++) {
      const left = row === index + 1 + max && !inside ? tooMany : (last[row] as number);
      let value = Math.min(
        (last[row - 1] as number) + (wanted[row - 1] === character ? 0 : 1),
        left + 1,
        (next[row - 1] as number) + 1,
      );
      const swapped =
        swaps && row > 1 && wanted[row - 1] === found[index - 1] && wanted[row - 2] === character;
      if (swapped) value = Math.min(value, (older[row - 2] as number) + 1);
      next[row] = value;
      if (value < best) best = value;
    }
    if (inside && (next[height] as number) <= max) return next[height] as number;
    if (best > max) return tooMany;
    [older, last, next] = [last, next, older];
  }
  return last[height] as number;
}

/** Whether at most `errors` edits turn `pattern` into `text`; with `inside` into some part of it. */
export const distanceWithin = (pattern: string, text: string, errors: number, inside = false): boolean =>
  edits(pattern, text, { max: errors, inside, swaps: false }) <= errors;

/** Edits from one word to the other, with swaps of neighbours; undefined for more than `max`. */
export function editsBetween(a: string, b: string, max: number): number | undefined {
  const found = edits(a, b, { max, inside: false, swaps: true });
  return found > max ? undefined : found;
}
