import type { Route } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { readCacheStatus } from './cache-status-data.ts';
import { cacheStatusView } from './cache-status-view.ts';
import { element } from './client/element.ts';
import { wantsPage } from './html.ts';
import { plainPage } from './page.ts';
import { frameOf, type Site } from './site.ts';

export interface CacheStatusOptions extends Site {
  readonly clock?: Clock;
}

/**
 * A cache's `GET /status` with a page for requests that accept HTML, as browsers do, the files of that page, and the way to
 * it from `/`.
 */
export function cacheStatusRoutes(status: Route, options: CacheStatusOptions): readonly Route[] {
  const { clock = systemClock } = options;
  const frame = frameOf(options)();
  const page: Route = {
    ...status,
    handle: async (request) => {
      const answer = await status.handle(request);
      const headers = { ...answer.headers, vary: 'accept' };
      const details = wantsPage(request.headers.accept) ? readCacheStatus(answer.json) : undefined;
      if (details === undefined) return { ...answer, headers };
      const main = [element('div', { class: 'filters' }), cacheStatusView(details, clock.now() / 1000)];
      const header = element('header', {}, element('a', { href: 'status', class: 'brand' }, frame.name));
      const parts = { title: 'Status', skip: 'Skip to the status', current: 'status', header, main };
      return {
        headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
        body: plainPage({ ...frame, ...parts }),
      };
    },
  };
  const home: Route = {
    ...{ method: 'GET', path: '/', summary: 'The status page', scope: 'public', hidden: true },
    handle: () => ({ status: 302, headers: { location: 'status' } }),
  };
  return [page, home, frame.assets.route(), frame.assets.iconRoute()];
}
