import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import type { LogTail } from './log-tail.ts';
import { type LostRun, type Place, UnwrittenRuns } from './unwritten-runs.ts';

interface Waiting extends Place {
  readonly buffers: readonly Uint8Array[];
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
  readonly #later: UnwrittenRuns;
  #current: StoreFile | undefined;
  #waiting: Waiting[] = [];
  #isWriting = false;

  /** `segmentBytes` says how large a segment is to be, in force from the next one on; `tail` is told what is new. */
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

  /** Waited for with what `appendLater` has placed and the disk refused, as long as its bytes are in memory. */
  set onLost(forget: (lost: LostRun) => Promise<void>) {
    this.#later.onLost = (lost) => {
      if (this.#current === lost.file) this.roll();
      return forget(lost);
    };
  }

  /**
   * Append one record. The place is taken before this returns. Its file is held when this resolves: the caller lets
   * go (`file.holds--`) once the index knows of it. Rejects with what the system said. A copy of what is old is not kept
   * in memory for who asks for it soon.
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
   * Append one small record, which is in memory until it is written with others: when they are many, or when somebody asks for
   * `written`. Undefined where memory has no room for it. Its file is held as by `append`.
   */
  appendLater(buffers: readonly Uint8Array[], bytes: number): Place | undefined {
    if (!this.#later.takes(bytes)) return undefined;
    const place = this.#place(bytes);
    place.file.holds++;
    this.#later.add(place, buffers, bytes);
    return place;
  }

  /** What was appended for later is with the system when this resolves. Rejects with what the system said of any of it. */
  written(): Promise<void> {
    return this.#later.written();
  }

  /** Go on in a new segment, so that the current one may be cleaned. */
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
    // Those of the same turn go together.
    await undefined;
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting as [Waiting, ...Waiting[]];
      let count = 0;
      let bytes = 0;
      for (const { file, offset, buffers } of this.#waiting) {
        // Between them may be what is written later.
        if (file !== first.file || offset !== first.offset + bytes || bytes > largestWrite) break;
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
        // What follows in this segment stands behind a gap; it is written there all the same.
        if (this.#current === first.file) this.roll();
        for (const { failed } of batch) failed(error);
      }
    }
    this.#isWriting = false;
  }
}
