import { defineEvent } from '../../kernel/index.ts';

/** A connection to the classic port ended or was refused. The query is left out: searches are private. */
export const classicSessionEnded = defineEvent<{
  readonly from: string;
  /** The request: USER, BULK, or the name of a command. */
  readonly asked: string;
  readonly bytes: number;
  /** The reason of an early end. */
  readonly reason?: string;
}>('garner:broker:classic-session');

/** A request to the classic port failed. The client got no details. */
export const classicFault = defineEvent<{ readonly asked: string; readonly error: unknown }>(
  'garner:broker:classic-fault',
);
