import { defineEvent } from '../kernel/index.ts';

/** A request is over: its body was read, refused or lost. */
export const requestDone = defineEvent<{
  readonly url: string;
  readonly method: string;
  /** 0 when no answer came. */
  readonly status: number;
  readonly ms: number;
  /** Body bytes as they were on the wire. */
  readonly wireBytes: number;
  /** Body bytes after decoding. */
  readonly bytes: number;
  /** Code of the error that ended it, if one did. */
  readonly error?: string;
}>('garner:fetch:request-done');

/** A request to a host waits: `held`, because the server demanded it, else for the delay between two requests. */
export const requestWaits = defineEvent<{
  readonly host: string;
  readonly ms: number;
  readonly held: boolean;
}>('garner:fetch:request-waits');

/** A request will be repeated. */
export const requestRetried = defineEvent<{
  readonly url: string;
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly why: string;
}>('garner:fetch:request-retried');
