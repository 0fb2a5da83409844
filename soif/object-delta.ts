import { failure } from '../kernel/index.ts';
import { decodeObject, encodeObject } from './binary-form.ts';
import { soifErrors } from './errors.ts';
import { defaultLimits } from './limits.ts';
import type { Attribute } from './summary-object.ts';

// A delta tells the attributes of an object's next version by those of its last: a run of them that stays, one whose
// value differs in the middle, or one that is new. Numbers are unsigned, seven bits to a byte.
const version = 1;
const ops = { keep: 0, patch: 1, fresh: 2 } as const;

/** A patch must save at least this much, or the value is told whole. */
const worthPatching = 16;

/** Pairs of attributes that may have to be compared. */
const maxCompared = 1_000_000;

const same = (a: Attribute | undefined, b: Attribute) =>
  a !== undefined && a.name === b.name && Buffer.compare(a.value, b.value) === 0;

/**
 * What makes the object in `next` of the one in `last` (both in binary form), or undefined when that is not much
 * shorter than `next` itself.
 */
export function deltaOf(last: Uint8Array, next: Uint8Array): Uint8Array | undefined {
  const [old, fresh] = [decodeObject(last), decodeObject(next)];
  if (old.templateType !== fresh.templateType || old.url !== fresh.url) return undefined;
  if (old.attributes.length * fresh.attributes.length > maxCompared) return undefined;
  const parts: Uint8Array[] = [Uint8Array.of(version)];
  const number = (value: number) => parts.push(varint(value));
  let from = 0;
  for (let at = 0; at < fresh.attributes.length; ) {
    const attribute = fresh.attributes[at] as Attribute;
    const start = findSame(old.attributes, attribute, from);
    if (start !== undefined) {
      let count = 1;
      while (
        at + count < fresh.attributes.length &&
        same(old.attributes[start + count], fresh.attributes[at + count] as Attribute)
      )
        count++;
      [ops.keep, start, count].forEach(number);
      at += count;
      from = start + count;
      continue;
    }
    const base = old.attributes.findIndex(({ name }, i) => i >= from && name === attribute.name);
    const patch = base < 0 ? undefined : patchOf((old.attributes[base] as Attribute).value, attribute.value);
    if (patch !== undefined) {
      [ops.patch, base, patch.head, patch.tail, patch.middle.length].forEach(number);
      parts.push(patch.middle);
      from = base + 1;
    } else {
      const name = Buffer.from(attribute.name, 'latin1');
      [ops.fresh, name.length].forEach(number);
      parts.push(name, varint(attribute.value.length), attribute.value);
    }
    at++;
  }
  const delta = Buffer.concat(parts);
  return delta.length < next.length * 0.75 ? delta : undefined;
}

/** The next equal attribute from `from` on, or else any before it. */
function findSame(attributes: readonly Attribute[], wanted: Attribute, from: number): number | undefined {
  for (let i = from; i < attributes.length; i++) if (same(attributes[i], wanted)) return i;
  for (let i = 0; i < from; i++) if (same(attributes[i], wanted)) return i;
  return undefined;
}

function patchOf(
  old: Uint8Array,
  next: Uint8Array,
): { readonly head: number; readonly tail: number; readonly middle: Uint8Array } | undefined {
  const max = Math.min(old.length, next.length);
  let head = 0;
  while (head < max && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < max - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  if (head + tail < worthPatching) return undefined;
  return { head, tail, middle: next.subarray(head, next.length - tail) };
}

/**
 * The binary form that a delta makes of `last`. What a peer sends may be anything: throws SOIF_DELTA for what is no
 * delta of this object, and never makes more than an object may hold.
 */
export function applyDelta(last: Uint8Array, delta: Uint8Array): Uint8Array {
  const old = decodeObject(last);
  const reader = new DeltaReader(delta);
  if (reader.number() !== version) throw bad('it is of another version');
  const attributes: Attribute[] = [];
  let total = 0;
  const take = (attribute: Attribute) => {
    total += attribute.name.length + attribute.value.length;
    if (attributes.length >= defaultLimits.maxAttributes || total > defaultLimits.maxObjectBytes)
      throw bad('it makes too large an object');
    attributes.push(attribute);
  };
  while (!reader.done) {
    const op = reader.number();
    if (op === ops.keep) {
      const [start, count] = [reader.number(), reader.number()];
      if (count === 0 || start + count > old.attributes.length) throw bad('it keeps what there is not');
      for (const attribute of old.attributes.slice(start, start + count)) take(attribute);
    } else if (op === ops.patch) {
      const base = old.attributes[reader.number()];
      const [head, tail] = [reader.number(), reader.number()];
      const middle = reader.bytes(reader.number());
      if (base === undefined || head + tail > base.value.length) throw bad('it mends what there is not');
      const { name, value } = base;
      take({
        name,
        value: Buffer.concat([value.subarray(0, head), middle, value.subarray(value.length - tail)]),
      });
    } else if (op === ops.fresh) {
      const name = Buffer.from(reader.bytes(reader.number())).toString('latin1');
      take({ name, value: reader.bytes(reader.number()) });
    } else throw bad('it says what is not known');
  }
  return encodeObject({ ...old, attributes });
}

const bad = (problem: string) => failure(soifErrors.SOIF_DELTA, { problem });

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

class DeltaReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * scale;
      if (byte < 128) return value;
    }
    throw bad('a number in it is cut short or too large');
  }

  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw bad('it is cut short');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}
