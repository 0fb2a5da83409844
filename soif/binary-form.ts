import { isAscii } from 'node:buffer';
import { failure } from '../kernel/index.ts';
import { soifErrors } from './errors.ts';
import { defaultLimits } from './limits.ts';
import type { Attribute, SummaryObject } from './summary-object.ts';
import { nameProblem, objectProblem, typeProblem, urlProblem } from './syntax.ts';

// The binary form: one byte of version, then one MessagePack array [type, url, name, value, name, value, ...]
// with strings for type, URL and names, and bin for values, each length in its shortest form. It is written
// and read by hand: this form is far narrower than MessagePack, the same object always gives the same bytes,
// and a general library keeps its largest buffer and reserves memory for hostile lengths.
const version = 1;
const strTags = { short: 0xa0, shortLimit: 32, one: 0xd9 };
const binTags = { short: 0, shortLimit: 0, one: 0xc4 };
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An object in binary form. Throws SOIF_UNPRINTABLE for an object that SOIF text could not hold either. */
export function encodeObject(object: SummaryObject): Uint8Array {
  const problem = objectProblem(object, defaultLimits);
  if (problem) throw failure(soifErrors.SOIF_UNPRINTABLE, { url: object.url, problem });
  const { templateType, url, attributes } = object;
  const urlBytes = Buffer.byteLength(url);
  const count = 2 + 2 * attributes.length;
  let length = 1 + (count < 16 ? 1 : 3);
  length += framed(templateType.length, strTags) + framed(urlBytes, strTags);
  for (const { name, value } of attributes)
    length += framed(name.length, strTags) + framed(value.length, binTags);

  const bytes = new Uint8Array(length);
  const target = Buffer.from(bytes.buffer);
  bytes[0] = version;
  let end = 2;
  if (count < 16) bytes[1] = 0x90 | count;
  else {
    bytes[1] = 0xdc;
    end = target.writeUInt16BE(count, 2);
  }
  end = writeLength(target, end, templateType.length, strTags);
  end += target.write(templateType, end, 'latin1');
  end = writeLength(target, end, urlBytes, strTags);
  end += target.write(url, end);
  for (const { name, value } of attributes) {
    end = writeLength(target, end, name.length, strTags);
    end += target.write(name, end, 'latin1');
    end = writeLength(target, end, value.length, binTags);
    bytes.set(value, end);
    end += value.length;
  }
  return bytes;
}

/** Bytes with their tag and length before them. */
function framed(length: number, tags: typeof strTags): number {
  if (length < tags.shortLimit) return 1 + length;
  return length + (length < 0x100 ? 2 : length < 0x10000 ? 3 : 5);
}

function writeLength(target: Buffer, at: number, length: number, tags: typeof strTags): number {
  if (length < tags.shortLimit) return target.writeUInt8(tags.short | length, at);
  const size = length < 0x100 ? 0 : length < 0x10000 ? 1 : 2;
  target[at] = tags.one + size;
  return target.writeUIntBE(length, at + 1, 1 << size);
}

/** The object of a hostile binary form, with values as views of `bytes`. Throws SOIF_BINARY. */
export function decodeObject(bytes: Uint8Array): SummaryObject {
  return new BinaryReader(bytes).object();
}

class BinaryReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  object(): SummaryObject {
    const bytes = this.#bytes;
    if (bytes[0] !== version) this.#refuse(0, bytes.length === 0 ? 'it is empty' : `version ${bytes[0]}`);
    this.#at = 1;
    const count = this.#arrayLength();
    if (count < 2 || count % 2 !== 0) this.#refuse(1, `an array of ${count}`);
    const { maxAttributes, maxValueBytes, maxObjectBytes } = defaultLimits;
    if (count / 2 - 1 > maxAttributes) this.#refuse(1, `over ${maxAttributes} attributes`);

    const templateType = this.#text('the template type', typeProblem);
    const url = this.#text('the URL', urlProblem);
    const attributes: Attribute[] = [];
    let size = 0;
    for (let left = count / 2 - 1; left > 0; left--) {
      const name = this.#text('an attribute name', nameProblem);
      const at = this.#at;
      const length = this.#length(binTags.one, 'a value');
      size += name.length + length;
      if (length > maxValueBytes || size > maxObjectBytes) this.#refuse(at, 'over the size limits');
      const value = new Uint8Array(bytes.buffer, bytes.byteOffset + this.#at, length);
      this.#at += length;
      attributes.push({ name, value });
    }
    if (this.#at !== bytes.length) this.#refuse(this.#at, 'bytes behind its end');
    return { templateType, url, attributes };
  }

  #arrayLength(): number {
    const tag = this.#bytes[this.#at];
    if (tag !== undefined && tag >> 4 === 9) return this.#number(0, tag & 15);
    if (tag === 0xdc) return this.#number(2, 0);
    if (tag === 0xdd) return this.#number(4, 0);
    return this.#refuse(this.#at, 'not an array');
  }

  #text(what: string, problemOf: (text: string, limits: typeof defaultLimits) => string | undefined): string {
    const at = this.#at;
    const tag = this.#bytes[at];
    const length =
      tag !== undefined && tag >> 5 === 5 ? this.#number(0, tag & 31) : this.#length(strTags.one, what);
    if (length > defaultLimits.maxUrlLength) this.#refuse(at, `${what} is too long`);
    const end = this.#at + length;
    if (end > this.#bytes.length) this.#refuse(at, 'it is cut off');
    // Types and names are ASCII: they are read as Latin-1, and their own rules reject all other bytes.
    const text =
      what === 'the URL' ? this.#utf8(this.#at, end) : this.#bytes.toString('latin1', this.#at, end);
    this.#at = end;
    const problem = problemOf(text, defaultLimits);
    return problem ? this.#refuse(at, `${what} ${problem}`) : text;
  }

  #utf8(start: number, end: number): string {
    const view = this.#bytes.subarray(start, end);
    if (isAscii(view)) return view.toString('latin1');
    try {
      return utf8.decode(view);
    } catch {
      return this.#refuse(start, 'the URL is not UTF-8');
    }
  }

  /** A length with its tag: `first` is the tag for one byte, followed by those for two and four. */
  #length(first: number, what: string): number {
    const at = this.#at;
    const size = (this.#bytes[at] ?? 0) - first;
    if (size < 0 || size > 2) return this.#refuse(at, `${what} is of another kind`);
    const length = this.#number(1 << size, 0);
    return this.#at + length > this.#bytes.length ? this.#refuse(at, 'it is cut off') : length;
  }

  /** Skip the tag and the number of `size` bytes behind it; `known` when the tag itself holds the number. */
  #number(size: number, known: number): number {
    const at = this.#at + 1;
    if (at + size > this.#bytes.length) this.#refuse(this.#at, 'it is cut off');
    this.#at = at + size;
    return size === 0 ? known : this.#bytes.readUIntBE(at, size);
  }

  #refuse(byte: number, problem: string): never {
    throw failure(soifErrors.SOIF_BINARY, { byte, problem });
  }
}
