/** A line between two boxes, by their ids. */
interface Line {
  readonly from: string;
  readonly to: string;
}

/** Two passes over all layers, down and up: further ones change little. */
const passes = 2;

/**
 * Layers with their boxes in an order by which few lines cross: each box near the middle of those that it is linked to.
 * Ids that are in no layer are ignored.
 */
export function ordered(
  layers: readonly (readonly string[])[],
  lines: readonly Line[],
): readonly (readonly string[])[] {
  const linked = new Map<string, string[]>();
  for (const { from, to } of lines)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      appendTo(linked, one, other);
  const place = new Map<string, number>();
  const put = (layer: readonly string[]) => {
    for (const [at, id] of layer.entries()) place.set(id, (at + 0.5) / layer.length);
  };
  for (const layer of layers) put(layer);
  let current = layers;
  const sorted = (layer: readonly string[]) => {
    const middle = new Map(
      layer.map((id) => {
        const places = (linked.get(id) ?? []).flatMap((other) => place.get(other) ?? []);
        const own = place.get(id) ?? 0;
        return [id, places.length === 0 ? own : places.reduce((sum, at) => sum + at, 0) / places.length];
      }),
    );
    const next = layer.toSorted((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
    put(next);
    return next;
  };
  for (let pass = 0; pass < passes; pass++) {
    current = current.map(sorted);
    current = current.toReversed().map(sorted).toReversed();
  }
  return current;
}

/** Append a value to the list of a key. */
export function appendTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
