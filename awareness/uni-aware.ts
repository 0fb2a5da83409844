import type { Oid } from '../soif/index.ts';
import type { Replica } from './replica.ts';
import type { Scheme } from './scheme.ts';
import type { Change, Lsn, SourceSnapshot } from './source.ts';

/** One element of the vector a store sends: the object it stands for and what the scheme says of it. */
export type VectorElement =
  | { readonly kind: 'record'; readonly change: Change }
  | { readonly kind: 'handle'; readonly oid: Oid; readonly lsn: Lsn; readonly gone: boolean }
  | { readonly kind: 'signature'; readonly oid: Oid; readonly digest: Uint8Array };

/** What the client makes of the vector, in an order in which it can be done at once. */
export type Lesson =
  /** Do this; it is known whole. `lsn` is how far the vector has come, where it goes by LSN. */
  | { readonly kind: 'apply'; readonly change: Change }
  /** Ask for this object and learn it. */
  | { readonly kind: 'fetch'; readonly oid: Oid; readonly lsn: Lsn }
  | { readonly kind: 'forget'; readonly oid: Oid; readonly lsn: Lsn }
  /** Nothing to do for this element; `oid` is how far a vector in handle order has come. */
  | { readonly kind: 'known'; readonly oid: Oid };

/**
 * The store's side of UNI-AWARE (paper, figure 2): select, compress, send. `since` is the client's marker for
 * vectors of changes; `after` resumes a vector in handle order.
 */
export async function* serveVector(
  scheme: Scheme,
  snapshot: SourceSnapshot,
  { since, after }: { readonly since: Lsn; readonly after?: Oid | undefined },
): AsyncIterable<VectorElement> {
  if (scheme.selects === 'changes') {
    for await (const change of snapshot.changesSince(since)) {
      if (scheme.compresses === 'record') yield { kind: 'record', change };
      else if (change.kind === 'put')
        yield { kind: 'handle', oid: change.object.oid, lsn: change.lsn, gone: false };
      else if (change.kind === 'delete')
        yield { kind: 'handle', oid: change.oid, lsn: change.lsn, gone: true };
      else yield { kind: 'record', change };
    }
    return;
  }
  for await (const { oid, lsn, digest } of snapshot.scan(after)) {
    if (scheme.compresses === 'signature') yield { kind: 'signature', oid, digest };
    else yield { kind: 'handle', oid, lsn, gone: false };
  }
}

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Elements that say themselves what to do: records, and handles that are new or gone. */
async function* followTold(vector: AsyncIterable<VectorElement>): AsyncIterable<Lesson> {
  for await (const element of vector) {
    if (element.kind === 'record') yield { kind: 'apply', change: element.change };
    else if (element.kind === 'signature')
      throw new TypeError('a signature needs a comparison with what is held');
    else yield { kind: element.gone ? 'forget' : 'fetch', oid: element.oid, lsn: element.lsn };
  }
}

/**
 * A vector of everything in handle order beside what is held in the same order: whatever the vector passes over
 * is gone, whatever differs is fetched. Neither list is ever in memory. Only gaps between elements that were
 * received count as absence, and what follows the last one only once the vector has ended in full.
 */
async function* compareHeld(
  vector: AsyncIterable<VectorElement>,
  replica: Replica,
  after: Oid | undefined,
  order: (oid: Oid) => string,
): AsyncIterable<Lesson> {
  const held = replica.scan(after)[Symbol.asyncIterator]();
  try {
    let mine = await held.next();
    for await (const element of vector) {
      if (element.kind === 'record') throw new TypeError('a record has no place in a vector of everything');
      const at = order(element.oid);
      while (mine.done !== true && order(mine.value.oid) < at) {
        yield { kind: 'forget', oid: mine.value.oid, lsn: 0 };
        mine = await held.next();
      }
      const same = mine.done !== true && mine.value.oid === element.oid;
      const unchanged =
        same && (element.kind === 'handle' || equal(mine.value?.digest as Uint8Array, element.digest));
      yield unchanged ? { kind: 'known', oid: element.oid } : { kind: 'fetch', oid: element.oid, lsn: 0 };
      if (same) mine = await held.next();
    }
    while (mine.done !== true) {
      yield { kind: 'forget', oid: mine.value.oid, lsn: 0 };
      mine = await held.next();
    }
  } finally {
    await held.return?.();
  }
}

// Handle order is the order of the 32 bytes, which base64url text does not keep.
const byteOrder = (oid: Oid) => Buffer.from(oid, 'base64url').toString('latin1');

/**
 * The client's side of UNI-AWARE: compare the vector with what is held and say what to learn and forget. For
 * each object forgetting its old version and learning its new one is a single replacement, so the order of the
 * two (a defect of the paper's figure 2) cannot matter. The vector must throw when it was cut short.
 */
export function learnFrom(
  scheme: Scheme,
  vector: AsyncIterable<VectorElement>,
  replica: Replica,
  after?: Oid,
): AsyncIterable<Lesson> {
  return scheme.forgets === 'absence' ? compareHeld(vector, replica, after, byteOrder) : followTold(vector);
}
