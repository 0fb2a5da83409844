const clear = 256;
const end = 257;

/**
 * LZWDecode (ISO 32000 section 7.4.4): codes of 9 to 12 bits, highest bit first. `early` is 1 when codes grow one code
 * early, as PDF and TIFF do. At most `max` bytes come out; a code that cannot be ends the data.
 */
export function decodeLzw(bytes: Uint8Array, max: number, early = 1): Uint8Array {
  const prefix = new Uint16Array(4097);
  const last = new Uint8Array(4097);
  const lengths = new Uint16Array(4097).fill(1);
  for (let code = 0; code < 256; code++) last[code] = code;
  let out = new Uint8Array(Math.min(max, Math.max(1024, bytes.length * 4)));
  let length = 0;
  let next = 258;
  let width = 9;
  let previous = -1;
  let buffer = 0;
  let bits = 0;

  for (let at = 0; ; ) {
    while (bits < width && at < bytes.length) {
      buffer = ((buffer << 8) | (bytes[at++] ?? 0)) & 0xffffff;
      bits += 8;
    }
    if (bits < width) break;
    const code = (buffer >>> (bits - width)) & ((1 << width) - 1);
    bits -= width;
    if (code === end) break;
    if (code === clear) {
      next = 258;
      width = 9;
      previous = -1;
      continue;
    }
    // The one code that may be unknown is the next, which repeats its predecessor's first byte.
    const repeats = code === next && previous >= 0;
    if (code > 257 && code >= next && !repeats) break;
    const source = repeats ? previous : code;
    const size = (lengths[source] ?? 1) + (repeats ? 1 : 0);
    if (length + size > max) break;
    if (length + size > out.length) {
      const larger = new Uint8Array(Math.min(max, Math.max(out.length * 2, length + size)));
      larger.set(out);
      out = larger;
    }
    let write = length + size - (repeats ? 2 : 1);
    let walk = source;
    for (let left = lengths[source] ?? 1; left > 0; left--) {
      out[write--] = last[walk] ?? 0;
      walk = prefix[walk] ?? 0;
    }
    const first = out[length] ?? 0;
    if (repeats) out[length + size - 1] = first;
    length += size;
    if (previous >= 0 && next < 4096) {
      prefix[next] = previous;
      last[next] = first;
      lengths[next] = (lengths[previous] ?? 1) + 1;
      next++;
      if (next + early >= 1 << width && width < 12) width++;
    }
    previous = code;
  }
  return out.subarray(0, length);
}
