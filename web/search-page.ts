import type { Route, SitePage } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import type { Api } from './api.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { readAddress } from './client/address.ts';
import { openSearchRoute } from './open-search.ts';

/** What the search page is made with. */
export interface SearchPageOptions {
  /** The Broker's HTTP API; the page uses nothing else. */
  readonly api: Api;
  /** The name at the top and in the title. */
  readonly title?: string;
  /** Where the page's files lie; beside this module when absent. */
  readonly assets?: AssetFolders;
  readonly clock?: Clock;
  /** Address of an Object Cache that results are opened through; empty for none. */
  readonly cache?: string;
  /** The address of the server for others; that of each request when absent. */
  readonly publicUrl?: string;
  /** Whether the server itself serves TLS. */
  readonly isSecure?: boolean;
  /** The pages of the server. */
  readonly pages?: readonly SitePage[];
}

/** The files of the pages under `/assets/`, and the icon. Throws `WEB_ASSETS_MISSING`. */
export function assetRoutes(folders: AssetFolders = ownAssetFolders()): readonly Route[] {
  const assets = new Assets(folders);
  return [assets.route(), assets.iconRoute()];
}

/**
 * The search page as routes: `GET /` (with `?q=` and filters drawn by the server, so that it works without scripts)
 * and the files it needs under `/assets/`, the icon as `/favicon.ico` too. Throws `WEB_ASSETS_MISSING` when those are
 * not installed.
 */
export function searchPageRoutes(options: SearchPageOptions): readonly Route[] {
  const { api, title = 'Garner', clock = systemClock, cache = '', pages } = options;
  const { publicUrl = '', isSecure = false } = options;
  const assets = new Assets(options.assets ?? ownAssetFolders());
  return [
    {
      method: 'GET',
      path: '/',
      summary: 'The search page',
      scope: 'public',
      hidden: true,
      // The listed origins may show it in a frame.
      isShared: true,
      handle: async ({ url }) => {
        const at = url.indexOf('?');
        const address = readAddress(at < 0 ? '' : url.slice(at));
        const now = clock.now() / 1000;
        // Loaded at the first request.
        const { askFor } = await import('./api.ts');
        const { searchPage } = await import('./page.ts');
        const { status, json, model } = await askFor(api, address);
        const start = { now, trouble: model.trouble, [model.answer ? 'answer' : 'status']: json };
        return {
          status,
          headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
          body: searchPage({ ...model, address, now, cache }, { name: title, assets, pages }, start),
        };
      },
    },
    assets.route(),
    assets.iconRoute(),
    assets.embedRoute(),
    openSearchRoute({ title, publicUrl, isSecure }),
  ];
}
