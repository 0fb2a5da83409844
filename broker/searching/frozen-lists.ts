import { type Clock, failure, type Random } from '../../kernel/index.ts';
import { type Oid, oidBytes, oidFromBytes } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';

/** Memory of all frozen lists together, and the longest one; 32 bytes a hit. */
const maxBytes = 64 * 1024 * 1024;
const maxHits = 500_000;
/** How long a list is kept that nobody reads on. */
const keptMs = 10 * 60_000;
const maxLists = 256;

const oidLength = 32;

/** A list of results as it was at one moment, with what else is said of it. */
export interface FrozenList<About> {
  readonly about: About;
  readonly length: number;
  /** The hits from a place on. */
  slice(from: number, count: number): readonly Oid[];
}

interface Kept<About> extends FrozenList<About> {
  readonly bytes: number;
  usedAt: number;
}

/**
 * Lists that stay as they are while the index changes, so that pages fit together: no hit is repeated or passed over.
 * Bounded in number, memory and time; the least recently read goes first.
 */
export class FrozenLists<About> {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #lists = new Map<string, Kept<About>>();
  #bytes = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Keep `most` hits of a list; returns the name of its hit at `offset`. Hits beyond 500,000 are not kept. */
  freeze(
    oids: Iterable<Oid>,
    about: About,
    { max = maxHits, offset = 0 }: { readonly max?: number; readonly offset?: number } = {},
  ): string {
    let packed = Buffer.allocUnsafe(1024 * oidLength);
    let length = 0;
    for (const oid of oids) {
      if (length >= Math.min(max, maxHits)) break;
      if ((length + 1) * oidLength > packed.length)
        packed = Buffer.concat([packed, Buffer.allocUnsafe(packed.length)]);
      packed.set(oidBytes(oid), length++ * oidLength);
    }
    const own = Uint8Array.prototype.slice.call(packed, 0, length * oidLength);
    const list: Kept<About> = {
      ...{ about, length, bytes: own.length, usedAt: this.#clock.now() },
      slice: (from, count) =>
        Array.from({ length: Math.max(0, Math.min(count, length - from)) }, (_, index) =>
          oidFromBytes(own.subarray((from + index) * oidLength, (from + index + 1) * oidLength)),
        ),
    };
    const id = Buffer.from(this.#random.bytes(12)).toString('base64url');
    this.#lists.set(id, list);
    this.#bytes += list.bytes;
    this.#tidy(id);
    return `${id}.${offset}`;
  }

  /** The list of a cursor and the place in it. Throws BROKER_CURSOR when it is unknown or was let go. */
  find(cursor: string): { readonly list: FrozenList<About>; readonly from: number } {
    const [, id = '', place = ''] = /^([\w-]{16})\.(\d{1,7})$/.exec(cursor) ?? [];
    this.#tidy();
    const list = this.#lists.get(id);
    if (list === undefined) throw failure(brokerErrors.BROKER_CURSOR, {});
    list.usedAt = this.#clock.now();
    this.#lists.delete(id);
    this.#lists.set(id, list);
    return { list, from: Number(place) };
  }

  /** The cursor behind `count` more hits, or null at the end of the list. */
  after(cursor: string, count: number): string | null {
    const { list, from } = this.find(cursor);
    const next = from + count;
    return next >= list.length ? null : `${cursor.split('.')[0]}.${next}`;
  }

  #tidy(keep?: string): void {
    const now = this.#clock.now();
    for (const [id, { bytes, usedAt }] of this.#lists) {
      const isFull = this.#bytes > maxBytes || this.#lists.size > maxLists;
      if (id === keep || (!isFull && now - usedAt < keptMs)) continue;
      this.#lists.delete(id);
      this.#bytes -= bytes;
    }
  }
}
