import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

/** Write a text's UTF-8 at `at`, where there is enough space. Returns its end. Short texts need no call. */
export function writeUtf8(bytes: Buffer, at: number, text: string): number {
  let end = at;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes[end++] = code;
    } else if (code < 0x800) {
      bytes[end++] = 0xc0 | (code >> 6);
      bytes[end++] = 0x80 | (code & 63);
    } else if (code < 0xd800 || code > 0xdfff) {
      bytes[end++] = 0xe0 | (code >> 12);
      bytes[end++] = 0x80 | ((code >> 6) & 63);
      bytes[end++] = 0x80 | (code & 63);
    } else {
      return at + bytes.write(text, at);
    }
  }
  return end;
}

/** A buffer that grows while it is written. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** An unsigned number below 2^32 in 1 to 5 bytes, 7 bits each, low bits first. */
  varint(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow(5);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy of the written bytes. The writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + needed));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads the output of a `ByteWriter`. Throws ENGINE_DAMAGED past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;
  readonly end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  varint(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      if (this.at >= this.end || shift > 28)
        throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a posting ends early' });
      const byte = this.#bytes[this.at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }

  byte(): number {
    if (this.at >= this.end) throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a posting ends early' });
    return this.#bytes[this.at++] as number;
  }

  bytes(length: number): Uint8Array {
    if (this.at + length > this.end)
      throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a posting ends early' });
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}
