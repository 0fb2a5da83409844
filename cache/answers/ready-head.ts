import type { ReadyHead } from '../doors/index.ts';
import { type CachePolicy, Fields, nextAgeAtMs, type RawFields, reuse } from '../rules/index.ts';
import type { Entry } from '../storage/index.ts';
import { answerFrom } from './answers.ts';

/** The parts that the cache adds to stored responses. */
export interface ReadyMetadata {
  readonly policy: CachePolicy;
  /** The cache's name in Via and Cache-Status. */
  readonly name: string;
}

const none = new Fields([]);
const nothing = new Uint8Array(0);

/** The validator that a request may send to get 304: the ETag, else the Last-Modified. */
export function validatorsOf({ head }: Pick<Entry, 'head'>): {
  readonly etag?: string;
  readonly lastModified?: string;
} {
  const fields = new Fields(head.fields);
  const [etag, lastModified] = [fields.get('etag'), fields.get('last-modified')];
  if (etag !== undefined) return { etag };
  return lastModified === undefined ? {} : { lastModified };
}

/** The head that the cache would send now for a stored response; undefined when it is not fresh. */
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
  const statement = { name, decision };
  const source = { length: entry.contentLength, take: () => nothing };
  const answer = (fields: RawFields) =>
    answerFrom({ method: 'GET', fields }, head, source, { ageSeconds }, statement);
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
