import { defineEvent } from '../kernel/index.ts';

/** A step was written: the store's path, its LSN after it, and the time of the batch in milliseconds. */
export const storeWritten = defineEvent<{ path: string; lsn: number; writes: number; ms: number }>(
  'garner:store:written',
);

/** Objects whose time-to-live had ended were forgotten. */
export const storeExpired = defineEvent<{ path: string; count: number }>('garner:store:expired');

/** The files of a database were damaged; it was made again from the rows that could be read. */
export const storeMended = defineEvent<{ path: string; reason: string; rows: number }>('garner:store:mended');

/** One of the two copies of a small file was damaged, or the first was missing; it was written again from the other. */
export const fileRestored = defineEvent<{ path: string; isMissing: boolean }>('garner:store:file-restored');

/** Tables of an open database are damaged, found by reading them in the background or when they were used. */
export const tablesDamaged = defineEvent<{ path: string; files: readonly string[] }>(
  'garner:store:tables-damaged',
);

/** LevelDB met a damaged block of an open database. */
export const damageMet = defineEvent<{ path: string; reason: string }>('garner:store:damage-met');
