import type { ByteView } from '../bytes/index.ts';

/** A value of Thrift's compact protocol; structures are their fields by number. */
export type ThriftValue =
  | number
  | string
  | boolean
  | readonly ThriftValue[]
  | ReadonlyMap<number, ThriftValue>;

const maxDepth = 32;
const maxElements = 1_000_000;

/** Read one structure of Thrift's compact protocol. Throws RangeError beyond the end and its bounds. */
export function readThrift(view: ByteView): ReadonlyMap<number, ThriftValue> {
  return new ThriftReader(view).structure(0);
}

class ThriftReader {
  readonly #view: ByteView;
  #at = 0;
  #elements = 0;

  constructor(view: ByteView) {
    this.#view = view;
  }

  structure(depth: number): ReadonlyMap<number, ThriftValue> {
    if (depth > maxDepth) throw new RangeError('nested too deeply');
    const fields = new Map<number, ThriftValue>();
    let number = 0;
    for (;;) {
      const head = this.#view.u8(this.#at++);
      const type = head & 15;
      if (head === 0) return fields;
      number = head >> 4 === 0 ? this.#signed() : number + (head >> 4);
      fields.set(number, type === 1 || type === 2 ? type === 1 : this.#value(type, depth));
    }
  }

  #value(type: number, depth: number): ThriftValue {
    if (this.#elements++ > maxElements) throw new RangeError('too many values');
    if (type === 1 || type === 2) return this.#view.u8(this.#at++) === 1;
    if (type === 3) return this.#view.u8(this.#at++);
    if (type <= 6) return this.#signed();
    if (type === 7) {
      this.#at += 8;
      return this.#view.f64(this.#at - 8, true);
    }
    if (type === 8) {
      const length = this.#unsigned();
      if (this.#at + length > this.#view.length) throw new RangeError('text outside the file');
      this.#at += length;
      return this.#view.utf8(this.#at - length, this.#at - length + Math.min(length, 64 * 1024));
    }
    if (type === 9 || type === 10) {
      const head = this.#view.u8(this.#at++);
      const count = head >> 4 === 15 ? this.#unsigned() : head >> 4;
      const values: ThriftValue[] = [];
      for (let index = 0; index < count; index++) values.push(this.#value(head & 15, depth + 1));
      return values;
    }
    if (type === 12) return this.structure(depth + 1);
    throw new RangeError('unknown type');
  }

  #unsigned(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#view.u8(this.#at++);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError('number too long');
  }

  /** Zigzag: the lowest bit is the sign. */
  #signed(): number {
    const value = this.#unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
