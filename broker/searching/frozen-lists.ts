import { type Clock, failure, type Random } from '../../kernel/index.ts';
import { type Oid, oidBytes, oidFromBytes } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';

/** Max memory of all frozen lists together, and max length of one; 32 bytes a hit. */
const maxBytes = 64 * 1024 * 1024;
const maxHits = 500_000;
/** An unread list is dropped after this time. */
const maxIdleMs = 10 * 60_000;
const maxLists = 256;

const oidLength = 32;

/** A list of results of one moment, with data about it. */
export interface FrozenList<About> {
  readonly about: About;
  readonly length: number;
  /** The hits from a place on. */
  slice(from: number, count: number): readonly Oid[];
}

interface StoredList<About> extends FrozenList<About> {
  readonly bytes: number;
  usedAt: number;
}

/** Lists that stay the same while the index changes. The least recently read list is dropped first. */
export class FrozenLists<About> {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #lists = new Map<string, StoredList<About>>();
  #bytes = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Store `max` hits, at most 500,000. Returns the cursor of the hit at `offset`. */
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
    const list: StoredList<About> = {
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

  /** The list of a cursor and the place in it. Throws BROKER_CURSOR when it is unknown or was dropped. */
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

  /** The cursor after `count` more hits, or null at the end of the list. */
  after(cursor: string, count: number): string | null {
    const { list, from } = this.find(cursor);
    const next = from + count;
    return next >= list.length ? null : `${cursor.split('.')[0]}.${next}`;
  }

  #tidy(keep?: string): void {
    const now = this.#clock.now();
    for (const [id, { bytes, usedAt }] of this.#lists) {
      const isFull = this.#bytes > maxBytes || this.#lists.size > maxLists;
      if (id === keep || (!isFull && now - usedAt < maxIdleMs)) continue;
      this.#lists.delete(id);
      this.#bytes -= bytes;
    }
  }
}
