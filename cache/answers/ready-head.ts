import type { ReadyHead } from '../doors/index.ts';
import { type CachePolicy, Fields, nextAgeAtMs, type RawFields, reuse } from '../rules/index.ts';
import type { Entry } from '../storage/index.ts';
import { answerFrom } from './answers.ts';

/** What is said of stored responses besides what they say themselves. */
export interface ReadyMetadata {
  readonly policy: CachePolicy;
  /** How the cache is called in Via and Cache-Status. */
  readonly name: string;
}

const none = new Fields([]);
const nothing = new Uint8Array(0);

/** What a request may name of a response to be told that it has not changed. */
export function validatorsOf({ head }: Pick<Entry, 'head'>): {
  readonly etag?: string;
  readonly lastModified?: string;
} {
  const fields = new Fields(head.fields);
  const [etag, lastModified] = [fields.get('etag'), fields.get('last-modified')];
  if (etag !== undefined) return { etag };
  return lastModified === undefined ? {} : { lastModified };
}

/** What the cache would say now of a stored response; undefined when it is not fresh. */
export function readyHeadOf(
  entry: Pick<Entry, 'head' | 'contentLength' | 'invalidated' | 'staleSinceMs'>,
  { policy, name }: ReadyMetadata,
  nowMs: number,
): ReadyHead | undefined {
  const { head, invalidated, staleSinceMs } = entry;
  const judged = reuse({
    ...{ requestFields: none, head, invalidated, staleSinceMs },
    ...{ nowMs, policy, fromCache: false },
  });
  if (judged.kind !== 'fresh') return undefined;
  const { rule, ttlSeconds, ageSeconds } = judged;
  const decision = { outcome: 'hit' as const, rule, ttlSeconds };
  const telling = { name, decision };
  const source = { length: entry.contentLength, take: () => nothing };
  const answer = (fields: RawFields) =>
    answerFrom({ method: 'GET', fields }, head, source, { ageSeconds }, telling);
  const whole = answer([]);
  if (whole === undefined) return undefined;
  const { etag, lastModified } = validatorsOf(entry);
  const unchanged =
    etag !== undefined
      ? answer(['If-None-Match', etag])
      : lastModified !== undefined
        ? answer(['If-Modified-Since', lastModified])
        : undefined;
  return {
    ...{ status: whole.status, reason: whole.reason, fields: whole.fields, decision },
    ...(unchanged?.status === 304 && { notModifiedFields: unchanged.fields }),
    untilMs: nextAgeAtMs(head, nowMs),
  };
}
