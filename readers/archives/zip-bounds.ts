const endBytes = 22;
const maxBehind = 1024 * 1024;
const maxFields = 0xffffffff;
const longLocator = 0x07064b50;
const directoryMark = 0x02014b50;

/**
 * The stretch of a file that is its zip archive: without what was put before it, such as a program that unpacks it,
 * and without what was added behind it. Undefined when no end of a directory is found in its last mebibyte.
 */
export function zipBounds(bytes: Uint8Array): Uint8Array | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lowest = Math.max(0, buffer.length - maxBehind);
  for (let at = buffer.lastIndexOf('PK\x05\x06', undefined, 'latin1'); at >= lowest; ) {
    const end = at + endBytes + (at + endBytes <= buffer.length ? buffer.readUInt16LE(at + 20) : maxFields);
    const start = end <= buffer.length ? startOf(buffer, at) : undefined;
    if (start !== undefined) return bytes.subarray(start, end);
    at = at === 0 ? -1 : buffer.lastIndexOf('PK\x05\x06', at - 1, 'latin1');
  }
  return undefined;
}

// Where the archive begins, by where its directory says to begin and where it does.
function startOf(buffer: Buffer, end: number): number | undefined {
  const size = buffer.readUInt32LE(end + 12);
  const offset = buffer.readUInt32LE(end + 16);
  const long = end >= 20 && buffer.readUInt32LE(end - 20) === longLocator;
  if (long || size === maxFields || offset === maxFields) return 0;
  const start = end - size - offset;
  if (start >= 0 && (size === 0 || buffer.readUInt32LE(end - size) === directoryMark)) return start;
  // The size may be a lie where the place is none.
  return offset + 4 <= end && (offset === end || buffer.readUInt32LE(offset) === directoryMark)
    ? 0
    : undefined;
}
