/** The initial value of a word's hash. */
export const hashStart: number = 0x811c9dc5 | 0;
/** The hash with one byte more (FNV-1a). */
export const hashed = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** The place in a table: the low bits of a hash depend only on the low bits of the bytes. */
export const spread = (hash: number): number => hash ^ (hash >>> 15);

/** The hash of the bytes from `from` to before `end`. */
export function hashOf(bytes: Uint8Array, from: number, end: number, first: number = hashStart): number {
  let hash = first;
  for (let at = from; at < end; at++) hash = hashed(hash, bytes[at] as number);
  return hash;
}

/** The hash of a text's UTF-16 units. */
export function textHash(text: string): number {
  let hash = hashStart;
  for (let at = 0; at < text.length; at++) hash = hashed(hash, text.charCodeAt(at));
  return hash;
}
