/** Bytes that stand in one file behind each other. */
interface Run {
  readonly file: number;
  readonly offset: number;
  length: number;
  /** Its first byte, counted from the first that was ever appended. */
  readonly position: number;
}

/**
 * The last bytes that were appended to a log of files, as they stand there or are about to: what is asked for soon after
 * needs no disk, and until then there is no object of it that the garbage collector would have to look at.
 */
export class LogTail {
  readonly budget: number;
  #ring: Buffer | undefined;
  /** By file and offset, which is the order they came in. */
  #runs: Run[] = [];
  #end = 0;
  /** What stands from here on is needed until it is let go. */
  #keptFrom = Number.POSITIVE_INFINITY;

  /** At most `budget` bytes are held. */
  constructor(budget: number) {
    this.budget = budget;
  }

  get bytes(): number {
    return Math.min(this.#end, this.budget);
  }

  /**
   * Note what belongs from `offset` on; nothing before it in this file, or in a file before it, comes later. Gives its
   * position, counted from the first byte that was ever appended; -1 when there is no room, as for what is kept.
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

  /** Whether there is room for so many bytes beside what is kept. */
  takes(length: number): boolean {
    return length <= this.budget && this.#end + length - this.budget <= this.#keptFrom;
  }

  /** Let go of nothing from a position on, until another one is told; of everything when it is infinite. */
  keepFrom(position: number): void {
    this.#keptFrom = position;
  }

  /** Bytes that are kept, where they are: one behind the other. */
  kept(position: number, length: number): readonly Uint8Array[] {
    const ring = this.#ring as Buffer;
    const at = position % this.budget;
    const beforeWrap = Math.min(length, this.budget - at);
    const first = ring.subarray(at, at + beforeWrap);
    return beforeWrap === length ? [first] : [first, ring.subarray(0, length - beforeWrap)];
  }

  /** Whether all of these bytes are here. */
  has(file: number, offset: number, length: number): boolean {
    return this.#find(file, offset, length) !== -1;
  }

  /** A copy of these bytes when all of them are here. */
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

  /** Where the bytes are, counted as `position` is; -1 when they are not all here. */
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
