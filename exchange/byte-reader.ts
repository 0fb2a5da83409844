import { failure } from '../kernel/index.ts';
import { exchangeErrors } from './errors.ts';

/** Reads numbers and bytes from a field of a peer; any mismatch throws EXCHANGE_MESSAGE. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #type: string;
  #at = 0;

  constructor(bytes: Uint8Array, type: string) {
    this.#bytes = bytes;
    this.#type = type;
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    return this.bytes(1)[0] as number;
  }

  /** A copy of the next bytes, so that a stored field does not hold the whole message in memory. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) this.fail('is cut short');
    const part = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return part;
  }

  /** An unsigned number of at most 53 bits, seven to a byte. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (!Number.isSafeInteger(value)) this.fail('has a number out of range');
      if (byte < 0x80) return value;
    }
  }

  end(): void {
    if (!this.done) this.fail('has bytes left over');
  }

  fail(reason: string): never {
    throw failure(exchangeErrors.EXCHANGE_MESSAGE, { type: this.#type, reason });
  }
}

/** Collects numbers and bytes for a field. */
export class ByteWriter {
  readonly #parts: Uint8Array[] = [];

  byte(value: number): this {
    this.#parts.push(Uint8Array.of(value));
    return this;
  }

  bytes(part: Uint8Array): this {
    this.#parts.push(part);
    return this;
  }

  number(value: number): this {
    const bytes: number[] = [];
    let rest = value;
    while (rest >= 128) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
    this.#parts.push(Uint8Array.from(bytes));
    return this;
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}
