/** The first `max` bytes as Latin-1 text: one character each. */
export function latin1Start(bytes: Uint8Array, max = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, max)).toString('latin1');
}

/** A text with its bytes for the escapes of them: `=E4` as mail writes them, `%E4` as addresses do. */
export function unescapedBytes(text: string, sign: '=' | '%'): string {
  const written = sign === '=' ? /=([\da-f]{2})/gi : /%([\da-f]{2})/gi;
  return text.replace(written, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A text up to its first zero. */
export function beforeZero(text: string): string {
  const zero = text.indexOf('\0');
  return zero < 0 ? text : text.slice(0, zero);
}

/** Numbers and text of a hostile array: reads outside throw RangeError, slices are cut at the end. */
export class ByteView {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** Whether numbers of several bytes are little-endian. */
  readonly little: boolean;

  constructor(bytes: Uint8Array, little = false) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.little = little;
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.#view.getUint8(at);
  }

  u16(at: number, little = this.little): number {
    return this.#view.getUint16(at, little);
  }

  i16(at: number, little = this.little): number {
    return this.#view.getInt16(at, little);
  }

  u24(at: number, little = this.little): number {
    return little
      ? this.u16(at, true) + (this.u8(at + 2) << 16)
      : (this.u8(at) << 16) + this.u16(at + 1, false);
  }

  u32(at: number, little = this.little): number {
    return this.#view.getUint32(at, little);
  }

  i32(at: number, little = this.little): number {
    return this.#view.getInt32(at, little);
  }

  /** Throws RangeError beyond 2^53 too: no offset or count of a real file is so large. */
  u64(at: number, little = this.little): number {
    const value = Number(this.#view.getBigUint64(at, little));
    if (!Number.isSafeInteger(value)) throw new RangeError('number too large');
    return value;
  }

  /** Windows' time, in tenths of microseconds since 1601, as whole milliseconds since 1970. */
  fileTime(at: number): number {
    return Number(this.#view.getBigUint64(at, true) / 10_000n) - 11_644_473_600_000;
  }

  f32(at: number, little = this.little): number {
    return this.#view.getFloat32(at, little);
  }

  f64(at: number, little = this.little): number {
    return this.#view.getFloat64(at, little);
  }

  /** The bytes from `start` up to `end`, fewer where the array ends. */
  slice(start: number, end: number): Uint8Array {
    const from = Math.min(Math.max(start, 0), this.length);
    return this.bytes.subarray(from, Math.min(Math.max(end, from), this.length));
  }

  /** A part with offsets of its own, fewer bytes where the array ends. */
  part(start: number, end: number, little = this.little): ByteView {
    return new ByteView(this.slice(start, end), little);
  }

  latin1(start: number, end: number): string {
    return this.#buffer(start, end).toString('latin1');
  }

  utf8(start: number, end: number): string {
    return this.#buffer(start, end).toString('utf8');
  }

  utf16(start: number, end: number, little = this.little): string {
    return new TextDecoder(little ? 'utf-16le' : 'utf-16be').decode(this.slice(start, end));
  }

  /** UTF-8 text up to a zero byte, the end or `max` bytes. */
  zeroEnded(at: number, max = 4096): string {
    if (at < 0 || at >= this.length) throw new RangeError('text outside the file');
    const window = this.slice(at, at + max);
    const end = window.indexOf(0);
    return this.utf8(at, at + (end < 0 ? window.length : end));
  }

  #buffer(start: number, end: number): Buffer {
    const part = this.slice(start, end);
    return Buffer.from(part.buffer, part.byteOffset, part.length);
  }
}
