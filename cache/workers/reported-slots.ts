import type { Duplex } from 'node:stream';
import { ConnectionSlots, type DoorLimits } from '../doors/index.ts';
import type { FromWorker } from './messages.ts';

type Changes = (FromWorker & { readonly is: 'slots' })['changes'];

/** Counts the connections of a worker, each once, and reports the changes of one event-loop iteration together. */
export class ReportedSlots {
  readonly #slots: ConnectionSlots;
  readonly #report: (changes: Changes) => void;
  /** By address, the latest last. */
  readonly #open = new Map<string, Set<Duplex>>();
  #changes: Changes[number][] = [];

  constructor(
    limits: Pick<DoorLimits, 'maxConnections' | 'clientConnections'>,
    report: (changes: Changes) => void,
  ) {
    this.#slots = new ConnectionSlots(limits.maxConnections, limits.clientConnections);
    this.#report = report;
  }

  /** Take a slot for a connection that has none yet. Otherwise returns the limit that was reached. */
  take(connection: Duplex, address: string): 'taken' | 'all' | 'client' {
    if (this.#slots.has(connection)) return 'taken';
    const slot = this.#slots.take(connection, address);
    if (slot !== 'taken') return slot;
    const open = this.#open.get(address) ?? new Set();
    this.#open.set(address, open.add(connection));
    this.#changed(address, 1);
    connection.once('close', () => {
      open.delete(connection);
      if (open.size === 0) this.#open.delete(address);
      this.#changed(address, -1);
    });
    return 'taken';
  }

  /** A side that represents a connection with a slot needs no slot of its own. */
  fallback(side: Duplex): void {
    this.#slots.fallback(side);
  }

  isCounted(connection: Duplex): boolean {
    return this.#slots.has(connection);
  }

  /** Close the latest connection of an address. */
  cutOne(address: string): void {
    [...(this.#open.get(address) ?? [])].at(-1)?.destroy();
  }

  #changed(address: string, change: 1 | -1): void {
    if (this.#changes.length === 0)
      setImmediate(() => {
        const changes = this.#changes;
        this.#changes = [];
        this.#report(changes);
      });
    this.#changes.push([address, change]);
  }
}
