import { type Caller, type RouteRequest, type RouteResponse, reaches, tokenHash } from '../http/index.ts';
import { type Clock, type Random, systemClock, systemRandom } from '../kernel/index.ts';
import { actions } from './admin-actions.ts';
import { type AdminApi, type AdminNews, askParts } from './admin-api.ts';
import { type AdminSession, AdminSessions, hasFormKey } from './admin-sessions.ts';
import { adminView, loginView } from './admin-view.ts';
import type { ViewElement } from './client/element.ts';
import { plainPage } from './page.ts';
import { frameOf, type Site } from './site.ts';

export interface AdminPageOptions extends Site {
  /** The administration API; the page uses nothing else. */
  readonly api: AdminApi;
  /** The caller with the token of this hash; undefined for an unknown or expired one. */
  readonly callerWith: (hash: Buffer) => Caller | undefined;
  /** The caller with this token, at a login; a wrong one may take a while. */
  readonly callerOf: (token: string, client: string | undefined) => Promise<Caller | undefined>;
  /** Called at each login with the caller's name, or undefined for a refused one. */
  readonly loggedIn: (who: string | undefined) => Promise<void>;
  readonly clock?: Clock;
  readonly random?: Random;
  /** What it administers; a Broker when absent. */
  readonly role?: 'broker' | 'registry';
}

const cookieName = 'garner-admin';

/** The value of the page's cookie. */
function cookieIn({ headers }: RouteRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === cookieName && value) return value;
  }
  return undefined;
}

/**
 * A cookie that scripts do not see and other sites' pages do not send. Without a path it applies to the folder of this
 * page, wherever a proxy has put that; over TLS it never travels without.
 */
function cookieHeader({ headers }: RouteRequest, value: string, maxAge?: number): string {
  const secure = headers.origin?.startsWith('https:') ? '; Secure' : '';
  return `${cookieName}=${value}; HttpOnly; SameSite=Strict${secure}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}`;
}

const fieldsOf = ({ body }: RouteRequest) => new URLSearchParams(Buffer.from(body).toString());

/** The messages that the page's address can select; results of actions are never in the address. */
const faults = new Map([
  ['refused', 'This token may not administer this server.'],
  ['over', 'The session has ended. Log in again.'],
]);

/** Forms go up from `/admin/act` to the page again. */
const back = (login?: 'refused' | 'over', headers: Readonly<Record<string, string>> = {}): RouteResponse => ({
  status: 303,
  headers: {
    location: `../admin${login === undefined ? '' : `?login=${login}`}`,
    'cache-control': 'no-store',
    ...headers,
  },
  body: '',
});

/** The handlers of the administration page and its forms; see `adminPageRoutes`. Throw WEB_ASSETS_MISSING. */
export function adminPage(options: AdminPageOptions) {
  const { api, callerOf, callerWith, loggedIn, role = 'broker', clock = systemClock } = options;
  const sessions = new AdminSessions({ clock, random: options.random ?? systemRandom });
  const frame = frameOf(options);

  const page = (view: ViewElement): RouteResponse => {
    const parts = { title: 'Administration', skip: 'Skip to the administration', current: 'admin' };
    return {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        // Without a referrer a form would be sent with the origin "null", which is nobody's.
        'referrer-policy': 'same-origin',
      },
      body: plainPage({ ...frame(), ...parts, main: view }),
    };
  };

  /** The session of this request and its caller; an invalid token ends it. */
  const known = (request: RouteRequest): { session: AdminSession; caller: Caller } | undefined => {
    const id = cookieIn(request);
    const session = sessions.find(id);
    const caller = session === undefined ? undefined : callerWith(session.tokenHash);
    if (session !== undefined && caller === undefined) sessions.close(id);
    return session === undefined || caller === undefined ? undefined : { session, caller };
  };

  const shown = async (request: RouteRequest): Promise<RouteResponse> => {
    const found = known(request);
    if (found === undefined) return page(loginView(role, faults.get(request.query.login ?? '')));
    const { session, caller } = found;
    const news = (session.news ?? {}) as AdminNews;
    session.news = undefined;
    const parts = await askParts(api, caller, request.signal);
    const now = clock.now() / 1000;
    return page(adminView({ parts, news, who: caller.name, formKey: session.formKey, now }));
  };

  const login = async (request: RouteRequest): Promise<RouteResponse> => {
    const token = (fieldsOf(request).get('token') ?? '').trim();
    const caller = await callerOf(token, request.client);
    const may = caller !== undefined && reaches(caller.scopes, 'write');
    await loggedIn(may ? caller.name : undefined);
    if (!may) return back('refused');
    return back(undefined, { 'set-cookie': cookieHeader(request, sessions.open(tokenHash(token))) });
  };

  const act = async (request: RouteRequest): Promise<RouteResponse> => {
    const found = known(request);
    if (found === undefined) return back('over');
    const { session, caller } = found;
    const fields = fieldsOf(request);
    const name = fields.get('act') ?? '';
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!hasFormKey(session, fields.get('formKey') ?? '') || action === undefined) return back('over');
    const { status, json } = await api({ ...action.call(fields), caller, signal: request.signal });
    const news: AdminNews = status < 300 ? { said: action.said(json) } : { fault: faultIn(json) };
    session.news =
      name === 'look' && status < 300
        ? {
            look: {
              report: json,
              query: fields.get('query') ?? '',
              reason: fields.get('reason') ?? '',
              forGood: fields.get('forGood') === '1',
            },
          }
        : news;
    return back();
  };

  const logout = (request: RouteRequest): RouteResponse => {
    const found = known(request);
    if (found !== undefined && hasFormKey(found.session, fieldsOf(request).get('formKey') ?? ''))
      sessions.close(cookieIn(request));
    return back(undefined, { 'set-cookie': cookieHeader(request, '', 0) });
  };

  return { shown, login, act, logout };
}

function faultIn(json: unknown): string {
  const { error } = json as { readonly error?: { readonly message?: string; readonly hint?: string } };
  return `${error?.message ?? 'That failed.'} (${error?.hint ?? 'the log says why'})`;
}
