import type { Lsn } from '../../awareness/index.ts';
import { Attributes, decodeObject, type SummaryObject, summaryObject } from '../../soif/index.ts';
import type { ObjectSnapshot } from './object-snapshot.ts';

// The changes as the sections of a SOIF stream: @UPDATE, @DELETE and @REFRESH.

/** Objects that are new or have new content. */
export async function* updatedObjects(snapshot: ObjectSnapshot, lsn: Lsn): AsyncIterable<SummaryObject> {
  for await (const change of snapshot.changesSince(lsn))
    if (change.kind === 'put') yield decodeObject(change.object.body);
}

/** Deleted objects have a URL and no other field. */
export async function* deletedObjects(snapshot: ObjectSnapshot, lsn: Lsn): AsyncIterable<SummaryObject> {
  for await (const changes of snapshot.log(lsn))
    for (const { row } of changes) if (row.kind === 'delete') yield summaryObject(row.url, []);
}

/** Refreshed objects have a URL and the time from which their time-to-live counts. */
export async function* refreshedObjects(snapshot: ObjectSnapshot, lsn: Lsn): AsyncIterable<SummaryObject> {
  for await (const changes of snapshot.log(lsn)) {
    for (const { meta } of changes) {
      if (meta === undefined || meta.contentLsn > lsn) continue;
      yield summaryObject(meta.url, [
        [Attributes.updateTime, meta.updatedAt],
        [Attributes.timeToLive, meta.ttlSeconds],
      ]);
    }
  }
}
