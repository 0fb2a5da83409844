import { nearest } from '../../kernel/index.ts';

// Settings have names of two words, the group and its own. A mistake in one of them must not be outweighed by
// the letters of the other.

/** The setting that a mistyped key or variable may mean; none for a port, which is a flag and no setting. */
export function nearestSetting(typed: string, known: Iterable<string>): string | undefined {
  if (isPort(typed)) return undefined;
  const names = [...known];
  const group = typed.slice(0, typed.indexOf('.') + 1);
  const own = names.filter((name) => group !== '' && name.startsWith(group));
  if (own.length === 0) return nearest(typed, names);
  // The group is right, so its letters make nothing nearer.
  const rest = typed.slice(group.length);
  const near = nearest(
    rest,
    own.map((name) => name.slice(group.length)),
  );
  return near === undefined ? names.find((name) => name.endsWith(`.${rest}`)) : group + near;
}

/** Whether a key looks like the setting of a port: `port`, `http.port`, `GARNER_PORT`. */
export function isPort(key: string): boolean {
  return /(?:^|[._-])port$/i.test(key);
}
