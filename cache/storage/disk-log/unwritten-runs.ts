import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import type { LogTail } from './log-tail.ts';

export interface Place {
  readonly file: StoreFile;
  readonly offset: number;
}

/** Placed bytes that a file lacks. */
export interface LostRun extends Place {
  readonly bytes: number;
  readonly error: unknown;
}

/** Adjacent bytes in a file and in memory. */
interface Run extends Place {
  readonly position: number;
  bytes: number;
}

/** A larger record is written by itself, which costs few system calls. Bytes. */
const maxRecordBytes = 16 * 1024;
/** This many bytes are written without further wait. */
const enoughBytes = 48 * 1024;
/** A quarter of the tail may be unwritten. */
const tailPart = 4;

/** Records that so far are only in the tail of their log, from which many are written with one call. */
export class UnwrittenRuns {
  readonly #files: StoreFiles;
  readonly #tail: LogTail;
  readonly #runs: Run[] = [];
  #bytes = 0;
  #isScheduled = false;
  #writing: Promise<void> | undefined;
  /** Awaited when the disk refuses a run, whose bytes are in memory until then. */
  onLost: (lost: LostRun) => Promise<void> = async () => undefined;

  constructor(files: StoreFiles, tail: LogTail) {
    this.#files = files;
    this.#tail = tail;
  }

  /** Whether a record of `bytes` may be added now. */
  takes(bytes: number): boolean {
    if (bytes > maxRecordBytes || this.#bytes + bytes > this.#tail.budget / tailPart) return false;
    return this.#tail.takes(bytes);
  }

  /** Add a record for which `takes` is true. */
  add({ file, offset }: Place, buffers: readonly Uint8Array[], bytes: number): void {
    const position = this.#tail.append(file.number, offset, buffers);
    const last = this.#runs.at(-1);
    const isBehind = last?.file === file && last.offset + last.bytes === offset;
    if (isBehind && last.position + last.bytes === position) last.bytes += bytes;
    else this.#begin({ file, offset, position, bytes });
    this.#bytes += bytes;
    if (this.#bytes < enoughBytes || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      // `onLost` has already reported losses.
      this.written().catch(() => undefined);
    });
  }

  /** Resolves when the operating system has every earlier record. Rejects with the system's error for any of them. */
  async written(): Promise<void> {
    const last = this.#runs.at(-1);
    const failures: unknown[] = [];
    const note = (error: unknown) => failures.push(error);
    // A write in progress may have begun before the last record.
    await this.#writing?.catch(note);
    while (last !== undefined && this.#runs.includes(last)) {
      this.#writing ??= this.#writeUpTo(last).finally(() => {
        this.#writing = undefined;
      });
      await this.#writing.catch(note);
    }
    if (failures.length > 0) throw failures[0];
  }

  #begin(run: Run): void {
    run.file.holds++;
    run.file.unwritten++;
    if (this.#runs.length === 0 && this.#writing === undefined) this.#tail.keepFrom(run.position);
    this.#runs.push(run);
  }

  async #writeUpTo(last: Run): Promise<void> {
    let failed: { readonly error: unknown } | undefined;
    for (
      let run = this.#runs.shift();
      run !== undefined;
      run = run === last ? undefined : this.#runs.shift()
    ) {
      const { file, offset, position, bytes } = run;
      try {
        await this.#files.write(file, offset, this.#tail.kept(position, bytes));
      } catch (error) {
        failed = { error };
        file.lostFrom = Math.min(file.lostFrom, offset);
        await this.onLost({ file, offset, bytes, error });
      } finally {
        file.holds--;
        file.unwritten--;
        this.#bytes -= bytes;
        this.#tail.keepFrom(this.#runs[0]?.position ?? Number.POSITIVE_INFINITY);
      }
    }
    if (failed !== undefined) throw failed.error;
  }
}
