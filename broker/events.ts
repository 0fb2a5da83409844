import { defineEvent } from '../kernel/index.ts';

export { classicFault, classicSessionEnded } from './classic/events.ts';
export { maintenanceFailed, segmentsMerged } from './engines/events.ts';
export { objectMatched, webhookSent } from './views/events.ts';

/** A source was connected, lost, or not reached; or one that pushes has connected or is awaited. */
export const sourceState = defineEvent<{
  source: string;
  state: 'connecting' | 'ok' | 'full' | 'no room' | 'waiting' | 'down' | 'paused';
  error?: string;
}>('garner:broker:source');

/** Another server answers at a source's address. The objects of the server before it were dropped. */
export const sourceReplaced = defineEvent<{ source: string; before: string; now: string }>(
  'garner:broker:source-replaced',
);

/** Objects of a round were kept out, because their sites do not name the Gatherer that signed them. */
export const objectsUnproved = defineEvent<{ source: string; objects: number }>('garner:broker:unproved');

/** A server changed its key. With `isRevocation` what only its former keys signed is dropped. */
export const keySucceeded = defineEvent<{ server: string; isRevocation: boolean }>('garner:broker:key');

/** Objects that only a revoked key of this server had signed were dropped. */
export const revokedDropped = defineEvent<{ server: string; objects: number }>('garner:broker:revoked');

/** A batch of changes became searchable. */
export const indexed = defineEvent<{
  engine: string;
  changes: number;
  lsn: number;
  behind: number;
  ms: number;
}>('garner:broker:indexed');

/** The engine and the store do not belong together. The index is rebuilt from the store. */
export const reindexing = defineEvent<{ engine: string; reason: string }>('garner:broker:reindexing');

/** A query was answered. The event leaves out the query itself, because searches are private. */
export const queryAnswered = defineEvent<{ total: number; ms: number; words: number }>('garner:broker:query');

/** A background task failed. The Broker continues. */
export const brokerFault = defineEvent<{ where: string; error: unknown }>('garner:broker:fault');
