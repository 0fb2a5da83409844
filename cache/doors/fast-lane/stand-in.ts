import { Duplex } from 'node:stream';

export interface ConnectionEnds {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly remoteFamily?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/** A stream in place of a client's connection, with the parts of a socket that Node's HTTP server uses. */
export abstract class StandIn extends Duplex {
  readonly #ends: ConnectionEnds;

  constructor(ends: ConnectionEnds) {
    super({ allowHalfOpen: true });
    this.#ends = ends;
    // An error also closes the real connection, which reports it.
    this.on('error', () => undefined);
  }

  get remoteAddress(): string | undefined {
    return this.#ends.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#ends.remotePort;
  }

  get remoteFamily(): string | undefined {
    return this.#ends.remoteFamily;
  }

  get localAddress(): string | undefined {
    return this.#ends.localAddress;
  }

  get localPort(): number | undefined {
    return this.#ends.localPort;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  /** End, and close when everything is written. */
  destroySoon(): void {
    if (!this.writableEnded) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }
}
