import { createHash } from 'node:crypto';
import type { Oid } from '../../soif/index.ts';

/** Values that are compared: 128 of them estimate a share within 9 % in 19 of 20 cases. */
const maxValues = 128;
/** Values that are held, so that deletions rarely leave too few. */
const maxHeld = 8 * maxValues;
const valueBytes = 6;

/**
 * A sample of the contents of a changing collection: the smallest hashes of its objects' MD5s (the k minimum values of
 * Beyer et al. 2007). Equal contents have equal values, whichever Gatherer read them.
 */
export class ContentFingerprint {
  readonly #values = new Map<Oid, number>();
  /** Objects with a larger value are left out. */
  #bound = Number.POSITIVE_INFINITY;
  #trimAt = 2 * maxHeld;

  /** Whether deletions left too few values; then every object is to be put again into a new one. */
  get isWorn(): boolean {
    return this.#bound !== Number.POSITIVE_INFINITY && this.#distinct().length < maxValues;
  }

  /** Take the object's present content. */
  put(oid: Oid, md5: string): void {
    this.delete(oid);
    const value = createHash('sha256').update(md5).digest().readUIntBE(0, valueBytes);
    if (value > this.#bound) return;
    this.#values.set(oid, value);
    if (this.#values.size <= this.#trimAt) return;
    const distinct = this.#distinct();
    this.#bound = distinct[maxHeld - 1] ?? this.#bound;
    for (const [id, one] of this.#values) if (one > this.#bound) this.#values.delete(id);
    // Many objects of one content leave no more values: a trim at each put would read them all.
    this.#trimAt = Math.max(2 * maxHeld, 2 * this.#values.size);
  }

  delete(oid: Oid): void {
    this.#values.delete(oid);
  }

  /** The values as text, for a description; empty for a collection without contents. */
  toString(): string {
    const values = this.#distinct().slice(0, maxValues);
    const bytes = Buffer.alloc(values.length * valueBytes);
    values.forEach((value, at) => {
      bytes.writeUIntBE(value, at * valueBytes, valueBytes);
    });
    return bytes.toString('base64url');
  }

  #distinct(): readonly number[] {
    return [...new Set(this.#values.values())].sort((a, b) => a - b);
  }
}

/** The values of a text that a stranger may have written; undefined when it is no fingerprint. */
function valuesOf(text: string): readonly number[] | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const count = bytes.length / valueBytes;
  if (!Number.isInteger(count) || count === 0 || count > maxValues) return undefined;
  return Array.from({ length: count }, (_, at) => bytes.readUIntBE(at * valueBytes, valueBytes));
}

/** The smallest values of a fingerprint; none of a text that is none. */
export function smallestValues(text: string, count: number): readonly number[] {
  return valuesOf(text)?.slice(0, count) ?? [];
}

/** The estimated share of equal contents in all contents of two collections, 0 to 1. */
export function equalShare(one: string, other: string): number {
  const [a, b] = [valuesOf(one), valuesOf(other)];
  if (a === undefined || b === undefined) return 0;
  const inB = new Set(b);
  const smallest = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, maxValues);
  const inA = new Set(a);
  return smallest.filter((value) => inA.has(value) && inB.has(value)).length / smallest.length;
}
