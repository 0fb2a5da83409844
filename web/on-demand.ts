import type { Route, RouteResponse } from '../http/index.ts';
import type { AdminPageOptions } from './admin-page.ts';
import { wantsPage } from './html.ts';
import type { RegisterPageOptions } from './register-page.ts';
import type { RegistryPageOptions } from './registry-page.ts';
import type { StatusPageOptions } from './status-page.ts';
import type { SummaryPageOptions } from './summary-page.ts';
import type { TablePageOptions } from './table-page.ts';
import type { TopologyPageOptions } from './topology-page.ts';

// Each page is loaded at its first request.

/** The pages of a cache. */
export const cacheStatusPage = () => import('./cache-status-page.ts');

/** What `load` makes, made at the first call. */
function once<Made>(load: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= load().catch((error) => {
      // The next request tries again.
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** A route whose answer is made a page for requests that accept HTML. */
function withPage(route: Route, page: () => Promise<(answer: RouteResponse) => RouteResponse>): Route {
  return {
    ...route,
    handle: async (request) => {
      const answer = await route.handle(request);
      const varied = { ...answer, headers: { ...answer.headers, vary: 'accept' } };
      return wantsPage(request.headers.accept) ? (await page())(varied) : varied;
    },
  };
}

/** `GET /table?oid=...`: a document's tables with filter, order and plot. Plain forms and links: it needs no script. */
export function tablePageRoute(options: TablePageOptions): Route {
  const page = once(async () => (await import('./table-page.ts')).tablePage(options));
  return {
    ...{ method: 'GET', path: '/table', summary: 'A table of a document', scope: 'public', hidden: true },
    handle: async (request) => (await page())(request),
  };
}

/** `GET /summary?oid=...`: a summary object as a page. It needs no script. */
export function summaryPageRoute(options: SummaryPageOptions): Route {
  const page = once(async () => (await import('./summary-page.ts')).summaryPage(options));
  return {
    ...{ method: 'GET', path: '/summary', summary: 'A summary as a page', scope: 'public', hidden: true },
    handle: async (request) => (await page())(request),
  };
}

/** The API's `GET /objects/:oid`, which sends requests that accept HTML to the page, unless they ask for SOIF. */
export function withSummaryPage(route: Route): Route {
  return {
    ...route,
    handle: async (request) => {
      if (request.query.format === 'soif' || !wantsPage(request.headers.accept)) return route.handle(request);
      const location = `../summary?oid=${encodeURIComponent(request.params.oid ?? '')}`;
      return { status: 303, headers: { location, vary: 'accept' }, body: '' };
    },
  };
}

/** `GET /` of a Registry: the servers, and a search of the objects of all registered Brokers. */
export function registryPageRoute(options: RegistryPageOptions): Route {
  const page = once(async () => (await import('./registry-page.ts')).registryPage(options));
  return {
    ...{ method: 'GET', path: '/', summary: 'The page of the Registry', scope: 'public', hidden: true },
    handle: async (request) => (await page())(request),
  };
}

/** `/register` of a Registry: a form for a server that does not register itself. It works without scripts. */
export function registerPageRoutes(options: RegisterPageOptions): readonly Route[] {
  const page = once(async () => (await import('./register-page.ts')).registerPage(options));
  const common = { path: '/register', summary: 'Apply for a server', scope: 'public', hidden: true } as const;
  return [
    { ...common, method: 'GET', handle: async (request) => (await page()).shown(request) },
    { ...common, method: 'POST', handle: async (request) => (await page()).sent(request) },
  ];
}

/**
 * The API's `GET /status` with a page for requests that accept HTML, as browsers do; others get what the route
 * itself answers.
 */
export function withStatusPage(status: Route, options: StatusPageOptions = {}): Route {
  return withPage(
    status,
    once(async () => (await import('./status-page.ts')).statusPage(options)),
  );
}

/** The API's `GET /topology` with a page for requests that accept HTML; see `withStatusPage`. */
export function withTopologyPage(topology: Route, options: TopologyPageOptions): Route {
  const page = once(async () => (await import('./topology-page.ts')).topologyPage(options));
  return withPage(topology, page);
}

/**
 * The administration page: `GET /admin`, and the routes of its forms. A login with a token opens a session, in a
 * cookie; every form carries the session's key, so that no other page can send it. It works without scripts. A request
 * throws WEB_ASSETS_MISSING.
 */
export function adminPageRoutes(options: AdminPageOptions): readonly Route[] {
  const page = once(async () => (await import('./admin-page.ts')).adminPage(options));
  const common = { scope: 'public', hidden: true, judgesCallers: true } as const;
  const get = { ...common, method: 'GET' } as const;
  const post = { ...common, method: 'POST' } as const;
  return [
    {
      ...{ ...get, path: '/admin', summary: 'The administration page' },
      handle: async (request) => (await page()).shown(request),
    },
    {
      ...{ ...post, path: '/admin/login', summary: 'Log in with a token' },
      handle: async (request) => (await page()).login(request),
    },
    {
      ...{ ...post, path: '/admin/act', summary: 'Run the action of a button' },
      handle: async (request) => (await page()).act(request),
    },
    {
      ...{ ...post, path: '/admin/logout', summary: 'Log out' },
      handle: async (request) => (await page()).logout(request),
    },
  ];
}
