import type { ServerId } from '../../soif/index.ts';

interface Entry {
  readonly number: number;
  readonly server: ServerId;
}

/** The servers that changed their keys, in the order of the last change of each. Numbers only grow. */
export class SuccessionLog {
  readonly #numberOf: (server: ServerId) => number;
  #entries: Entry[] = [];
  /** Entries that count, as of the last clearing. */
  #kept = 0;

  /** `numberOf` returns the number of the last change of a server: entries with another one are outdated. */
  constructor(numberOf: (server: ServerId) => number) {
    this.#numberOf = numberOf;
  }

  get last(): number {
    return this.#entries.at(-1)?.number ?? 0;
  }

  add(number: number, server: ServerId): void {
    this.#entries.push({ number, server });
    if (this.#entries.length < 2 * this.#kept + 64) return;
    const end = this.#entries.length - 1;
    // The last one stays, so that no number is used twice.
    this.#entries = this.#entries.filter((entry, at) => at === end || this.#isLast(entry));
    this.#kept = this.#entries.length;
  }

  /** The next servers after a number, at most `limit`, and the number to go on from. */
  page(since: number, limit: number): { readonly servers: readonly ServerId[]; readonly next: number } {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry).number > since) high = middle;
      else low = middle + 1;
    }
    const servers: ServerId[] = [];
    let next = since;
    for (let at = low; at < this.#entries.length && servers.length < limit; at++) {
      const entry = this.#entries[at] as Entry;
      next = entry.number;
      if (this.#isLast(entry)) servers.push(entry.server);
    }
    return { servers, next };
  }

  #isLast({ number, server }: Entry): boolean {
    return this.#numberOf(server) === number;
  }
}
