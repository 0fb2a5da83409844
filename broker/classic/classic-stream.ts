import { compileQuery, type Language, parseQuery } from '../../query/index.ts';
import { decodeObject, type Oid, printStream, type SummaryObject } from '../../soif/index.ts';
import {
  deletedObjects,
  type ObjectSnapshot,
  type ObjectStore,
  refreshedObjects,
  updatedObjects,
} from '../../store/index.ts';

/** Objects that are wanted whole: by an engine, or by reading what changed. */
export interface StreamedStore {
  readonly store: ObjectStore;
  matches(query: string): Promise<Iterable<Oid>>;
  /** The language of objects that tell none. */
  readonly fallback: Language;
}

/**
 * The objects that match a query as a SOIF stream. With a time only what was written after it: new and changed
 * objects that match now, and of the others what was deleted and refreshed, whatever it was.
 */
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
