import type { RouteRequest } from '../http/index.ts';
import { failure, isGarnerError } from '../kernel/index.ts';
import { parseSoif, type SoifSection, type SummaryObject, summaryObject } from '../soif/index.ts';
import { publicationErrors } from './errors.ts';
import { type Publication, readPublication } from './publication.ts';

/** An object without a signature. Only its URL counts where it is refreshed or withdrawn. */
export interface UnsignedPublication {
  readonly kind: 'put' | 'refresh' | 'withdraw';
  readonly object: SummaryObject;
}

/** The content of a `POST /publish`: one signed publication, or objects for which a token must speak. */
export type RequestedPublication =
  | { readonly signed: Publication }
  | { readonly unsigned: readonly UnsignedPublication[] };

/** Headers that carry the signature of a SOIF body. */
export const signatureHeaders = {
  publisher: 'garner-publisher',
  updateTime: 'garner-update-time',
  signature: 'garner-signature',
} as const;

/** Max objects of one request. */
export const maxRequestObjects = 1000;

const kinds = { delete: 'withdraw', refresh: 'refresh', update: 'put' } as const;

const bad = (reason: string, cause?: unknown) =>
  failure(publicationErrors.PUBLICATION_INVALID, { reason }, cause);

const kindOf = (section: SoifSection | undefined) => kinds[section ?? 'update'];

/** The objects of a SOIF text; the sections of a Gatherer's stream say what is done with each. */
async function unsignedIn(soif: Uint8Array): Promise<readonly UnsignedPublication[]> {
  const found: UnsignedPublication[] = [];
  try {
    for await (const { section, object } of parseSoif([soif])) {
      if (found.length === maxRequestObjects) throw bad(`it has more than ${maxRequestObjects} objects`);
      found.push({ kind: kindOf(section), object });
    }
  } catch (error) {
    if (isGarnerError(error, publicationErrors.PUBLICATION_INVALID)) throw error;
    throw bad(`it is not SOIF: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (found.length === 0) throw bad('it has no object');
  return found;
}

/** One object whose signature is in the headers. */
async function signedIn(
  { body, headers }: Pick<RouteRequest, 'body' | 'headers'>,
  publisher: string,
): Promise<Publication> {
  const [, id, key] = /^([\w-]{22})\.([\w-]{43})$/.exec(publisher) ?? [];
  if (id === undefined) throw bad(`its ${signatureHeaders.publisher} is not an id, a dot and a key`);
  const [only, more] = await unsignedIn(body);
  if (only === undefined || more !== undefined) throw bad('a signature is for one object');
  const { kind, object } = only;
  const time = headers[signatureHeaders.updateTime] ?? '';
  const head = await readPublication({
    ...{ publisher: id, key, url: object.url, signature: headers[signatureHeaders.signature] },
    updatedAt: /^\d{1,12}$/.test(time) ? Number(time) : undefined,
    ...(kind === 'withdraw' && { withdrawn: true }),
  });
  return kind === 'put' ? { ...head, object } : head;
}

/** The JSON of a publication without a signature: objects as SOIF, or the URL of one that is withdrawn. */
async function unsignedJson(json: Readonly<Record<string, unknown>>): Promise<RequestedPublication> {
  const { soif, url, withdrawn } = json;
  if (typeof soif === 'string' && withdrawn === undefined)
    return { unsigned: await unsignedIn(Buffer.from(soif)) };
  if (typeof url !== 'string' || soif !== undefined || withdrawn !== true)
    throw bad('it has neither a signature, nor the soif of objects, nor the url of a withdrawn one');
  return { unsigned: [{ kind: 'withdraw', object: summaryObject(url, []) }] };
}

/** Read the body of `POST /publish`, JSON or SOIF; nothing is verified yet. Throws PUBLICATION_INVALID. */
export async function readPublicationRequest(
  request: Pick<RouteRequest, 'body' | 'headers'>,
): Promise<RequestedPublication> {
  const { body, headers } = request;
  if (/^application\/(?:x-)?soif\b/i.test(headers['content-type'] ?? '')) {
    const publisher = headers[signatureHeaders.publisher];
    return publisher === undefined
      ? { unsigned: await unsignedIn(body) }
      : { signed: await signedIn(request, publisher) };
  }
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw bad('it is not JSON, nor SOIF with content-type application/x-soif', error);
  }
  const isUnsigned =
    typeof json === 'object' && json !== null && !('signature' in json) && !('publisher' in json);
  if (!isUnsigned || Array.isArray(json)) return { signed: await readPublication(json) };
  return unsignedJson(json as Readonly<Record<string, unknown>>);
}
