import type { IncomingMessage } from 'node:http';
import type { RouteTable } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';

/** An origin as browsers write it, or `*` for the pages of every origin. */
export function isSharedOrigin(text: string): boolean {
  if (text === '*') return true;
  const url = URL.parse(text);
  return (
    url !== null &&
    !text.slice(1).includes('*') &&
    /^https?:$/.test(url.protocol) &&
    url.origin === text.toLowerCase()
  );
}

/** Headers of a request that pages of other origins may send. */
const sentHeaders = 'accept, authorization, content-type, if-none-match';

/** Headers of an answer that their scripts may read. */
const readHeaders = 'etag, retry-after, x-garner-state';

/** Seconds for which a browser remembers the answer to a preflight request. */
const preflightSeconds = 600;

const policy = 'content-security-policy';

/**
 * The pages of other origins that may read the shared routes (the CORS protocol, https://fetch.spec.whatwg.org). No
 * answer allows credentials: a browser sends no cookie along, and a script sends its token itself.
 */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;
  readonly #table: Pick<RouteTable, 'sharedAt'>;

  /** `origins` are the values of `http.cors-origins`. */
  constructor(origins: readonly string[], table: Pick<RouteTable, 'sharedAt'>) {
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase()));
    this.#table = table;
  }

  /** Whether a page of another origin may send this request, which is no preflight request. */
  admits({ method = 'GET', url = '/', headers: { origin } }: IncomingMessage): boolean {
    return this.#allowed(origin) !== undefined && this.#shared(url).includes(method);
  }

  /** The headers of every answer at a shared path, errors included; none where nothing is shared. */
  headers({ url = '/', headers: { origin } }: IncomingMessage): Readonly<Record<string, string>> {
    if (this.#origins.size === 0 || this.#shared(url).length === 0) return {};
    const isAny = this.#origins.has('*');
    // Without Vary the answer is the same for every request.
    const allowed = isAny ? '*' : this.#allowed(origin);
    const frames = isAny ? '*' : `'self' ${[...this.#origins].join(' ')}`;
    return {
      ...(!isAny && { vary: 'origin' }),
      [policy]: securityHeaders[policy]?.replace("frame-ancestors 'none'", `frame-ancestors ${frames}`) ?? '',
      ...(allowed !== undefined && {
        'access-control-allow-origin': allowed,
        'access-control-expose-headers': readHeaders,
        'cross-origin-resource-policy': 'cross-origin',
      }),
    };
  }

  /** The further headers of the answer to a preflight request; undefined for any other, and for a refused one. */
  preflight({ method, url = '/', headers }: IncomingMessage): Readonly<Record<string, string>> | undefined {
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined || this.#allowed(headers.origin) === undefined)
      return undefined;
    const shared = this.#shared(url);
    if (shared.length === 0) return undefined;
    return {
      'access-control-allow-methods': shared.join(', '),
      'access-control-allow-headers': sentHeaders,
      'access-control-max-age': String(preflightSeconds),
    };
  }

  /** The value of Access-Control-Allow-Origin for a page of this origin; undefined where it may not read. */
  #allowed(origin: string | undefined): string | undefined {
    if (origin === undefined) return undefined;
    if (this.#origins.has('*')) return '*';
    return this.#origins.has(origin) ? origin : undefined;
  }

  #shared(url: string): readonly string[] {
    return this.#origins.size === 0 ? [] : this.#table.sharedAt(url.split('?', 1)[0] ?? '/');
  }
}
