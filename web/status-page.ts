import type { RouteResponse } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { nothingAsked } from './client/address.ts';
import { element } from './client/element.ts';
import { html } from './html.ts';
import { footerView, headerView, headView, pageDocument } from './page.ts';
import { readStatusDetails } from './status-data.ts';
import { statusView } from './status-view.ts';

export interface StatusPageOptions {
  /** The name at the top and in the title. */
  readonly title?: string;
  /** Where the page's files lie; beside this module when absent. */
  readonly assets?: AssetFolders;
  readonly clock?: Clock;
}

/** The status page of an answer of the API, or that answer when it is no status; see `withStatusPage`. */
export function statusPage(options: StatusPageOptions): (answer: RouteResponse) => RouteResponse {
  const { title = 'Garner', clock = systemClock } = options;
  // The files are read at the first request for the page.
  let assets: Assets | undefined;
  return (answer) => {
    const details = readStatusDetails(answer.json);
    if (details === undefined) return answer;
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
      headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: pageDocument(headView(`Status – ${title}`, assets), title, body),
    };
  };
}
