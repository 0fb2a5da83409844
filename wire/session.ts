import { type Clock, failure, GarnerError, type Random } from '../kernel/index.ts';
import { abortable } from './abortable.ts';
import { type Channel, type ChannelHost, type SendOptions, SessionChannel } from './channel.ts';
import { wireErrors } from './errors.ts';
import { channelFault, sessionClosed, sessionOpened } from './events.ts';
import { type Frame, frameCost, maxHeaderNumber, readVarint } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import type { Handshake } from './handshake.ts';
import type { Hello, Peer, Self, Side } from './hello.ts';
import type { Inflater } from './inflater.ts';
import { keepAlive } from './keep-alive.ts';
import { LargeSlots } from './large-message-slots.ts';
import type { Link } from './link.ts';
import { type LinkMeasures, LinkMeter } from './link-meter.ts';
import { type Message, remoteFault, reportBytes } from './message.ts';
import type { WireLimits } from './settings.ts';
import type { Traffic } from './traffic.ts';

/** Serves a channel that the peer opened with `first`. A return ends it; an error goes out as a code. */
export type ChannelHandler = (channel: Channel, first: Message, session: Session) => Promise<void>;

/** A proven peer and any number of conversations with it over one connection. */
export interface Session extends AsyncDisposable {
  readonly peer: Peer;
  /** Address or URL of the peer, for people. */
  readonly where: string;
  readonly traffic: Traffic;
  readonly measures: LinkMeasures;
  /** Resolves when the connection has closed: with its fault, or undefined after an orderly close. */
  readonly closed: Promise<GarnerError | undefined>;
  /** Start a conversation; waits while the peer's limit of channels is reached. Throws like `Channel.send`. */
  open(first: Message, options?: SendOptions): Promise<Channel>;
  /** Send bye and close; channels still open break with WIRE_CLOSED on both sides. */
  close(): Promise<void>;
}

/** The options of a session at either end of its connection. */
export interface EndOptions extends Self {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits?: Partial<WireLimits>;
  /** Serves channels that the other side opens. */
  readonly onChannel?: ChannelHandler;
  /** Makes the decompressor; the fastest one available when absent. */
  readonly inflater?: () => Inflater;
}

interface SessionOptions {
  readonly side: Side;
  readonly limits: WireLimits;
  readonly clock: Clock;
  readonly inflater: Inflater;
  readonly onChannel?: ChannelHandler | undefined;
}

/** The session over a link whose handshake is done. */
export class LinkSession implements Session, ChannelHost {
  readonly peer: Peer;
  readonly where: string;
  readonly traffic: Traffic;
  readonly measures: LinkMeasures;
  readonly closed: Promise<GarnerError | undefined>;
  readonly limits: WireLimits;
  readonly theirs: Hello;
  readonly writer: FrameWriter;
  readonly slots: LargeSlots;
  readonly #link: Link;
  readonly #side: Side;
  readonly #reader: FrameReader;
  readonly #onChannel: ChannelHandler | undefined;
  readonly #channels = new Map<number, SessionChannel>();
  readonly #stop = new AbortController();
  /** Channels of this side, numbered or waiting for their number. */
  readonly #opened = new Set<SessionChannel>();
  #accepted = 0;
  #openWaiters: (() => void)[] = [];
  #lastOwn: number;
  #lastTheirs = 0;
  #running = 0;
  /** Credit that the peer may still have in flight on channels that this side abandoned. */
  #strayAllowance = 0;
  #over: GarnerError | undefined;
  #reason: GarnerError | undefined;

  constructor(link: Link, handshake: Handshake, options: SessionOptions) {
    this.#link = link;
    this.#side = options.side;
    this.#onChannel = options.onChannel;
    this.#lastOwn = options.side === 'initiator' ? -1 : 0;
    this.limits = options.limits;
    this.theirs = handshake.hello;
    this.peer = handshake.hello.peer;
    this.where = link.where;
    this.slots = new LargeSlots(options.limits.maxLargeMessages);
    const meter = new LinkMeter(link, options.clock, handshake.roundTripMs);
    this.measures = meter;
    this.writer = new FrameWriter(link, meter, options.limits, (error) => this.fault(error));
    this.#reader = new FrameReader(link, {
      maxFrameBytes: options.limits.maxFrameBytes,
      inflater: options.inflater,
      onFrame: (frame) => {
        meter.received();
        this.#take(frame);
      },
      onFault: (error) => this.fault(error),
    });
    this.traffic = this.#measure(handshake);
    void link.broken.then((error) => this.fault(error));
    this.closed = link.ended.then(() => {
      const { peer, where, traffic } = this;
      sessionClosed.publish({ peer, where, side: this.#side, reason: this.#reason, traffic });
      return this.#reason;
    });
    sessionOpened.publish({ peer: this.peer, where: this.where, side: this.#side, traffic: this.traffic });
    keepAlive(link, meter, options.clock, options.limits, this.#stop.signal, (error) => {
      this.fault(error);
      link.terminate();
    });
    this.#reader.start();
  }

  /** Channels that are open, and how many were begun by either side. */
  get channels(): { readonly open: number; readonly begun: number } {
    return { open: this.#channels.size + this.#running, begun: this.#lastTheirs + this.#lastOwn };
  }

  async open(first: Message, options: SendOptions = {}): Promise<Channel> {
    const channel = await this.#reserve(options.signal);
    try {
      await channel.send(first, options);
      return channel;
    } catch (error) {
      void channel.abort(failure(wireErrors.WIRE_CANCELLED, {}, error));
      throw error;
    }
  }

  async close(): Promise<void> {
    if (!this.#over) {
      const reason = failure(wireErrors.WIRE_CLOSED, { where: this.where });
      this.#bye(new Uint8Array(0));
      this.#finish(reason, undefined);
      this.#link.close(1000, 'bye');
    }
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  nextId(channel: SessionChannel): number {
    if (this.#lastOwn + 2 > maxHeaderNumber) throw failure(wireErrors.WIRE_CLOSED, { where: this.where });
    this.#lastOwn += 2;
    this.#channels.set(this.#lastOwn, channel);
    return this.#lastOwn;
  }

  forget(channel: SessionChannel, crossing: number): void {
    this.#strayAllowance += crossing;
    this.#channels.delete(channel.id);
    if (channel.accepted) this.#accepted -= 1;
    else if (this.#opened.delete(channel)) this.#openWaiters.shift()?.();
  }

  /** A fault of the peer or of the connection: report it, close, and break every channel. */
  fault(cause: unknown): void {
    if (this.#over) return;
    const { bytes } = reportBytes(cause);
    const error =
      cause instanceof GarnerError
        ? cause
        : failure(wireErrors.WIRE_LOST, { where: this.where, reason: String(cause) }, cause);
    this.#bye(bytes);
    this.#finish(error, error);
    this.#link.close(1002, error.code);
  }

  #bye(payload: Uint8Array): void {
    // A peer that does not read gets no report.
    if (this.#link.inFlight <= this.limits.sendBufferBytes)
      this.writer.control({ kind: 'bye', channel: 0, payload });
  }

  /** End all input and output; `closed` resolves to `reason`. */
  #finish(over: GarnerError, reason: GarnerError | undefined): void {
    this.#over = over;
    this.#reason = reason;
    this.#stop.abort(over);
    this.writer.stop(over);
    this.#reader.stop();
    for (const channel of new Set([...this.#channels.values(), ...this.#opened])) channel.fail(over, false);
    for (const wake of this.#openWaiters.splice(0)) wake();
  }

  async #reserve(signal: AbortSignal | undefined): Promise<SessionChannel> {
    while (!this.#over && this.#opened.size >= this.theirs.maxChannels)
      await abortable<void>(signal, (wake) => {
        this.#openWaiters.push(wake);
        return () => {
          this.#openWaiters = this.#openWaiters.filter((other) => other !== wake);
        };
      });
    if (this.#over) throw this.#over;
    const channel = new SessionChannel(this);
    this.#opened.add(channel);
    return channel;
  }

  #take(frame: Frame): void {
    const channel = this.#channels.get(frame.channel);
    if (frame.kind === 'bye') this.#farewell(frame.payload);
    else if (frame.open) this.#accept(frame);
    else if (!channel) this.#stray(frame);
    else if (frame.kind === 'data') channel.accept(frame);
    else if (frame.kind === 'abort') channel.aborted(frame.payload);
    else channel.granted(this.#amount(frame));
  }

  #amount({ payload }: Frame): number {
    const [amount, end] = readVarint(payload, 0);
    if (end !== payload.length) throw failure(wireErrors.WIRE_FRAME, { reason: 'a credit is malformed' });
    return amount;
  }

  /** A frame for a channel closed here may have crossed that; one for a channel that never was is a fault. */
  #stray(frame: Frame): void {
    const { channel } = frame;
    const own = this.#isOwn(channel);
    if (channel > (own ? this.#lastOwn : this.#lastTheirs))
      throw failure(wireErrors.WIRE_CHANNEL, { channel, reason: `${frame.kind} before it was opened` });
    if (frame.kind !== 'data' || frame.payload.length === 0) return;
    this.#strayAllowance -= frameCost(frame.payload.length);
    if (this.#strayAllowance < 0)
      throw failure(wireErrors.WIRE_CREDIT, { channel, reason: 'data after its end' });
  }

  /** Whether this side opened the channel: the initiator's numbers are odd. */
  #isOwn(id: number): boolean {
    return (id & 1) === (this.#side === 'initiator' ? 1 : 0);
  }

  #accept(frame: Frame): void {
    const { channel: id } = frame;
    if (this.#isOwn(id) || id <= this.#lastTheirs)
      throw failure(wireErrors.WIRE_CHANNEL, { channel: id, reason: 'it cannot be opened with this number' });
    this.#lastTheirs = id;
    if (this.#accepted >= this.limits.maxChannels)
      throw failure(wireErrors.WIRE_CHANNEL, { channel: id, reason: 'too many channels are open' });
    const channel = new SessionChannel(this, id);
    this.#accepted += 1;
    this.#channels.set(id, channel);
    channel.accept(frame);
    void this.#serve(channel);
  }

  async #serve(channel: SessionChannel): Promise<void> {
    // The handlers of channels that a peer opens and abandons at once run on for a while.
    if (this.#running >= 2 * this.limits.maxChannels) {
      channel.refuse(failure(wireErrors.WIRE_OVERLOADED, { running: this.#running }));
      return;
    }
    this.#running += 1;
    let first: Message | undefined;
    try {
      first = await channel.receive();
      if (!first) return;
      if (!this.#onChannel) throw failure(wireErrors.WIRE_UNSERVED, {});
      await this.#onChannel(channel, first, this);
      await channel.finish();
    } catch (error) {
      const known = error === channel.failed || error === this.#over;
      if (first && !known && this.#onChannel)
        channelFault.publish({ where: this.where, channel: channel.id, message: first.type, error });
      await channel.abort(error);
    } finally {
      this.#running -= 1;
    }
  }

  #farewell(payload: Uint8Array): void {
    const reason = payload.length === 0 ? undefined : remoteFault(payload);
    this.#finish(reason ?? failure(wireErrors.WIRE_CLOSED, { where: this.where }), reason);
    this.#link.close(1000, 'bye');
  }

  #measure(handshake: Handshake): Traffic {
    const link = this.#link;
    const [sent, received] = [this.writer.counter, this.#reader.counter];
    return {
      handshakeSent: handshake.sentBytes,
      handshakeReceived: handshake.receivedBytes,
      get sentBytes() {
        return link.bytesWritten - handshake.sentBytes;
      },
      get receivedBytes() {
        return link.bytesRead - handshake.receivedBytes;
      },
      get sentFrames() {
        return sent.frames;
      },
      get receivedFrames() {
        return received.frames;
      },
      get sentDecodedBytes() {
        return sent.decodedBytes;
      },
      get receivedDecodedBytes() {
        return received.decodedBytes;
      },
    };
  }
}
