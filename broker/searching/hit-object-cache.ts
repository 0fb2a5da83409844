import { type Lsn, sameBytes } from '../../awareness/index.ts';
import { isGarnerError, RecentMap } from '../../kernel/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../../soif/index.ts';
import type { ObjectStore, StoredObject } from '../../store/index.ts';

/** A decoded summary object for descriptions of hits, with its current description in the store. */
export interface ReadObject {
  readonly object: SummaryObject;
  readonly described: StoredObject;
}

interface Cached extends ReadObject {
  /** The store's LSN at its description. The description holds until the store has a later one. */
  readonly lsn: Lsn;
  readonly bytes: number;
}

type Store = Pick<ObjectStore, 'get' | 'describe' | 'lsn'>;

const defaultBytes = 128 * 1024 * 1024;

/** Max memory of an object with its texts and their search tables, as a multiple of its bytes. */
const growth = 5;
const overhead = 1000;

/** The objects of recently described hits, decoded, while their content stays the same. */
export class HitObjectCache {
  readonly #store: Store;
  readonly #cached: RecentMap<Oid, Cached>;

  /** `maxBytes` bounds the cached objects, with the data made from them. */
  constructor(store: Store, maxBytes = defaultBytes) {
    this.#store = store;
    this.#cached = new RecentMap(maxBytes);
  }

  get size(): { readonly objects: number; readonly bytes: number } {
    return { objects: this.#cached.count, bytes: this.#cached.size };
  }

  /** The object as it is now; undefined when it was deleted, or cannot be read. */
  async read(oid: Oid): Promise<ReadObject | undefined> {
    // Taken before any read, so that the object is never older.
    const { lsn } = this.#store;
    const cached = this.#cached.get(oid);
    if (cached?.lsn === lsn) return cached;
    const described = await this.#store.describe(oid);
    if (described === undefined) {
      this.#cached.delete(oid);
      return undefined;
    }
    if (cached !== undefined && sameBytes(cached.described.digest, described.digest))
      return this.#keep(oid, { ...cached, described, lsn });
    const stored = await this.#store.get(oid);
    const object = stored && readable(stored.body);
    if (stored === undefined || object === undefined) return undefined;
    // It may have been rewritten since it was described.
    const { digest, updatedAt, body } = stored;
    const bytes = growth * body.length + overhead;
    return this.#keep(oid, { object, described: { ...described, digest, updatedAt }, lsn, bytes });
  }

  #keep(oid: Oid, cached: Cached): ReadObject {
    this.#cached.set(oid, cached, cached.bytes);
    return cached;
  }
}

function readable(body: Uint8Array): SummaryObject | undefined {
  try {
    return decodeObject(body);
  } catch (error) {
    if (isGarnerError(error)) return undefined;
    throw error;
  }
}
