import { columnKey, columnRange, keyNumber } from '../index-database/index-keys.ts';
import type { PostingDatabase, PostingWrite } from '../index-database/posting-database.ts';

/** Docnos in one stored chunk. */
const chunkBits = 10;
const chunkSize = 1 << chunkBits;
const chunkMask = chunkSize - 1;

/** The index's data of every docno in memory: 4 bytes. Source 0 means deleted, or never assigned. */
export interface DocRow {
  readonly docno: number;
  readonly source: number;
  readonly type: number;
}

/** Source and type of each docno, dead without a source. Immutable: a change copies chunks. */
export class DocColumns {
  readonly #chunks: readonly (Uint16Array | undefined)[];
  #alive: Uint32Array | undefined;

  private constructor(chunks: readonly (Uint16Array | undefined)[]) {
    this.#chunks = chunks;
  }

  static readonly empty = new DocColumns([]);

  /** Read every chunk: 4 KiB for 1024 docnos. */
  static async load(database: PostingDatabase): Promise<DocColumns> {
    const chunks: (Uint16Array | undefined)[] = [];
    for await (const [key, value] of database.entries(columnRange)) {
      // A copy, for alignment and because the database owns the value's buffer.
      chunks[keyNumber(key)] = new Uint16Array(Uint8Array.from(value).buffer);
    }
    return new DocColumns(chunks);
  }

  /** Number of the docno's source, 0 when it is dead. */
  source(docno: number): number {
    return this.#chunks[docno >>> chunkBits]?.[(docno & chunkMask) * 2] ?? 0;
  }

  /** Number of the docno's type, 0 for none. */
  type(docno: number): number {
    return this.#chunks[docno >>> chunkBits]?.[(docno & chunkMask) * 2 + 1] ?? 0;
  }

  isAlive(docno: number): boolean {
    return this.source(docno) !== 0;
  }

  /** Copy the living docnos to `living`, count them by source and type, and return how many there are. */
  countLiving(docnos: Uint32Array, living: Uint32Array, sources: Uint32Array, types: Uint32Array): number {
    let count = 0;
    let number = -1;
    let chunk: Uint16Array | undefined;
    for (let at = 0; at < docnos.length; at++) {
      const docno = docnos[at] as number;
      if (docno >>> chunkBits !== number) {
        number = docno >>> chunkBits;
        chunk = this.#chunks[number];
      }
      if (chunk === undefined) continue;
      const place = (docno & chunkMask) * 2;
      const source = chunk[place] as number;
      if (source === 0) continue;
      const type = chunk[place + 1] as number;
      sources[source] = (sources[source] as number) + 1;
      types[type] = (types[type] as number) + 1;
      living[count++] = docno;
    }
    return count;
  }

  /** Number of living docnos from `from` to `to`, inclusive. */
  countAlive(from: number, to: number): number {
    let alive = 0;
    for (let docno = from; docno <= to; docno++) if (this.isAlive(docno)) alive++;
    return alive;
  }

  /** Every living docno, ascending; `count` is their number. Computed at the first call. */
  alive(count: number): Uint32Array {
    this.#alive ??= this.#living(count);
    return this.#alive;
  }

  #living(count: number): Uint32Array {
    const docnos = new Uint32Array(count);
    let at = 0;
    this.#chunks.forEach((chunk, number) => {
      for (let index = 0; chunk !== undefined && index < chunkSize; index++)
        if (chunk[index * 2] !== 0) docnos[at++] = number * chunkSize + index;
    });
    return docnos.subarray(0, at);
  }

  /** The columns with these rows changed, and the writes for it. A chunk of dead docnos is deleted. */
  with(rows: readonly DocRow[]): { columns: DocColumns; writes: PostingWrite[] } {
    const chunks = [...this.#chunks];
    const touched = new Map<number, Uint16Array>();
    for (const { docno, source, type } of rows) {
      const number = Math.floor(docno / chunkSize);
      let chunk = touched.get(number);
      if (chunk === undefined) {
        chunk = chunks[number]?.slice() ?? new Uint16Array(chunkSize * 2);
        touched.set(number, chunk);
      }
      chunk[(docno % chunkSize) * 2] = source;
      chunk[(docno % chunkSize) * 2 + 1] = type;
    }
    const writes: PostingWrite[] = [];
    for (const [number, chunk] of touched) {
      const empty = chunk.every((value) => value === 0);
      chunks[number] = empty ? undefined : chunk;
      const key = columnKey(number);
      writes.push(empty ? { type: 'del', key } : { type: 'put', key, value: new Uint8Array(chunk.buffer) });
    }
    return { columns: new DocColumns(chunks), writes };
  }
}
