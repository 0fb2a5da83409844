import { failure, type GarnerError } from '../kernel/index.ts';
import { Deflater } from './deflater.ts';
import { wireErrors } from './errors.ts';
import { type Frame, frameBytes } from './frame.ts';
import type { Link } from './link.ts';
import type { LinkMeter } from './link-meter.ts';
import type { WireLimits } from './settings.ts';
import { FrameCounter } from './traffic.ts';

interface Job {
  readonly build: () => Frame;
  readonly sent: () => void;
  readonly failed: (error: unknown) => void;
}

/** Bytes of control frames, above the senders' bound, beyond which the peer counts as stalled. */
const controlSlackBytes = 1024 * 1024;

/** Sends frames one after the other: compresses, counts, and waits while the socket's buffer is full. */
export class FrameWriter {
  readonly counter = new FrameCounter();
  readonly #link: Link;
  readonly #meter: LinkMeter;
  readonly #limits: WireLimits;
  readonly #deflater: Deflater;
  readonly #onFault: (error: unknown) => void;
  #queue: Job[] = [];
  #running = false;
  #stopped: GarnerError | undefined;

  constructor(link: Link, meter: LinkMeter, limits: WireLimits, onFault: (error: unknown) => void) {
    this.#link = link;
    this.#meter = meter;
    this.#limits = limits;
    this.#deflater = new Deflater(limits.level);
    this.#onFault = onFault;
  }

  /**
   * Queue a frame; `build` is called when it is next. Resolves when the socket has taken it and holds less than its
   * bound. Each channel has at most one such frame waiting, so the number of channels bounds the queue.
   */
  queue(build: () => Frame): Promise<void> {
    return new Promise((sent, failed) => {
      if (this.#stopped) {
        failed(this.#stopped);
        return;
      }
      this.#queue.push({ build, sent, failed });
      if (!this.#running) void this.#run();
    });
  }

  /** Send a small frame at once, ahead of the queue. It is never compressed, so order does not matter to it. */
  control(frame: Frame): void {
    if (this.#stopped) return;
    if (this.#link.inFlight > this.#limits.sendBufferBytes + controlSlackBytes)
      this.#onFault(failure(wireErrors.WIRE_STALLED, { where: this.#link.where }));
    else this.#put(frame, undefined);
  }

  /** Refuse all frames from now on, queued ones included. */
  stop(reason: GarnerError): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#deflater.close();
    for (const job of this.#queue.splice(0)) job.failed(reason);
  }

  #put(frame: Frame, deflated: Uint8Array | undefined): void {
    this.counter.add(frame.payload.length);
    this.#meter.sending();
    this.#link.send(frameBytes(frame, deflated));
    this.#meter.sent();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let job = this.#queue.shift(); job; job = this.#queue.shift()) {
      let frame: Frame;
      try {
        frame = job.build();
      } catch (error) {
        // Only this job's channel has broken meanwhile.
        job.failed(error);
        continue;
      }
      try {
        const worth = frame.kind === 'data' && Deflater.suits(frame.payload);
        const deflated = worth ? await this.#deflater.deflate(frame.payload) : undefined;
        if (this.#stopped) throw this.#stopped;
        this.#put(frame, deflated);
        await this.#link.drained(this.#limits.sendBufferBytes);
        job.sent();
      } catch (error) {
        job.failed(this.#stopped ?? error);
        // After a failed compression the peer's window no longer matches ours.
        if (!this.#stopped) this.#onFault(error);
      }
    }
    this.#running = false;
  }
}
