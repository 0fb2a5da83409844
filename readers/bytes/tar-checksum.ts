/** Bytes of a tar header; everything in a tar archive is padded to a multiple of it. */
export const tarBlockBytes = 512;

const checksumStart = 148;
const checksumEnd = 156;

/** Whether bytes begin with a tar header. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= tarBlockBytes && bytes[0] !== 0 && hasTarChecksum(bytes) === true;
}

/** Whether the checksum of a header is right; a text says why the checksum cannot be read. */
export function hasTarChecksum(block: Uint8Array): boolean | string {
  // The sum of the header's bytes, with spaces in place of the checksum. Some old programs added signed bytes.
  let sum = 0;
  let high = 0;
  for (let at = 0; at < tarBlockBytes; at++) {
    const byte = at >= checksumStart && at < checksumEnd ? 0x20 : (block[at] as number);
    sum += byte;
    if (byte >= 0x80) high++;
  }
  const stored = tarNumber(block, checksumStart, checksumEnd);
  return typeof stored === 'string' ? stored : stored === sum || stored === sum - 256 * high;
}

/**
 * A number of a header: octal digits between spaces and zeros; or, marked by the highest bit, a number of base 256. A
 * text says why it cannot be read.
 */
export function tarNumber(block: Uint8Array, from: number, to: number): number | string {
  const first = block[from] as number;
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f;
    for (let at = from + 1; at < to; at++) value = value * 256 + (block[at] as number);
    // All ones at the top mean a number below zero: a time before 1970, and never a size.
    if (first === 0xff) return 0;
    return Number.isSafeInteger(value) ? value : 'a number in it is too large';
  }
  const digits = Buffer.from(block.subarray(from, to))
    .toString('latin1')
    .replace(/[\s\0]+/g, ' ')
    .trim();
  if (digits === '') return 0;
  return /^[0-7]{1,15}$/.test(digits) ? Number.parseInt(digits, 8) : 'a number in it is malformed';
}
