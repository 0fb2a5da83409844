import { inSlices } from '../../../kernel/index.ts';
import type { StoreFiles } from '../files/store-files.ts';
import { storedBytes } from '../model/content-blocks.ts';
import type { PurgeEffect } from '../model/purge-effect.ts';
import { keyHash } from '../model/stored-entry.ts';
import type { Journal } from './journal.ts';
import { flag, rowWords, type SlotTable, word } from './slot-table.ts';

/** The place of an entry's meta record. */
export interface MetaPlace {
  readonly file: number;
  readonly offset: number;
  readonly bytes: number;
}

/** The place of an entry's content; `length` without the checksums. */
export interface ContentPlace {
  readonly file: number;
  readonly offset: number;
  readonly length: number;
  readonly ownFile: boolean;
}

export interface NewRow {
  readonly key: string;
  readonly tags: readonly string[];
  readonly serial: number;
  readonly mark: number;
  readonly meta: MetaPlace;
  readonly content: ContentPlace;
}

const twoTo32 = 2 ** 32;
/** Rows per slice between yields to the event loop. */
const slice = 20_000;

/** Scheme and authority of a URL with the slash after them; undefined for a shorter prefix. */
export function originOf(url: string): string | undefined {
  const scheme = url.indexOf('://');
  const slash = scheme === -1 ? -1 : url.indexOf('/', scheme + 3);
  return slash === -1 ? undefined : url.slice(0, slash + 1);
}

/** Two bits for each tag: an entry that lacks one of a tag's bits does not have the tag. */
export function tagBits(tags: readonly string[]): number {
  let bits = 0;
  for (const tag of tags) {
    const hash = keyHash(tag, 0);
    bits |= (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
  }
  return bits >>> 0;
}

/** 32 bits of the origin of a URL. */
export const originHash = (url: string) => keyHash(originOf(url) ?? url, 0);

/** The table of entries, its journal and the byte counts of files, changed together. */
export class DiskIndex {
  readonly table: SlotTable;
  readonly #journal: Journal;
  readonly #files: StoreFiles;
  #contentBytes = 0;

  private constructor(table: SlotTable, journal: Journal, files: StoreFiles) {
    this.table = table;
    this.#journal = journal;
    this.#files = files;
  }

  /** The index of a table, with its byte counts. */
  static async of(table: SlotTable, journal: Journal, files: StoreFiles): Promise<DiskIndex> {
    const index = new DiskIndex(table, journal, files);
    const count = (slot: number) => {
      if (table.isUsed(slot)) index.#count(slot, 1);
    };
    await inSlices(() => table.end, slice, count);
    return index;
  }

  get contentBytes(): number {
    return this.#contentBytes;
  }

  /** The slots of this key; a false match is nearly impossible. */
  find(key: string): number[] {
    const [low, high] = this.#journal.header.seeds;
    return this.table.find(keyHash(key, low), keyHash(key, high));
  }

  bytes(slot: number): number {
    return this.table.get(slot, word.metaBytes) + storedBytes(this.table.contentLength(slot));
  }

  metaPlace(slot: number): MetaPlace {
    const { table } = this;
    return {
      file: table.get(slot, word.metaFile),
      offset: table.get(slot, word.metaOffset),
      bytes: table.get(slot, word.metaBytes),
    };
  }

  contentPlace(slot: number): ContentPlace {
    const { table } = this;
    return {
      file: table.get(slot, word.contentFile),
      offset: table.get(slot, word.contentOffset),
      length: table.contentLength(slot),
      ownFile: table.hasFlag(slot, flag.ownFile),
    };
  }

  add({ key, tags, serial, mark, meta, content }: NewRow): number {
    const row = new Uint32Array(rowWords);
    const [low, high] = this.#journal.header.seeds;
    row[word.hashLow] = keyHash(key, low);
    row[word.hashHigh] = keyHash(key, high);
    row[word.metaFile] = meta.file;
    row[word.metaOffset] = meta.offset;
    row[word.metaBytes] = meta.bytes;
    row[word.contentFile] = content.file;
    row[word.contentOffset] = content.offset;
    row[word.contentLow] = content.length % twoTo32;
    row[word.contentHigh] = Math.floor(content.length / twoTo32) | (content.ownFile ? flag.ownFile : 0);
    row[word.serialLow] = serial % twoTo32;
    row[word.serialHigh] = Math.floor(serial / twoTo32);
    row[word.mark] = mark;
    row[word.tags] = tagBits(tags);
    row[word.origin] = originHash(key);
    const slot = this.table.add(row);
    this.#count(slot, 1);
    this.#journal.append(slot);
    return slot;
  }

  drop(slot: number): void {
    this.#count(slot, -1);
    this.table.release(slot);
    this.#journal.append(slot);
  }

  /** Apply an effect to an entry that stays. */
  affect(slot: number, effect: Exclude<PurgeEffect, 'forget'>): void {
    if (effect === 'nothing') return;
    const { table } = this;
    const changed =
      effect === 'validate' ? table.invalidate(slot) : table.purgeSoftly(slot, effect.staleSinceMs);
    if (changed) this.#journal.append(slot);
  }

  moveMeta(slot: number, { file, offset, bytes }: MetaPlace): void {
    const { table } = this;
    this.#files.live(table.get(slot, word.metaFile), -table.get(slot, word.metaBytes));
    table.set(slot, word.metaFile, file);
    table.set(slot, word.metaOffset, offset);
    table.set(slot, word.metaBytes, bytes);
    this.#files.live(file, bytes);
    this.#journal.append(slot);
  }

  /** Set the new place of a content in a segment. */
  moveContent(slot: number, file: number, offset: number): void {
    const { table } = this;
    const bytes = storedBytes(table.contentLength(slot));
    this.#files.live(table.get(slot, word.contentFile), -bytes);
    table.set(slot, word.contentFile, file);
    table.set(slot, word.contentOffset, offset);
    this.#files.live(file, bytes);
    this.#journal.append(slot);
  }

  #count(slot: number, sign: 1 | -1): void {
    const { table } = this;
    const length = table.contentLength(slot);
    this.#contentBytes += sign * length;
    this.#files.live(table.get(slot, word.metaFile), sign * table.get(slot, word.metaBytes));
    if (length > 0) this.#files.live(table.get(slot, word.contentFile), sign * storedBytes(length));
  }
}
