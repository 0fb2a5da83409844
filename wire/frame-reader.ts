import { failure } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import { type EncodedFrame, type Frame, frameChecksum, parseFrame } from './frame.ts';
import type { Inflater } from './inflater.ts';
import type { Link } from './link.ts';
import { FrameCounter } from './traffic.ts';

/** Undecoded bytes that may wait for a worker thread before the socket is no longer read. */
const maxWaitingBytes = 1024 * 1024;

interface FrameReaderOptions {
  readonly maxFrameBytes: number;
  readonly inflater: Inflater;
  /** An error that it throws counts as a fault of the peer. */
  onFrame(frame: Frame): void;
  onFault(error: unknown): void;
}

/** Turns a link's messages into checked frames, in order, and stops at the first invalid one. */
export class FrameReader {
  readonly counter = new FrameCounter();
  readonly #link: Link;
  readonly #options: FrameReaderOptions;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #busy = false;
  #stopped = false;

  constructor(link: Link, options: FrameReaderOptions) {
    this.#link = link;
    this.#options = options;
  }

  start(): void {
    this.#link.onMessage((bytes) => this.#push(bytes));
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#waiting = [];
    this.#options.inflater.close();
    this.#link.resume();
  }

  #push(bytes: Uint8Array): void {
    if (this.#stopped) return;
    if (!this.#busy) {
      this.#decode(bytes);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > maxWaitingBytes) this.#link.pause();
  }

  #decode(bytes: Uint8Array): void {
    try {
      const frame = parseFrame(bytes);
      if (frame.length > this.#options.maxFrameBytes)
        throw failure(wireErrors.WIRE_TOO_LARGE, { what: 'A frame', limit: this.#options.maxFrameBytes });
      const payload = frame.deflated
        ? this.#options.inflater.inflate(frame.payload, frame.length)
        : frame.payload;
      if (payload instanceof Uint8Array) this.#deliver(frame, payload);
      else {
        this.#busy = true;
        payload.then(
          (inflated) => this.#resume(frame, inflated),
          (error: unknown) => this.#fault(error),
        );
      }
    } catch (error) {
      this.#fault(error);
    }
  }

  #resume(frame: EncodedFrame, payload: Uint8Array): void {
    if (this.#stopped) return;
    this.#busy = false;
    try {
      this.#deliver(frame, payload);
    } catch (error) {
      this.#fault(error);
    }
    while (!this.#busy && !this.#stopped) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#waitingBytes -= next.length;
      this.#decode(next);
    }
    if (this.#waitingBytes <= maxWaitingBytes / 2) this.#link.resume();
  }

  #deliver(frame: EncodedFrame, payload: Uint8Array): void {
    if (frameChecksum(frame.header, payload) !== frame.checksum)
      throw failure(wireErrors.WIRE_CHECKSUM, { channel: frame.channel });
    this.counter.add(payload.length);
    const { kind, channel, open, more, end } = frame;
    this.#options.onFrame({
      kind,
      channel,
      open: open === true,
      more: more === true,
      end: end === true,
      payload,
    });
  }

  #fault(error: unknown): void {
    if (this.#stopped) return;
    this.stop();
    this.#options.onFault(error);
  }
}
