/** The content of a snappy block (2011), or undefined if damaged or larger than `max` bytes. */
export function unsnap(block: Uint8Array, max: number): Uint8Array | undefined {
  let at = 0;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = block[at++];
    if (byte === undefined || shift > 28) return undefined;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  if (length > max) return undefined;
  const out = new Uint8Array(length);
  let end = 0;
  const number = (bytes: number): number => {
    let value = 0;
    for (let i = 0; i < bytes; i++) value += (block[at + i] ?? 0) * 256 ** i;
    at += bytes;
    return value;
  };
  while (at < block.length) {
    const tag = block[at++] as number;
    if ((tag & 3) === 0) {
      const size = (tag >> 2 < 60 ? tag >> 2 : number((tag >> 2) - 59)) + 1;
      if (at + size > block.length || end + size > length) return undefined;
      out.set(block.subarray(at, at + size), end);
      at += size;
      end += size;
      continue;
    }
    const size = (tag & 3) === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const back = (tag & 3) === 1 ? ((tag >> 5) << 8) + number(1) : number((tag & 3) === 2 ? 2 : 4);
    if (back === 0 || back > end || end + size > length) return undefined;
    // Byte by byte: the source may overlap the bytes just written.
    for (let i = 0; i < size; i++, end++) out[end] = out[end - back] as number;
  }
  return end === length ? out : undefined;
}
