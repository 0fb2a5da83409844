import type { Random } from '../../kernel/index.ts';
import type { IcpReplyName } from './icp.ts';
import type { UdpPlace } from './udp-socket.ts';

/** Max open queries; beyond it the oldest is forgotten. */
const maxOpen = 16_384;

interface Query {
  readonly to: UdpPlace;
  readonly url: string;
  readonly answered: (reply: IcpReplyName) => void;
}

/** Queries by unguessable numbers: an answer comes from the queried place with their number and URL. */
export class PendingQueries {
  readonly #open = new Map<number, Query>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The number of a query that is about to be sent. */
  ask(query: Query): number {
    if (this.#open.size >= maxOpen) {
      const oldest = this.#open.keys().next();
      if (!oldest.done) this.#open.delete(oldest.value);
    }
    let number = 0;
    do {
      const [a = 0, b = 0, c = 0, d = 0] = this.#random.bytes(4);
      number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    } while (number === 0 || this.#open.has(number));
    this.#open.set(number, query);
    return number;
  }

  /** Whether this was the answer to a query, which then gets it, once. Without a URL only the number is compared. */
  answered(number: number, from: UdpPlace, reply: IcpReplyName, url?: string): boolean {
    const query = this.#open.get(number);
    if (query === undefined || (url !== undefined && query.url !== url)) return false;
    if (query.to.address !== from.address || query.to.port !== from.port) return false;
    this.#open.delete(number);
    query.answered(reply);
    return true;
  }

  forget(number: number): void {
    this.#open.delete(number);
  }
}
