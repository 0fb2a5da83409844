import { type FileHandle, open } from 'node:fs/promises';
import { writeAll } from '../files/write-all.ts';
import { encodeRow, recordBytes } from './journal-record.ts';

const bufferRecords = 1024;

/** One journal on disk: records wait in memory for the write under way to end, then go out together. */
export class JournalFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #at: number;
  #full: Buffer[] = [];
  #filling = Buffer.allocUnsafe(bufferRecords * recordBytes);
  #filled = 0;
  #writing: Promise<void> | undefined;
  #isDirty = true;
  #isClosed = false;
  #failure: unknown;
  /**
   * Waited for before records are written: what they tell of is to be there when they are read, and was placed before they
   * were appended. Does not reject.
   */
  beforeWriting: () => Promise<void> = async () => undefined;

  private constructor(path: string, handle: FileHandle, at: number) {
    this.path = path;
    this.#handle = handle;
    this.#at = at;
  }

  /** Make a journal with this head. */
  static async create(path: string, head: Uint8Array): Promise<JournalFile> {
    const handle = await open(path, 'w', 0o600);
    try {
      await writeAll(handle.fd, [head], 0);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new JournalFile(path, handle, head.length);
  }

  /** Write on in a journal whose first `bytes` are good. */
  static async continue(path: string, bytes: number): Promise<JournalFile> {
    const handle = await open(path, 'r+');
    await handle.truncate(bytes);
    return new JournalFile(path, handle, bytes);
  }

  /** Written and waiting. */
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

  /** Everything appended before is with the system when this resolves. Rejects with what the system said. */
  async write(): Promise<void> {
    // One under way may have begun before what this is asked for.
    await this.#writing;
    // What did not get there is missing for good: a gap is not to be written behind.
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isClosed) return;
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Everything appended before is on disk when this resolves. */
  async sync(): Promise<void> {
    await this.write();
    if (!this.#isDirty || this.#isClosed) return;
    this.#isDirty = false;
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#isDirty = true;
      throw error;
    }
  }

  /** What still waits is not written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // Its descriptor may be another file's as soon as it is closed.
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
    this.#isDirty = true;
    try {
      // What is appended from now on goes with the next ones: what it tells of may not be there yet.
      await this.beforeWriting();
      await writeAll(this.#handle.fd, buffers, at);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
