import { createHash } from 'node:crypto';
import { type Fetch, type FetchResponse, fetchErrors, readBody } from '../../../fetch/index.ts';
import { failure, GarnerError } from '../../../kernel/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import { refreshTarget } from '../../../readers/html/index.ts';
import type { Remembered } from '../enumerator.ts';
import { enumerationErrors } from '../errors.ts';
import { abridged, readEnds } from './large-documents.ts';

/** The server's current validators of a URL. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: number;
}

/** Result of requesting one URL; `status` is present when that status of an answer decided. */
export type Reading =
  | {
      readonly kind: 'body';
      readonly document: DocumentInput & { md5: string };
      readonly validators: Validators;
    }
  | { readonly kind: 'same'; readonly validators: Validators }
  | {
      readonly kind: 'moved';
      readonly to: string;
      readonly status: number;
      /** Whether the answer sets a cookie. */
      readonly cookie: boolean;
    }
  | { readonly kind: 'gone'; readonly reason: string; readonly status: number }
  | { readonly kind: 'refused'; readonly rule: string; readonly status?: number }
  | { readonly kind: 'failed'; readonly error: GarnerError; readonly status?: number };

export interface ReadOptions {
  readonly fetch: Fetch;
  readonly maxBytes: number;
  /** The URL's row, if an unchanged body is not needed again. */
  readonly known: Remembered | undefined;
  readonly minDelayMs: number | undefined;
  readonly signal: AbortSignal;
}

// Attempts for a body that breaks off; the client itself repeats requests without an answer.
const bodyAttempts = 3;

function validatorsOf(response: FetchResponse, known: Remembered | undefined): Validators {
  const etag = response.etag ?? (response.notModified ? known?.etag : undefined);
  const lastModified = response.lastModified ?? (response.notModified ? known?.lastModified : undefined);
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

/** Last segment of a URL's path, for `DocumentInput`. */
function nameOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.lastIndexOf('/') + 1);
}

/** What the header of an answer says of a document. */
function describedBy({ url, headers, contentType, lastModified }: FetchResponse): Partial<DocumentInput> {
  const { 'x-robots-tag': robots, link: written, refresh } = headers;
  // A page that moves its reader on leads to the next one.
  const target = URL.parse(refreshTarget(refresh) ?? '//', url)?.href;
  const link = target === undefined ? written : [written ?? [], `<${target}>; rel="next"`].flat().join(', ');
  return {
    ...(contentType !== undefined && { contentType }),
    ...(lastModified !== undefined && { lastModified }),
    ...(robots !== undefined && { robots }),
    ...(link !== undefined && { link }),
  };
}

async function documentOf(response: FetchResponse, url: string): Promise<DocumentInput & { md5: string }> {
  const bytes = await readBody(response);
  const md5 = createHash('md5').update(bytes).digest('hex');
  return { url, name: nameOf(url), bytes, md5, ...describedBy(response) };
}

async function understand(
  response: FetchResponse,
  url: string,
  known: Remembered | undefined,
): Promise<Reading> {
  const { status } = response;
  const validators = validatorsOf(response, known);
  if (response.notModified && known) return { kind: 'same', validators };
  // An equal strong ETag means equal bytes, even from a server without conditional requests.
  const strong = response.etag !== undefined && !response.etag.startsWith('W/');
  if (status === 200 && strong && known?.etag === response.etag) return { kind: 'same', validators };
  if (status === 200 || status === 203)
    return { kind: 'body', document: await documentOf(response, url), validators };
  if (response.location !== undefined) {
    const cookie = response.headers['set-cookie'] !== undefined;
    return { kind: 'moved', to: response.location, status, cookie };
  }
  if (status === 404 || status === 410) return { kind: 'gone', reason: `status ${status}`, status };
  if (status === 204 || status === 205)
    return { kind: 'gone', reason: `status ${status}: no document`, status };
  if (status === 401 || status === 403 || status === 407 || status === 451)
    return { kind: 'refused', rule: `the server does not allow it (status ${status})`, status };
  return { kind: 'failed', error: failure(enumerationErrors.GATHERER_BAD_STATUS, { url, status }), status };
}

/** Request one URL, conditionally if `known` allows; redirects are not followed. Throws on an abort. */
export async function readCandidate(url: string, options: ReadOptions): Promise<Reading> {
  const { fetch, maxBytes, known, minDelayMs, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    let seen: Validators | undefined;
    let answer: FetchResponse | undefined;
    try {
      await using response = await fetch({
        url,
        etag: known?.etag,
        lastModified: known?.lastModified,
        redirect: 'manual',
        maxBytes,
        minDelayMs,
        signal,
      });
      answer = response;
      seen = validatorsOf(response, known);
      return await understand(response, url, known);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof GarnerError)) throw error;
      if (error.code === fetchErrors.FETCH_TOO_LARGE.code) {
        const ends = await readEnds(url, answer, options);
        const described = answer === undefined ? {} : describedBy(answer);
        const document = { ...abridged(url, nameOf(url), ends), ...described };
        return { kind: 'body', document, validators: seen ?? {} };
      }
      if (error.code === fetchErrors.FETCH_BAD_URL.code) return { kind: 'refused', rule: error.message };
      // Without an answer, the client has repeated the request already.
      if (seen === undefined || error.retry === 'never' || attempt >= bodyAttempts)
        return { kind: 'failed', error };
    }
  }
}
