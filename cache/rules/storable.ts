import { parseDirectives } from './fields/directives.ts';
import type { Fields } from './fields/fields.ts';
import { isHeuristicallyCacheable, lifetimeOf } from './freshness.ts';
import type { CachePolicy, SharedCookies } from './policy.ts';
import type { RuleName } from './rule-names.ts';
import { type ResponseControl, responseControl } from './targeted.ts';

/** The request whose response may be stored. */
export interface StorableRequest {
  readonly method: string;
  /** The effective request URI. */
  readonly url: string;
  readonly fields: Fields;
  readonly hasContent?: boolean;
}

export interface Storability {
  readonly store: boolean;
  readonly rule: RuleName;
  /** Lower-case fields not to be stored: private to one user, or not reusable (RFC 9111 5.2.2.4, 5.2.2.7). */
  readonly omit: ReadonlySet<string>;
}

// Answers to a part of the request outside the key, and those that RFC 6585 forbids every cache to store.
const neverStored = new Set([304, 407, 412, 416, 417, 425, 426, 428, 429, 431, 511]);
const understood = new Set([
  200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408,
  409, 410, 411, 413, 414, 415, 421, 422, 451, 500, 501, 502, 503, 504, 505,
]);
const nothing: ReadonlySet<string> = new Set();
// The rule for a lifetime of 0 that the response itself did not cause.
const neverFresh: Readonly<Partial<Record<RuleName, RuleName>>> = {
  'ttl-rule': 'never-fresh-by-rule',
  'ttl-rule-max': 'never-fresh-by-rule',
  'max-fresh': 'never-fresh-by-max',
  'cookie-not-guessed': 'cookie-not-guessed',
};

/**
 * Whether this shared cache may store a response, and whether that is of use (RFC 9111 3 whole, 3.5, 4.1,
 * 5.2; RFC 9213). A HEAD's response is never stored: it only updates what a GET stored.
 */
export function storability(
  request: StorableRequest,
  response: { readonly status: number; readonly fields: Fields; readonly receivedAtMs: number },
  policy: CachePolicy,
): Storability {
  const control = responseControl(response.fields, policy.targetedFields);
  const refusal = refusalOf(request, response, control);
  if (refusal !== undefined) return { store: false, rule: refusal, omit: nothing };
  const { directives } = control;
  const { status, fields, receivedAtMs } = response;
  const dated = { url: request.url, status, fields, receivedAtMs };
  const lifetime = lifetimeOf(dated, control, policy);
  const isExplicit = statesFreshness(response.fields, control);
  const isOpen = isExplicit || directives.has('public') || isHeuristicallyCacheable(response.status);
  const isNeverFresh = lifetime.lifetimeSeconds === 0;
  if (!isOpen && isNeverFresh) return { store: false, rule: 'not-cacheable', omit: nothing };
  const validatedFirst = isUnqualified(control, 'no-cache');
  const fresh = !isNeverFresh && !validatedFirst;
  // Only without no-cache, which has the same effect by itself.
  const neverFreshBy = isNeverFresh && !validatedFirst ? neverFresh[lifetime.rule] : undefined;
  if (!fresh && !isOfUseStale(response.fields, control)) {
    return { store: false, rule: neverFreshBy ?? 'nothing-to-reuse', omit: nothing };
  }
  const cookie = cookieVerdict(response.fields, control, policy.sharedCookies, fresh && isExplicit);
  if (cookie === 'refused') return { store: false, rule: 'set-cookie', omit: nothing };
  const named = directives.fieldNames('private') ?? [];
  // Fields that Cache-Control names are removed when serving; those of a targeted field are known only here.
  const unused = control.targetedBy === undefined ? [] : (directives.fieldNames('no-cache') ?? []);
  if (cookie === 'left-out')
    return { store: true, rule: 'stored-without-cookie', omit: new Set([...named, ...unused, 'set-cookie']) };
  const omit = named.length + unused.length === 0 ? nothing : new Set([...named, ...unused]);
  if (directives.has('no-store')) return { store: true, rule: 'stored-understood', omit };
  const unfresh = neverFreshBy === undefined ? 'stored-to-validate' : 'stored-never-fresh';
  return { store: true, rule: fresh ? 'stored' : unfresh, omit };
}

function refusalOf(
  request: StorableRequest,
  response: { readonly status: number; readonly fields: Fields },
  control: ResponseControl,
): RuleName | undefined {
  const { status, fields } = response;
  const { directives } = control;
  if (request.method !== 'GET' && request.method !== 'POST') return 'method';
  if (status < 200 || neverStored.has(status)) return 'status-never-stored';
  if (parseDirectives(request.fields.lines('cache-control')).has('no-store')) return 'request-no-store';
  if (directives.has('must-understand')) {
    if (!understood.has(status)) return 'must-understand';
  } else if (directives.has('no-store')) return 'response-no-store';
  if (isUnqualified(control, 'private')) return 'private';
  if (request.fields.has('authorization') && !allowsAuthorized(control)) return 'authorization';
  if (fields.lines('vary').some((line) => line.split(',').some((name) => name.trim() === '*')))
    return 'vary-all';
  if (request.method === 'POST')
    return isForLaterGets(request, response, control) ? undefined : 'post-elsewhere';
  return request.hasContent === true ? 'request-content' : undefined;
}

function isUnqualified({ directives }: ResponseControl, name: 'private' | 'no-cache'): boolean {
  return directives.has(name) && directives.fieldNames(name) === undefined;
}

/** The treatment of a Set-Cookie that was meant for one client: without an explicit statement it is not shared. */
function cookieVerdict(
  fields: Fields,
  { directives, targetedBy }: ResponseControl,
  shared: SharedCookies,
  statesFresh: boolean,
): 'shared' | 'left-out' | 'refused' {
  if (!fields.has('set-cookie')) return 'shared';
  const isNamed = (['private', 'no-cache'] as const).some((name) =>
    directives.fieldNames(name)?.includes('set-cookie'),
  );
  // The response itself states that the cookie is not for other clients.
  if (isNamed) return 'shared';
  const forCaches = directives.has('s-maxage') || targetedBy !== undefined;
  const isForAll = directives.has('public') || (forCaches && statesFresh);
  if (shared === 'explicit') return statesFresh || isForAll ? 'shared' : 'left-out';
  if (shared === 'public') return isForAll ? 'shared' : 'refused';
  return shared === 'strip' ? 'left-out' : 'refused';
}

// RFC 9111 3.5.
function allowsAuthorized({ directives }: ResponseControl): boolean {
  return directives.has('public') || directives.has('must-revalidate') || directives.has('s-maxage');
}

// RFC 9110 9.3.3.
function isForLaterGets(
  request: StorableRequest,
  { status, fields }: { readonly status: number; readonly fields: Fields },
  control: ResponseControl,
): boolean {
  if (status < 200 || status > 299 || status === 206 || !statesFreshness(fields, control)) return false;
  const location = fields.lines('content-location');
  if (location.length !== 1 || !URL.canParse(request.url)) return false;
  const base = new URL(request.url);
  return URL.canParse(location[0] ?? '', base.href) && new URL(location[0] ?? '', base).href === base.href;
}

/** Whether it states a lifetime, in any form, valid or not. */
function statesFreshness(fields: Fields, { directives, targetedBy }: ResponseControl): boolean {
  if (directives.has('max-age') || directives.has('s-maxage')) return true;
  return targetedBy === undefined && fields.has('expires');
}

function isOfUseStale(fields: Fields, { directives }: ResponseControl): boolean {
  if (fields.has('etag') || fields.has('last-modified')) return true;
  return ['stale-while-revalidate', 'stale-if-error'].some((name) => {
    const seconds = directives.seconds(name);
    return typeof seconds === 'number' && seconds > 0;
  });
}
