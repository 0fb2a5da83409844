import { escapeHtml, navigationHtml } from '../http/index.ts';
import type { Assets } from './assets.ts';
import { type Address, isAsked, nothingAsked, queryLimit } from './client/address.ts';
import { contentView, documentTitle, type SearchModel } from './client/content-view.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { html, scriptData } from './html.ts';
import { brandView, footerViews, type PageFrame } from './site.ts';

/** The head of a document; `modules` are those of the browser's script, where the page has one. */
function headView(
  title: string,
  { name, assets, pages = [] }: PageFrame,
  modules?: ReturnType<Assets['modules']>,
): ViewElement {
  const hasSearch = pages.some((page) => page.href === './' && page.name === 'Search');
  return element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('title', {}, title),
    element('link', { rel: 'icon', type: 'image/svg+xml', href: assets.href('icon.svg') }),
    element('link', { rel: 'stylesheet', href: assets.href('search.css') }),
    hasSearch &&
      element('link', {
        ...{
          rel: 'search',
          type: 'application/opensearchdescription+xml',
          title: name,
          href: 'opensearch.xml',
        },
      }),
    modules?.others.map((href) => element('link', { rel: 'modulepreload', href })),
    modules && element('script', { type: 'module', src: modules.entry }),
  );
}

/** A whole document of parts that are HTML already. */
function pageDocument(
  head: ViewElement,
  name: string,
  body: readonly string[],
  { cache = '', keepsRecent = true } = {},
): string {
  const through = cache === '' ? '' : ` data-cache="${escapeHtml(cache)}"`;
  const recent = keepsRecent ? '' : ' data-recent="off"';
  const root = `<html lang="en" data-name="${escapeHtml(name)}"${through}${recent}>`;
  return `<!doctype html>${root}${html(head)}<body>${body.join('')}</body></html>`;
}

/** The parts of a page without a script of its own. */
export interface PlainPage extends PageFrame {
  /** The title of the document, before the name of the server. */
  readonly title: string;
  /** The entry of `pages` that this is. */
  readonly current?: string;
  /** Where the skip link leads: `Skip to the ...`. */
  readonly skip: string;
  /** The search that the box shows. */
  readonly address?: Address;
  /** The top, where it is not the name and the box. */
  readonly header?: ViewElement;
  readonly modules?: ReturnType<Assets['modules']>;
  readonly main: Child;
}

/** What a script reports to those who cannot see the page. */
const spokenView = element('p', { id: 'spoken', class: 'unseen', role: 'status' });

/** A page without keys: the name and the box, the navigation, the content. */
export function plainPage({
  name,
  assets,
  pages = [],
  look,
  title,
  current,
  skip,
  main,
  ...page
}: PlainPage): string {
  const { address = nothingAsked, modules } = page;
  const { header = headerView(address, brandView(name, look), { hasKeys: false }) } = page;
  const foot = footerViews(look);
  const head = headView(title === '' ? name : `${title} – ${name}`, { name, assets, pages }, modules);
  return pageDocument(head, name, [
    html(element('a', { href: '#content', class: 'skip' }, skip)),
    html(header),
    navigationHtml(pages, current),
    html(element('main', { id: 'content' }, main)),
    ...(foot.length === 0 ? [] : [html(element('footer', {}, foot))]),
    ...(modules === undefined ? [] : [html(spokenView)]),
  ]);
}

/** The whole document for one state. `start` is what the browser's script begins with. */
export function searchPage(
  model: SearchModel,
  { name, assets, pages = [], look, keepsRecent = true }: PageFrame & { readonly keepsRecent?: boolean },
  start: unknown,
): string {
  const head = headView(
    documentTitle(model.address, name),
    { name, assets, pages },
    assets.modules('search.js'),
  );
  const body = [
    html(element('a', { href: '#content', class: 'skip' }, 'Skip to the results')),
    html(headerView(model.address, brandView(name, look))),
    navigationHtml(pages, './'),
    html(element('main', { id: 'content' }, contentView(model))),
    html(element('footer', {}, keysView(), footerViews(look))),
    html(spokenView),
    `<script type="application/json" id="start">${scriptData(start)}</script>`,
  ];
  return pageDocument(head, name, body, { cache: model.cache ?? '', keepsRecent });
}

/** The name and the box; `hasKeys` where the page's script listens to keys. */
function headerView(address: Address, brand: ViewElement, { hasKeys = true } = {}): ViewElement {
  const hidden = (field: string, values: readonly string[]) =>
    values.map((value) => element('input', { type: 'hidden', name: field, value }));
  return element(
    'header',
    {},
    brand,
    element(
      'form',
      { id: 'search', role: 'search', action: './', method: 'get' },
      element('label', { for: 'q', class: 'unseen' }, 'Search'),
      element('input', {
        id: 'q',
        name: 'q',
        type: 'search',
        value: address.query,
        placeholder: 'Search',
        maxlength: queryLimit,
        autocomplete: 'off',
        autocapitalize: 'none',
        spellcheck: 'false',
        enterkeyhint: 'search',
        'aria-keyshortcuts': hasKeys && '/ Control+K Meta+K',
        autofocus: hasKeys && !isAsked(address),
      }),
      element('span', { id: 'ghost', 'aria-hidden': 'true' }),
      hasKeys && element('ul', { id: 'words', role: 'listbox', 'aria-label': 'Words', hidden: true }),
      hidden('source', address.sources),
      hidden('type', address.types),
      hidden('filter', address.filters),
      hidden('sort', address.sort === '' ? [] : [address.sort]),
      hidden('grouped', address.grouped ? ['1'] : []),
      hasKeys &&
        element(
          'button',
          { type: 'button', id: 'clear', hidden: true, 'aria-label': 'Clear the search' },
          '×',
        ),
      hasKeys && element('kbd', { 'aria-hidden': 'true' }, 'Ctrl K'),
      element('button', {}, element('span', { class: 'unseen' }, 'Search')),
    ),
  );
}

function keysView(): ViewElement {
  const key = (does: string, ...names: readonly string[]) =>
    element(
      'li',
      {},
      names.map((name) => [element('kbd', {}, name), ' ']),
      does,
    );
  return element(
    'ul',
    { class: 'keys', 'aria-label': 'Keys' },
    key('search', '/', 'Ctrl K'),
    key('move', '↓', '↑'),
    key('open', 'Enter'),
    key('clear', 'Esc'),
  );
}
