import { failure, GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { type Oid, oidFromBytes, type SummaryObject } from '../../../soif/index.ts';
import { storeErrors } from '../../../store/index.ts';
import { engineErrors } from '../errors.ts';
import { docnoKey } from '../index-database/index-keys.ts';
import type { PostingRows } from '../index-database/posting-database.ts';

const objectsReadAtOnce = 16;

/** Reads the objects of docnos (document numbers) in order, in batches. Deleted objects are left out. */
export function objectsIn(
  rows: PostingRows,
  objectOf: (oid: Oid) => Promise<SummaryObject | undefined>,
  signal: AbortSignal | undefined,
) {
  const read = readingStore(objectOf);
  return async function* (docnos: Uint32Array): AsyncGenerator<readonly [number, SummaryObject]> {
    for (let at = 0; at < docnos.length; at += objectsReadAtOnce) {
      signal?.throwIfAborted();
      const part = docnos.subarray(at, at + objectsReadAtOnce);
      const oids = await rows.getMany(Array.from(part, docnoKey));
      const objects = await Promise.all(
        oids.map((bytes) => (bytes === undefined ? undefined : read(oidFromBytes(bytes)))),
      );
      for (const [index, object] of objects.entries())
        if (object !== undefined) yield [part[index] as number, object];
    }
  };
}

/** Wraps reads of the store, so that a failure does not count as index damage. Throws ENGINE_OBJECT. */
export const readingStore =
  <Key, Value>(read: (key: Key) => Promise<Value>) =>
  async (key: Key): Promise<Value> => {
    try {
      return await read(key);
    } catch (error) {
      const isDamage = isGarnerError(error, storeErrors.STORE_DAMAGED);
      if (error instanceof GarnerError && !isDamage) throw error;
      throw failure(
        engineErrors.ENGINE_OBJECT,
        { reason: error instanceof Error ? error.message : String(error) },
        error,
      );
    }
  };
