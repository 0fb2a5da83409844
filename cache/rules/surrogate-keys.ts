import type { Fields } from './fields/fields.ts';

const maxKeys = 64;
const maxKeyLength = 256;

/**
 * The first 64 different surrogate keys of a response (`Surrogate-Key`, `Cache-Tag`, `xkey`), by which many
 * are purged at once; max 256 visible ASCII characters each.
 */
export function surrogateKeys(responseFields: Fields): readonly string[] {
  const keys = new Set<string>();
  for (const line of responseFields.lines('surrogate-key')) add(keys, line.split(/[ \t]+/));
  for (const line of responseFields.lines('cache-tag')) add(keys, line.split(/[ \t,]+/));
  for (const line of responseFields.lines('xkey')) add(keys, line.split(/[ \t,]+/));
  return [...keys];
}

function add(keys: Set<string>, texts: readonly string[]): void {
  for (const text of texts) {
    if (keys.size >= maxKeys) return;
    if (text.length <= maxKeyLength && /^[\x21-\x7e]+$/.test(text)) keys.add(text);
  }
}
