import { failure, type GarnerError } from '../kernel/index.ts';
import { abortable } from './abortable.ts';
import { Credit } from './credit.ts';
import { wireErrors } from './errors.ts';
import { type Frame, frameCost, frameCostBytes, varintBytes } from './frame.ts';
import type { FrameWriter } from './frame-writer.ts';
import type { Hello } from './hello.ts';
import { Inbound } from './inbound.ts';
import type { LargeSlots } from './large-message-slots.ts';
import { encodeMessage, type Message, remoteFault, reportBytes } from './message.ts';
import type { WireLimits } from './settings.ts';

/** Options of a sent message. */
export interface SendOptions {
  /** Nothing follows: the end goes with the message's last frame. */
  readonly end?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * One conversation of a session. Messages arrive whole and in order; each direction ends by itself. When a channel
 * breaks, every pending call rejects with the reason, after the messages that had arrived were received.
 */
export interface Channel extends AsyncDisposable {
  readonly id: number;
  /**
   * Send a message; resolves when the socket took it. Throws the reason of a broken channel, and TypeError
   * after `end` or for a value that cannot be packed. An abort in the middle abandons the channel.
   */
  send(message: Message, options?: SendOptions): Promise<void>;
  /** Announce that nothing follows; receiving goes on. */
  end(): Promise<void>;
  /** Abandon both directions. The peer gets the code of a GarnerError, and INTERNAL for any other reason. */
  abort(reason: unknown): Promise<void>;
  /** The next message, or undefined when the peer has ended. */
  receive(signal?: AbortSignal): Promise<Message | undefined>;
  [Symbol.asyncIterator](): AsyncIterator<Message>;
}

/** Max bytes of a frame that this side makes, so that channels share the connection. */
const frameStepBytes = 64 * 1024;

export interface ChannelHost {
  readonly limits: WireLimits;
  readonly theirs: Pick<Hello, 'windowBytes' | 'maxFrameBytes' | 'maxMessageBytes'>;
  readonly writer: FrameWriter;
  readonly slots: LargeSlots;
  /** The number for a channel that sends its first frame now. */
  nextId(channel: SessionChannel): number;
  /** Both directions have ended, or the channel broke; the peer may not know yet and send up to `crossing` more. */
  forget(channel: SessionChannel, crossing: number): void;
  fault(error: unknown): void;
}

export class SessionChannel implements Channel {
  /** Whether the peer opened it. */
  readonly accepted: boolean;
  readonly #host: ChannelHost;
  readonly #credit: Credit;
  readonly #inbound: Inbound;
  #id: number | undefined;
  #sending: Promise<void> = Promise.resolve();
  #ending = false;
  #localEnded = false;
  #failed: GarnerError | undefined;
  #forgotten = false;

  /** `id` is absent for a channel that this side opens with its first frame. */
  constructor(host: ChannelHost, id?: number) {
    this.accepted = id !== undefined;
    this.#host = host;
    this.#id = id;
    this.#credit = new Credit(host.theirs.windowBytes);
    this.#inbound = new Inbound({
      limits: host.limits,
      slots: host.slots,
      grant: (amount) =>
        host.writer.control({ kind: 'credit', channel: this.id, payload: varintBytes(amount) }),
      fault: (error) => host.fault(error),
    });
  }

  get id(): number {
    return this.#id ?? 0;
  }

  get failed(): GarnerError | undefined {
    return this.#failed;
  }

  send(message: Message, options: SendOptions = {}): Promise<void> {
    try {
      if (this.#failed) throw this.#failed;
      if (this.#ending) throw new TypeError('a message after the end of its channel');
      const limit = Math.min(this.#host.limits.maxMessageBytes, this.#host.theirs.maxMessageBytes);
      const bytes = encodeMessage(message, limit);
      if (options.end) this.#ending = true;
      return this.#inTurn(() => this.#sendFrames(bytes, options));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async end(): Promise<void> {
    if (this.#ending || this.#failed) return;
    this.#ending = true;
    await this.#inTurn(() =>
      this.#host.writer.queue(() => this.#frame(new Uint8Array(0), { more: false, end: true })),
    );
  }

  async abort(reason: unknown): Promise<void> {
    const { bytes, error } = reportBytes(reason);
    if (this.#failed || this.#forgotten) {
      // The peer needs no report; unreceived messages are dropped.
      this.#inbound.fail(error, true);
      return;
    }
    const opened = this.#id !== undefined;
    this.fail(error, true);
    // In order, because the channel's first frame may still be in the compressor.
    if (opened)
      await this.#host.writer
        .queue(() => ({ kind: 'abort', channel: this.id, payload: bytes }))
        .catch(() => {});
  }

  receive(signal?: AbortSignal): Promise<Message | undefined> {
    return this.#inbound.receive(signal);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message, void, undefined> {
    for (let message = await this.receive(); message; message = await this.receive()) yield message;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Without waiting: a peer that does not read would block it.
    void this.abort(failure(wireErrors.WIRE_CANCELLED, {}));
  }

  /** After a handler has finished: end this side in order and stop a peer that still sends. */
  async finish(): Promise<void> {
    await this.end().catch(() => {});
    await this.abort(failure(wireErrors.WIRE_DONE, {}));
  }

  /** Process a data frame. Throws the peer's faults. */
  accept(frame: Frame): void {
    this.#inbound.accept(frame);
    if (frame.end) this.#settle();
  }

  granted(amount: number): void {
    this.#credit.grant(amount, this.id);
  }

  aborted(payload: Uint8Array): void {
    this.#break(remoteFault(payload), false, 0);
  }

  /** Refuse a channel on which this side has sent nothing. */
  refuse(reason: GarnerError): void {
    this.fail(reason, true);
    this.#host.writer.control({ kind: 'abort', channel: this.id, payload: reportBytes(reason).bytes });
  }

  /** Break the channel on this side only. */
  fail(error: GarnerError, drop: boolean): void {
    this.#break(error, drop, this.#id === undefined || this.#inbound.ended ? 0 : this.#inbound.allowance);
  }

  #break(error: GarnerError, drop: boolean, crossing: number): void {
    if (this.#failed) return;
    this.#failed = error;
    this.#credit.fail(error);
    this.#inbound.fail(error, drop);
    this.#forget(crossing);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#sending.then(work);
    this.#sending = done.catch(() => {});
    return done;
  }

  async #sendFrames(bytes: Uint8Array, { end, signal }: SendOptions): Promise<void> {
    const { windowBytes, maxFrameBytes } = this.#host.theirs;
    const step = Math.min(frameStepBytes, maxFrameBytes, this.#host.limits.maxFrameBytes);
    for (let at = 0; at < bytes.length; ) {
      const rest = bytes.length - at;
      // The peer grants half a window at once: waiting for more could take for ever.
      const min = Math.min(frameCost(Math.min(rest, step)), Math.floor(windowBytes / 2));
      try {
        await this.#credit.atLeast(min, signal);
      } catch (error) {
        if (at > 0 || end) void this.abort(failure(wireErrors.WIRE_CANCELLED, {}, error));
        throw error;
      }
      const size = Math.min(rest, step, this.#credit.available - frameCostBytes);
      const payload = bytes.subarray(at, at + size);
      this.#credit.spend(frameCost(size));
      at += size;
      const more = at < bytes.length;
      await this.#put(payload, { more, end: end === true && !more }, signal);
    }
  }

  async #put(
    payload: Uint8Array,
    flags: { more: boolean; end: boolean },
    signal?: AbortSignal,
  ): Promise<void> {
    const sent = this.#host.writer.queue(() => this.#frame(payload, flags));
    if (!signal) return sent;
    try {
      await abortable(signal, (resolve, reject) => {
        sent.then(resolve, reject);
        return () => {};
      });
    } catch (error) {
      sent.catch(() => {});
      void this.abort(failure(wireErrors.WIRE_CANCELLED, {}, error));
      throw error;
    }
  }

  #frame(payload: Uint8Array, { more, end }: { more: boolean; end: boolean }): Frame {
    if (this.#failed) throw this.#failed;
    const open = this.#id === undefined;
    if (open) this.#id = this.#host.nextId(this);
    if (end) {
      this.#localEnded = true;
      // Not before the frame is queued: a new channel must not overtake the end that makes room for it.
      queueMicrotask(() => this.#settle());
    }
    return { kind: 'data', channel: this.id, open, more, end, payload };
  }

  #settle(): void {
    if (this.#localEnded && this.#inbound.ended) this.#forget(0);
  }

  #forget(crossing: number): void {
    if (this.#forgotten) return;
    this.#forgotten = true;
    this.#host.forget(this, crossing);
  }
}
