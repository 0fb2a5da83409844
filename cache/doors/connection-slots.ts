import type { Duplex } from 'node:stream';
import { ClientSlots } from './client-slots.ts';

/** Counts connections, each once even when its handler changes, and gives the slot back when it is closed. */
export class ConnectionSlots {
  readonly #slots: ClientSlots;
  readonly #held = new WeakSet<Duplex>();

  constructor(total: number, each: number) {
    this.#slots = new ClientSlots(total, each);
  }

  get count(): number {
    return this.#slots.count;
  }

  /** Whether a connection, or a side that represents it, has a slot. */
  has(connection: Duplex): boolean {
    return this.#held.has(connection);
  }

  /** Take a slot for a connection that has none yet. Otherwise returns the limit that was reached. */
  take(connection: Duplex, address: string): 'taken' | 'all' | 'client' {
    if (this.#held.has(connection)) return 'taken';
    const slot = this.#slots.take(address);
    if (slot !== 'taken') return slot;
    this.#held.add(connection);
    connection.once('close', () => this.#slots.leave(address));
    return 'taken';
  }

  /** Take a slot for a connection in another process; `leaveElsewhere` gives it back. */
  takeElsewhere(address: string): 'taken' | 'all' | 'client' {
    return this.#slots.take(address);
  }

  leaveElsewhere(address: string): void {
    this.#slots.leave(address);
  }

  /** A side that represents a connection with a slot needs no slot of its own. */
  fallback(side: Duplex): void {
    this.#held.add(side);
  }
}
