// The reflected polynomial of ECMA-182, as xz uses it, in two halves of 32 bits.
const polyHigh = 0xc96c5795;
const polyLow = 0xd7870f42;

const highTable = new Uint32Array(256);
const lowTable = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit++) {
    const odd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (odd === 1) {
      high ^= polyHigh;
      low ^= polyLow;
    }
  }
  highTable[byte] = high;
  lowTable[byte] = low;
}

/** CRC-64 as in xz, over all pieces given to `add`. */
export class Crc64 {
  #high = -1;
  #low = -1;

  add(bytes: Uint8Array): void {
    let high = this.#high;
    let low = this.#low;
    for (let at = 0; at < bytes.length; at++) {
      const index = (low ^ (bytes[at] as number)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (lowTable[index] as number);
      high = (high >>> 8) ^ (highTable[index] as number);
    }
    this.#high = high;
    this.#low = low;
  }

  /** Eight bytes, least significant first. */
  digest(): Uint8Array {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, ~this.#low >>> 0, true);
    view.setUint32(4, ~this.#high >>> 0, true);
    return bytes;
  }
}
