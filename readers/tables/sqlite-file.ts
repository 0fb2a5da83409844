import { TextDecoder } from 'node:util';
import { ByteView } from '../bytes/index.ts';

/** A value of a row: text, number, or undefined for null and blobs. */
export type SqliteValue = string | number | undefined;

const maxRecord = 1024 * 1024;
const maxColumns = 2000;
/** Max bytes of rows that are decoded; cells of a hostile file may all overlap. */
const maxDecoded = 64 * 1024 * 1024;

/**
 * Reads tables of an SQLite database (the SQLite file format, sections 1 and 2) from its bytes: pages of
 * table b-trees and their records. Every page is visited once at most, so that loops end; throws RangeError
 * beyond the end of the file.
 */
export class SqliteFile {
  readonly #file: ByteView;
  readonly pageSize: number;
  /** Bytes of a page that hold content. */
  readonly #usable: number;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly #decoder: TextDecoder;
  #decoded = 0;
  /** Pages read, of all tables. */
  readonly #visited = new Set<number>();

  constructor(bytes: Uint8Array) {
    this.#file = new ByteView(bytes);
    if (this.#file.latin1(0, 16) !== 'SQLite format 3\0') throw new RangeError('not an SQLite database');
    const size = this.#file.u16(16);
    this.pageSize = size === 1 ? 65536 : size;
    if (this.pageSize < 512 || (this.pageSize & (this.pageSize - 1)) !== 0) throw new RangeError('page size');
    this.#usable = this.pageSize - this.#file.u8(20);
    const encoding = this.#file.u32(56);
    this.encoding = encoding === 2 ? 'utf-16le' : encoding === 3 ? 'utf-16be' : 'utf-8';
    this.#decoder = new TextDecoder(this.encoding);
  }

  /** A number of the header: 60 user version, 68 application id, 96 version of the library that wrote it. */
  headerNumber(at: 60 | 68 | 96): number {
    return this.#file.u32(at);
  }

  get pages(): number {
    return Math.floor(this.#file.length / this.pageSize);
  }

  /** Walk the table at page `root`: `cells` are counted, `wanted` rows decoded; `whole`: all was readable. */
  table(
    root: number,
    wanted: number,
  ): { readonly rows: SqliteValue[][]; readonly count: number; readonly whole: boolean } {
    const rows: SqliteValue[][] = [];
    let count = 0;
    let whole = true;
    const pending = [root];
    for (let page = pending.pop(); page !== undefined; page = pending.pop()) {
      const start = (page - 1) * this.pageSize;
      if (page < 1 || start + this.pageSize > this.#file.length || this.#visited.has(page)) {
        whole = false;
        continue;
      }
      this.#visited.add(page);
      const head = start + (page === 1 ? 100 : 0);
      const kind = this.#file.u8(head);
      const cells = this.#file.u16(head + 3);
      if (kind === 13) {
        if (head + 8 + cells * 2 > start + this.pageSize) {
          whole = false;
          continue;
        }
        count += cells;
        for (let cell = 0; cell < cells && rows.length < wanted; cell++) {
          const row = this.#row(start + this.#file.u16(head + 8 + cell * 2));
          if (row === undefined) whole = false;
          else rows.push(row);
        }
      } else if (kind === 5) {
        if (head + 12 + cells * 2 > start + this.pageSize) whole = false;
        else {
          // The last child is pushed first, so that rows come in their order.
          pending.push(this.#file.u32(head + 8));
          for (let cell = cells - 1; cell >= 0; cell--)
            pending.push(this.#file.u32(start + this.#file.u16(head + 12 + cell * 2)));
        }
      } else if (kind === 10 || kind === 2) {
        // A table WITHOUT ROWID is stored as an index: its cells are counted, interior ones too.
        const isInterior = kind === 2;
        if (head + (isInterior ? 12 : 8) + cells * 2 > start + this.pageSize) {
          whole = false;
          continue;
        }
        count += cells;
        if (isInterior) {
          pending.push(this.#file.u32(head + 8));
          for (let cell = cells - 1; cell >= 0; cell--)
            pending.push(this.#file.u32(start + this.#file.u16(head + 12 + cell * 2)));
        }
      } else whole = false;
    }
    return { rows, count, whole };
  }

  #row(at: number): SqliteValue[] | undefined {
    try {
      const size = this.#number(at);
      const row = this.#number(size.end);
      this.#decoded += Math.min(size.value, maxRecord);
      if (this.#decoded > maxDecoded) return undefined;
      return this.#record(this.#payload(row.end, size.value), row.value);
    } catch {
      return undefined;
    }
  }

  /** A record's bytes: those in the page, then overflow pages, at most 1 MiB. */
  #payload(at: number, size: number): ByteView {
    const max = this.#usable - 35;
    if (size <= max) return this.#file.part(at, at + size);
    const min = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const fits = min + ((size - min) % (this.#usable - 4));
    const local = fits <= max ? fits : min;
    const parts = [this.#file.slice(at, at + local)];
    let left = Math.min(size, maxRecord) - local;
    let page = this.#file.u32(at + local);
    while (left > 0 && page !== 0) {
      const start = (page - 1) * this.pageSize;
      const part = this.#file.slice(start + 4, start + 4 + Math.min(left, this.#usable - 4));
      if (part.length === 0) break;
      parts.push(part);
      left -= part.length;
      page = this.#file.u32(start);
    }
    return new ByteView(Buffer.concat(parts));
  }

  #record(record: ByteView, rowId: number): SqliteValue[] {
    const head = varint(record, 0);
    const values: SqliteValue[] = [];
    let at = head.end;
    let body = head.value;
    while (at < head.value && values.length < maxColumns) {
      const type = varint(record, at);
      at = type.end;
      const length = sizeOf(type.value);
      if (body + length > record.length && length > 0) break;
      values.push(this.#value(record, type.value, body, length));
      body += length;
    }
    // The first column that is null in the record may be the row's number.
    return values.length > 0 && values[0] === undefined ? [rowId, ...values.slice(1)] : values;
  }

  #value(record: ByteView, type: number, at: number, length: number): SqliteValue {
    if (type >= 13 && type % 2 === 1) return this.#decoder.decode(record.slice(at, at + length));
    if (type === 8) return 0;
    if (type === 9) return 1;
    if (type === 7) return record.f64(at);
    if (type === 0 || type >= 10) return undefined;
    let value = (record.u8(at) << 24) >> 24;
    for (let byte = 1; byte < length; byte++) value = value * 256 + record.u8(at + byte);
    return value;
  }

  #number(at: number): { readonly value: number; readonly end: number } {
    return varint(this.#file, at);
  }
}

/** Bytes of a value by its serial type. */
function sizeOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][type] ?? 0;
}

/** A number of one to nine bytes; beyond 2^53 it is not exact, which no length here needs. */
function varint(view: ByteView, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let byte = 0; byte < 8; byte++) {
    const next = view.u8(start + byte);
    value = value * 128 + (next & 127);
    if (next < 128) return { value, end: start + byte + 1 };
  }
  return { value: value * 256 + view.u8(start + 8), end: start + 9 };
}
