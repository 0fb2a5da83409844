import { type FileHandle, open } from 'node:fs/promises';
import { writeAll } from '../files/write-all.ts';
import { encodeHeader, encodeRow, headerBytes, type JournalHeader, recordBytes } from './journal-record.ts';

const bufferRecords = 1024;

/** A journal on disk: records wait in memory until the write in progress ends, then are written together. */
export class JournalFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #header: JournalHeader;
  #at: number;
  #full: Buffer[] = [];
  #filling = Buffer.allocUnsafe(bufferRecords * recordBytes);
  #filled = 0;
  #writing: Promise<void> | undefined;
  /** Bytes that the operating system has, and those of them that are on disk. */
  #written: number;
  #synced = 0;
  #isClosed = false;
  #failure: unknown;
  /** Awaited before records are written, so that the bytes they refer to are readable. Must not reject. */
  beforeWriting: () => Promise<void> = async () => undefined;

  private constructor(path: string, handle: FileHandle, header: JournalHeader, at: number) {
    this.path = path;
    this.#handle = handle;
    this.#header = header;
    this.#at = at;
    this.#written = at;
  }

  static async create(path: string, header: JournalHeader): Promise<JournalFile> {
    const handle = await open(path, 'w', 0o600);
    try {
      await writeAll(handle.fd, [encodeHeader(header)], 0);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new JournalFile(path, handle, header, headerBytes);
  }

  /** Continue a journal whose first `bytes` are valid. */
  static async continue(path: string, header: JournalHeader, bytes: number): Promise<JournalFile> {
    const handle = await open(path, 'r+');
    await handle.truncate(bytes);
    return new JournalFile(path, handle, header, bytes);
  }

  /** Written and waiting bytes. */
  get bytes(): number {
    return this.#at + this.#full.length * bufferRecords * recordBytes + this.#filled;
  }

  append(slot: number, row: Uint32Array): void {
    encodeRow(this.#filling, this.#filled, slot, row);
    this.#filled += recordBytes;
    if (this.#filled < this.#filling.length) return;
    this.#full.push(this.#filling);
    this.#filling = Buffer.allocUnsafe(bufferRecords * recordBytes);
    this.#filled = 0;
  }

  /** Resolves when the operating system has everything appended before. Rejects with the system's error. */
  async write(): Promise<void> {
    // A write in progress may have begun before the last append.
    await this.#writing;
    // Lost records leave a gap, after which nothing may be written.
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isClosed) return;
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Resolves when everything appended before is on disk; the header then has its length. */
  async sync(): Promise<void> {
    await this.write();
    const bytes = this.#written;
    if (bytes === this.#synced || this.#isClosed) return;
    await this.#handle.datasync();
    this.#synced = bytes;
    // When this fails, the header has an earlier length, which is true as well.
    await this.#handle.write(encodeHeader(this.#header, bytes), 0, headerBytes, 0).catch(() => undefined);
  }

  /** Close without writing the waiting records. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // Its descriptor may belong to another file as soon as it is closed.
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined);
    await this.#handle.close();
  }

  async #writeWaiting(): Promise<void> {
    const buffers = [...this.#full, Buffer.from(this.#filling.subarray(0, this.#filled))];
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    if (bytes === 0) return;
    const at = this.#at;
    this.#full = [];
    this.#filled = 0;
    this.#at += bytes;
    try {
      // Records appended from now on go with the next write: the bytes they refer to may not be readable yet.
      await this.beforeWriting();
      await writeAll(this.#handle.fd, buffers, at);
      this.#written = at + bytes;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
