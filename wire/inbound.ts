import { failure, type GarnerError } from '../kernel/index.ts';
import { abortable } from './abortable.ts';
import { wireErrors } from './errors.ts';
import { type Frame, frameCost } from './frame.ts';
import type { LargeSlots, SlotHolder } from './large-message-slots.ts';
import { decodeMessage, type Message } from './message.ts';
import { checkPacked } from './message-bounds.ts';
import type { WireLimits } from './settings.ts';

interface Arrived {
  readonly bytes: Uint8Array;
  /** Credit to give back when the message is consumed. */
  readonly owed: number;
  readonly large: boolean;
}

interface Receiver {
  resolve(message: Message | undefined): void;
  reject(reason: unknown): void;
}

interface InboundHost {
  readonly limits: WireLimits;
  readonly slots: LargeSlots;
  grant(amount: number): void;
  /** Report a message that cannot be decoded. */
  fault(error: unknown): void;
}

/**
 * The input of one channel: messages wait in encoded form, and give their credit back when received, in steps
 * of half a window. One that outgrows the window gets credit meanwhile if it holds a slot for large messages.
 */
export class Inbound implements SlotHolder {
  readonly #host: InboundHost;
  #allowance: number;
  #owed = 0;
  #parts: Uint8Array[] = [];
  #partialBytes = 0;
  /** Cost of the partial message that was not granted again yet. */
  #partialCost = 0;
  #large = false;
  #largeArrived = 0;
  #arrived: Arrived[] = [];
  #receivers: Receiver[] = [];
  #ended = false;
  #failed: GarnerError | undefined;

  constructor(host: InboundHost) {
    this.#host = host;
    this.#allowance = host.limits.windowBytes;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Credit that the peer may still use. */
  get allowance(): number {
    return this.#allowance;
  }

  /** Process a data frame. Throws WIRE_CREDIT, WIRE_CHANNEL, WIRE_TOO_LARGE, WIRE_MESSAGE: faults of the peer. */
  accept(frame: Frame): void {
    const { channel, payload } = frame;
    if (this.#ended) throw failure(wireErrors.WIRE_CHANNEL, { channel, reason: 'data after its end' });
    const cost = frameCost(payload.length);
    if (cost > this.#allowance)
      throw failure(wireErrors.WIRE_CREDIT, { channel, reason: 'it sent more than it was granted' });
    this.#allowance -= cost;
    if (payload.length > 0) this.#assemble(frame, cost);
    else if (this.#parts.length > 0)
      throw failure(wireErrors.WIRE_CHANNEL, { channel, reason: 'an end within a message' });
    if (!frame.end) return;
    this.#ended = true;
    if (this.#arrived.length === 0) for (const waiter of this.#receivers.splice(0)) waiter.resolve(undefined);
  }

  /** The next message; undefined after the peer's end. Rejects with the fault after the arrived messages. */
  receive(signal?: AbortSignal): Promise<Message | undefined> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const next = this.#arrived.shift();
    if (next) return new Promise((resolve, reject) => this.#hand(next, { resolve, reject }));
    if (this.#ended) return Promise.resolve(undefined);
    if (this.#failed) return Promise.reject(this.#failed);
    return abortable(signal, (resolve, reject) => {
      const receiver = { resolve, reject };
      this.#receivers.push(receiver);
      return () => {
        this.#receivers = this.#receivers.filter((other) => other !== receiver);
      };
    });
  }

  /** Nothing more will come; whole messages that have arrived can still be received unless `drop`. */
  fail(error: GarnerError, drop: boolean): void {
    this.#failed ??= error;
    this.#parts = [];
    this.#large = false;
    if (drop) {
      this.#arrived = [];
      this.#largeArrived = 0;
    }
    this.#settleSlot();
    for (const receiver of this.#receivers.splice(0)) receiver.reject(this.#failed);
  }

  slotGranted(): void {
    this.#advance();
    this.#settleSlot();
  }

  #assemble({ payload, more }: Frame, cost: number): void {
    this.#partialBytes += payload.length;
    if (this.#partialBytes > this.#host.limits.maxMessageBytes)
      throw failure(wireErrors.WIRE_TOO_LARGE, {
        what: 'A message',
        limit: this.#host.limits.maxMessageBytes,
      });
    this.#partialCost += cost;
    if (more) {
      // A copy: an uncompressed payload is a view of the socket's larger buffer.
      this.#parts.push(new Uint8Array(payload));
      this.#advance();
      return;
    }
    const bytes =
      this.#parts.length === 0 ? new Uint8Array(payload) : Buffer.concat([...this.#parts, payload]);
    const arrived = { bytes, owed: this.#partialCost, large: this.#large };
    this.#parts = [];
    this.#partialBytes = 0;
    this.#partialCost = 0;
    this.#large = false;
    checkPacked(bytes);
    const receiver = this.#receivers.shift();
    if (arrived.large) this.#largeArrived += 1;
    if (receiver) this.#hand(arrived, receiver);
    else this.#arrived.push(arrived);
    this.#settleSlot();
  }

  #hand(arrived: Arrived, receiver: Receiver): void {
    try {
      receiver.resolve(decodeMessage(arrived.bytes));
    } catch (error) {
      receiver.reject(error);
      this.#host.fault(error);
    }
    this.#owed += arrived.owed;
    if (arrived.large) this.#largeArrived -= 1;
    this.#giveBack();
    this.#advance();
    this.#settleSlot();
  }

  /** Release the slot unless a large message is waiting or being assembled. */
  #settleSlot(): void {
    const wanting = this.#parts.length > 0 && !this.#failed;
    if (!this.#large && this.#largeArrived === 0 && !wanting) this.#host.slots.release(this);
  }

  /** Grant credit for the message being assembled once its sender would otherwise run dry. */
  #advance(): void {
    if (this.#parts.length === 0 || this.#failed || this.#largeArrived > 0) return;
    if (2 * (this.#partialCost + this.#owed) < this.#host.limits.windowBytes) return;
    if (!this.#host.slots.acquire(this)) return;
    this.#large = true;
    this.#owed += this.#partialCost;
    this.#partialCost = 0;
    this.#giveBack();
  }

  #giveBack(): void {
    if (this.#ended || this.#failed || 2 * this.#owed < this.#host.limits.windowBytes) return;
    const amount = this.#owed;
    this.#owed = 0;
    this.#allowance += amount;
    this.#host.grant(amount);
  }
}
