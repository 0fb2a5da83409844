import { ByteReader, ByteWriter, failure } from '../kernel/index.ts';
import { decodeObject, encodeObject } from './binary-form.ts';
import { soifErrors } from './errors.ts';
import { defaultLimits } from './limits.ts';
import type { Attribute } from './summary-object.ts';
import { nameProblem } from './syntax.ts';

// A delta describes the attributes of an object's next version by those of its last: a run of unchanged
// attributes, one whose value differs in the middle, or a new one. Numbers are unsigned, seven bits to a
// byte.
const version = 1;
const ops = { keep: 0, patch: 1, fresh: 2 } as const;

/** Min bytes that a patch must save; otherwise the value is sent whole. */
const worthPatching = 16;

/** Pairs of attributes that may have to be compared. */
const maxCompared = 1_000_000;

const same = (a: Attribute | undefined, b: Attribute) =>
  a !== undefined && a.name === b.name && Buffer.compare(a.value, b.value) === 0;

/** The delta between two binary forms, or undefined when it is not much shorter than `next` itself. */
export function deltaOf(last: Uint8Array, next: Uint8Array): Uint8Array | undefined {
  const [old, fresh] = [decodeObject(last), decodeObject(next)];
  if (old.templateType !== fresh.templateType || old.url !== fresh.url) return undefined;
  if (old.attributes.length * fresh.attributes.length > maxCompared) return undefined;
  const writer = new ByteWriter().byte(version);
  const number = (value: number) => writer.varint(value);
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
      writer.bytes(patch.middle);
      from = base + 1;
    } else {
      const name = Buffer.from(attribute.name, 'latin1');
      [ops.fresh, name.length].forEach(number);
      writer.bytes(name).varint(attribute.value.length).bytes(attribute.value);
    }
    at++;
  }
  const delta = writer.take();
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
 * The binary form of the object that a delta makes of `last`. The delta may be hostile: throws SOIF_DELTA
 * when it is malformed or does not fit this object, and never makes more than `maxObjectBytes`.
 */
export function applyDelta(
  last: Uint8Array,
  delta: Uint8Array,
  maxObjectBytes: number = defaultLimits.maxObjectBytes,
): Uint8Array {
  const old = decodeObject(last);
  const reader = new ByteReader(delta, (reason) => bad(`it ${reason}`));
  if (reader.varint() !== version) throw bad('it is of another version');
  const attributes: Attribute[] = [];
  const { maxAttributes, maxValueBytes } = defaultLimits;
  let total = 0;
  const take = (attribute: Attribute) => {
    total += attribute.name.length + attribute.value.length;
    const isLarge = attribute.value.length > maxValueBytes || total > maxObjectBytes;
    if (isLarge || attributes.length >= maxAttributes) throw bad('it makes too large an object');
    attributes.push(attribute);
  };
  while (!reader.done) {
    const op = reader.varint();
    if (op === ops.keep) {
      const [start, count] = [reader.varint(), reader.varint()];
      if (count === 0 || start + count > old.attributes.length)
        throw bad('it keeps attributes that the object does not have');
      for (const attribute of old.attributes.slice(start, start + count)) take(attribute);
    } else if (op === ops.patch) {
      const base = old.attributes[reader.varint()];
      const [head, tail] = [reader.varint(), reader.varint()];
      const middle = reader.bytes(reader.varint());
      if (base === undefined || head + tail > base.value.length)
        throw bad('it changes an attribute that the object does not have');
      const { name, value } = base;
      take({
        name,
        value: Buffer.concat([value.subarray(0, head), middle, value.subarray(value.length - tail)]),
      });
    } else if (op === ops.fresh) {
      const name = Buffer.from(reader.bytes(reader.varint())).toString('latin1');
      const problem = nameProblem(name, defaultLimits);
      if (problem) throw bad(`the name of an attribute ${problem}`);
      take({ name, value: reader.bytes(reader.varint()) });
    } else throw bad('it has an unknown operation');
  }
  return encodeObject({ ...old, attributes });
}

const bad = (problem: string) => failure(soifErrors.SOIF_DELTA, { problem });
