import { isGarnerError } from '../kernel/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../soif/index.ts';
import type { ObjectStore, StoredObject } from '../store/index.ts';

/** A summary object as hits are described from it, and what the store says of it now. */
export interface ReadObject {
  readonly object: SummaryObject;
  readonly described: StoredObject;
}

interface Kept {
  readonly object: SummaryObject;
  readonly digest: Uint8Array;
  readonly bytes: number;
}

const defaultBytes = 128 * 1024 * 1024;

/** An object's bytes, its texts and the tables of their tokens together, in terms of its bytes: at most. */
const growth = 4;
const overhead = 1000;

/**
 * The objects that hits were lately described from, kept decoded while their content stays what it is: answers to
 * different questions name the same objects again. Of too many those asked least lately go.
 */
export class ReadObjects {
  readonly #store: Pick<ObjectStore, 'get' | 'describe'>;
  readonly #maxBytes: number;
  readonly #kept = new Map<Oid, Kept>();
  #bytes = 0;

  /** `maxBytes` bounds what is kept, with what is made of it. */
  constructor(store: Pick<ObjectStore, 'get' | 'describe'>, maxBytes = defaultBytes) {
    this.#store = store;
    this.#maxBytes = maxBytes;
  }

  get size(): { readonly objects: number; readonly bytes: number } {
    return { objects: this.#kept.size, bytes: this.#bytes };
  }

  /** The object as it is now; undefined when it is gone, or cannot be read. */
  async read(oid: Oid): Promise<ReadObject | undefined> {
    const described = await this.#store.describe(oid);
    if (described === undefined) {
      this.#drop(oid);
      return undefined;
    }
    const kept = this.#kept.get(oid);
    if (kept !== undefined && Buffer.compare(kept.digest, described.digest) === 0) {
      this.#kept.delete(oid);
      this.#kept.set(oid, kept);
      return { object: kept.object, described };
    }
    const stored = await this.#store.get(oid);
    if (stored === undefined) return undefined;
    const object = readable(stored.body);
    if (object === undefined) return undefined;
    this.#keep(oid, { object, digest: stored.digest, bytes: growth * stored.body.length + overhead });
    // It may have been written again since it was described.
    return { object, described: { ...described, updatedAt: stored.updatedAt, digest: stored.digest } };
  }

  #keep(oid: Oid, kept: Kept): void {
    this.#drop(oid);
    if (kept.bytes > this.#maxBytes) return;
    this.#kept.set(oid, kept);
    this.#bytes += kept.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
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
