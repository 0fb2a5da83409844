import { defineEvent } from '../kernel/index.ts';
import type { CacheRequest, Decision } from './requests/index.ts';

/** A request was answered, or its answer has begun. */
export const requestAnswered = defineEvent<{
  request: CacheRequest;
  decision: Decision;
  status: number;
  /** Of content, when known beforehand. */
  bytes: number | undefined;
}>('garner:cache:answered');

/** An answer that had begun broke off: what was decided, and how far it came. */
export const answerBroken = defineEvent<{
  readonly request: CacheRequest;
  readonly decision: Decision;
  readonly status: number;
}>('garner:cache:broken');

/** The same of a request that the fast lane answered with what it has ready: a hit, which nobody else is told of. */
export const hitGiven = defineEvent<{
  readonly method: string;
  readonly url: string;
  readonly clientAddress: string;
  readonly decision: Decision;
  readonly status: number;
  readonly bytes: number | undefined;
}>('garner:cache:hit-given');

/** An origin gave no answer that can be used, `times` since it was told last; told once a minute at most. */
export const originFailed = defineEvent<{
  readonly origin: string;
  readonly code: string;
  readonly reason: string;
  readonly times: number;
}>('garner:cache:origin');

/** The disk of a cache's store refused something; the cache goes on without it for a moment. */
export const cacheStoreTrouble = defineEvent<{ readonly path: string; readonly reason: string }>(
  'garner:cache:store-trouble',
);

/** Something failed that no client is to blame for; the request got an answer that says so. */
export const cacheFault = defineEvent<{ where: string; error: unknown }>('garner:cache:fault');

/** A worker process ended that was not to; another one takes its place. */
export const cacheWorkerLost = defineEvent<{ readonly worker: number }>('garner:cache:worker-lost');

/** How a peer stands now, when that is not as before; `silent` when three questions in a row had no answer. */
export const peerChanged = defineEvent<{
  readonly name: string;
  readonly role: 'parent' | 'sibling';
  readonly state: 'up' | 'lame' | 'silent' | 'dead' | 'denying' | 'down' | 'unknown name';
}>('garner:cache:peer');

/** A door answers over TLS with a certificate that was read anew. */
export const certificateRenewed = defineEvent<{ readonly validTo: Date }>('garner:cache:certificate');
