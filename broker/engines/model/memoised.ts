/** The earlier value of a name, or else the one that `load` starts to compute now. */
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
