import { Readable } from 'node:stream';

/** The connection that a content comes from. */
export interface ContentSource {
  pause(): void;
  resume(): void;
  /** The reader wants no more. */
  giveUp(): void;
}

/** A response's content of declared length on its way over a plain connection. */
export class PlainContent extends Readable {
  readonly #source: ContentSource;
  /** Whether the source is waited for, not the reader. */
  isAwaited = true;

  constructor(source: ContentSource) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    // It may fail before anybody reads it; whoever reads it then is told.
    this.on('error', () => undefined);
  }

  /** A piece has come; the last one ends it. */
  hear(piece: Uint8Array, isLast: boolean): void {
    const wantsMore = this.push(piece);
    if (isLast) this.push(null);
    else if (!wantsMore) {
      this.isAwaited = false;
      this.#source.pause();
    }
  }

  override _read(): void {
    this.isAwaited = true;
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source.giveUp();
    done(error);
  }
}
