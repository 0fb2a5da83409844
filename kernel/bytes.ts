/** Bytes that grow while they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** An unsigned number of at most 53 bits in 1 to 8 bytes, 7 bits each, low bits first. */
  varint(value: number): this {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    for (; rest > 0xffffffff; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
    return this;
  }

  byte(value: number): this {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  bytes(bytes: Uint8Array): this {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** A copy of the written bytes; the writer is empty afterwards. */
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

/** Reads the bytes of a `ByteWriter`; throws the error that `fault` makes of a reason such as `is cut short`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #fault: (reason: string) => Error;
  at: number;
  readonly end: number;

  constructor(bytes: Uint8Array, fault: (reason: string) => Error, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#fault = fault;
    this.at = at;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  /** An unsigned number of at most 53 bits. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    for (let scale = 2 ** 28; scale < 2 ** 53; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (!Number.isSafeInteger(value)) break;
      if (byte < 128) return value;
    }
    return this.fail('has a number out of range');
  }

  byte(): number {
    if (this.at >= this.end) this.fail('is cut short');
    return this.#bytes[this.at++] as number;
  }

  /** A view of the next bytes. */
  bytes(length: number): Uint8Array {
    const start = this.at;
    if (start + length > this.end) this.fail('is cut short');
    this.at += length;
    return this.#bytes.subarray(start, this.at);
  }

  /** A copy of the next bytes, which does not keep the whole input in memory. */
  copy(length: number): Uint8Array {
    return new Uint8Array(this.bytes(length));
  }

  /** Throws unless all bytes were read. */
  expectEnd(): void {
    if (!this.done) this.fail('has bytes left over');
  }

  fail(reason: string): never {
    throw this.#fault(reason);
  }
}
