import { defineEvent } from '../kernel/index.ts';

/** A step was written: which store, its LSN after it, and how long the batch took. */
export const storeWritten = defineEvent<{ path: string; lsn: number; writes: number; ms: number }>(
  'garner:store:written',
);

/** Objects whose time-to-live had ended were forgotten. */
export const storeExpired = defineEvent<{ path: string; count: number }>('garner:store:expired');
