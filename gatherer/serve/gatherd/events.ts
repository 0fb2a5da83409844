import { defineEvent } from '../../../kernel/index.ts';

/** A connection to the gatherd port ended, or was refused. */
export const gatherdSessionEnded = defineEvent<{
  readonly from: string;
  /** Commands that were answered. */
  readonly commands: number;
  /** Bytes sent, after compression. */
  readonly bytes: number;
  /** Why it ended, without QUIT. */
  readonly reason?: string;
}>('garner:gatherer:gatherd-session');

/** A source failed during a request to the gatherd port. */
export const gatherdFault = defineEvent<{ readonly command: string; readonly error: unknown }>(
  'garner:gatherer:gatherd-fault',
);
