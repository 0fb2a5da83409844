import { isTracking, type Route } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import type { Api, Asked } from './api.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { readAddress, sorts } from './client/address.ts';
import { openSearchRoute } from './open-search.ts';
import { frameOf, type Site } from './site.ts';

/** What the search page is made with. */
export interface SearchPageOptions extends Site {
  /** The Broker's HTTP API; the page uses nothing else. */
  readonly api: Api;
  readonly clock?: Clock;
  /** Address of an Object Cache that results are opened through; empty for none. */
  readonly cache?: string;
  /** The address of the server for others; that of each request when absent. */
  readonly publicUrl?: string;
  /** Whether the server itself serves TLS. */
  readonly isSecure?: boolean;
  /** Whether the page may keep the reader's last searches in the browser; true when absent. */
  readonly keepsRecent?: boolean;
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
  const { publicUrl = '', isSecure = false } = options;
  const { api, clock = systemClock, cache = '', keepsRecent = true } = options;
  const frame = frameOf(options)();
  const { name, assets, look } = frame;
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
        const search = at < 0 ? '' : url.slice(at);
        const address = readAddress(search);
        const now = clock.now() / 1000;
        // Loaded at the first request.
        const { askFor } = await import('./api.ts');
        const { searchPage } = await import('./page.ts');
        const asked = await askFor(api, address);
        const { status, json, model } = withNotes(asked, parameterNotes(new URLSearchParams(search)));
        const start = { now, trouble: model.trouble, [model.answer ? 'answer' : 'status']: json };
        return {
          status,
          headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
          body: searchPage({ ...model, address, now, cache }, { ...frame, keepsRecent }, start),
        };
      },
    },
    assets.route(),
    assets.iconRoute(),
    assets.embedRoute(),
    openSearchRoute({ title: name, logo: look?.logo, publicUrl, isSecure }),
  ];
}

const ofOneValue = ['q', 'from', 'sort', 'grouped', 'exact'];
const ofSeveral = ['source', 'type', 'filter'];

/** Sentences on what the page does not use of its address. */
function parameterNotes(parameters: URLSearchParams): readonly string[] {
  const notes: string[] = [];
  for (const name of new Set(parameters.keys())) {
    const shown = name.slice(0, 40);
    if (ofOneValue.includes(name)) {
      if (parameters.getAll(name).length > 1)
        notes.push(`the address has more than one ${shown}: the first was used`);
    } else if (!ofSeveral.includes(name) && !isTracking(name))
      notes.push(
        `the address has a parameter ${shown}, which does nothing: there are ${[...ofOneValue, ...ofSeveral].join(', ')}`,
      );
  }
  const sort = parameters.get('sort') || 'relevance';
  if (sort !== 'relevance' && !sorts.some((one) => one === sort))
    notes.push(`results cannot be sorted by ${sort.slice(0, 40)}, only by relevance, ${sorts.join(', ')}`);
  return notes.slice(0, 4);
}

/** An answer with more notes, raw and read. */
function withNotes(asked: Asked, notes: readonly string[]): Asked {
  const { answer } = asked.model;
  if (answer === undefined || notes.length === 0) return asked;
  const json = { ...(asked.json as object), notes: [...answer.notes, ...notes] };
  return { ...asked, json, model: { ...asked.model, answer: { ...answer, notes: json.notes } } };
}
