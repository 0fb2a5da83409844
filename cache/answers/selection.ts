import type { CacheRequest } from '../requests/index.ts';
import {
  answerRange,
  choose,
  type Fields,
  matches,
  missingRange,
  type QueryRules,
  type RawFields,
  strongValidator,
  urlOfKey,
} from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';

/** The responses stored under a URL, and the one that answers a request. */
export interface Selection {
  /** The response whose selecting fields match the request; the latest if there are several. */
  readonly entry: Entry | undefined;
  readonly variants: readonly Entry[];
}

/** Find what is stored for a request: RFC 9111 4 and 4.1. */
export async function select(store: EntryStore, url: string, requestFields: Fields): Promise<Selection> {
  const found = store.variants(url);
  const variants = Array.isArray(found) ? (found as readonly Entry[]) : await found;
  if (variants.length === 0) return { entry: undefined, variants };
  return { entry: choose(variants.filter((entry) => matches(entry.head, requestFields))), variants };
}

/**
 * The fields that request what a stored part lacks, or the whole if it has changed (RFC 9110 13.1.5).
 * Undefined when nothing is missing or the two could not be joined.
 */
export function missingFields({ head, part }: Entry, requestFields: Fields): RawFields | undefined {
  const validator = strongValidator(head);
  if (part === undefined || validator === undefined) return undefined;
  const range = answerRange(requestFields, head, part.total);
  if (range.kind !== 'whole' && range.kind !== 'part') return undefined;
  const wanted = range.kind === 'part' ? range.range : { first: 0, last: part.total - 1 };
  const lacking = missingRange(part, wanted);
  if (lacking === undefined) return undefined;
  if (lacking.first > part.last + 1 || lacking.last < part.first - 1) return undefined;
  return ['Range', `bytes=${lacking.first}-${lacking.last}`, 'If-Range', validator];
}

/** The request under the key of its query. The origin still gets all of it, unless the rules strip it. */
export function keyed(request: CacheRequest, queries: QueryRules): CacheRequest {
  const url = queries.keyOf(request.url);
  if (url === request.url) return request;
  const sent = request.origin?.url ?? urlOfKey(request.url);
  const strips = queries.strips && (request.method === 'GET' || request.method === 'HEAD');
  return { ...request, url, origin: { ...request.origin, url: strips ? queries.stripped(sent) : sent } };
}
