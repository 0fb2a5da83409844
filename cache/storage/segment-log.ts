import type { LogTail } from './log-tail.ts';
import type { StoreFile, StoreFiles } from './store-files.ts';

export interface Place {
  readonly file: StoreFile;
  readonly offset: number;
}

interface Waiting extends Place {
  readonly buffers: readonly Uint8Array[];
  readonly isCopy: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Bytes written with one call at most. */
const largestWrite = 4 * 2 ** 20;

/**
 * Appends records to segments, one behind the other; what is waiting while a write is under way goes into the next
 * one together. A process never writes on in a segment of an earlier one.
 */
export class SegmentLog {
  readonly #files: StoreFiles;
  readonly #segmentBytes: () => number;
  readonly #tail: LogTail;
  #current: StoreFile | undefined;
  #waiting: Waiting[] = [];
  #isWriting = false;

  /** `segmentBytes` says how large a segment is to be, in force from the next one on; `tail` is told what is new. */
  constructor(files: StoreFiles, segmentBytes: () => number, tail: LogTail) {
    this.#files = files;
    this.#segmentBytes = segmentBytes;
    this.#tail = tail;
  }

  get segmentBytes(): number {
    return this.#segmentBytes();
  }

  get current(): StoreFile | undefined {
    return this.#current;
  }

  /**
   * Append one record. The place is taken before this returns. Its file is held when this resolves: the caller lets
   * go (`file.holds--`) once the index knows of it. Rejects with what the system said. A copy of what is old is not kept
   * in memory for who asks for it soon.
   */
  append(buffers: readonly Uint8Array[], bytes: number, isCopy = false): Promise<Place> {
    let file = this.#current;
    if (file === undefined || file.doomed || file.bytes + bytes > this.segmentBytes) {
      file = this.#files.create('segment');
      this.#current = file;
    }
    const place = { file, offset: file.bytes };
    this.#files.place(file, bytes);
    file.holds++;
    return new Promise((resolve, reject) => {
      const done = () => resolve(place);
      const failed = (error: unknown) => {
        place.file.holds--;
        reject(error);
      };
      this.#waiting.push({ file, offset: place.offset, buffers, isCopy, done, failed });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Go on in a new segment, so that the current one may be cleaned. */
  roll(): void {
    this.#current = undefined;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // Those of the same turn go together.
    await undefined;
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting as [Waiting, ...Waiting[]];
      let count = 0;
      let bytes = 0;
      for (const { file, buffers } of this.#waiting) {
        if (file !== first.file || bytes > largestWrite) break;
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
        for (const { file, offset, buffers, isCopy, done } of batch) {
          if (!isCopy) this.#tail.append(file.number, offset, buffers);
          done();
        }
      } catch (error) {
        // What follows in this segment stands behind a gap; it is written there all the same.
        if (this.#current === first.file) this.roll();
        for (const { failed } of batch) failed(error);
      }
    }
    this.#isWriting = false;
  }
}
