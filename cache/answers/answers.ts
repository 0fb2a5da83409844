import { type CacheAnswer, type CacheRequest, cacheStatusOf, type Decision } from '../requests/index.ts';
import {
  answerRange,
  appendVia,
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
import type { ByteRange } from '../storage/index.ts';
import type { SeveralParts } from './several-parts.ts';

/** Content that an answer may take, whole or a run of its bytes. */
export interface ContentSource {
  /** Bytes of the whole content, when known. */
  readonly length: number | undefined;
  /** Which of them are here, when not all. */
  readonly part?: ByteRange & { readonly total: number };
  /** Give it out; called at most once. */
  take(range?: ByteRange): Uint8Array | AsyncIterable<Uint8Array>;
  /** Give several runs of it out in one content, in place of `take`; absent where that cannot be. */
  takeSeveral?(ranges: readonly ByteRange[], contentType: string | undefined): SeveralParts;
}

/** How old what is given out is. */
export interface Age {
  /** Undefined for what has just come from upstream: its own Age holds. */
  readonly ageSeconds: number | undefined;
  readonly validated?: boolean;
}

/** What is told in every answer of this cache. */
export interface Telling {
  readonly name: string;
  readonly decision: Decision;
}

/** The fields of an answer with this cache's Via and Cache-Status behind those of the caches before it. */
export function withOwnFields(fields: RawFields, { name, decision }: Telling, version = '1.1'): RawFields {
  return [...appendVia(fields, version, name), 'Cache-Status', cacheStatus(name, cacheStatusOf(decision))];
}

const cookieNames: ReadonlySet<string> = new Set(['set-cookie']);

/** An answer with cookies that came for this client alone, in place of those that are stored. */
export function withCookies(answer: CacheAnswer, cookies: RawFields): CacheAnswer {
  if (cookies.length === 0) return answer;
  return { ...answer, fields: [...withoutFields(answer.fields, cookieNames), ...cookies] };
}

// A whole response may bear a Content-Range: it means nothing then (RFC 9110 14.4) and is kept as any other field.
const lengthNames: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

// Said of the whole content: parts have them within, or not at all.
const ofTheWhole: ReadonlySet<string> = new Set(['content-range', 'content-type', 'content-md5']);

/** Whether a coding would be taken for one of the parts' envelope as well. */
const isCoded = ({ fields }: StoredHead) => new Fields(fields).has('content-encoding');

/**
 * Answer a GET or HEAD from a head and a content that are here: 304 when the client has it (RFC 9110 13), the part or
 * parts that it asks for (14), or all. Undefined when the part that it asks for is not here.
 */
export function answerFrom(
  request: Pick<CacheRequest, 'method' | 'fields'>,
  head: StoredHead,
  source: ContentSource,
  { ageSeconds, validated = false }: Age,
  telling: Telling,
): CacheAnswer | undefined {
  const asked = new Fields(request.fields);
  const served = servedFields(head, { ageSeconds, validated });
  const fields = withoutFields(served, lengthNames);
  if (head.status === 200 && notModified(asked, head)) {
    return {
      status: 304,
      reason: 'Not Modified',
      fields: withOwnFields(notModifiedFields(fields), telling),
    };
  }
  const { length, part } = source;
  // RFC 9110 14.2: only GET has ranges.
  const wanted =
    request.method === 'GET' && head.status === 200 && length !== undefined
      ? answerRange(asked, head, length, part, source.takeSeveral !== undefined && !isCoded(head))
      : ({ kind: 'whole' } as const);
  if (wanted.kind === 'not-here') return undefined;
  if (wanted.kind === 'unsatisfiable') {
    return {
      status: 416,
      reason: 'Range Not Satisfiable',
      fields: withOwnFields(['Content-Range', `bytes */${length}`], telling),
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
      fields: withOwnFields(withField(bare, 'Content-Type', made.contentType), telling),
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
        telling,
      ),
      contentLength: range.last - range.first + 1,
      ...(request.method !== 'HEAD' && { content: source.take(range) }),
    };
  }
  if (part !== undefined) return undefined;
  return {
    status: head.status,
    reason: head.reason,
    fields: withOwnFields(fields, telling),
    contentLength: length,
    content: request.method !== 'HEAD' && head.status !== 204 ? source.take() : undefined,
  };
}
