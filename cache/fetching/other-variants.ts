import { Readable } from 'node:stream';
import { type Selection, StoredContent } from '../answers/index.ts';
import type { CacheRequest, UpstreamResponse } from '../requests/index.ts';
import {
  asksOrigin,
  clientConditions,
  type ExchangeTimes,
  Fields,
  fieldsForAnother,
  headAfter304,
  isForAnother,
  usableTag,
} from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';

/** Variants that one request asks about. */
const mostAsked = 16;

const tagOf = ({ head }: Entry) => usableTag(new Fields(head.fields).get('etag'));

/**
 * Whether a response was stored for another Accept-Encoding. A server that compresses as it sends, such as nginx, says 304
 * to the tag of every coding of a content, and its answer does not say which of them this request would get.
 */
const isCodedForAnother = ({ head }: Entry, asked: Fields) => isForAnother(head, 'accept-encoding', asked);

/** The responses that a 304 to the validation of one may speak of, the one that would be used first. */
export function validatedWith({ entry, variants }: Selection, asked: Fields): readonly Entry[] {
  if (entry === undefined) return variants;
  return [entry, ...variants.filter((other) => other !== entry && !isCodedForAnother(other, asked))];
}

/**
 * Whether a response is coded as a request accepts, in so many words. Many a server has one entity tag for all codings of
 * a content, against RFC 9110 8.8.3.3: its 304 must not give a client what it cannot read.
 */
function isReadable({ head }: Entry, asked: Fields): boolean {
  const codings = membersOf(new Fields(head.fields).get('content-encoding'));
  if (codings.length === 0) return true;
  const accepted = membersOf(asked.get('accept-encoding')).filter(
    (one) => !/;\s*q\s*=\s*0(?:\.0*)?$/.test(one),
  );
  const names = new Set(accepted.map((one) => one.replace(/\s*;.*$/, '')));
  return codings.every((coding) => names.has(coding));
}

const membersOf = (list: string | undefined): readonly string[] =>
  (list ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');

/**
 * Stored responses to requests with other values of what Vary names, of which a 304 may say that this request gets the same
 * (RFC 9111 4.1, 4.3.1): whole ones with an entity tag, the latest 16. None for a request that has conditions of its own.
 */
export function otherVariants(
  request: CacheRequest,
  asked: Fields,
  { entry, variants }: Selection,
): readonly Entry[] {
  if (entry !== undefined || variants.length === 0 || request.method !== 'GET') return [];
  if (request.content !== undefined || asksOrigin(asked)) return [];
  for (const name of clientConditions) if (asked.has(name)) return [];
  return variants
    .filter((variant) => variant.part === undefined && variant.head.status === 200)
    .filter((variant) => tagOf(variant) !== undefined)
    .filter((variant) => !isCodedForAnother(variant, asked) && isReadable(variant, asked))
    .toSorted((one, other) => other.head.receivedAtMs - one.head.receivedAtMs)
    .slice(0, mostAsked);
}

/** The variant that a 304 has named, its content at hand. */
export interface NamedVariant {
  /**
   * What the origin would have sent instead of the 304: the variant's content under its head made new (RFC 9111 4.3.4). What
   * is stored stays as it is: the 304 speaks to this request, and may say what others are not to hear. Cookies and fields
   * that `no-cache` names are another's, and are left out unless the 304 has brought them.
   */
  response(times: ExchangeTimes): UpstreamResponse;
  /** It is not wanted after all. */
  drop(): void;
}

/** The variant whose entity tag a 304 bears; undefined when that is none of them, or its content is lost. */
export async function namedVariant(
  asked: readonly Entry[],
  { fields }: UpstreamResponse,
  store: Pick<EntryStore, 'read'>,
): Promise<NamedVariant | undefined> {
  const told = new Fields(fields);
  const tag = usableTag(told.get('etag'));
  // To the letter: a weak tag in place of a strong one is the trace of another coding.
  const first = asked.find((entry) => tag !== undefined && tagOf(entry) === tag);
  if (first === undefined) return undefined;
  const content = new StoredContent(store.read(first));
  try {
    await content.begin();
  } catch {
    // Damaged or gone: it is fetched as if it had never been here.
    return undefined;
  }
  const source = Readable.from(content, { objectMode: false });
  return {
    response: (times) => {
      const own = { ...first.head, fields: fieldsForAnother(first.head) };
      const { status, reason, fields } = headAfter304(own, told, times);
      const contentLength = first.contentLength;
      return { status, reason, fields, contentLength, content: source, trailers: () => [] };
    },
    drop: () => source.destroy(),
  };
}
