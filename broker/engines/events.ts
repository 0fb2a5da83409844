import { defineEvent } from '../../kernel/index.ts';

/** Segments of the index were merged into one in the background. */
export const segmentsMerged = defineEvent<{ segments: number; bytes: number; ms: number }>(
  'garner:engine:merged',
);

/** Background work on the index failed. It is tried again after the next change. The index stays intact. */
export const maintenanceFailed = defineEvent<{ error: unknown }>('garner:engine:maintenance-failed');
