import { constants, read } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../../../store/index.ts';
import { type FileCalls, systemCalls } from './file-calls.ts';
import { OpenFiles } from './open-files.ts';

const readAt = promisify(read);

const existing = constants.O_RDWR;
const madeIfMissing = constants.O_RDWR | constants.O_CREAT;

const removedTogether = 256;
const listedTogether = 256;

/** A segment has the records of many entries; a content file has the content of one. */
export type FileKind = 'segment' | 'content';

export interface StoreFile {
  readonly number: number;
  readonly kind: FileKind;
  readonly path: string;
  /** Bytes placed in it, written or about to be. */
  bytes: number;
  /** The part of them that entries still use. */
  living: number;
  /** Reads in progress: the file stays until the last has ended. */
  pins: number;
  /** Writes in progress, or not yet in the index: no compaction now. */
  holds: number;
  /** Runs of it that are placed and not written. */
  unwritten: number;
  /** Placed bytes from this offset on may be missing: the disk refused them. */
  lostFrom: number;
  doomed: boolean;
  /** It exists in its folder. */
  isMade: boolean;
}

/**
 * The numbered files of a store. Numbers are never reused while the folder exists, so that a recorded place
 * never refers to other bytes.
 */
export class StoreFiles {
  readonly #folder: string;
  readonly #calls: FileCalls;
  readonly #files = new Map<number, StoreFile>();
  readonly #segments = new Set<StoreFile>();
  readonly #dirty = new Set<StoreFile>();
  readonly #open = new OpenFiles();
  readonly #folders = new Set<string>();
  /** Folders with new files or folders since the last sync: the new names must survive a power cut too. */
  #madeIn = new Set<string>();
  /** Removed from the store and still on disk. */
  #toRemove: StoreFile[] = [];
  #removing: Promise<void> | undefined;
  /**
   * Awaited before files are removed: after a crash, a journal that still refers to them would lead nowhere,
   * although the records that replaced them exist.
   */
  beforeRemoval: () => Promise<void> = async () => undefined;
  /** Awaited before a file with unwritten bytes is read. */
  beforeReading: () => Promise<void> = async () => undefined;
  #last = 0;
  #used = 0;
  #living = 0;

  constructor(folder: string, calls: FileCalls = systemCalls) {
    this.#folder = folder;
    this.#calls = calls;
  }

  /** Bytes of all files, including those that wait for a reader to end. */
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

  /** Find the existing files of the folder. */
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

  /** Reserve file numbers up to this one. */
  useNoLonger(number: number): void {
    this.#last = Math.max(this.#last, number);
  }

  /** A new file, created on disk by its first write. */
  create(kind: FileKind): StoreFile {
    return this.#note(kind, this.#last + 1, 0);
  }

  /** Count bytes as placed in a file. */
  place(file: StoreFile, bytes: number): void {
    file.bytes += bytes;
    this.#used += bytes;
  }

  /** Count bytes of a file as used by entries; a negative number as no longer used. */
  live(number: number, bytes: number): void {
    const file = this.#files.get(number);
    if (file === undefined) return;
    file.living += bytes;
    this.#living += bytes;
    if (file.kind === 'content' && file.living <= 0 && bytes < 0) this.doom(file);
  }

  /** Remove a file as soon as it has no readers. */
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
      // Small buffers come from a shared slab: they are decoded at once, and a million of them do not
      // fragment the memory.
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

  /** Write buffers one after another. */
  async write(file: StoreFile, offset: number, buffers: readonly Uint8Array[]): Promise<void> {
    await this.#makeFolder(dirname(file.path));
    if (!file.isMade) this.#madeIn.add(dirname(file.path));
    file.isMade = true;
    this.#dirty.add(file);
    const { path } = file;
    await this.#open.use(path, madeIfMissing, (descriptor) =>
      this.#calls.write({ path, descriptor }, buffers, offset),
    );
  }

  /** Resolves when all written bytes are on disk. */
  async sync(): Promise<void> {
    for (const file of [...this.#dirty]) {
      this.#dirty.delete(file);
      try {
        const { path } = file;
        await this.#open.use(path, existing, (descriptor) => this.#calls.sync({ path, descriptor }));
      } catch (error) {
        // A file that was removed meanwhile need not be on disk.
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

  /** Resolves when removed files are deleted and no longer counted. */
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
      // The rest of this iteration of the event loop may still record the replacements.
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
    // At once: a file removed a moment later starts again.
    this.#removing = undefined;
  }
}
