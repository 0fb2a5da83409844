import { defineEvent } from '../kernel/index.ts';
import type { CacheRequest, Decision } from './requests/index.ts';

/** A request was answered, or its answer has begun. */
export const requestAnswered = defineEvent<{
  request: CacheRequest;
  decision: Decision;
  status: number;
  /** Bytes of content, when known beforehand. */
  bytes: number | undefined;
}>('garner:cache:answered');

/** An answer broke off after it had begun. */
export const answerBroken = defineEvent<{
  readonly request: CacheRequest;
  readonly decision: Decision;
  readonly status: number;
}>('garner:cache:broken');

/** The fast lane answered a request with a prebuilt hit. Nothing else reports this request. */
export const hitGiven = defineEvent<{
  readonly method: string;
  readonly url: string;
  readonly clientAddress: string;
  readonly decision: Decision;
  readonly status: number;
  readonly bytes: number | undefined;
}>('garner:cache:hit-given');

/** An origin gave no usable answer, `times` times since the last report; at most one report a minute. */
export const originFailed = defineEvent<{
  readonly origin: string;
  readonly code: string;
  readonly reason: string;
  readonly times: number;
}>('garner:cache:origin');

/** The disk of a cache's store refused something; the cache goes on without the disk for a moment. */
export const cacheStoreTrouble = defineEvent<{ readonly path: string; readonly reason: string }>(
  'garner:cache:store-trouble',
);

/** An internal failure that no client caused; the request got an error answer. */
export const cacheFault = defineEvent<{ where: string; error: unknown }>('garner:cache:fault');

/** A worker process ended unexpectedly; another one replaces it. */
export const cacheWorkerLost = defineEvent<{ readonly worker: number }>('garner:cache:worker-lost');

/** The state of a peer changed; `silent` after three queries in a row without an answer. */
export const peerChanged = defineEvent<{
  readonly name: string;
  readonly role: 'parent' | 'sibling';
  readonly state: 'up' | 'lame' | 'silent' | 'dead' | 'denying' | 'down' | 'unknown name';
}>('garner:cache:peer');
