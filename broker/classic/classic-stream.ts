import { compileQuery, type Language, parseQuery } from '../../query/index.ts';
import { decodeObject, type Oid, printStream, type SummaryObject } from '../../soif/index.ts';
import {
  deletedObjects,
  type ObjectSnapshot,
  type ObjectStore,
  refreshedObjects,
  updatedObjects,
} from '../../store/index.ts';

/** A store whose objects are read whole, by an engine or by their changes. */
export interface StreamedStore {
  readonly store: ObjectStore;
  matches(query: string): Promise<Iterable<Oid>>;
  /** The language of objects that do not name theirs. */
  readonly fallback: Language;
}

/** The objects that match as SOIF; `since`: later changes that match, all later deletions and refreshes. */
export async function* classicStream(
  { store, matches, fallback }: StreamedStore,
  query: string,
  since: number,
): AsyncIterable<Uint8Array> {
  if (since === 0 && query !== '*') {
    const found = await matches(query);
    yield* printStream({ updates: objectsOf(store, found) });
    return;
  }
  await using snapshot = await store.snapshot();
  const lsn = since === 0 ? 0 : await snapshot.lsnBefore(since);
  const wanted = compileQuery(parseQuery(query).query, undefined, fallback);
  yield* printStream({
    ...(lsn === 0
      ? {}
      : { deletes: deletedObjects(snapshot, lsn), refreshes: refreshedObjects(snapshot, lsn) }),
    updates: filtered(snapshot, lsn, wanted),
  });
}

async function* objectsOf(store: ObjectStore, oids: Iterable<Oid>): AsyncIterable<SummaryObject> {
  for (const oid of oids) {
    const held = await store.get(oid);
    if (held !== undefined) yield decodeObject(held.body);
  }
}

async function* filtered(
  snapshot: ObjectSnapshot,
  lsn: number,
  wanted: (object: SummaryObject) => boolean,
): AsyncIterable<SummaryObject> {
  for await (const object of updatedObjects(snapshot, lsn)) if (wanted(object)) yield object;
}
