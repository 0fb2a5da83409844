import type { Oid } from '../soif/index.ts';
import { compared } from './comparison.ts';
import { shortIdFor } from './fingerprint.ts';
import { type Epoch, type Handle, handleOf, type Lsn, sameBytes, signatureOf } from './handle.ts';
import type { VectorElement, Want } from './protocol-messages.ts';
import type { LearningStep, Replica } from './replica.ts';
import type { VectorScheme } from './scheme.ts';
import { highHalf, type ShortId } from './short-id.ts';
import type { Change, Entry, Noted, SourceSnapshot } from './source.ts';

function elementFor(change: Change | Noted): VectorElement {
  const { lsn } = change;
  if (change.kind === 'note') {
    const { handle, signature } = change;
    return { kind: 'described', handle, lsn, signature, gone: false };
  }
  return { kind: 'record', change };
}

async function* inLists<Item>(items: AsyncIterable<Item>, length: number): AsyncIterable<readonly Item[]> {
  let list: Item[] = [];
  for await (const item of items) {
    list.push(item);
    if (list.length < length) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}

/** Max elements in a list, and objects: their contents are in memory together. */
const listElements = 512;
const listObjects = 32;

/** Short ids of entries in handle order, in ascending order: only neighbours can be out of order. */
async function* inShortOrder(entries: AsyncIterable<Entry>, epoch: Epoch): AsyncIterable<readonly ShortId[]> {
  let sorted: ShortId[] = [];
  let group: ShortId[] = [];
  const prefix = (id: ShortId) => highHalf(id) >>> 4;
  for await (const { oid, digest } of entries) {
    const handle = handleOf(oid);
    const id = shortIdFor(epoch, handle, signatureOf(digest));
    const [first] = group;
    if (first !== undefined && prefix(first) !== prefix(id)) {
      for (const each of group.sort((a, b) => a - b)) sorted.push(each);
      group = [];
    }
    group.push(id);
    if (sorted.length < listElements) continue;
    yield sorted;
    sorted = [];
  }
  for (const each of group.sort((a, b) => a - b)) sorted.push(each);
  yield sorted;
}

/**
 * The store's side of UNI-AWARE (paper, figure 2). `since` is the client's marker for vectors of changes,
 * `held` and `lacks` how many objects it has and lacks, `after` resumes a vector in handle order.
 */
export async function* vectorOf(
  scheme: VectorScheme,
  snapshot: SourceSnapshot,
  {
    since,
    held,
    lacks,
    after,
    want,
  }: {
    readonly since: Lsn;
    readonly held: number;
    readonly lacks: number;
    readonly after?: Oid | undefined;
    readonly want: Want;
  },
): AsyncIterable<readonly VectorElement[]> {
  const { selects, compresses, forgets } = scheme;
  const bare = want.kind === 'handles';
  if (selects !== 'everything') {
    const whole = !bare && (compresses === 'record' || compresses === 'object');
    const by = selects === 'later-stamps' ? 'stamp' : 'number';
    const changes: AsyncIterable<Change | Noted> =
      selects === 'newest'
        ? whole
          ? snapshot.newest(lacks)
          : snapshot.newestNotes(lacks)
        : whole
          ? snapshot.changesSince(since, by)
          : snapshot.notesSince(since, by);
    for await (const list of inLists(changes, whole ? listObjects : listElements))
      yield list
        .filter(
          (change) =>
            change.kind !== 'delete' ||
            // A client whose copy is empty may hold the object by another source.
            (forgets === 'tombstone' && (held > 0 || (since > 0 && change.withdrawal !== undefined))),
        )
        .map((change) =>
          change.kind === 'delete' && change.withdrawal === undefined && !whole
            ? { kind: 'described', handle: handleOf(change.oid), lsn: change.lsn, gone: true }
            : elementFor(change),
        );
    return;
  }
  if (compresses === 'short-id') {
    const ids = inShortOrder(snapshot.scan(after), snapshot.state.epoch);
    for await (const list of ids) yield list.map((id) => ({ kind: 'short', id, gone: false }));
    return;
  }
  const whole = compresses === 'object' && !bare;
  for await (const list of inLists(snapshot.scan(after), whole ? listObjects : listElements)) {
    const elements: VectorElement[] = [];
    for (const { oid, lsn, digest } of list) {
      const object = whole ? await snapshot.get(oid) : undefined;
      if (object !== undefined) elements.push({ kind: 'record', change: { kind: 'put', lsn, object } });
      const described = { kind: 'described', handle: handleOf(oid), gone: false } as const;
      if (!whole)
        elements.push(compresses === 'handle' ? described : { ...described, signature: signatureOf(digest) });
    }
    yield elements;
  }
}

/** The lesson of an element that needs no comparison. */
export function learningStepOf(element: VectorElement, want: Want): LearningStep {
  if (element.kind === 'reached' || element.kind === 'passed') return element;
  if (element.kind === 'record') return { kind: 'apply', change: element.change };
  if (element.kind === 'short')
    return element.gone
      ? { kind: 'forget', object: element.id, lsn: 0 }
      : { kind: 'fetch', object: element.id };
  if (element.gone) return { kind: 'forget', object: element.handle, lsn: element.lsn ?? 0 };
  if (want.kind === 'handles' && element.signature !== undefined)
    return { kind: 'note', handle: element.handle, signature: element.signature, lsn: element.lsn ?? 0 };
  return { kind: 'fetch', object: element.handle };
}

function signatureIn(element: VectorElement): Uint8Array | undefined {
  if (element.kind === 'described') return element.signature;
  if (element.kind === 'record' && element.change.kind === 'put')
    return signatureOf(element.change.object.digest);
  return undefined;
}

function handleIn(element: VectorElement): Handle {
  if (element.kind === 'described') return element.handle;
  if (element.kind === 'record' && element.change.kind === 'put') return handleOf(element.change.object.oid);
  throw new TypeError(`a ${element.kind} has no place in a vector of everything`);
}

function shortIdIn(element: VectorElement): ShortId {
  if (element.kind !== 'short') throw new TypeError('a vector of short ids holds nothing else');
  return element.id;
}

/**
 * The client's side of UNI-AWARE. Forgetting an old version and learning the new one is one replacement, so
 * the order of the two (a defect of the paper's figure 2) cannot matter. A cut vector must throw.
 */
export async function* learnFrom(
  scheme: VectorScheme,
  vector: AsyncIterable<readonly VectorElement[]>,
  replica: Replica,
  { epoch, after, want }: { readonly epoch: Epoch; readonly after?: Oid | undefined; readonly want: Want },
): AsyncIterable<readonly LearningStep[]> {
  if (scheme.selects !== 'everything') {
    for await (const list of vector) yield list.map((element) => learningStepOf(element, want));
    return;
  }
  const entries = replica.scan(after);
  if (scheme.compresses === 'short-id') {
    yield* compared<ShortId, ShortId>(vector, inShortOrder(entries, epoch), {
      placeIn: shortIdIn,
      placeOf: (id) => id,
      alike: () => true,
      stepOf: (element) => learningStepOf(element, want),
    });
    return;
  }
  yield* compared<Handle, { readonly handle: Handle; readonly digest: Uint8Array }>(
    vector,
    (async function* () {
      for await (const list of inLists(entries, listElements))
        yield list.map(({ oid, digest }) => ({ handle: handleOf(oid), digest }));
    })(),
    {
      placeIn: handleIn,
      placeOf: ({ handle }) => handle,
      alike: (element, { digest }) => {
        const signature = signatureIn(element);
        return (
          scheme.compresses === 'handle' ||
          (signature !== undefined && sameBytes(signatureOf(digest), signature))
        );
      },
      stepOf: (element) => learningStepOf(element, want),
    },
  );
}
