import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import type { LogTail } from './log-tail.ts';
import { type LostRun, type Place, UnwrittenRuns } from './unwritten-runs.ts';

interface Waiting extends Place {
  readonly buffers: readonly Uint8Array[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Max bytes written with one call. */
const maxWriteBytes = 4 * 2 ** 20;

/**
 * Appends records to segments; those that wait during a write are written together. No process continues a
 * segment of an earlier one.
 */
export class SegmentLog {
  readonly #files: StoreFiles;
  readonly #segmentBytes: () => number;
  readonly #tail: LogTail;
  readonly #later: UnwrittenRuns;
  #current: StoreFile | undefined;
  #waiting: Waiting[] = [];
  #isWriting = false;

  /** `segmentBytes` gives the size of a segment, from the next one on; `tail` gets new records. */
  constructor(files: StoreFiles, segmentBytes: () => number, tail: LogTail) {
    this.#files = files;
    this.#segmentBytes = segmentBytes;
    this.#tail = tail;
    this.#later = new UnwrittenRuns(files, tail);
  }

  get segmentBytes(): number {
    return this.#segmentBytes();
  }

  get current(): StoreFile | undefined {
    return this.#current;
  }

  /** Awaited with bytes of `appendLater` that the disk refused, as long as they are in memory. */
  set onLost(forget: (lost: LostRun) => Promise<void>) {
    this.#later.onLost = (lost) => {
      if (this.#current === lost.file) this.roll();
      return forget(lost);
    };
  }

  /**
   * Append a record. Its place is reserved at once, its file held until the caller lowers `file.holds`, when
   * the index has the place. A copy is not added to the tail. Rejects with the system's error.
   */
  append(buffers: readonly Uint8Array[], bytes: number, isCopy = false): Promise<Place> {
    const place = this.#place(bytes);
    const { file, offset } = place;
    file.holds++;
    if (!isCopy) this.#tail.append(file.number, offset, buffers);
    return new Promise((resolve, reject) => {
      const done = () => resolve(place);
      const failed = (error: unknown) => {
        file.holds--;
        reject(error);
      };
      this.#waiting.push({ file, offset, buffers, done, failed });
      if (!this.#isWriting) void this.#write();
    });
  }

  /**
   * Append one small record, which stays in memory until it is written with others: when there are many, or
   * when `written` is called. Undefined when memory has no room for it. Its file is held as by `append`.
   */
  appendLater(buffers: readonly Uint8Array[], bytes: number): Place | undefined {
    if (!this.#later.takes(bytes)) return undefined;
    const place = this.#place(bytes);
    place.file.holds++;
    this.#later.add(place, buffers, bytes);
    return place;
  }

  /** Resolves when the system has every record of `appendLater`. Rejects with the system's error for any. */
  written(): Promise<void> {
    return this.#later.written();
  }

  /** Continue in a new segment, so that the current one may be compacted. */
  roll(): void {
    this.#current = undefined;
  }

  #place(bytes: number): Place {
    let file = this.#current;
    if (file === undefined || file.doomed || file.bytes + bytes > this.segmentBytes) {
      file = this.#files.create('segment');
      this.#current = file;
    }
    const place = { file, offset: file.bytes };
    this.#files.place(file, bytes);
    return place;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // Records of the same iteration of the event loop are written together.
    await undefined;
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting as [Waiting, ...Waiting[]];
      let count = 0;
      let bytes = 0;
      for (const { file, offset, buffers } of this.#waiting) {
        // Records that are written later may be between them.
        if (file !== first.file || offset !== first.offset + bytes || bytes > maxWriteBytes) break;
        for (const buffer of buffers) bytes += buffer.length;
        count++;
      }
      const batch = this.#waiting.slice(0, count);
      this.#waiting = this.#waiting.slice(count);
      try {
        await this.#files.write(
          first.file,
          first.offset,
          batch.flatMap(({ buffers }) => buffers),
        );
        for (const { done } of batch) done();
      } catch (error) {
        // Later records of this segment come after a gap; they are written all the same.
        if (this.#current === first.file) this.roll();
        for (const { failed } of batch) failed(error);
      }
    }
    this.#isWriting = false;
  }
}
