import { failure } from '../../kernel/index.ts';
import type { Fetch, FetchRequest, FetchResponse, Redirect } from '../client/index.ts';
import { fetchErrors } from '../errors.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { Credentials } from './credentials.ts';

const maxRedirects = 10;

/** A `Fetch` that follows redirects itself, so that each request has the secrets of its own URL only. */
export function withCredentials(
  fetch: Fetch,
  { credentials, cookies }: { readonly credentials?: Credentials; readonly cookies?: CookieJar },
): Fetch {
  const once = async (request: FetchRequest, url: string): Promise<FetchResponse> => {
    const authorization = credentials?.header(url);
    const cookie = cookies?.header(url);
    // The caller's fields were meant for the first URL.
    const given = url === request.url ? request.headers : withoutSecrets(request.headers);
    const headers = {
      ...given,
      ...(authorization !== undefined && { authorization }),
      ...(cookie !== undefined && { cookie }),
    };
    const response = await fetch({ ...request, url, headers, redirect: 'manual' });
    cookies?.take(response.url, response.headers['set-cookie']);
    return response;
  };
  return async (request) => {
    const redirects: Redirect[] = [];
    let again = false;
    for (let url = request.url; ; ) {
      const response = await once(request, url);
      const next = response.location;
      if (next === undefined || request.redirect === 'manual') return joined(response, redirects);
      await response[Symbol.asyncDispose]();
      redirects.push({ from: response.url, to: next, status: response.status });
      const met = redirects.some(({ from }) => from === next);
      // The page may be there for a visitor who brings the cookie: its redirects are followed once more.
      const circle = met && (again || cookies?.header(next) === undefined);
      again ||= met;
      if (circle || redirects.length > maxRedirects) {
        const why = circle ? 'its redirects go in a circle' : `more than ${maxRedirects} redirects`;
        throw failure(fetchErrors.FETCH_REDIRECTS, { url: request.url, why });
      }
      url = next;
    }
  };
}

function withoutSecrets(headers: FetchRequest['headers']): Record<string, string> {
  const secret = /^(authorization|cookie|proxy-authorization)$/i;
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !secret.test(name)));
}

/** The answer with the redirects that led to it; its getters stay its own. */
function joined(response: FetchResponse, redirects: readonly Redirect[]): FetchResponse {
  if (redirects.length === 0) return response;
  return new Proxy(response, {
    get: (target, name) => {
      if (name === 'redirects') return redirects;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
