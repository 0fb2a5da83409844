import { defineEvent } from '../kernel/index.ts';

/** What one round of collecting learned and what it cost, WebSocket framing included. */
export interface RoundReport {
  /** Name of the source as the client calls it. */
  readonly source: string;
  /** Schemes run, in order; empty when nothing had changed. */
  readonly schemes: readonly string[];
  readonly learned: number;
  readonly refreshed: number;
  readonly forgotten: number;
  /** Times that the client waited for an answer. */
  readonly rounds: number;
  /** The source's LSN up to which the copy is complete. */
  readonly lsn: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly ms: number;
}

export const roundFinished = defineEvent<RoundReport>('garner:exchange:round');

/** Progress within a round: objects learned so far of those the source has. */
export const roundProgress = defineEvent<{ source: string; learned: number; count: number }>(
  'garner:exchange:progress',
);

/** A source answered somebody who collects. */
export const collectServed = defineEvent<{
  client: string;
  scheme: string;
  elements: number;
  lsn: number;
  ms: number;
}>('garner:exchange:served');

/** A client could not be told of a change; it is tried again. */
export const pushFailed = defineEvent<{ client: string; error: string }>('garner:exchange:push-failed');
