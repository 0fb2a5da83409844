import type { Readable } from 'node:stream';
import type { AbortSource } from '../requests/index.ts';
import type { Entry, EntryWriter } from '../storage/index.ts';

/** Memory for pieces that not every reader has taken yet, in bytes; beyond it readers take them from the store. */
const windowBytes = 1024 * 1024;

/** Pieces read back from the store at once. */
const readBackBytes = 64 * 1024;

/** What became of a content. */
export type ContentEnd = { readonly entry: Entry | undefined } | { readonly error: unknown };

/** How a content ended before its end. */
export interface BrokenContent {
  /** Bytes that came. */
  readonly received: number;
  /** What broke it off; undefined when nobody waited for the rest. */
  readonly error: unknown;
}

/**
 * The content of one upstream's response, read once, stored, and given to everyone who waits for it, each at a speed of
 * their own. Who is slower than the window reads what the store has got; when nothing is stored, the source waits for
 * the slowest. The last piece of a content of known length is given out only when the source has ended well; the store
 * may then still be taking it, which `onWhole` is told.
 */
export class SharedContent {
  readonly length: number | undefined;
  readonly #source: Readable | Uint8Array;
  #writer: EntryWriter | undefined;
  #pieces: { readonly from: number; readonly bytes: Uint8Array }[] = [];
  #kept = 0;
  #received = 0;
  /** The source has ended well. */
  #isWhole = false;
  #end: ContentEnd | undefined;
  #readers: { at: number }[] = [];
  /** Until someone has come, everything is kept for them. */
  #wanted = false;
  #wakers: (() => void)[] = [];
  #isStopped = false;
  #broken: BrokenContent | undefined;
  /** Made for those alone who want to know. */
  #reportBroken: ((broken: BrokenContent) => void)[] | undefined;
  readonly #goOnAlone: (received: number) => boolean;
  readonly #onWhole: (ended: Promise<ContentEnd>) => void;
  /** Resolves when the content is whole and stored, or broken. Never rejects. */
  readonly ended: Promise<ContentEnd>;

  /**
   * `source` is all of the content when that is here already. `goOnAlone` says whether reading goes on when nobody waits
   * any more, so that it can be stored; `onWhole` is called when all has come and the store begins to take it, with what
   * ends when it has.
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

  /** Whether a reader that comes now gets the content from its first byte on. */
  get joinable(): boolean {
    if (this.whole !== undefined) return true;
    return this.#writer !== undefined || (this.#pieces[0]?.from ?? this.#received) === 0;
  }

  /** All of it, when it came as one: whoever wants it need not wait. */
  get whole(): Uint8Array | undefined {
    return this.#source instanceof Uint8Array ? this.#source : undefined;
  }

  /** Have told how it broke off, if it does. What came as one never does. */
  onBroken(tell: (broken: BrokenContent) => void): void {
    if (this.whole !== undefined) return;
    if (this.#broken !== undefined) tell(this.#broken);
    else if (this.#reportBroken === undefined) this.#reportBroken = [tell];
    else this.#reportBroken.push(tell);
  }

  /**
   * The content from its beginning; throws what ended it early. It counts as waited for until it ends, is returned or
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

  /** Say that no further reader is to be waited for. */
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

  /** The next piece at a place, when it is there; undefined at the end. */
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

  /** Let go of pieces that everyone has, and of the oldest when the store has them too. */
  #trim(): void {
    const slowest = this.#slowest();
    while (this.#pieces.length > 0) {
      const { from, bytes } = this.#pieces[0] as { from: number; bytes: Uint8Array };
      const taken = from + bytes.length <= slowest;
      if (!taken && (this.#writer === undefined || this.#kept <= windowBytes)) return;
      this.#pieces.shift();
      this.#kept -= bytes.length;
    }
  }

  async #pump(): Promise<ContentEnd> {
    try {
      const source = this.#source;
      if (source instanceof Uint8Array) {
        // Whoever makes this knows it before it is told of its end.
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
      for (const tell of this.#reportBroken ?? []) tell(this.#broken);
    }
    this.#wake();
    return this.#end;
  }

  async #drain(source: Readable): Promise<void> {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      const taking = this.#take(chunk);
      if (taking !== undefined) await taking;
      if (this.#deserted && (this.#writer === undefined || !this.#goOnAlone(this.#received))) this.#stop();
      while (this.#writer === undefined && this.#kept > windowBytes && !this.#deserted) {
        await this.#change();
        this.#trim();
      }
    }
  }

  /** A piece has come. What the store takes at once is waited for by nobody. */
  #take(chunk: Uint8Array): Promise<void> | undefined {
    const kept = this.#writer?.append(chunk);
    if (typeof kept === 'object') return kept.then((isKept) => this.#took(chunk, isKept));
    this.#took(chunk, kept !== false);
    return undefined;
  }

  #took(chunk: Uint8Array, isKept: boolean): void {
    // A store that refuses has let go of what it had: those who were behind the window cannot go on.
    if (!isKept) this.#writer = undefined;
    this.#pieces.push({ from: this.#received, bytes: chunk });
    this.#received += chunk.length;
    this.#kept += chunk.length;
    this.#trim();
    this.#wake();
  }
}
