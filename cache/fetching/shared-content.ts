import type { Readable } from 'node:stream';
import type { AbortSource } from '../requests/index.ts';
import type { Entry, EntryWriter } from '../storage/index.ts';

/** Memory for chunks that not every reader has read yet, in bytes; beyond it readers read them from the store. */
const windowBytes = 1024 * 1024;

const readBackBytes = 64 * 1024;

export type ContentEnd = { readonly entry: Entry | undefined } | { readonly error: unknown };

export interface BrokenContent {
  readonly received: number;
  /** The error; undefined when no client waited for the rest. */
  readonly error: unknown;
}

/**
 * The content of one upstream response, read once, stored, and sent to every waiting client, each at its own
 * speed. A reader behind the window reads from the store; when nothing is stored, the source waits for the
 * slowest reader. The last chunk of a content of known length is sent only when the source has ended without
 * an error; the store may then still be writing it, which `onWhole` reports.
 */
export class SharedContent {
  readonly length: number | undefined;
  readonly #source: Readable | Uint8Array;
  #writer: EntryWriter | undefined;
  #pieces: { readonly from: number; readonly bytes: Uint8Array }[] = [];
  #heldBytes = 0;
  #received = 0;
  /** The source has ended without an error. */
  #isWhole = false;
  #end: ContentEnd | undefined;
  #readers: { at: number }[] = [];
  /** Until the first reader has come, all chunks are kept. */
  #wanted = false;
  #wakers: (() => void)[] = [];
  #isStopped = false;
  #broken: BrokenContent | undefined;
  /** Created only when somebody listens. */
  #reportBroken: ((broken: BrokenContent) => void)[] | undefined;
  readonly #goOnAlone: (received: number) => boolean;
  readonly #onWhole: (ended: Promise<ContentEnd>) => void;
  /** Resolves when the content is whole and stored, or broken. Never rejects. */
  readonly ended: Promise<ContentEnd>;

  /**
   * `goOnAlone`: whether to read on when no client waits. `onWhole` is called when all is received, with the
   * last write's end.
   */
  constructor(
    source: Readable | Uint8Array,
    {
      writer,
      length,
      goOnAlone,
      onWhole = () => undefined,
    }: {
      readonly writer: EntryWriter | undefined;
      readonly length: number | undefined;
      readonly goOnAlone: (received: number) => boolean;
      readonly onWhole?: (ended: Promise<ContentEnd>) => void;
    },
  ) {
    this.#source = source;
    this.#writer = writer;
    this.length = length;
    this.#goOnAlone = goOnAlone;
    this.#onWhole = onWhole;
    this.ended = this.#pump();
  }

  /** Whether a new reader gets the content from its first byte on. */
  get joinable(): boolean {
    if (this.whole !== undefined) return true;
    return this.#writer !== undefined || (this.#pieces[0]?.from ?? this.#received) === 0;
  }

  /** All of it, when it came in one piece: then no reader has to wait. */
  get whole(): Uint8Array | undefined {
    return this.#source instanceof Uint8Array ? this.#source : undefined;
  }

  /** Call `report` when it breaks off. A content in one piece never does. */
  onBroken(report: (broken: BrokenContent) => void): void {
    if (this.whole !== undefined) return;
    if (this.#broken !== undefined) report(this.#broken);
    else if (this.#reportBroken === undefined) this.#reportBroken = [report];
    else this.#reportBroken.push(report);
  }

  /**
   * The content from its beginning, or the error that broke it off: a reader until it ends, returns or
   * `signal` aborts.
   */
  reader(signal: AbortSource): AsyncIterableIterator<Uint8Array> {
    const place = { at: 0 };
    this.#readers.push(place);
    this.#wanted = true;
    let over = false;
    const leave = () => {
      if (over) return;
      over = true;
      signal.removeEventListener('abort', leave);
      this.#leave(place);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    const iterator: AsyncIterableIterator<Uint8Array> = {
      next: async () => {
        if (over) return { done: true, value: undefined };
        try {
          const piece = await this.#next(place.at);
          if (piece === undefined) {
            leave();
            return { done: true, value: undefined };
          }
          place.at += piece.length;
          this.#wake();
          return { done: false, value: piece };
        } catch (error) {
          leave();
          throw error;
        }
      },
      return: async () => {
        leave();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  #leave(place: { at: number }): void {
    this.#readers = this.#readers.filter((other) => other !== place);
    this.release();
  }

  /** No further reader will come. */
  release(): void {
    this.#wanted = true;
    this.#wake();
    if (this.#readers.length === 0 && this.#end === undefined && !this.#goOnAlone(this.#received))
      this.#stop();
  }

  #stop(): void {
    this.#isStopped = true;
    if (!(this.#source instanceof Uint8Array)) this.#source.destroy();
  }

  /** The next chunk at an offset, when it has been received; undefined at the end. */
  async #next(at: number): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
      if (at < this.#received) {
        const piece = await this.#from(at);
        const isLast = this.length !== undefined && at + piece.length >= this.length;
        if (!isLast || this.#isWhole) return piece;
      } else if (this.#isWhole) return undefined;
      await this.#change();
    }
  }

  async #from(at: number): Promise<Uint8Array> {
    if (this.whole !== undefined) return this.whole.subarray(at);
    const piece = this.#pieces.find(({ from, bytes }) => at >= from && at < from + bytes.length);
    if (piece !== undefined) return piece.bytes.subarray(at - piece.from);
    if (this.#writer === undefined) throw new Error('a reader fell behind a content that is not stored');
    return this.#writer.readBack(at, readBackBytes);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakers.push(resolve);
    });
  }

  #wake(): void {
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }

  get #deserted(): boolean {
    return this.#wanted && this.#readers.length === 0;
  }

  #slowest(): number {
    if (!this.#wanted) return 0;
    let slowest = this.#received;
    for (const { at } of this.#readers) slowest = Math.min(slowest, at);
    return slowest;
  }

  /** Drop chunks that every reader has read, and the oldest when the store has them too. */
  #trim(): void {
    const slowest = this.#slowest();
    while (this.#pieces.length > 0) {
      const { from, bytes } = this.#pieces[0] as { from: number; bytes: Uint8Array };
      const taken = from + bytes.length <= slowest;
      if (!taken && (this.#writer === undefined || this.#heldBytes <= windowBytes)) return;
      this.#pieces.shift();
      this.#heldBytes -= bytes.length;
    }
  }

  async #pump(): Promise<ContentEnd> {
    try {
      const source = this.#source;
      if (source instanceof Uint8Array) {
        // The constructor's caller has its reference before the end is reported.
        await undefined;
        if (source.length > 0) await this.#take(source);
      } else await this.#drain(source);
      this.#isWhole = true;
      this.#wake();
      if (this.#writer !== undefined) this.#onWhole(this.ended);
      const entry = await this.#writer?.commit().catch(() => undefined);
      this.#end = { entry };
    } catch (error) {
      this.#writer?.abort();
      this.#end = { error };
      this.#broken = { received: this.#received, error: this.#isStopped ? undefined : error };
      for (const report of this.#reportBroken ?? []) report(this.#broken);
    }
    this.#wake();
    return this.#end;
  }

  async #drain(source: Readable): Promise<void> {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      const taking = this.#take(chunk);
      if (taking !== undefined) await taking;
      if (this.#deserted && (this.#writer === undefined || !this.#goOnAlone(this.#received))) this.#stop();
      while (this.#writer === undefined && this.#heldBytes > windowBytes && !this.#deserted) {
        await this.#change();
        this.#trim();
      }
    }
  }

  /** A chunk was received. A synchronous write of the store is not awaited. */
  #take(chunk: Uint8Array): Promise<void> | undefined {
    const appended = this.#writer?.append(chunk);
    if (typeof appended === 'object') return appended.then((isStored) => this.#took(chunk, isStored));
    this.#took(chunk, appended !== false);
    return undefined;
  }

  #took(chunk: Uint8Array, isStored: boolean): void {
    // A store that refuses has dropped its part: readers behind the window cannot continue.
    if (!isStored) this.#writer = undefined;
    this.#pieces.push({ from: this.#received, bytes: chunk });
    this.#received += chunk.length;
    this.#heldBytes += chunk.length;
    this.#trim();
    this.#wake();
  }
}
