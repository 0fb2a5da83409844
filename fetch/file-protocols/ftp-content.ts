import { Readable } from 'node:stream';
import { failure } from '../../kernel/index.ts';
import { fetchErrors } from '../errors.ts';

/** A file's bytes from a server's connection: it ends well only when the server confirms the end. */
export class FtpContent extends Readable {
  /** Resolves with the first bytes, or the end of a file without any; rejects when it fails before. */
  readonly begun: Promise<void>;
  readonly #url: string;
  readonly #stop: AbortController;
  #begin: () => void = () => undefined;
  #refuse: (error: unknown) => void = () => undefined;
  #goOn: (() => void) | undefined;
  #hasBegun = false;
  #over = false;
  #size: number | undefined;
  #received = 0;

  /** `stop` is aborted when the reader stops early. */
  constructor(url: string, stop: AbortController) {
    super({ highWaterMark: 64 * 1024 });
    this.#url = url;
    this.#stop = stop;
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
    // It may fail before it has a reader; a later reader gets the error.
    this.on('error', () => undefined);
  }

  /** The number of bytes to come, where the server gives it. */
  expect(size: number | undefined): void {
    this.#size = size;
  }

  throwIfBegun(): void {
    if (this.#hasBegun) throw this.#brokenOff('in the middle of the file');
  }

  /** Take a piece; false when `goOn` is called later, as soon as there is room for the next. */
  offer(piece: Buffer, goOn: () => void): boolean {
    this.#hasBegun = true;
    this.#begin();
    this.#received += piece.length;
    if (this.#size !== undefined && this.#received > this.#size)
      this.fail(this.#brokenOff('more bytes than the server announced'));
    if (this.destroyed || this.push(piece)) return true;
    this.#goOn = goOn;
    return false;
  }

  /** The server confirms the end of the file. */
  finish(): void {
    this.#over = true;
    if (this.#size !== undefined && this.#received !== this.#size)
      this.fail(this.#brokenOff(`${this.#received} of ${this.#size} bytes`));
    else this.push(null);
    this.#hasBegun = true;
    this.#begin();
  }

  /** No more bytes will come. */
  fail(error: unknown): void {
    const fault = error instanceof Error ? error : this.#brokenOff(String(error));
    this.#refuse(fault);
    this.destroy(fault);
  }

  override _read(): void {
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#over) this.#stop.abort(error ?? this.#brokenOff('nobody reads it'));
    this._read();
    done(error);
  }

  #brokenOff(why: string): Error {
    return failure(fetchErrors.FETCH_INTERRUPTED, { url: this.#url, why });
  }
}
