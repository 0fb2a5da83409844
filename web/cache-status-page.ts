import type { Route } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { readCacheStatus } from './cache-status-data.ts';
import { cacheStatusView } from './cache-status-view.ts';
import { element } from './client/element.ts';
import { html, wantsPage } from './html.ts';
import { headView, pageDocument } from './page.ts';

export interface CacheStatusOptions {
  /** The name at the top and in the title. */
  readonly title: string;
  /** Where the page's files lie; beside this module when absent. */
  readonly assets?: AssetFolders;
  readonly clock?: Clock;
}

/**
 * A cache's `GET /status` with a page for requests that accept HTML, as browsers do, the files of that page, and the way to
 * it from `/`.
 */
export function cacheStatusRoutes(status: Route, options: CacheStatusOptions): readonly Route[] {
  const { title, clock = systemClock } = options;
  const assets = new Assets(options.assets ?? ownAssetFolders());
  const page: Route = {
    ...status,
    handle: async (request) => {
      const answer = await status.handle(request);
      const headers = { ...answer.headers, vary: 'accept' };
      const details = wantsPage(request.headers.accept) ? readCacheStatus(answer.json) : undefined;
      if (details === undefined) return { ...answer, headers };
      const body = [
        html(element('a', { href: '#content', class: 'skip' }, 'Skip to the status')),
        html(element('header', {}, element('a', { href: 'status', class: 'brand' }, title))),
        html(
          element(
            'main',
            { id: 'content' },
            element('div', { class: 'filters' }),
            cacheStatusView(details, clock.now() / 1000),
          ),
        ),
        html(
          element(
            'footer',
            {},
            element(
              'p',
              {},
              element('a', { href: 'metrics' }, 'Metrics'),
              ' ',
              element('a', { href: 'openapi.json' }, 'API'),
            ),
          ),
        ),
      ];
      return {
        headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
        body: pageDocument(headView(`Status – ${title}`, assets), title, body),
      };
    },
  };
  const home: Route = {
    ...{ method: 'GET', path: '/', summary: 'The status page', scope: 'public', hidden: true },
    handle: () => ({ status: 302, headers: { location: 'status' } }),
  };
  return [page, home, assets.route(), assets.iconRoute()];
}
