import type { Clock } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';

/** Servers by the time when they are due. No step reads those that are not due. */
export class DueServers {
  readonly #clock: Clock;
  /** The longest due first. */
  readonly #due = new Set<Oid>();
  /** By second since 1970. */
  readonly #later = new Map<number, Set<Oid>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Let a server be due at a time, in milliseconds since 1970. An earlier plan for it remains. */
  plan(id: Oid, at: number): void {
    if (at <= this.#clock.now()) {
      this.#due.add(id);
      return;
    }
    const second = Math.ceil(at / 1000);
    const ids = this.#later.get(second);
    if (ids === undefined) this.#later.set(second, new Set([id]));
    else ids.add(id);
  }

  get isAny(): boolean {
    this.#rise();
    return this.#due.size > 0;
  }

  /** Take the servers that are due, and those that become due while they are taken. */
  *take(): Generator<Oid> {
    this.#rise();
    for (const id of this.#due) {
      this.#due.delete(id);
      yield id;
    }
  }

  #rise(): void {
    const now = this.#clock.now() / 1000;
    for (const [second, ids] of this.#later) {
      if (second > now) continue;
      this.#later.delete(second);
      for (const id of ids) this.#due.add(id);
    }
  }
}
