import { failure } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';

export const maxDepth = 32;

/** Max values in one message: one byte on the wire can become an object of 50 in memory. */
export const maxValues = 500_000;

const unread = (reason: string) => failure(wireErrors.WIRE_MESSAGE, { reason });

const protoKey = Buffer.from('__proto__');

/** Bytes after the head of nil, booleans, floats and integers. */
const scalarBytes = new Map([
  ...[0xc0, 0xc2, 0xc3].map((head) => [head, 0] as const),
  ...[0xcc, 0xd0].map((head) => [head, 1] as const),
  ...[0xcd, 0xd1].map((head) => [head, 2] as const),
  ...[0xca, 0xce, 0xd2].map((head) => [head, 4] as const),
  ...[0xcb, 0xcf, 0xd3].map((head) => [head, 8] as const),
]);

/** Bytes of the length that follows the head of strings and byte strings. */
const textLengthBytes = new Map<number, 1 | 2 | 4>([
  [0xc4, 1],
  [0xd9, 1],
  [0xc5, 2],
  [0xda, 2],
  [0xc6, 4],
  [0xdb, 4],
]);

/** Walks MessagePack without building anything. */
class Scanner {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  scan(): void {
    const first = this.#bytes[0] ?? 0;
    if (!((first & 0xf0) === 0x80 || first === 0xde || first === 0xdf)) throw unread('it is no record');
    this.#value(0);
    if (this.#at !== this.#bytes.length) throw unread('bytes follow its end');
  }

  #skip(count: number): void {
    this.#at += count;
    if (this.#at > this.#bytes.length) throw unread('it is cut short');
  }

  #number(size: 1 | 2 | 4): number {
    const at = this.#at;
    this.#skip(size);
    if (size === 1) return this.#bytes[at] as number;
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #value(depth: number): void {
    this.#values += 1;
    if (this.#values > maxValues) throw unread(`it holds more than ${maxValues} values`);
    const head = this.#number(1);
    if (head < 0x80 || head >= 0xe0) return;
    const scalar = scalarBytes.get(head);
    const text = textLengthBytes.get(head);
    if (head < 0x90) this.#map(head & 0x0f, depth);
    else if (head < 0xa0) this.#array(head & 0x0f, depth);
    else if (head < 0xc0) this.#skip(head & 0x1f);
    else if (scalar !== undefined) this.#skip(scalar);
    else if (text !== undefined) this.#skip(this.#number(text));
    else if (head === 0xdc || head === 0xdd) this.#array(this.#number(head === 0xdc ? 2 : 4), depth);
    else if (head === 0xde || head === 0xdf) this.#map(this.#number(head === 0xde ? 2 : 4), depth);
    // Extension types construct classes in the decoder, so all are refused.
    else throw unread(`it holds a value of type 0x${head.toString(16)}`);
  }

  #array(count: number, depth: number): void {
    if (depth >= maxDepth) throw unread(`it is nested deeper than ${maxDepth}`);
    for (let index = 0; index < count; index += 1) this.#value(depth + 1);
  }

  #map(count: number, depth: number): void {
    if (depth >= maxDepth) throw unread(`it is nested deeper than ${maxDepth}`);
    for (let index = 0; index < count; index += 1) {
      this.#key();
      this.#value(depth + 1);
    }
  }

  #key(): void {
    const head = this.#number(1);
    let length: number;
    if (head >= 0xa0 && head < 0xc0) length = head & 0x1f;
    else if (head === 0xd9) length = this.#number(1);
    else throw unread('a field has no short name');
    const start = this.#at;
    this.#skip(length);
    if (length === protoKey.length && protoKey.equals(this.#bytes.subarray(start, this.#at)))
      throw unread('a field is named __proto__');
  }
}

/**
 * Check MessagePack bytes from a peer before they are decoded: one map, complete, with string keys of at most 255
 * bytes, no extension types, bounded depth and number of values. Throws WIRE_MESSAGE.
 */
export function checkPacked(bytes: Uint8Array): void {
  new Scanner(bytes).scan();
}

/** Check a value of ours, so that a peer never refuses it. Throws TypeError. */
export function checkPackable(value: unknown): void {
  let values = 0;
  const visit = (part: unknown, depth: number): void => {
    values += 1;
    if (values > maxValues) throw new TypeError(`a message of more than ${maxValues} values`);
    if (part === null || part === undefined) return;
    const kind = typeof part;
    if (kind === 'string' || kind === 'number' || kind === 'boolean') return;
    if (kind === 'bigint') {
      if ((part as bigint) >= -(2n ** 63n) && (part as bigint) < 2n ** 64n) return;
      throw new TypeError('a bigint of more than 64 bits in a message');
    }
    if (part instanceof Uint8Array) return;
    if (kind !== 'object') throw new TypeError(`a ${kind} in a message`);
    if (depth >= maxDepth) throw new TypeError(`a message nested deeper than ${maxDepth}`);
    if (Array.isArray(part)) {
      for (const item of part) visit(item, depth + 1);
      return;
    }
    const prototype = Object.getPrototypeOf(part);
    if (prototype !== Object.prototype && prototype !== null)
      throw new TypeError(`a ${prototype.constructor?.name ?? 'strange object'} in a message`);
    for (const key of Object.keys(part as object)) {
      if (key === '__proto__' || Buffer.byteLength(key) > 255)
        throw new TypeError(`a field named ${key.slice(0, 40)} in a message`);
      visit((part as Record<string, unknown>)[key], depth + 1);
    }
  };
  visit(value, 0);
}
