/** Adjacent bytes in one file. */
interface Run {
  readonly file: number;
  readonly offset: number;
  length: number;
  /** The position of its first byte, counted from the first byte ever appended. */
  readonly position: number;
}

/**
 * The last bytes that were appended to a log of files: entries requested soon after their storage need no
 * disk, and until then cost no object for the garbage collector.
 */
export class LogTail {
  readonly budget: number;
  #ring: Buffer | undefined;
  /** By file and offset, which is the order of appending. */
  #runs: Run[] = [];
  #end = 0;
  /** Bytes from this position on are needed until they are released. */
  #keptFrom = Number.POSITIVE_INFINITY;

  /** Max `budget` bytes are held. */
  constructor(budget: number) {
    this.budget = budget;
  }

  get bytes(): number {
    return Math.min(this.#end, this.budget);
  }

  /**
   * Add bytes for `offset`; later calls never go back in this file or to an earlier file. Returns their
   * position, counted from the first byte ever appended; -1 when there is no room beside the kept bytes.
   */
  append(file: number, offset: number, buffers: readonly Uint8Array[]): number {
    let length = 0;
    for (const buffer of buffers) length += buffer.length;
    if (length === 0 || !this.takes(length)) return -1;
    const position = this.#end;
    const last = this.#runs[this.#runs.length - 1];
    if (last !== undefined && last.file === file && last.offset + last.length === offset)
      last.length += length;
    else this.#runs.push({ file, offset, length, position });
    for (const buffer of buffers) this.#put(buffer);
    const first = this.#end - this.budget;
    while ((this.#runs[0] as Run).position + (this.#runs[0] as Run).length <= first) this.#runs.shift();
    return position;
  }

  /** Whether there is room for `length` bytes beside the kept ones. */
  takes(length: number): boolean {
    return length <= this.budget && this.#end + length - this.budget <= this.#keptFrom;
  }

  /** Keep all bytes from this position on, until the next call; nothing when it is infinite. */
  keepFrom(position: number): void {
    this.#keptFrom = position;
  }

  /** Kept bytes, without a copy, in order. */
  kept(position: number, length: number): readonly Uint8Array[] {
    const ring = this.#ring as Buffer;
    const at = position % this.budget;
    const beforeWrap = Math.min(length, this.budget - at);
    const first = ring.subarray(at, at + beforeWrap);
    return beforeWrap === length ? [first] : [first, ring.subarray(0, length - beforeWrap)];
  }

  /** Whether all of these bytes are held. */
  has(file: number, offset: number, length: number): boolean {
    return this.#find(file, offset, length) !== -1;
  }

  /** A copy of these bytes when all of them are held. */
  read(file: number, offset: number, length: number): Buffer | undefined {
    const position = this.#find(file, offset, length);
    if (position === -1 || this.#ring === undefined) return undefined;
    const copy = Buffer.allocUnsafe(length);
    const from = position % this.budget;
    const beforeWrap = Math.min(length, this.budget - from);
    this.#ring.copy(copy, 0, from, from + beforeWrap);
    this.#ring.copy(copy, beforeWrap, 0, length - beforeWrap);
    return copy;
  }

  /** The position of these bytes; -1 when they are not all held. */
  #find(file: number, offset: number, length: number): number {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const run = this.#runs[middle] as Run;
      if (run.file < file || (run.file === file && run.offset <= offset)) low = middle;
      else high = middle - 1;
    }
    const run = this.#runs[low];
    if (run === undefined || run.file !== file || offset < run.offset) return -1;
    if (offset + length > run.offset + run.length) return -1;
    const position = run.position + offset - run.offset;
    return position < this.#end - this.budget ? -1 : position;
  }

  #put(buffer: Uint8Array): void {
    this.#ring ??= Buffer.alloc(this.budget);
    const at = this.#end % this.budget;
    const beforeWrap = Math.min(buffer.length, this.budget - at);
    if (beforeWrap === buffer.length) this.#ring.set(buffer, at);
    else {
      this.#ring.set(buffer.subarray(0, beforeWrap), at);
      this.#ring.set(buffer.subarray(beforeWrap), 0);
    }
    this.#end += buffer.length;
  }
}
