// Sets of docnos as ascending typed arrays.

/** Index of the first docno from `docno` on, searched from `from`. The step doubles, then halves. */
export function seek(set: Uint32Array, docno: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step < set.length && (set[low + step] as number) < docno) {
    low += step;
    step *= 2;
  }
  let high = Math.min(set.length, low + step + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((set[middle] as number) < docno) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cost of a seek, in steps. */
const seekSteps = 8;

export function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [small, large] = a.length <= b.length ? [a, b] : [b, a];
  const found = new Uint32Array(small.length);
  let count = 0;
  let at = 0;
  const steps = small.length * seekSteps >= large.length;
  for (let index = 0; index < small.length; index++) {
    const docno = small[index] as number;
    if (steps) while (at < large.length && (large[at] as number) < docno) at++;
    else at = seek(large, docno, at);
    if (at === large.length) break;
    if (large[at] === docno) found[count++] = docno;
  }
  return found.subarray(0, count);
}

/** Above this ratio of sizes, the small set is merged into the other piece by piece. */
const fewShare = 16;

function withFew(many: Uint32Array, few: Uint32Array): Uint32Array {
  const all = new Uint32Array(many.length + few.length);
  let [count, from] = [0, 0];
  for (const docno of few) {
    const at = seek(many, docno, from);
    all.set(many.subarray(from, at), count);
    count += at - from;
    if (many[at] !== docno) all[count++] = docno;
    from = at;
  }
  all.set(many.subarray(from), count);
  return all.subarray(0, count + many.length - from);
}

export function unite(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  if (a.length * fewShare < b.length) return withFew(b, a);
  if (b.length * fewShare < a.length) return withFew(a, b);
  const all = new Uint32Array(a.length + b.length);
  let count = 0;
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) {
    const one = a[left] as number;
    const other = b[right] as number;
    all[count++] = Math.min(one, other);
    if (one <= other) left++;
    if (other <= one) right++;
  }
  while (left < a.length) all[count++] = a[left++] as number;
  while (right < b.length) all[count++] = b[right++] as number;
  return all.subarray(0, count);
}

/** The union of many sets, small ones first. */
export function uniteAll(sets: readonly Uint32Array[]): Uint32Array {
  let round = [...sets].sort((a, b) => a.length - b.length);
  while (round.length > 1) {
    const next: Uint32Array[] = [];
    for (let at = 0; at < round.length; at += 2) {
      const other = round[at + 1];
      next.push(other === undefined ? (round[at] as Uint32Array) : unite(round[at] as Uint32Array, other));
    }
    round = next;
  }
  return round[0] ?? new Uint32Array();
}

export function subtract(a: Uint32Array, b: Uint32Array): Uint32Array {
  const left = new Uint32Array(a.length);
  let count = 0;
  let at = 0;
  for (const docno of a) {
    at = seek(b, docno, at);
    if (b[at] !== docno) left[count++] = docno;
  }
  return left.subarray(0, count);
}
