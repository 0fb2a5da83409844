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

const maxValidated = 16;

const tagOf = ({ head }: Entry) => usableTag(new Fields(head.fields).get('etag'));

/**
 * Whether a response was stored for another Accept-Encoding. A server that compresses while sending, such as nginx,
 * answers 304 to the tag of every coding of a content, and does not state which coding this request would get.
 */
const isCodedForAnother = ({ head }: Entry, requestFields: Fields) =>
  isForAnother(head, 'accept-encoding', requestFields);

/** The responses to which a 304 may refer, the preferred one first. */
export function validatedWith({ entry, variants }: Selection, requestFields: Fields): readonly Entry[] {
  if (entry === undefined) return variants;
  return [entry, ...variants.filter((other) => other !== entry && !isCodedForAnother(other, requestFields))];
}

/**
 * Whether the request explicitly accepts the coding of a response. Many servers use one entity tag for all codings of a
 * content, against RFC 9110 8.8.3.3: their 304 must not give a client a coding that it cannot read.
 */
function isReadable({ head }: Entry, requestFields: Fields): boolean {
  const codings = membersOf(new Fields(head.fields).get('content-encoding'));
  if (codings.length === 0) return true;
  const accepted = membersOf(requestFields.get('accept-encoding')).filter(
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
 * Whole stored variants with an entity tag, the latest 16, which a 304 may name (RFC 9111 4.1, 4.3.1); none
 * for a request with conditions.
 */
export function otherVariants(
  request: CacheRequest,
  requestFields: Fields,
  { entry, variants }: Selection,
): readonly Entry[] {
  if (entry !== undefined || variants.length === 0 || request.method !== 'GET') return [];
  if (request.content !== undefined || asksOrigin(requestFields)) return [];
  for (const name of clientConditions) if (requestFields.has(name)) return [];
  return variants
    .filter((variant) => variant.part === undefined && variant.head.status === 200)
    .filter((variant) => tagOf(variant) !== undefined)
    .filter((variant) => !isCodedForAnother(variant, requestFields) && isReadable(variant, requestFields))
    .toSorted((one, other) => other.head.receivedAtMs - one.head.receivedAtMs)
    .slice(0, maxValidated);
}

/** The variant that a 304 named, with its content open. */
export interface NamedVariant {
  /**
   * The response that the origin would have sent instead of the 304: the variant's content under its
   * freshened head (RFC 9111 4.3.4). The stored response stays as it is: the 304 applies to this request, and
   * may contain fields for this client only. Cookies and fields that `no-cache` names belong to another
   * client, and are left out unless the 304 has them.
   */
  response(times: ExchangeTimes): UpstreamResponse;
  drop(): void;
}

/** The variant whose entity tag a 304 has; undefined when it matches none, or its content is lost. */
export async function namedVariant(
  validated: readonly Entry[],
  { fields }: UpstreamResponse,
  store: Pick<EntryStore, 'read'>,
): Promise<NamedVariant | undefined> {
  const received = new Fields(fields);
  const tag = usableTag(received.get('etag'));
  // To the letter: a weak tag in place of a strong one results from another coding.
  const first = validated.find((entry) => tag !== undefined && tagOf(entry) === tag);
  if (first === undefined) return undefined;
  const content = new StoredContent(store.read(first));
  try {
    await content.begin();
  } catch {
    // Damaged or removed: it is fetched as if it had not been stored.
    return undefined;
  }
  const source = Readable.from(content, { objectMode: false });
  return {
    response: (times) => {
      const own = { ...first.head, fields: fieldsForAnother(first.head) };
      const { status, reason, fields } = headAfter304(own, received, times);
      const contentLength = first.contentLength;
      return { status, reason, fields, contentLength, content: source, trailers: () => [] };
    },
    drop: () => source.destroy(),
  };
}
