import { defineEvent } from '../../kernel/index.ts';

/** A connection to the classic port ended, or was not let in. What was searched for is not in it: searches are private. */
export const classicSessionEnded = defineEvent<{
  readonly from: string;
  /** What was asked: USER, BULK, or the name of a command. */
  readonly asked: string;
  readonly bytes: number;
  /** Why it ended early. */
  readonly reason?: string;
}>('garner:broker:classic-session');

/** Something failed while the classic port was asked; the caller was told no more than that. */
export const classicFault = defineEvent<{ readonly asked: string; readonly error: unknown }>(
  'garner:broker:classic-fault',
);
