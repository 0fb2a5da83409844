import { STATUS_CODES } from 'node:http';
import { failure, GarnerError } from '../kernel/index.ts';
import { weights } from './encoding.ts';
import { httpErrors } from './errors.ts';
import { requestFailed } from './events.ts';
import { escapeHtml } from './html.ts';
import type { RouteResponse } from './route.ts';

/** What a caller gets for an error; unknown ones become HTTP_INTERNAL, in full on `requestFailed`. */
export function callersError(
  error: unknown,
  request: { readonly method: string; readonly route: string },
  bodyLimit: number,
): GarnerError {
  const known = error instanceof GarnerError ? error : frameworkRefusal(error, bodyLimit);
  const expected = known !== undefined && (known.status < 500 || known.status === 503);
  if (!expected) requestFailed.publish({ method: request.method, route: request.route, error });
  return known ?? failure(httpErrors.HTTP_INTERNAL, {}, error);
}

function frameworkRefusal(error: unknown, bodyLimit: number): GarnerError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return undefined;
  const { code, statusCode } = error;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return failure(httpErrors.HTTP_BODY_TOO_LARGE, { limit: bodyLimit }, error);
  if (code === 'FST_ERR_BAD_URL') return failure(httpErrors.HTTP_BAD_PATH, {}, error);
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return failure(httpErrors.HTTP_PATH_TOO_LONG, {}, error);
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_CTP_')) return undefined;
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  return failure(httpErrors.HTTP_BAD_REQUEST, { problem: 'its body does not match its headers' }, error);
}

/** Carries the exit code of an error to a command that asks the holder of a store. */
export const exitHeader = 'garner-exit-code';

/** The answer with an error: JSON, or a small page when the caller prefers HTML. */
export function failureResponse(error: GarnerError, accept: string | undefined): RouteResponse {
  const headers: Record<string, string> = {
    ...{ 'cache-control': 'no-store', vary: 'accept' },
    [exitHeader]: String(error.exit),
  };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.status === 503 || error.status === 429) headers['retry-after'] = retryAfter(error);
  if (error.code === httpErrors.HTTP_METHOD_NOT_ALLOWED.code)
    headers.allow = (error.data as { allowed: string }).allowed;
  const { status } = error;
  if (!prefersHtml(accept)) return { status, headers, json: errorBody(error) };
  headers['content-type'] = 'text/html; charset=utf-8';
  return { status, headers, body: errorPage(error) };
}

/** Seconds after which a caller may try again: those that the error names, or what is usual. */
function retryAfter({ code, data }: GarnerError): string {
  const { retrySeconds } = (data ?? {}) as { readonly retrySeconds?: unknown };
  if (typeof retrySeconds === 'number') return String(Math.max(1, Math.ceil(retrySeconds)));
  return code === httpErrors.HTTP_STANDING_BUSY.code ? '10' : '1';
}

/** The error of one part of an answer whose other parts are right: its body with its HTTP status. */
export function errorAnswer(error: unknown, request: { readonly method: string; readonly route: string }) {
  const reported = callersError(error, request, 0);
  return { status: reported.status, ...errorBody(reported) };
}

export function errorBody({ code, message, hint }: GarnerError) {
  return { error: { code, message, hint } };
}

function prefersHtml(accept: string | undefined): boolean {
  const accepted = weights(accept);
  return (accepted.get('text/html') ?? 0) > (accepted.get('application/json') ?? 0);
}

function errorPage(error: GarnerError): string {
  const title = escapeHtml(STATUS_CODES[error.status] ?? 'Error');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${error.status} ${title}</title>
<main>
<h1>${title}</h1>
<p>${escapeHtml(error.message)}</p>
<p>${escapeHtml(error.hint)}</p>
<p><a href="/">Start page</a> <small>${escapeHtml(error.code)}</small></p>
</main>
</html>
`;
}
