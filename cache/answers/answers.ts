import { type CacheAnswer, type CacheRequest, cacheStatusOf, type Decision } from '../requests/index.ts';
import {
  answerRange,
  appendVia,
  type ByteRange,
  cacheStatus,
  Fields,
  notModified,
  notModifiedFields,
  printContentRange,
  type RawFields,
  type StoredHead,
  servedFields,
  withField,
  withoutFields,
} from '../rules/index.ts';
import type { SeveralParts } from './several-parts.ts';

/** Content for an answer, whole or a range of its bytes. */
export interface ContentSource {
  /** Bytes of the whole content, when known. */
  readonly length: number | undefined;
  /** The range that is stored, when not all bytes are. */
  readonly part?: ByteRange & { readonly total: number };
  /** Give the bytes; called at most once. */
  take(range?: ByteRange): Uint8Array | AsyncIterable<Uint8Array>;
  /** Give several ranges as one content, in place of `take`; absent where that is impossible. */
  takeSeveral?(ranges: readonly ByteRange[], contentType: string | undefined): SeveralParts;
}

/** The age of the content in an answer. */
export interface Age {
  /** Seconds; undefined for a response that has just come from upstream: its own Age holds. */
  readonly ageSeconds: number | undefined;
  readonly validated?: boolean;
}

/** The cache's name and its decision, which every answer states. */
export interface CacheStatement {
  readonly name: string;
  readonly decision: Decision;
}

/** The fields of an answer, with this cache's Via and Cache-Status after those of the caches before it. */
export function withOwnFields(
  fields: RawFields,
  { name, decision }: CacheStatement,
  version = '1.1',
): RawFields {
  return [...appendVia(fields, version, name), 'Cache-Status', cacheStatus(name, cacheStatusOf(decision))];
}

const cookieNames: ReadonlySet<string> = new Set(['set-cookie']);

/** The answer with cookies that came for this client only, in place of the stored ones. */
export function withCookies(answer: CacheAnswer, cookies: RawFields): CacheAnswer {
  if (cookies.length === 0) return answer;
  return { ...answer, fields: [...withoutFields(answer.fields, cookieNames), ...cookies] };
}

// A whole response may bear a Content-Range: without meaning (RFC 9110 14.4), stored as any field.
const lengthNames: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

// These describe the whole content: parts have them inside, or not at all.
const ofTheWhole: ReadonlySet<string> = new Set(['content-range', 'content-type', 'content-md5']);

/** A client would apply a content coding to the envelope of the parts as well. */
const isCoded = ({ fields }: StoredHead) => new Fields(fields).has('content-encoding');

/**
 * Answer a GET or HEAD from a stored head and content: with 304 (RFC 9110 13), with the requested part or
 * parts (14), or with all. Undefined when the requested part is not stored.
 */
export function answerFrom(
  request: Pick<CacheRequest, 'method' | 'fields'>,
  head: StoredHead,
  source: ContentSource,
  { ageSeconds, validated = false }: Age,
  statement: CacheStatement,
): CacheAnswer | undefined {
  const requestFields = new Fields(request.fields);
  const served = servedFields(head, { ageSeconds, validated });
  const fields = withoutFields(served, lengthNames);
  if (head.status === 200 && notModified(requestFields, head)) {
    return {
      status: 304,
      reason: 'Not Modified',
      fields: withOwnFields(notModifiedFields(fields), statement),
    };
  }
  const { length, part } = source;
  // RFC 9110 14.2: only GET has ranges.
  const wanted =
    request.method === 'GET' && head.status === 200 && length !== undefined
      ? answerRange(requestFields, head, length, part, source.takeSeveral !== undefined && !isCoded(head))
      : ({ kind: 'whole' } as const);
  if (wanted.kind === 'not-here') return undefined;
  if (wanted.kind === 'unsatisfiable') {
    return {
      status: 416,
      reason: 'Range Not Satisfiable',
      fields: withOwnFields(['Content-Range', `bytes */${length}`], statement),
      contentLength: 0,
    };
  }
  if (wanted.kind === 'parts') {
    const made = source.takeSeveral?.(wanted.ranges, new Fields(head.fields).lines('content-type')[0]);
    if (made === undefined) throw new Error('several parts of what has none');
    const bare = withoutFields(fields, ofTheWhole);
    return {
      status: 206,
      reason: 'Partial Content',
      fields: withOwnFields(withField(bare, 'Content-Type', made.contentType), statement),
      contentLength: made.length,
      content: made.content,
    };
  }
  if (wanted.kind === 'part') {
    const { range } = wanted;
    return {
      status: 206,
      reason: 'Partial Content',
      fields: withOwnFields(
        withField(fields, 'Content-Range', printContentRange(range, length ?? 0)),
        statement,
      ),
      contentLength: range.last - range.first + 1,
      ...(request.method !== 'HEAD' && { content: source.take(range) }),
    };
  }
  if (part !== undefined) return undefined;
  return {
    status: head.status,
    reason: head.reason,
    fields: withOwnFields(fields, statement),
    contentLength: length,
    content: request.method !== 'HEAD' && head.status !== 204 ? source.take() : undefined,
  };
}
