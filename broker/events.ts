import { defineEvent } from '../kernel/index.ts';

/** A source was connected to, lost, or could not be reached; one that pushes came, or is waited for again. */
export const sourceState = defineEvent<{
  source: string;
  state: 'connecting' | 'ok' | 'waiting' | 'down' | 'paused';
  error?: string;
}>('garner:broker:source');

/** Another server answers at a source's address; what the one before it offered was dropped. */
export const sourceReplaced = defineEvent<{ source: string; before: string; now: string }>(
  'garner:broker:source-replaced',
);

/** A batch of changes became searchable. */
export const indexed = defineEvent<{
  engine: string;
  changes: number;
  lsn: number;
  behind: number;
  ms: number;
}>('garner:broker:indexed');

/** The engine and the store do not belong together; the index is being made anew from the store. */
export const reindexing = defineEvent<{ engine: string; reason: string }>('garner:broker:reindexing');

/** A query was answered. The query itself is not in the event: searches are private. */
export const queryAnswered = defineEvent<{ total: number; ms: number; words: number }>('garner:broker:query');

/** Something went wrong that nobody waits for; the Broker goes on. */
export const brokerFault = defineEvent<{ where: string; error: unknown }>('garner:broker:fault');
