/** Indexes of the `count` highest scores, highest first. Equal scores are in the order of their indexes. */
export function bestOf(scores: Float64Array, count: number): Uint32Array {
  const before = (a: number, b: number) => (scores[b] as number) - (scores[a] as number) || a - b;
  if (count >= scores.length / 4) {
    const all = new Uint32Array(scores.length);
    for (let index = 1; index < all.length; index++) all[index] = index;
    return all.sort(before).subarray(0, Math.max(0, count));
  }
  if (count <= 0) return new Uint32Array();
  const heap = new Uint32Array(count);
  for (let index = 0; index < count; index++) heap[index] = index;
  for (let at = (count >> 1) - 1; at >= 0; at--) sink(heap, at, scores);
  let min = scores[heap[0] as number] as number;
  for (let index = count; index < scores.length; index++) {
    if ((scores[index] as number) <= min) continue;
    heap[0] = index;
    sink(heap, 0, scores);
    min = scores[heap[0] as number] as number;
  }
  return heap.sort(before);
}

/** Sift down the index at `from` in a heap with the worst of the best on top. */
function sink(heap: Uint32Array, from: number, scores: Float64Array): void {
  const moved = heap[from] as number;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const right = child + 1;
    if (right < heap.length && isWorse(heap[right] as number, heap[child] as number, scores)) child = right;
    if (!isWorse(heap[child] as number, moved, scores)) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = moved;
}

function isWorse(a: number, b: number, scores: Float64Array): boolean {
  const [first, second] = [scores[a] as number, scores[b] as number];
  return first < second || (first === second && a > b);
}
