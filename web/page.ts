import { escapeHtml } from '../http/index.ts';
import type { Assets } from './assets.ts';
import { type Address, isAsked, queryLimit } from './client/address.ts';
import { contentView, documentTitle, type SearchModel } from './client/content-view.ts';
import { element, type ViewElement } from './client/element.ts';
import { html, scriptData } from './html.ts';

/** The head of a document; `modules` are those of the browser's script, where the page has one. */
export function headView(
  title: string,
  assets: Assets,
  modules?: ReturnType<Assets['modules']>,
): ViewElement {
  return element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('title', {}, title),
    element('link', { rel: 'icon', type: 'image/svg+xml', href: assets.href('icon.svg') }),
    element('link', { rel: 'stylesheet', href: assets.href('search.css') }),
    modules?.others.map((href) => element('link', { rel: 'modulepreload', href })),
    modules && element('script', { type: 'module', src: modules.entry }),
  );
}

/** A whole document of parts that are HTML already. */
export function pageDocument(head: ViewElement, name: string, body: readonly string[], cache = ''): string {
  const through = cache === '' ? '' : ` data-cache="${escapeHtml(cache)}"`;
  const root = `<html lang="en" data-name="${escapeHtml(name)}"${through}>`;
  return `<!doctype html>${root}${html(head)}<body>${body.join('')}</body></html>`;
}

/** The whole document for one state. `start` is what the browser's script begins with. */
export function searchPage(model: SearchModel, name: string, assets: Assets, start: unknown): string {
  const head = headView(documentTitle(model.address, name), assets, assets.modules());
  const body = [
    html(element('a', { href: '#content', class: 'skip' }, 'Skip to the results')),
    html(headerView(model.address, name)),
    html(element('main', { id: 'content' }, contentView(model))),
    html(footerView()),
    html(element('p', { id: 'spoken', class: 'unseen', role: 'status' })),
    `<script type="application/json" id="start">${scriptData(start)}</script>`,
  ];
  return pageDocument(head, name, body, model.cache);
}

/** The name and the box; `hasKeys` where the page's script listens to keys. */
export function headerView(address: Address, name: string, { hasKeys = true } = {}): ViewElement {
  const hidden = (field: string, values: readonly string[]) =>
    values.map((value) => element('input', { type: 'hidden', name: field, value }));
  return element(
    'header',
    {},
    element('a', { href: './', class: 'brand', 'data-go': 'home' }, name),
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
        'aria-keyshortcuts': hasKeys && '/',
        autofocus: hasKeys && !isAsked(address),
      }),
      element('span', { id: 'ghost', 'aria-hidden': 'true' }),
      hasKeys && element('ul', { id: 'words', role: 'listbox', 'aria-label': 'Words', hidden: true }),
      hidden('source', address.sources),
      hidden('type', address.types),
      hidden('filter', address.filters),
      hidden('sort', address.sort === '' ? [] : [address.sort]),
      hidden('grouped', address.grouped ? ['1'] : []),
      hasKeys && element('kbd', { 'aria-hidden': 'true' }, '/'),
      element('button', {}, element('span', { class: 'unseen' }, 'Search')),
    ),
  );
}

export function footerView({ hasKeys = true } = {}): ViewElement {
  const key = (does: string, ...names: readonly string[]) =>
    element(
      'li',
      {},
      names.map((name) => [element('kbd', {}, name), ' ']),
      does,
    );
  return element(
    'footer',
    {},
    hasKeys &&
      element(
        'ul',
        { class: 'keys', 'aria-label': 'Keys' },
        key('search', '/'),
        key('move', '↓', '↑'),
        key('open', 'Enter'),
        key('clear', 'Esc'),
      ),
    element('p', {}, element('a', { href: 'status' }, 'Status')),
  );
}
