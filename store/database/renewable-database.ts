import { rm } from 'node:fs/promises';
import { isGarnerError } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { type Database, openDatabase } from './database.ts';

/** A database that can be rebuilt from another one, as an index can: losing it costs only time. */
export interface RenewableDatabase extends Database {
  /** Why it was started empty when it was opened, if it was. */
  readonly renewedAtOpen: string | undefined;
  /** Delete everything, in any state, and start empty. There must be no reader. */
  renew(): Promise<void>;
}

/** Open such a database; one whose files are so damaged that it cannot be opened completely is started empty. */
export async function openRenewable(
  path: string,
  options: { readonly cacheBytes?: number },
): Promise<RenewableDatabase> {
  const openFresh = async () => {
    await rm(path, { recursive: true, force: true });
    return openDatabase(path, options);
  };
  let renewedAtOpen: string | undefined;
  let current: Database;
  try {
    current = await openDatabase(path, options);
  } catch (error) {
    // Only where no process holds it: a refusal by the disk is not damage.
    if (!isGarnerError(error, storeErrors.STORE_DAMAGED)) throw error;
    renewedAtOpen = error.message;
    current = await openFresh();
  }
  return {
    path,
    renewedAtOpen,
    get: (key) => current.get(key),
    getMany: (keys) => current.getMany(keys),
    entries: (range) => current.entries(range),
    entryBatches: (range) => current.entryBatches(range),
    keys: (range) => current.keys(range),
    entriesIn: (ranges) => current.entriesIn(ranges),
    batch: (writes, how) => current.batch(writes, how),
    snapshot: () => current.snapshot(),
    compact: (range) => current.compact(range),
    renew: async () => {
      await Promise.resolve(current[Symbol.asyncDispose]()).catch(() => undefined);
      current = await openFresh();
    },
    [Symbol.asyncDispose]: () => current[Symbol.asyncDispose](),
  };
}
