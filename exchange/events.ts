import { defineEvent } from '../kernel/index.ts';

/** The result of one round of collecting and its cost, WebSocket framing included. */
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

/** A source's withdrawals that their objects' publishers have not signed: the first of a round, and their number. */
export interface RefusedWithdrawals {
  /** Name of the source as the client calls it. */
  readonly source: string;
  readonly url: string;
  readonly reason: string;
  readonly count: number;
}

/** The objects of false withdrawals were removed from the copy of that source alone; published once a round. */
export const withdrawalsRefused = defineEvent<RefusedWithdrawals>('garner:exchange:withdrawals-refused');

/** A source answered a client that collects. */
export const collectServed = defineEvent<{
  client: string;
  scheme: string;
  elements: number;
  lsn: number;
  ms: number;
}>('garner:exchange:served');

/** A client could not be notified of a change; it will be tried again. */
export const pushFailed = defineEvent<{ client: string; error: string }>('garner:exchange:push-failed');
