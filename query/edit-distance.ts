/**
 * Whether at most `errors` insertions, deletions and substitutions of characters (code points) make `text` of
 * `pattern` (Levenshtein 1966); with `inside` whether they make some part of it (Sellers 1980). Only the band of the
 * table that can hold such a distance is computed: time is in the length of `text` times `errors`, or, with
 * `inside`, the product of both lengths.
 */
export function distanceWithin(pattern: string, text: string, errors: number, inside = false): boolean {
  const wanted = [...pattern];
  const found = [...text];
  if (!inside && Math.abs(wanted.length - found.length) > errors) return false;
  if (inside && wanted.length <= errors) return true;
  // Column by column: least[row] is the distance between the first `row` characters wanted and what was read.
  const least = Array.from(wanted.keys(), (row) => row);
  least.push(wanted.length);
  const tooMany = errors + 1;
  for (const [index, character] of found.entries()) {
    const first = inside ? 1 : Math.max(1, index + 1 - errors);
    const last = inside ? wanted.length : Math.min(wanted.length, index + 1 + errors);
    let diagonal = least[first - 1] as number;
    least[first - 1] = inside ? 0 : first === 1 ? index + 1 : tooMany;
    let best = inside ? 0 : (least[first - 1] as number);
    for (let row = first; row <= last; row++) {
      const left = row === index + 1 + errors && !inside ? tooMany : (least[row] as number);
      const value = Math.min(
        diagonal + (wanted[row - 1] === character ? 0 : 1),
        left + 1,
        (least[row - 1] as number) + 1,
      );
      diagonal = least[row] as number;
      least[row] = value;
      if (value < best) best = value;
    }
    if (inside && (least[wanted.length] as number) <= errors) return true;
    if (best > errors) return false;
  }
  return (least[wanted.length] as number) <= errors;
}
