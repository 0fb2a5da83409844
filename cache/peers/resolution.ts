import type { IcpReplyName } from './icp.ts';

/** Somebody who was asked, as far as a resolution cares. */
export interface Asked {
  readonly role: 'parent' | 'sibling';
}

/** Whether an answer says that a parent may be asked for the object. */
export function invites(reply: IcpReplyName): boolean {
  // An echo of a cache that speaks no ICP says that it is there, as a miss does (RFC 2186 section 2).
  return reply === 'hit' || reply === 'hit-object' || reply === 'miss' || reply === 'cache-echo';
}

/** How a round of questions ended. */
export type Resolved<Of extends Asked> =
  | { readonly peer: Of; readonly because: 'icp-hit' | 'first-parent-miss' }
  | { readonly peer?: undefined; readonly because: 'origin-first' | 'all-missed' | 'no-answer' };

/**
 * One round of questions about a URL, as in Harvest (RFC 2187 section 5): whoever first has it is chosen, an echo of
 * the origin in the race; when nobody has it, the parent that first said so, since that one is nearest. Siblings that
 * miss are passed over. Pure: it is told what arrives, and when the time is over.
 */
export class Resolution<Of extends Asked> {
  readonly #waiting: Set<Of>;
  #firstParent: Of | undefined;
  #answers = 0;
  #outcome: Resolved<Of> | undefined;

  /** `expected` are those worth waiting for; others that were asked may answer all the same. */
  constructor(expected: Iterable<Of>) {
    this.#waiting = new Set(expected);
    if (this.#waiting.size === 0) this.#end();
  }

  /** Set as soon as nothing that may still arrive matters. */
  get outcome(): Resolved<Of> | undefined {
    return this.#outcome;
  }

  /** Those who have not answered yet and were expected to. */
  get silent(): ReadonlySet<Of> {
    return this.#waiting;
  }

  /** An answer of somebody who was asked; each one's first counts. */
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

  /** The origin echoed before anybody had it. */
  originAnswered(): void {
    this.#outcome ??= { because: 'origin-first' };
  }

  /** The time to wait is over. */
  timeOver(): void {
    if (this.#outcome === undefined) this.#end();
  }

  #end(): void {
    if (this.#firstParent) this.#outcome = { peer: this.#firstParent, because: 'first-parent-miss' };
    else this.#outcome = { because: this.#answers > 0 ? 'all-missed' : 'no-answer' };
  }
}
