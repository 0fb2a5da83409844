import type { Lsn } from '../../awareness/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../../soif/index.ts';
import type { ObjectStore, StoredObject } from '../../store/index.ts';

/** A summary object as hits are described from it, and what the store says of it now. */
export interface ReadObject {
  readonly object: SummaryObject;
  readonly described: StoredObject;
}

interface Kept extends ReadObject {
  /** The store's when it was described: what it says then holds while it has no later one. */
  readonly lsn: Lsn;
  readonly bytes: number;
}

type Store = Pick<ObjectStore, 'get' | 'describe' | 'lsn'>;

const defaultBytes = 128 * 1024 * 1024;

/** An object's bytes, its texts and what finds terms in them together, in terms of its bytes: at most. */
const growth = 5;
const overhead = 1000;

/**
 * The objects that hits were lately described from, kept decoded while their content stays what it is: answers to
 * different questions name the same objects again. Of too many those asked least lately go.
 */
export class HitObjectCache {
  readonly #store: Store;
  readonly #maxBytes: number;
  readonly #kept = new Map<Oid, Kept>();
  #bytes = 0;

  /** `maxBytes` bounds what is kept, with what is made of it. */
  constructor(store: Store, maxBytes = defaultBytes) {
    this.#store = store;
    this.#maxBytes = maxBytes;
  }

  get size(): { readonly objects: number; readonly bytes: number } {
    return { objects: this.#kept.size, bytes: this.#bytes };
  }

  /** The object as it is now; undefined when it is gone, or cannot be read. */
  async read(oid: Oid): Promise<ReadObject | undefined> {
    // Before anything is read, so that what is read is never older.
    const { lsn } = this.#store;
    const kept = this.#kept.get(oid);
    if (kept?.lsn === lsn) {
      this.#kept.delete(oid);
      this.#kept.set(oid, kept);
      return kept;
    }
    const described = await this.#store.describe(oid);
    if (described === undefined) {
      this.#drop(oid);
      return undefined;
    }
    if (kept !== undefined && Buffer.compare(kept.described.digest, described.digest) === 0)
      return this.#keep(oid, { ...kept, described, lsn });
    const stored = await this.#store.get(oid);
    const object = stored && readable(stored.body);
    if (stored === undefined || object === undefined) return undefined;
    // It may have been written again since it was described.
    const { digest, updatedAt, body } = stored;
    const bytes = growth * body.length + overhead;
    return this.#keep(oid, { object, described: { ...described, digest, updatedAt }, lsn, bytes });
  }

  #keep(oid: Oid, kept: Kept): ReadObject {
    this.#drop(oid);
    if (kept.bytes > this.#maxBytes) return kept;
    this.#kept.set(oid, kept);
    this.#bytes += kept.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
    return kept;
  }

  #drop(oid: Oid): void {
    const kept = this.#kept.get(oid);
    if (kept === undefined) return;
    this.#kept.delete(oid);
    this.#bytes -= kept.bytes;
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
