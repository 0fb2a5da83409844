import type { SitePage } from '../http/index.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { element, type ViewElement } from './client/element.ts';
import { blanked } from './client/remote-text.ts';
import { type Logo, logoHref } from './logo.ts';

/** The operator's own parts of every page. */
export interface Look {
  readonly logo?: Logo;
  /** Text below every page; a line break in it is shown. */
  readonly footer: string;
  /** Links behind that text. */
  readonly links: readonly SitePage[];
}

/** What all pages of a server are made with. */
export interface Site {
  /** The name at the top and in the title. */
  readonly title?: string;
  /** Where the page's files lie; beside this module when absent. */
  readonly assets?: AssetFolders;
  /** The pages of the server, for the navigation. */
  readonly pages?: readonly SitePage[];
  readonly look?: Look;
}

/** What every page of a server has in common. */
export interface PageFrame {
  readonly name: string;
  readonly assets: Assets;
  readonly pages?: readonly SitePage[] | undefined;
  readonly look?: Look | undefined;
}

/** The frame of a server's pages, whose files are read at the first call. It throws WEB_ASSETS_MISSING. */
export function frameOf({ title = 'Garner', assets: folders, pages, look }: Site): () => PageFrame {
  let assets: Assets | undefined;
  return () => {
    assets ??= new Assets(folders ?? ownAssetFolders());
    return { name: title, assets, pages, look };
  };
}

/** The operator's picture and name, which lead to the first page. */
export function brandView(name: string, look?: Look): ViewElement {
  const picture = look?.logo && element('img', { src: logoHref(look.logo), alt: '' });
  return element('a', { href: './', class: 'brand', 'data-go': 'home' }, picture, name);
}

/** The operator's text and links below a page; none without any. */
export function footerViews(look?: Look): readonly ViewElement[] {
  const lines = (look?.footer ?? '').split('\n').map((line) => blanked(line).trim());
  const links = (look?.links ?? []).map(({ href, name }) =>
    element('li', {}, element('a', { href, rel: 'noopener' }, element('bdi', {}, blanked(name)))),
  );
  const own = [
    ...lines.filter((line) => line !== '').map((line) => element('p', { dir: 'auto' }, line)),
    ...(links.length === 0 ? [] : [element('ul', { class: 'links' }, links)]),
  ];
  return own.length === 0 ? [] : [element('div', { class: 'own' }, own)];
}
