import { failure } from '../../../kernel/index.ts';
import { type Place, readCrossReference } from './cross-reference.ts';
import { pdfErrors } from './errors.ts';
import { storedAs, undoFilters } from './filters.ts';
import { latin1, PdfLexer } from './lexer.ts';
import { ObjectStream } from './object-stream.ts';
import { searchObjects } from './recovery.ts';
import { PdfSecurity } from './security.ts';
import {
  arrayOf,
  dictionaryOf,
  nameOf,
  numberOf,
  type PdfDictionary,
  PdfKeyword,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './values.ts';

const maxCached = 50_000;
const maxContainerBytes = 64 * 1024 * 1024;
const maxStreamBytes = 64 * 1024 * 1024;
/** Max unpacked bytes of all streams of one file together. */
const maxUnfolded = 1024 * 1024 * 1024;
const maxHops = 16;
const maxLoading = 8;

const opened = new WeakMap<Uint8Array, PdfFile>();

/**
 * A PDF file as numbered objects. A damaged cross-reference is rebuilt by searching the file; encryption with an empty
 * password is undone. Opening throws GATHERER_PDF_UNSURE or GATHERER_PDF_LOCKED; an object that cannot be read is null.
 */
export class PdfFile {
  readonly bytes: Uint8Array;
  trailer: PdfDictionary;
  /** Whether the cross-reference had to be rebuilt. */
  rebuilt = false;
  #places: Map<number, Place>;
  readonly #base: number;
  readonly #cache = new Map<number, PdfValue>();
  readonly #containers = new Map<number, ObjectStream>();
  #containerBytes = 0;
  #security: PdfSecurity | undefined;
  #loading = 0;
  #unfolded = 0;
  #searched = 0;

  /** Open a file once while its bytes are in use: its text and its attachments are read one after the other. */
  static of(bytes: Uint8Array): PdfFile {
    const file = opened.get(bytes) ?? new PdfFile(bytes);
    opened.set(bytes, file);
    return file;
  }

  private constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#base = Math.max(0, latin1(bytes, 0, Math.min(bytes.length, 1024)).indexOf('%PDF-'));
    this.#places = new Map();
    this.trailer = new Map();
    const read = readCrossReference(bytes, this.#base, (offset) => this.#streamAt(offset));
    if (read === undefined) this.#rebuild();
    else {
      this.#places = read.places;
      this.trailer = read.trailer;
      this.#secure();
      if (!this.catalog.has('Pages')) this.#rebuild();
    }
  }

  /** The catalogue, empty when there is none. */
  get catalog(): PdfDictionary {
    return this.dictionary(this.trailer.get('Root')) ?? new Map();
  }

  /** The version of the header or the catalogue, such as 1.7. */
  get version(): string | undefined {
    const header = /%PDF-(\d\.\d)/.exec(latin1(this.bytes, 0, Math.min(this.bytes.length, 1024)))?.[1];
    return nameOf(this.resolve(this.catalog.get('Version'))) ?? header;
  }

  get encrypted(): boolean {
    return this.#security !== undefined;
  }

  /** The numbers of all known objects. */
  get numbers(): Iterable<number> {
    return this.#places.keys();
  }

  /** A value with references followed; undefined stays undefined, a missing object is null. */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    let found = value;
    for (let hops = 0; found instanceof PdfReference; hops++) {
      if (hops >= maxHops) return null;
      found = this.object(found.number);
    }
    return found;
  }

  /** The dictionary a value leads to, or undefined. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    return dictionaryOf(this.resolve(value));
  }

  /** The array of a value, or an empty one. */
  array(value: PdfValue | undefined): readonly PdfValue[] {
    return arrayOf(this.resolve(value));
  }

  /** The number a value leads to, or undefined. */
  number(value: PdfValue | undefined): number | undefined {
    return numberOf(this.resolve(value));
  }

  /** The object of a number, or null. */
  object(number: number): PdfValue {
    const cached = this.#cache.get(number);
    if (cached !== undefined) return cached;
    const place = this.#places.get(number);
    // Lengths of streams may be references; a circle of them must end.
    if (place === undefined || this.#loading >= maxLoading) return null;
    this.#loading++;
    try {
      let value = this.#placed(number, place);
      if (value === undefined && !this.rebuilt) {
        this.#rebuild();
        const found = this.#places.get(number);
        value = found === undefined ? null : this.#placed(number, found);
      }
      if (this.#cache.size >= maxCached) this.#cache.clear();
      this.#cache.set(number, value ?? null);
      return value ?? null;
    } finally {
      this.#loading--;
    }
  }

  /** A stream's data with encryption and filters undone, or undefined for pictures and unknown filters. */
  data(stream: PdfStream): Uint8Array | undefined {
    if (this.#unfolded > maxUnfolded)
      throw failure(pdfErrors.GATHERER_PDF_UNSURE, { reason: 'its streams unfold to too much' });
    const stored = storedAs(stream.dictionary, (value) => this.resolve(value));
    const { number, generation } = stream.owner;
    const type = nameOf(stream.dictionary.get('Type'));
    const security = this.#security;
    const plain = type === 'XRef' || (type === 'Metadata' && security?.encryptsMetadata === false);
    const raw =
      security === undefined || plain ? stream.raw : security.stream(stream.raw, number, generation);
    const data = undoFilters(raw, stored, maxStreamBytes);
    this.#unfolded += data?.length ?? 0;
    return data;
  }

  #secure(): void {
    const encrypt = this.dictionary(this.trailer.get('Encrypt'));
    if (encrypt === undefined) return;
    const resolved = new Map([...encrypt].map(([key, value]) => [key, this.resolve(value) ?? null]));
    const id = this.resolve(this.array(this.trailer.get('ID'))[0]);
    this.#security = new PdfSecurity(resolved, typeof id === 'string' ? id : '');
    // Values read before were not decrypted.
    this.#cache.clear();
    this.#containers.clear();
    const reference = this.trailer.get('Encrypt');
    if (reference instanceof PdfReference) this.#cache.set(reference.number, encrypt);
  }

  #rebuild(): void {
    this.rebuilt = true;
    this.#cache.clear();
    this.#containers.clear();
    this.#security = undefined;
    const found = searchObjects(this.bytes);
    this.#places = new Map(found.places);
    this.trailer = found.trailer;
    for (const number of found.places.keys()) {
      if (this.trailer.has('Root')) break;
      const stream = this.object(number);
      if (stream instanceof PdfStream && stream.dictionary.has('Root')) this.trailer = stream.dictionary;
    }
    this.#secure();
    for (const container of found.containers)
      for (const [index, number] of this.#container(container)?.numbers.entries() ?? [])
        if (!found.places.has(number)) this.#places.set(number, { container, index });
    if (found.catalog !== undefined && !this.catalog.has('Pages'))
      this.trailer.set('Root', new PdfReference(found.catalog, 0));
    if (this.catalog.has('Pages')) return;
    for (const number of this.#places.keys())
      if (nameOf(this.dictionary(new PdfReference(number, 0))?.get('Type')) === 'Catalog')
        this.trailer.set('Root', new PdfReference(number, 0));
  }

  #placed(number: number, place: Place): PdfValue | undefined {
    return 'container' in place ? this.#contained(number, place) : this.#objectAt(place.offset, number);
  }

  #contained(number: number, place: { readonly container: number; readonly index: number }): PdfValue {
    return this.#container(place.container)?.read(number, place.index) ?? null;
  }

  #container(number: number): ObjectStream | undefined {
    const known = this.#containers.get(number);
    if (known !== undefined) return known;
    const place = this.#places.get(number);
    if (place === undefined || 'container' in place) return undefined;
    const stream = this.object(number);
    const bytes = stream instanceof PdfStream ? this.data(stream) : undefined;
    if (bytes === undefined) return undefined;
    const opened = new ObjectStream((stream as PdfStream).dictionary, bytes);
    if (this.#containerBytes + opened.size > maxContainerBytes) {
      this.#containers.clear();
      this.#containerBytes = 0;
    }
    this.#containers.set(number, opened);
    this.#containerBytes += opened.size;
    return opened;
  }

  #streamAt(offset: number): { readonly stream: PdfStream; readonly bytes: Uint8Array } | undefined {
    const stream = this.#objectAt(offset, undefined);
    if (!(stream instanceof PdfStream)) return undefined;
    const bytes = this.data(stream);
    return bytes === undefined ? undefined : { stream, bytes };
  }

  /** The object whose `12 0 obj` is at an offset; undefined when another object is there. */
  #objectAt(offset: number, expected: number | undefined): PdfValue | undefined {
    const lexer = new PdfLexer(this.bytes, offset);
    const number = lexer.read();
    const generation = lexer.read();
    const word = lexer.read();
    if (typeof number !== 'number' || typeof generation !== 'number') return undefined;
    if (!(word instanceof PdfKeyword) || word.word !== 'obj') return undefined;
    if (expected !== undefined && number !== expected) return undefined;
    const security = this.#security;
    const body =
      security === undefined
        ? lexer
        : new PdfLexer(this.bytes, lexer.at, (text) => security.string(text, number, generation));
    const value = body.read();
    if (!(value instanceof Map)) return value;
    const at = body.at;
    const next = body.read();
    if (!(next instanceof PdfKeyword) || next.word !== 'stream') {
      body.at = at;
      return value;
    }
    return this.#stream(value, body.at, new PdfReference(number, generation));
  }

  #stream(dictionary: PdfDictionary, after: number, owner: PdfReference): PdfStream {
    const { bytes } = this;
    let start = after;
    if (bytes[start] === 13) start++;
    if (bytes[start] === 10) start++;
    const length = this.number(dictionary.get('Length')) ?? -1;
    if (length >= 0 && start + length <= bytes.length) {
      const end = new PdfLexer(bytes, start + length).read();
      if (end instanceof PdfKeyword && end.word.startsWith('endstream'))
        return new PdfStream(dictionary, bytes.subarray(start, start + length), owner);
    }
    // The length is wrong: the data end at the keyword. Many wrong lengths must not each search the whole
    // file.
    if (this.#searched > bytes.length + maxStreamBytes)
      return new PdfStream(dictionary, new Uint8Array(), owner);
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const found = file.indexOf('endstream', start);
    const stop = found < 0 ? bytes.length : found;
    this.#searched += stop - start;
    return new PdfStream(dictionary, bytes.subarray(start, stop), owner);
  }
}
