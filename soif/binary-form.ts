import { isAscii } from 'node:buffer';
import { Packr } from 'msgpackr';
import { failure } from '../kernel/index.ts';
import { soifErrors } from './errors.ts';
import { defaultLimits } from './limits.ts';
import type { Attribute, SummaryObject } from './summary-object.ts';
import { nameProblem, objectProblem, typeProblem, urlProblem } from './syntax.ts';

// The binary form: one byte of version, then one MessagePack array [type, url, name, value, name, value, ...] with
// strings for type, URL and names, and bin for values. Nothing else is ever in it.
const version = 1;
const packr = new Packr({ useRecords: false });
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An object in binary form. Throws SOIF_UNPRINTABLE for an object that SOIF text could not hold either. */
export function encodeObject(object: SummaryObject): Uint8Array {
  const problem = objectProblem(object, defaultLimits);
  if (problem) throw failure(soifErrors.SOIF_UNPRINTABLE, { url: object.url, problem });
  const parts: (string | Uint8Array)[] = [object.templateType, object.url];
  for (const { name, value } of object.attributes) parts.push(name, value);
  const packed = packr.pack(parts);
  const bytes = new Uint8Array(packed.length + 1);
  bytes[0] = version;
  bytes.set(packed, 1);
  return bytes;
}

/**
 * The object of a binary form. Its values are views of `bytes`: they keep it alive and change with it. The input is
 * taken as hostile: SOIF_BINARY for anything but a whole, well-formed object within the default limits, so that
 * every object that comes out can also be printed.
 */
export function decodeObject(bytes: Uint8Array): SummaryObject {
  return new BinaryReader(bytes).object();
}

// Read by hand, not by a MessagePack library: the shape is far narrower than MessagePack, and a general decoder
// would reserve what lengths claim and follow extensions before anything could be checked.
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
      const length = this.#length(0xc4, 'a value');
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
    const length = tag !== undefined && tag >> 5 === 5 ? this.#number(0, tag & 31) : this.#length(0xd9, what);
    if (length > defaultLimits.maxUrlLength) this.#refuse(at, `${what} is too long`);
    const end = this.#at + length;
    if (end > this.#bytes.length) this.#refuse(at, 'it is cut off');
    // Types and names are ASCII: read as Latin-1, anything else in them is refused by their own rules.
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

  /** A length with a tag of its own: `first` is the tag for one byte, followed by those for two and four. */
  #length(first: number, what: string): number {
    const at = this.#at;
    const size = (this.#bytes[at] ?? 0) - first;
    if (size < 0 || size > 2) return this.#refuse(at, `${what} is of another kind`);
    const length = this.#number(1 << size, 0);
    return this.#at + length > this.#bytes.length ? this.#refuse(at, 'it is cut off') : length;
  }

  /** Pass the tag and the number of `size` bytes behind it; `known` when the tag itself holds the number. */
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
