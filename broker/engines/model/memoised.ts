/** What was asked for under a name before, or else what `load` begins to find now. */
export function memoised<Value>(
  known: Map<string, Promise<Value>>,
  name: string,
  load: () => Promise<Value>,
): Promise<Value> {
  let value = known.get(name);
  if (value === undefined) {
    value = load();
    known.set(name, value);
  }
  return value;
}
