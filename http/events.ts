import { defineEvent } from '../kernel/index.ts';

/** A request has ended, answered or not. `route` is the table's path (never the caller's), so it has few values. */
export const requestFinished = defineEvent<{
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** From the request's headers to the end of the answer. */
  readonly ms: number;
  /** Bytes written to the connection for this answer, headers included. */
  readonly bytes: number;
  /** The caller disconnected, or the answer broke off, before it was complete. */
  readonly aborted: boolean;
  /** The answer stayed open until one side ended it, so its time says nothing about the work. */
  readonly isStanding: boolean;
}>('garner:http:request-finished');

/** A server now uses a certificate that was reloaded from its file. */
export const certificateRenewed = defineEvent<{ readonly validTo: Date }>('garner:http:certificate');

/** A certificate could not be reloaded; the old one stays in use. */
export const certificateRefused = defineEvent<{ readonly error: unknown }>('garner:http:certificate-refused');

/** A failure that was not reported to the caller; the error is complete here. */
export const requestFailed = defineEvent<{
  readonly method: string;
  readonly route: string;
  readonly error: unknown;
}>('garner:http:request-failed');
