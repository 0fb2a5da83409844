import type { LookupFunction } from 'node:net';
import type { Clock } from '../../kernel/index.ts';
import type { TokenBucket } from '../client/index.ts';

/** The options of a client of FTP or Gopher. Durations in milliseconds. */
export interface FileClientOptions {
  /** The operator's entries: URLs, `host:port`, or hosts. Any other host is refused at private addresses. */
  readonly allowHosts?: Iterable<string>;
  /** Min time between two requests to one host, except this machine itself; 1000 when absent. */
  readonly delayMs?: number;
  /** Rate of requests to all hosts together, of other clients too; no limit when absent. */
  readonly rate?: TokenBucket | undefined;
  readonly connectTimeoutMs?: number;
  /** Max silence of the server, 30 s when absent. */
  readonly idleTimeoutMs?: number;
  /** Max time for one request; half an hour when absent, of Gopher five minutes. */
  readonly totalTimeoutMs?: number;
  /** Max size of a file, where the caller sets no limit. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
  /** Name resolution; the machine's when absent. */
  readonly lookup?: LookupFunction;
}
