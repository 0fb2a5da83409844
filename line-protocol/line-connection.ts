import type { Socket } from 'node:net';
import { type Clock, failure } from '../kernel/index.ts';
import { linesErrors } from './errors.ts';

/** Max bytes that are read and discarded from a client that goes on sending at the end. */
const maxDiscarded = 1024 * 1024;

/**
 * A socket with lines and data. It holds one read and one write; waits for the other side end with
 * LINES_IDLE.
 */
export class LineConnection {
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #clock: Clock;
  readonly #idleSeconds: number;
  #held: Buffer = Buffer.alloc(0);
  #sent = 0;

  constructor(socket: Socket, clock: Clock, idleSeconds: number) {
    this.#socket = socket;
    this.#clock = clock;
    this.#idleSeconds = idleSeconds;
    this.#chunks = socket.iterator({ destroyOnReturn: false });
    // The next read or write fails with it.
    socket.on('error', () => undefined);
  }

  /** Bytes written so far. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Bytes up to and with the first of `ends`, else undefined. Throws LINES_LONG beyond `limit`, and
   * LINES_IDLE.
   */
  until(ends: readonly number[], limit: number): Promise<Buffer | undefined> {
    // A line that was read already needs no timer.
    const isThere = firstOf(this.#held.subarray(0, limit), ends) >= 0;
    const reading = this.#until(ends, limit);
    return isThere ? reading : this.#within(reading);
  }

  async #until(ends: readonly number[], limit: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      if (this.#held.length === 0 && !(await this.#pull()))
        return length === 0 ? undefined : Buffer.concat(parts);
      // The search stops at the limit, because very many bytes may follow.
      const window = this.#held.subarray(0, limit - length + 1);
      const at = firstOf(window, ends);
      const taken = window.subarray(0, at < 0 ? window.length : at + 1);
      this.#held = this.#held.subarray(taken.length);
      length += taken.length;
      if (length > limit) throw failure(linesErrors.LINES_LONG, { limit });
      parts.push(taken);
      if (at >= 0) return parts.length === 1 ? taken : Buffer.concat(parts);
    }
  }

  /** Up to `limit` bytes, as many as are there; undefined at the end of the input. */
  async some(limit: number): Promise<Buffer | undefined> {
    if (this.#held.length === 0 && !(await this.#within(this.#pull()))) return undefined;
    const taken = this.#held.subarray(0, limit);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** Give back bytes that the next reader needs. */
  unread(bytes: Buffer): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([bytes, this.#held]);
  }

  /** Write, and wait until the socket accepts more. Throws when the connection was closed. */
  async send(data: string | Uint8Array): Promise<void> {
    if (this.#socket.destroyed) throw new Error('the connection was closed');
    this.#sent += typeof data === 'string' ? Buffer.byteLength(data) : data.length;
    if (this.#socket.write(data)) return;
    await this.#within(this.#settled('drain'));
  }

  /** Write nothing more, and close once the other side has taken all bytes, or is idle for too long. */
  async finish(): Promise<void> {
    this.#socket.end();
    try {
      if (!this.#socket.writableFinished) await this.#within(this.#settled('finish'));
      // Closing with unread input would reset the connection, and the other side might lose the last bytes.
      for (let left = maxDiscarded; left > 0; ) {
        const bytes = await this.some(left);
        if (bytes === undefined) break;
        left -= bytes.length;
      }
    } catch {
      // The connection is closed in any case.
    }
    this.#socket.destroy();
  }

  /** Resolves at an event of the socket; rejects when the connection closes before. */
  async #settled(event: 'drain' | 'finish'): Promise<void> {
    let happened = () => {};
    let closed = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        happened = resolve;
        closed = () => reject(new Error('the connection was closed'));
        this.#socket.once(event, happened).once('close', closed);
      });
    } finally {
      this.#socket.off(event, happened).off('close', closed);
    }
  }

  async #pull(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#held = next.value;
    return true;
  }

  async #within<Result>(work: Promise<Result>): Promise<Result> {
    const stop = new AbortController();
    const seconds = this.#idleSeconds;
    const idle = this.#clock.sleep(seconds * 1000, stop.signal).then(() => {
      throw failure(linesErrors.LINES_IDLE, { seconds });
    });
    try {
      return await Promise.race([work, idle]);
    } finally {
      stop.abort();
    }
  }
}

function firstOf(bytes: Buffer, ends: readonly number[]): number {
  let first = -1;
  for (const end of ends) {
    const at = (first < 0 ? bytes : bytes.subarray(0, first)).indexOf(end);
    if (at >= 0) first = at;
  }
  return first;
}
