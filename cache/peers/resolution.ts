import type { IcpReplyName } from './icp.ts';

/** The part of a queried peer that a resolution uses. */
export interface Queried {
  readonly role: 'parent' | 'sibling';
}

/** Whether an answer permits requests for the object to a parent. */
export function invites(reply: IcpReplyName): boolean {
  // An echo of a cache without ICP shows that it is there, as a miss does (RFC 2186 section 2).
  return reply === 'hit' || reply === 'hit-object' || reply === 'miss' || reply === 'cache-echo';
}

export type Resolved<Of extends Queried> =
  | { readonly peer: Of; readonly because: 'icp-hit' | 'first-parent-miss' }
  | { readonly peer?: undefined; readonly because: 'origin-first' | 'all-missed' | 'no-answer' };

/**
 * One round of queries for a URL, as in Harvest (RFC 2187 section 5): the first hit wins, in a race with an
 * echo of the origin. Without a hit, the parent that first answered with a miss wins, since it is the
 * nearest. Misses of siblings are ignored. Pure: the caller passes in the answers and the time-out.
 */
export class Resolution<Of extends Queried> {
  readonly #waiting: Set<Of>;
  #firstParent: Of | undefined;
  #answers = 0;
  #outcome: Resolved<Of> | undefined;

  /** `expected` are the peers worth waiting for; other queried ones may answer all the same. */
  constructor(expected: Iterable<Of>) {
    this.#waiting = new Set(expected);
    if (this.#waiting.size === 0) this.#end();
  }

  /** Set as soon as no further answer matters. */
  get outcome(): Resolved<Of> | undefined {
    return this.#outcome;
  }

  /** The expected peers that have not answered yet. */
  get silent(): ReadonlySet<Of> {
    return this.#waiting;
  }

  /** The answer of a queried peer; only its first one counts. */
  answered(peer: Of, reply: IcpReplyName): void {
    if (this.#outcome !== undefined) return;
    this.#answers++;
    this.#waiting.delete(peer);
    if (reply === 'hit' || reply === 'hit-object') {
      this.#outcome = { peer, because: 'icp-hit' };
      return;
    }
    if (invites(reply) && peer.role === 'parent') this.#firstParent ??= peer;
    if (this.#waiting.size === 0) this.#end();
  }

  /** The origin answered before the first hit. */
  originAnswered(): void {
    this.#outcome ??= { because: 'origin-first' };
  }

  /** The max wait is over. */
  timeOver(): void {
    if (this.#outcome === undefined) this.#end();
  }

  #end(): void {
    if (this.#firstParent) this.#outcome = { peer: this.#firstParent, because: 'first-parent-miss' };
    else this.#outcome = { because: this.#answers > 0 ? 'all-missed' : 'no-answer' };
  }
}
