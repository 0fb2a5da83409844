import type { SummaryObject } from '../../../soif/index.ts';
import { detailKey } from '../index-database/index-keys.ts';
import type { PostingDatabase, PostingRows, PostingWrite } from '../index-database/posting-database.ts';
import { PostingCache } from '../postings/posting-cache.ts';
import type { DocColumns } from './doc-columns.ts';
import {
  bytesMark,
  facetValuesOf,
  joinedValues,
  modifiedOf,
  sizeOf,
  titleKey,
  urlKey,
} from './facet-attributes.ts';
import { type FacetValues, firstAttributeKind } from './facet-values.ts';
import { type OrderTexts, orderRows } from './order-texts.ts';

// Docnos in one stored chunk: few, so that one changed object writes little.
const chunkBits = 8;
const chunkSize = 1 << chunkBits;
const chunksReadAtOnce = 1024;

/** The fixed columns. Those of counted attributes follow. */
export const DetailColumn = { modified: 0, size: 1, bytes: 2, attributes: 3 } as const;

type Chunk = Float64Array | Uint32Array | Uint16Array;

/** More than the number of columns. */
const maxColumns = 8;
/** Names a chunk of a column. A query looks up thousands, too many for strings. */
const placeOf = (column: number, chunk: number) => chunk * maxColumns + column;

/** Reads one column of docnos whose chunks are in memory. */
export type DetailView = (docno: number) => number;

/** Details of docnos, at one moment or now. */
export interface DetailRows {
  /** The column of a counted attribute, or undefined. */
  columnOf(attribute: string): number | undefined;
  /** A column for these docnos (ascending); 0 where the value is unknown. */
  view(column: number, docnos: Uint32Array): Promise<DetailView>;
  /** The sort keys of these docnos' titles or URLs. */
  texts(by: 'title' | 'url', docnos: Uint32Array): Promise<string[]>;
}

const cacheBytes = 24 * 1024 * 1024;

/**
 * The data by which results are ordered, counted and folded, in chunks that are read when needed. A docno's
 * row never changes, so a view is valid for every moment of the index that has the docno.
 */
export class DocDetails implements DetailRows {
  readonly #database: PostingDatabase;
  readonly #attributes: readonly string[];
  readonly #cache = new PostingCache<Chunk, number>(cacheBytes, (chunk) => chunk.byteLength);
  #unsaved = new Map<number, Chunk>();
  /** The last saved chunk of the last docnos, which the next change usually continues. */
  #last = new Map<number, Chunk>();
  /** Counts saves. A chunk read before a save is not cached after it. */
  #generation = 0;

  readonly #order: OrderTexts;

  /** `attributes` in lower case. */
  constructor(database: PostingDatabase, attributes: readonly string[], order: OrderTexts = orderRows) {
    this.#database = database;
    this.#order = order;
    this.#attributes = attributes;
  }

  columnOf(attribute: string): number | undefined {
    const at = this.#attributes.indexOf(attribute);
    return at < 0 ? undefined : DetailColumn.attributes + at;
  }

  /** The writes for objects with new docnos, and for docnos that died. */
  async writes(
    added: readonly (readonly [docno: number, object: SummaryObject])[],
    dead: readonly number[],
    values: FacetValues,
    columns: DocColumns,
  ): Promise<PostingWrite[]> {
    this.#unsaved = new Map();
    const chunks = new Set(added.map(([docno]) => docno >>> chunkBits));
    const texts = added.map(
      ([docno, object]) => [docno, { title: titleKey(object), url: urlKey(object) }] as const,
    );
    const writes = await this.#order.writes(texts, dead, columns);
    const places = Array.from(chunks).flatMap((chunk) =>
      Array.from({ length: this.#width }, (_, column) => [column, chunk] as const),
    );
    // Cached reads of searches may be older than the last change, so rows could be lost.
    const missing = places.filter(([column, chunk]) => !this.#last.has(placeOf(column, chunk)));
    const stored =
      missing.length === 0 ? [] : await this.#database.getMany(missing.map((one) => detailKey(...one)));
    const read = new Map(missing.map(([column, chunk], at) => [placeOf(column, chunk), stored[at]]));
    for (const [column, chunk] of places) {
      const name = placeOf(column, chunk);
      const value = read.get(name);
      const known = value === undefined ? emptyChunk(column) : readChunk(column, value);
      this.#unsaved.set(name, this.#last.get(name)?.slice() ?? known);
    }
    for (const [docno, object] of added)
      for (let column = 0; column < this.#width; column++) {
        const chunk = this.#unsaved.get(placeOf(column, docno >>> chunkBits)) as Chunk;
        chunk[docno % chunkSize] = this.#valueOf(column, object, values);
      }
    for (const [key, chunk] of this.#unsaved) {
      const [column, number] = [key % maxColumns, chunkOf(key)];
      writes.push({ type: 'put', key: detailKey(column, number), value: bytesOf(chunk) });
    }
    for (const chunk of new Set(dead.map((docno) => docno >>> chunkBits))) {
      const from = chunk * chunkSize;
      if (chunks.has(chunk) || columns.countAlive(from, from + chunkSize - 1) > 0) continue;
      for (let column = 0; column < this.#width; column++) {
        writes.push({ type: 'del', key: detailKey(column, chunk) });
        this.#cache.delete(placeOf(column, chunk));
      }
    }
    return writes;
  }

  /** The last writes are on disk. */
  saved(): void {
    this.#generation++;
    for (const [key, chunk] of this.#unsaved) this.#cache.set(key, chunk);
    const last = Math.max(...Array.from(this.#unsaved.keys(), chunkOf));
    if (this.#unsaved.size > 0)
      this.#last = new Map([...this.#unsaved].filter(([key]) => chunkOf(key) === last));
    this.#unsaved = new Map();
  }

  clear(): void {
    this.#generation++;
    this.#cache.clear();
    this.#last.clear();
  }

  view(column: number, docnos: Uint32Array): Promise<DetailView> {
    return this.#view(column, docnos, this.#database, this.#generation);
  }

  texts(by: 'title' | 'url', docnos: Uint32Array): Promise<string[]> {
    return this.#texts(by, docnos, this.#database);
  }

  async #texts(by: 'title' | 'url', docnos: Uint32Array, rows: PostingRows): Promise<string[]> {
    return (await this.#order.of(docnos, rows)).map((text) => text[by]);
  }

  /** The same at the moment of `rows`, which is the current one now. */
  over(rows: PostingRows): DetailRows {
    const generation = this.#generation;
    return {
      columnOf: (attribute) => this.columnOf(attribute),
      view: (column, docnos) => this.#view(column, docnos, rows, generation),
      texts: (by, docnos) => this.#texts(by, docnos, rows),
    };
  }

  async #view(
    column: number,
    docnos: Uint32Array,
    rows: PostingRows,
    generation: number,
  ): Promise<DetailView> {
    const wanted: number[] = [];
    let before = -1;
    for (let at = 0; at < docnos.length; at++) {
      const chunk = (docnos[at] as number) >>> chunkBits;
      if (chunk !== before) wanted.push(chunk);
      before = chunk;
    }
    const first = wanted[0] ?? 0;
    const chunks: (Chunk | undefined)[] = new Array((wanted.at(-1) ?? 0) - first + 1).fill(undefined);
    for (let at = 0; at < wanted.length; at += chunksReadAtOnce) {
      const part = wanted.slice(at, at + chunksReadAtOnce);
      for (const [index, chunk] of (await this.#chunks(column, part, rows, generation)).entries())
        chunks[(part[index] as number) - first] = chunk;
    }
    return (docno) => chunks[(docno >>> chunkBits) - first]?.[docno & (chunkSize - 1)] ?? 0;
  }

  get #width(): number {
    return DetailColumn.attributes + this.#attributes.length;
  }

  #valueOf(column: number, object: SummaryObject, values: FacetValues): number {
    if (column === DetailColumn.modified) return modifiedOf(object);
    // 0 means unknown.
    if (column === DetailColumn.size) return sizeOf(object) + 1;
    if (column === DetailColumn.bytes) return bytesMark(object);
    const at = column - DetailColumn.attributes;
    const found = facetValuesOf(object, this.#attributes[at] as string);
    return values.assign(firstAttributeKind + at, joinedValues(found));
  }

  async #chunks(
    column: number,
    chunks: readonly number[],
    rows: PostingRows,
    generation: number,
  ): Promise<(Chunk | undefined)[]> {
    const known = chunks.map((chunk) => this.#cache.get(placeOf(column, chunk)));
    const missing = chunks.flatMap((_, index) => (known[index] === undefined ? [index] : []));
    if (missing.length === 0) return known;
    const stored = await rows.getMany(missing.map((index) => detailKey(column, chunks[index] as number)));
    for (const [order, index] of missing.entries()) {
      const value = stored[order];
      if (value === undefined) continue;
      const chunk = readChunk(column, value);
      known[index] = chunk;
      if (generation === this.#generation) this.#cache.set(placeOf(column, chunks[index] as number), chunk);
    }
    return known;
  }
}

/** The chunk number in the place of a column's chunk. */
const chunkOf = (place: number) => Math.floor(place / maxColumns);

function kindOf(column: number): typeof Float64Array | typeof Uint32Array | typeof Uint16Array {
  if (column === DetailColumn.modified) return Uint32Array;
  return column < DetailColumn.attributes ? Float64Array : Uint16Array;
}

function emptyChunk(column: number): Chunk {
  return new (kindOf(column))(chunkSize);
}

function readChunk(column: number, value: Uint8Array): Chunk {
  const chunk = emptyChunk(column);
  // A copy, for alignment and because the database owns the value's buffer.
  const bytes = new Uint8Array(chunk.buffer);
  bytes.set(value.subarray(0, bytes.length));
  return chunk;
}

const bytesOf = (chunk: Chunk) => new Uint8Array(chunk.buffer);
