import type { Duplex } from 'node:stream';
import { ClientSlots } from './client-slots.ts';

/** Counts connections, each once however often it changes hands, and gives its slot back when it is closed. */
export class ConnectionSlots {
  readonly #slots: ClientSlots;
  readonly #held = new WeakSet<Duplex>();

  constructor(total: number, each: number) {
    this.#slots = new ClientSlots(total, each);
  }

  /** Connections open now. */
  get count(): number {
    return this.#slots.count;
  }

  /** Whether a connection, or what stands for it, has a slot. */
  has(connection: Duplex): boolean {
    return this.#held.has(connection);
  }

  /** Take a slot for a connection that has none yet. Otherwise says which bound was reached. */
  take(connection: Duplex, address: string): 'taken' | 'all' | 'client' {
    if (this.#held.has(connection)) return 'taken';
    const slot = this.#slots.take(address);
    if (slot !== 'taken') return slot;
    this.#held.add(connection);
    connection.once('close', () => this.#slots.leave(address));
    return 'taken';
  }

  /** Take a slot for a connection that is elsewhere; `leaveElsewhere` gives it back. */
  takeElsewhere(address: string): 'taken' | 'all' | 'client' {
    return this.#slots.take(address);
  }

  leaveElsewhere(address: string): void {
    this.#slots.leave(address);
  }

  /** What stands for a connection that has a slot needs none of its own. */
  fallback(side: Duplex): void {
    this.#held.add(side);
  }
}
