import type { Oid } from '../soif/index.ts';
import { elementOf } from './fingerprint.ts';
import { bytesOfHandle, type Handle, handleOf, signatureOf } from './handle.ts';
import type { Replica } from './replica.ts';
import type { VectorScheme } from './scheme.ts';
import { highHalf, type ShortId, shortIdOf } from './short-id.ts';
import type { Change, Entry, Epoch, Lsn, SourceSnapshot } from './source.ts';
import type { VectorElement, Want } from './statements.ts';

/** What the client makes of a vector, in an order in which it can be done at once. */
export type Lesson =
  /** Do this; it is known whole. */
  | { readonly kind: 'apply'; readonly change: Change }
  /** Ask for this object and learn it. */
  | { readonly kind: 'fetch'; readonly object: Handle | ShortId }
  /** An object is there with this signature, and no more is wanted of it. */
  | { readonly kind: 'note'; readonly handle: Handle; readonly signature: Uint8Array; readonly lsn: Lsn }
  /** Forget this object, or, named by a short id, this version of one. */
  | { readonly kind: 'forget'; readonly object: Handle | ShortId; readonly lsn: Lsn }
  /** Everything up to this sequence number has been told: a run cut here goes on from it. */
  | { readonly kind: 'reached'; readonly lsn: Lsn }
  /** The same for a vector of everything: a run cut here may go on after this place. */
  | { readonly kind: 'passed'; readonly oid: Oid }
  /** Nothing to do for this element. */
  | { readonly kind: 'known' };

function describeChange(change: Change): VectorElement {
  const { lsn } = change;
  if (change.kind === 'put')
    return {
      kind: 'described',
      handle: handleOf(change.object.oid),
      lsn,
      signature: signatureOf(change.object.digest),
      gone: false,
    };
  if (change.kind === 'delete') return { kind: 'described', handle: handleOf(change.oid), lsn, gone: true };
  return { kind: 'record', change };
}

/** Short ids of entries in handle order, in ascending order: only those of neighbours can be out of turn. */
async function* inShortOrder(entries: AsyncIterable<Entry>, epoch: Epoch): AsyncIterable<ShortId> {
  let group: ShortId[] = [];
  const prefix = (id: ShortId) => highHalf(id) >>> 4;
  for await (const { oid, digest } of entries) {
    const handle = handleOf(oid);
    const id = shortIdOf(bytesOfHandle(handle), elementOf(epoch, handle, signatureOf(digest)));
    const [first] = group;
    if (first !== undefined && prefix(first) !== prefix(id)) {
      yield* group.sort((a, b) => a - b);
      group = [];
    }
    group.push(id);
  }
  yield* group.sort((a, b) => a - b);
}

/**
 * The store's side of UNI-AWARE (paper, figure 2): select, compress. `since` is the client's marker for vectors of
 * changes, `lacks` how many objects fewer than the store it has, `after` resumes a vector in handle order.
 */
export async function* vectorOf(
  scheme: VectorScheme,
  snapshot: SourceSnapshot,
  {
    since,
    lacks,
    after,
    want,
  }: {
    readonly since: Lsn;
    readonly lacks: number;
    readonly after?: Oid | undefined;
    readonly want: Want;
  },
): AsyncIterable<VectorElement> {
  const { selects, compresses } = scheme;
  const bare = want.kind === 'handles';
  if (selects !== 'everything') {
    const changes =
      selects === 'newest'
        ? snapshot.newest(lacks)
        : snapshot.changesSince(since, selects === 'later-stamps' ? 'stamp' : 'number');
    for await (const change of changes) {
      const whole = compresses === 'record' || compresses === 'object';
      if (change.kind === 'delete' && scheme.forgets !== 'tombstone') continue;
      yield whole && !bare ? { kind: 'record', change } : describeChange(change);
    }
    return;
  }
  if (compresses === 'short-id') {
    for await (const id of inShortOrder(snapshot.scan(after), snapshot.state.epoch))
      yield { kind: 'short', id, gone: false };
    return;
  }
  for await (const { oid, lsn, digest } of snapshot.scan(after)) {
    const handle = handleOf(oid);
    if (compresses === 'object' && !bare) {
      const object = await snapshot.get(oid);
      if (object !== undefined) yield { kind: 'record', change: { kind: 'put', lsn, object } };
    } else if (compresses === 'handle') yield { kind: 'described', handle, gone: false };
    else yield { kind: 'described', handle, signature: signatureOf(digest), gone: false };
  }
}

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Elements that say themselves what to do. */
export function* told(element: VectorElement, want: Want): Iterable<Lesson> {
  if (element.kind === 'reached' || element.kind === 'passed') yield element;
  else if (element.kind === 'record') yield { kind: 'apply', change: element.change };
  else if (element.kind === 'short')
    yield element.gone
      ? { kind: 'forget', object: element.id, lsn: 0 }
      : { kind: 'fetch', object: element.id };
  else if (element.gone) yield { kind: 'forget', object: element.handle, lsn: element.lsn ?? 0 };
  else if (want.kind === 'handles' && element.signature !== undefined)
    yield { kind: 'note', handle: element.handle, signature: element.signature, lsn: element.lsn ?? 0 };
  else yield { kind: 'fetch', object: element.handle };
}

const handleIn = (element: VectorElement): Handle => {
  if (element.kind === 'described') return element.handle;
  if (element.kind === 'record' && element.change.kind === 'put') return handleOf(element.change.object.oid);
  throw new TypeError(`a ${element.kind} has no place in a vector of everything`);
};

/**
 * A vector of everything in handle order beside what is held in the same order: whatever the vector passes over
 * is gone, whatever differs is learned. Neither list is ever in memory. Only gaps between elements that were
 * received count as absence, and what follows the last one only once the vector has ended in full.
 */
async function* compareHeld(
  scheme: VectorScheme,
  vector: AsyncIterable<VectorElement>,
  replica: Replica,
  after: Oid | undefined,
  want: Want,
): AsyncIterable<Lesson> {
  const held = replica.scan(after)[Symbol.asyncIterator]();
  try {
    let mine = await held.next();
    for await (const element of vector) {
      if (element.kind === 'passed') {
        yield element;
        continue;
      }
      const handle = handleIn(element);
      while (mine.done !== true && handleOf(mine.value.oid) < handle) {
        yield { kind: 'forget', object: handleOf(mine.value.oid), lsn: 0 };
        mine = await held.next();
      }
      const same = mine.done !== true && handleOf(mine.value.oid) === handle ? mine.value : undefined;
      const signature =
        element.kind === 'described'
          ? element.signature
          : element.kind === 'record' && element.change.kind === 'put'
            ? signatureOf(element.change.object.digest)
            : undefined;
      const unchanged =
        same !== undefined &&
        (scheme.compresses === 'handle' ||
          (signature !== undefined && equal(signatureOf(same.digest), signature)));
      if (unchanged) yield { kind: 'known' };
      else yield* told(element, want);
      if (same !== undefined) mine = await held.next();
    }
    while (mine.done !== true) {
      yield { kind: 'forget', object: handleOf(mine.value.oid), lsn: 0 };
      mine = await held.next();
    }
  } finally {
    await held.return?.();
  }
}

/** The same for a vector of short ids in ascending order. */
async function* compareShort(
  vector: AsyncIterable<VectorElement>,
  replica: Replica,
  epoch: Epoch,
  after: Oid | undefined,
): AsyncIterable<Lesson> {
  const held = inShortOrder(replica.scan(after), epoch)[Symbol.asyncIterator]();
  try {
    let mine = await held.next();
    for await (const element of vector) {
      if (element.kind === 'passed') {
        yield element;
        continue;
      }
      if (element.kind !== 'short') throw new TypeError('a vector of short ids holds nothing else');
      while (mine.done !== true && mine.value < element.id) {
        yield { kind: 'forget', object: mine.value, lsn: 0 };
        mine = await held.next();
      }
      if (mine.done !== true && mine.value === element.id) {
        yield { kind: 'known' };
        mine = await held.next();
      } else yield { kind: 'fetch', object: element.id };
    }
    while (mine.done !== true) {
      yield { kind: 'forget', object: mine.value, lsn: 0 };
      mine = await held.next();
    }
  } finally {
    await held.return?.();
  }
}

/**
 * The client's side of UNI-AWARE: compare the vector with what is held and say what to learn and forget. For
 * each object forgetting its old version and learning its new one is a single replacement, so the order of the
 * two (a defect of the paper's figure 2) cannot matter. The vector must throw when it was cut short.
 */
export async function* learnFrom(
  scheme: VectorScheme,
  vector: AsyncIterable<VectorElement>,
  replica: Replica,
  { epoch, after, want }: { readonly epoch: Epoch; readonly after?: Oid | undefined; readonly want: Want },
): AsyncIterable<Lesson> {
  if (scheme.selects === 'everything' && scheme.compresses === 'short-id')
    yield* compareShort(vector, replica, epoch, after);
  else if (scheme.selects === 'everything') yield* compareHeld(scheme, vector, replica, after, want);
  else for await (const element of vector) yield* told(element, want);
}
