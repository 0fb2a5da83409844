import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** The content of a response in transfer: bounded, ended only by a complete message, with typed errors. */
export class UpstreamContent extends Readable {
  readonly #source: IncomingMessage;

  constructor(source: IncomingMessage, explain: (error: unknown) => Error) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    // It may fail before it is read; a later reader gets the error.
    this.on('error', () => undefined);
    source.pause();
    source.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) source.pause();
    });
    source.once('end', () => {
      if (source.complete) this.push(null);
      else this.destroy(explain(undefined));
    });
    source.on('error', (error) => this.destroy(explain(error)));
    source.once('close', () => {
      if (!source.readableEnded) this.destroy(explain(undefined));
    });
  }

  /** Whether the message is complete, regardless of further bytes on the connection. */
  get isWhole(): boolean {
    return this.#source.complete;
  }

  /** Whether the upstream is waited for, rather than the reader. */
  get isAwaited(): boolean {
    return !this.#source.isPaused();
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#source.readableEnded) this.#source.destroy();
    done(error);
  }
}
