import type { Route } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { nothingAsked } from './client/address.ts';
import { element } from './client/element.ts';
import { html } from './html.ts';
import { footerView, headerView, headView, pageDocument } from './page.ts';
import { readStatusDetails } from './status-data.ts';
import { statusView } from './status-view.ts';
import { wantsPage } from './wants-page.ts';

export interface StatusPageOptions {
  /** The name at the top and in the title. */
  readonly title?: string;
  /** Where the page's files lie; beside this module when absent. */
  readonly assets?: AssetFolders;
  readonly clock?: Clock;
}

/**
 * The API's `GET /status` with a page for requests that accept HTML, as browsers do; others get what the route
 * itself answers.
 */
export function withStatusPage(status: Route, options: StatusPageOptions = {}): Route {
  const { title = 'Garner', clock = systemClock } = options;
  // The files are read at the first request for the page.
  let assets: Assets | undefined;
  return {
    ...status,
    handle: async (request) => {
      const answer = await status.handle(request);
      const headers = { ...answer.headers, vary: 'accept' };
      const details = wantsPage(request.headers.accept) ? readStatusDetails(answer.json) : undefined;
      if (details === undefined) return { ...answer, headers };
      assets ??= new Assets(options.assets ?? ownAssetFolders());
      const body = [
        html(element('a', { href: '#content', class: 'skip' }, 'Skip to the status')),
        html(headerView(nothingAsked, title, { hasKeys: false })),
        html(
          element(
            'main',
            { id: 'content' },
            element('div', { class: 'filters' }),
            statusView(details, clock.now() / 1000),
          ),
        ),
        html(footerView({ hasKeys: false })),
      ];
      return {
        headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
        body: pageDocument(headView(`Status – ${title}`, assets), title, body),
      };
    },
  };
}
