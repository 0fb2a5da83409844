import type { RouteResponse, SitePage } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { element } from './client/element.ts';
import { plainPage } from './page.ts';
import { readStatusDetails } from './status-data.ts';
import { statusView } from './status-view.ts';

export interface StatusPageOptions {
  /** The name at the top and in the title. */
  readonly title?: string;
  /** Where the page's files lie; beside this module when absent. */
  readonly assets?: AssetFolders;
  readonly clock?: Clock;
  /** The pages of the server. */
  readonly pages?: readonly SitePage[];
}

/** The status page of an answer of the API, or that answer when it is no status; see `withStatusPage`. */
export function statusPage(options: StatusPageOptions): (answer: RouteResponse) => RouteResponse {
  const { title = 'Garner', clock = systemClock, pages } = options;
  // The files are read at the first request for the page.
  let assets: Assets | undefined;
  return (answer) => {
    const details = readStatusDetails(answer.json);
    if (details === undefined) return answer;
    assets ??= new Assets(options.assets ?? ownAssetFolders());
    const main = [element('div', { class: 'filters' }), statusView(details, clock.now() / 1000)];
    const parts = { title: 'Status', skip: 'Skip to the status', current: 'status', main };
    return {
      headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: plainPage({ name: title, assets, pages, ...parts }),
    };
  };
}
