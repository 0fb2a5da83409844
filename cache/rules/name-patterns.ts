import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';

// Without characters that the name of a parameter or a cookie cannot have.
const pattern = /^[^\s&=;,*"]*\*?[^\s&=;,*"]*$/;

/** A test of names: `gclid`, or with a `*` for any text, `utm_*`. Case matters. Throws CACHE_NAME_PATTERN. */
export function namePatterns(patterns: readonly string[]): (name: string) => boolean {
  const whole = new Set<string>();
  const open: { readonly before: string; readonly after: string }[] = [];
  for (const entry of patterns) {
    if (entry === '' || entry.length > 200 || !pattern.test(entry))
      throw failure(cacheErrors.CACHE_NAME_PATTERN, { entry });
    const [before = '', after] = entry.split('*');
    if (after === undefined) whole.add(entry);
    else open.push({ before, after });
  }
  return (name) =>
    whole.has(name) ||
    open.some(
      ({ before, after }) =>
        name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after),
    );
}
