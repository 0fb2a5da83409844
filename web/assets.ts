import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Route, RouteRequest, RouteResponse } from '../http/index.ts';
import { failure } from '../kernel/index.ts';
import { webErrors } from './errors.ts';

/** Where the page's files lie: style and pictures in the source tree, modules where the compiler put them. */
export interface AssetFolders {
  readonly styles: string;
  readonly modules: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const styleFiles = ['search.css', 'icon.svg'];
/** What the compiler writes for an import from the same folder. */
const importPattern = /\bfrom '\.\/([\w-]+\.js)'/g;

/** The folders beside this module: `dist/web` and `.build/<name>/web` are both below a source tree. */
export function ownAssetFolders(): AssetFolders {
  const here = dirname(fileURLToPath(import.meta.url));
  let above = dirname(here);
  for (let step = 0; step < 5; step++, above = dirname(above)) {
    const styles = join(above, 'web');
    if (existsSync(join(styles, 'search.css'))) return { styles, modules: join(here, 'client') };
  }
  throw failure(webErrors.WEB_ASSETS_MISSING, { file: 'web/search.css' });
}

interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
}

/** The page's own files, read once. Addresses carry a hash over all of them, so browsers keep them for good. */
export class Assets {
  readonly #files = new Map<string, Asset>();
  readonly #version: string;

  constructor(folders: AssetFolders) {
    for (const file of styleFiles) this.#add(folders.styles, file);
    const modules = existsSync(folders.modules) ? readdirSync(folders.modules) : [];
    for (const file of modules.filter((name) => name.endsWith('.js')).sort())
      this.#add(folders.modules, file);
    const all = createHash('sha256');
    for (const [name, asset] of this.#files) all.update(name).update(asset.etag);
    this.#version = all.digest('base64url').slice(0, 12);
  }

  #add(folder: string, name: string): void {
    const path = join(folder, name);
    if (!existsSync(path)) throw failure(webErrors.WEB_ASSETS_MISSING, { file: path });
    const body = readFileSync(path);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    this.#files.set(name, {
      body,
      type: contentTypes[name.split('.').at(-1) ?? ''] ?? '',
      etag,
    });
  }

  /** The address of a file relative to the page. */
  href(name: string): string {
    return `assets/${this.#version}/${name}`;
  }

  /** A module that a page starts with and those it needs, as addresses; none when they were not compiled. */
  modules(entry: string): { readonly entry: string; readonly others: readonly string[] } | undefined {
    if (!this.#files.has(entry)) return undefined;
    const needed = new Set([entry]);
    for (const name of needed)
      for (const [, other = ''] of (this.#files.get(name)?.body.toString() ?? '').matchAll(importPattern))
        if (this.#files.has(other)) needed.add(other);
    needed.delete(entry);
    return { entry: this.href(entry), others: [...needed].sort().map((name) => this.href(name)) };
  }

  /** `/assets/NAME` (asked for again with its ETag at every use) and `/assets/VERSION/NAME` (kept for a year). */
  route(): Route {
    return {
      method: 'GET',
      path: '/assets/*',
      summary: "The pages' style sheet, pictures and modules",
      scope: 'public',
      // A page whose callers log in is drawn before they have.
      judgesCallers: true,
      hidden: true,
      handle: (request) => this.#answer(request),
    };
  }

  /** `/favicon.ico`: browsers ask for it beside answers that are no pages, such as a summary. */
  iconRoute(): Route {
    return {
      method: 'GET',
      path: '/favicon.ico',
      summary: 'The picture of the pages',
      scope: 'public',
      hidden: true,
      handle: (request) => this.#answer({ ...request, params: { '*': 'icon.svg' } }),
    };
  }

  /** `/embed.js`: the search box for pages of other origins, in one file. */
  embedRoute(): Route {
    return {
      method: 'GET',
      path: '/embed.js',
      summary: 'A search box for pages of other sites',
      scope: 'public',
      // It holds nothing that a token protects.
      judgesCallers: true,
      hidden: true,
      handle: (request) => {
        const answer = this.#answer({ ...request, params: { '*': 'embed.js' } });
        const headers = {
          ...answer.headers,
          'cache-control': 'public, max-age=600',
          'cross-origin-resource-policy': 'cross-origin',
        };
        return { ...answer, headers };
      },
    };
  }

  #answer(request: RouteRequest): RouteResponse {
    const parts = (request.params['*'] ?? '').split('/');
    const name = parts.length <= 2 ? (parts.at(-1) ?? '') : '';
    const asset = this.#files.get(name);
    if (asset === undefined)
      return {
        status: 404,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: 'No such file.\n',
      };
    const headers = {
      'content-type': asset.type,
      etag: asset.etag,
      'cache-control':
        parts.length === 2 && parts[0] === this.#version ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    return { headers, body: asset.body };
  }
}
