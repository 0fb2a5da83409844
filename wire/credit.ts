import { failure, type GarnerError } from '../kernel/index.ts';
import { abortable } from './abortable.ts';
import { wireErrors } from './errors.ts';

/** How much a sender may still send on one channel, and the sender that waits for more. */
export class Credit {
  readonly #window: number;
  #available: number;
  #failed: GarnerError | undefined;
  // Sends of one channel run one after the other, so at most one waits.
  #waiter: { amount: number; resolve: () => void; reject: (reason: unknown) => void } | undefined;

  /** `window` is the peer's grant at the start, as its hello says, and the max of any one grant. */
  constructor(window: number) {
    this.#window = window;
    this.#available = window;
  }

  get available(): number {
    return this.#available;
  }

  /** Add a grant of the peer. Throws WIRE_CREDIT when it exceeds the window that the peer declared. */
  grant(amount: number, channel: number): void {
    this.#available += amount;
    if (this.#available > this.#window)
      throw failure(wireErrors.WIRE_CREDIT, { channel, reason: 'it granted more than its window' });
    if (this.#waiter && this.#available >= this.#waiter.amount) this.#settle()?.resolve();
  }

  spend(amount: number): void {
    this.#available -= amount;
  }

  /** Resolve when `amount` is available; reject with the channel's failure or the signal's reason. */
  atLeast(amount: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    if (this.#failed) throw this.#failed;
    signal?.throwIfAborted();
    if (this.#available >= amount) return undefined;
    return abortable(signal, (resolve, reject) => {
      this.#waiter = { amount, resolve, reject };
      return () => {
        this.#waiter = undefined;
      };
    });
  }

  fail(error: GarnerError): void {
    this.#failed ??= error;
    this.#settle()?.reject(this.#failed);
  }

  #settle() {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    return waiter;
  }
}
