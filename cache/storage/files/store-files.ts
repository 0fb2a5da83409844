import { constants, fdatasync, read } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../../../store/index.ts';
import { OpenFiles } from './open-files.ts';
import { writeAll } from './write-all.ts';

const readAt = promisify(read);
const syncData = promisify(fdatasync);

const existing = constants.O_RDWR;
const madeIfMissing = constants.O_RDWR | constants.O_CREAT;

const removedTogether = 256;
const listedTogether = 256;

/** A segment holds what many entries wrote one behind the other; a content file what one wrote. */
export type FileKind = 'segment' | 'content';

export interface StoreFile {
  readonly number: number;
  readonly kind: FileKind;
  readonly path: string;
  /** Bytes placed in it, written or about to be. */
  bytes: number;
  /** Bytes of these that entries still use. */
  living: number;
  /** Readings under way: the file stays until the last has ended. */
  pins: number;
  /** Writings under way, or whose entry is not in the index yet: no cleaning now. */
  holds: number;
  /** Runs of it that are placed and not written. */
  unwritten: number;
  /** From here on bytes may be missing that were placed: the disk refused them. */
  lostFrom: number;
  doomed: boolean;
  /** It is in its folder. */
  isMade: boolean;
}

/**
 * The numbered files of a store. Numbers are never used again while the folder lives, so that a place written down
 * somewhere never means other bytes than it did.
 */
export class StoreFiles {
  readonly #folder: string;
  readonly #files = new Map<number, StoreFile>();
  readonly #segments = new Set<StoreFile>();
  readonly #dirty = new Set<StoreFile>();
  readonly #open = new OpenFiles();
  readonly #folders = new Set<string>();
  /** Where files or folders were made since the last sync: their names are to survive a power cut too. */
  #madeIn = new Set<string>();
  /** Let go and still on disk. */
  #toRemove: StoreFile[] = [];
  #removing: Promise<void> | undefined;
  /**
   * Waited for before files are removed: a journal that still tells of them would lead to nothing after a crash, where what
   * took their place is to be found.
   */
  beforeRemoval: () => Promise<void> = async () => undefined;
  /** Waited for before a file is read of which not everything is written. */
  beforeReading: () => Promise<void> = async () => undefined;
  #last = 0;
  #used = 0;
  #living = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Bytes of all files, those included that wait for a reader to end. */
  get usedBytes(): number {
    return this.#used;
  }

  get livingBytes(): number {
    return this.#living;
  }

  get segments(): Iterable<StoreFile> {
    return this.#segments;
  }

  get all(): Iterable<StoreFile> {
    return this.#files.values();
  }

  get(number: number): StoreFile | undefined {
    return this.#files.get(number);
  }

  /** Find what is in the folder already. */
  async list(): Promise<void> {
    for (const [kind, folder] of [
      ['segment', join(this.#folder, 'segments')],
      ['content', join(this.#folder, 'contents')],
    ] as const) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const paths = await readdir(folder, { recursive: true });
      for (let from = 0; from < paths.length; from += listedTogether)
        await Promise.all(
          paths.slice(from, from + listedTogether).map((path) => this.#find(kind, join(folder, path))),
        );
    }
  }

  async #find(kind: FileKind, path: string): Promise<void> {
    const number = Number(/\/(\d{1,10})$/.exec(path)?.[1] ?? Number.NaN);
    if (!(number > 0) || this.#path(kind, number) !== path) return;
    const found = await stat(path);
    if (found.isFile()) this.#note(kind, number, found.size);
  }

  /** Give no new file a number up to this one. */
  useNoLonger(number: number): void {
    this.#last = Math.max(this.#last, number);
  }

  /** A new file, made on disk with the first write. */
  create(kind: FileKind): StoreFile {
    return this.#note(kind, this.#last + 1, 0);
  }

  /** Count bytes as placed in a file. */
  place(file: StoreFile, bytes: number): void {
    file.bytes += bytes;
    this.#used += bytes;
  }

  /** Count bytes of a file as used by entries, or no longer with a negative number. */
  live(number: number, bytes: number): void {
    const file = this.#files.get(number);
    if (file === undefined) return;
    file.living += bytes;
    this.#living += bytes;
    if (file.kind === 'content' && file.living <= 0 && bytes < 0) this.doom(file);
  }

  /** Let a file go as soon as nobody reads it. */
  doom(file: StoreFile): void {
    file.doomed = true;
    if (file.pins > 0 || !this.#files.delete(file.number)) return;
    this.#segments.delete(file);
    this.#dirty.delete(file);
    this.#living -= file.living;
    this.#toRemove.push(file);
    this.#removing ??= this.#remove();
  }

  pin(file: StoreFile): void {
    file.pins++;
  }

  unpin(file: StoreFile): void {
    file.pins--;
    if (file.doomed) this.doom(file);
  }

  /** Read `length` bytes; fewer when the file ends before. */
  async read(file: StoreFile, offset: number, length: number): Promise<Buffer> {
    if (file.unwritten > 0) await this.beforeReading();
    return this.#open.use(file.path, existing, async (descriptor) => {
      // Small ones come from a shared slab: they are decoded at once, and a million of them do not scatter the memory.
      const buffer = Buffer.allocUnsafe(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await readAt(descriptor, buffer, done, length - done, offset + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return buffer.subarray(0, done);
    });
  }

  /** Write buffers one behind the other. */
  async write(file: StoreFile, offset: number, buffers: readonly Uint8Array[]): Promise<void> {
    await this.#makeFolder(dirname(file.path));
    if (!file.isMade) this.#madeIn.add(dirname(file.path));
    file.isMade = true;
    this.#dirty.add(file);
    await this.#open.use(file.path, madeIfMissing, (descriptor) => writeAll(descriptor, buffers, offset));
  }

  /** What was written is on disk when this resolves. */
  async sync(): Promise<void> {
    for (const file of [...this.#dirty]) {
      this.#dirty.delete(file);
      try {
        await this.#open.use(file.path, existing, (descriptor) => syncData(descriptor));
      } catch (error) {
        // One that was let go meanwhile need not be on disk.
        if (!this.#files.has(file.number)) continue;
        this.#dirty.add(file);
        throw error;
      }
    }
    const folders = this.#madeIn;
    this.#madeIn = new Set();
    try {
      for (const folder of folders) await syncFolder(folder);
    } catch (error) {
      for (const folder of folders) this.#madeIn.add(folder);
      throw error;
    }
  }

  /** Files that were let go are removed, and their bytes no longer counted, when this resolves. */
  async removed(): Promise<void> {
    while (this.#removing !== undefined) await this.#removing;
  }

  async close(): Promise<void> {
    await this.removed();
    await this.#open.closeAll();
  }

  #path(kind: FileKind, number: number): string {
    if (kind === 'segment') return join(this.#folder, 'segments', String(number));
    return join(this.#folder, 'contents', (number & 255).toString(16).padStart(2, '0'), String(number));
  }

  #note(kind: FileKind, number: number, bytes: number): StoreFile {
    const path = this.#path(kind, number);
    const counts = { living: 0, pins: 0, holds: 0, unwritten: 0, doomed: false, isMade: bytes > 0 };
    const lostFrom = Number.POSITIVE_INFINITY;
    const file: StoreFile = { number, kind, path, bytes, lostFrom, ...counts };
    this.#files.set(number, file);
    if (kind === 'segment') this.#segments.add(file);
    this.#last = Math.max(this.#last, number);
    this.#used += bytes;
    return file;
  }

  async #makeFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    const made = await mkdir(path, { recursive: true, mode: 0o700 });
    if (made !== undefined) this.#madeIn.add(dirname(made));
    this.#folders.add(path);
  }

  async #remove(): Promise<void> {
    while (this.#toRemove.length > 0) {
      // What follows in this turn says what takes their place.
      await undefined;
      await this.beforeRemoval();
      const files = this.#toRemove.slice(0, removedTogether);
      this.#toRemove = this.#toRemove.slice(files.length);
      await Promise.all(
        files.map(async (file) => {
          await this.#open.close(file.path);
          await rm(file.path, { force: true }).catch(() => undefined);
          this.#used -= file.bytes;
        }),
      );
    }
    // At once: what is let go a moment later begins anew.
    this.#removing = undefined;
  }
}
