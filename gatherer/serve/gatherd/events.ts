import { defineEvent } from '../../../kernel/index.ts';

/** A connection to the gatherd port ended, or was not let in. */
export const gatherdSessionEnded = defineEvent<{
  readonly from: string;
  /** Commands that were answered. */
  readonly commands: number;
  /** Bytes sent, after compression. */
  readonly bytes: number;
  /** Why it ended, when nobody said QUIT. */
  readonly reason?: string;
}>('garner:gatherer:gatherd-session');

/** A source failed while it was asked through the gatherd port; the caller saw the connection break. */
export const gatherdFault = defineEvent<{ readonly command: string; readonly error: unknown }>(
  'garner:gatherer:gatherd-fault',
);
