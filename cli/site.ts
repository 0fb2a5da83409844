import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gathererErrors } from '../gatherer/index.ts';
import { failure } from '../kernel/index.ts';

/** What a Gatherer's data folder gathers. */
export type Site =
  | { readonly kind: 'folder'; readonly path: string; readonly baseUrl: string }
  | { readonly kind: 'web'; readonly url: string };

const siteFile = 'site.json';

/** What a person calls a site. */
export function siteName(site: Site): string {
  return site.kind === 'folder' ? site.path : site.url;
}

const everyday =
  /^(?:build|dist|docs?|html?|htdocs|out|output|pages|public|public_html|site|_site|src|www)$/i;

/** A short name for a folder's documents: its own, or with its parent's where many folders are called the same. */
export function folderName(path: string): string {
  const own = basename(path) || path;
  const parent = basename(dirname(path));
  return everyday.test(own) && parent !== '' ? `${parent}/${own}` : own;
}

/**
 * Understand FOLDER|URL as a person wrote it; folders are taken from `cwd` and must exist. Without `baseUrl` a
 * folder's documents have file: URLs. Throws GATHERER_ROOT.
 */
export async function siteOf(root: string, cwd: string, baseUrl?: string): Promise<Site> {
  const bad = (reason: string, cause?: unknown) =>
    failure(gathererErrors.GATHERER_ROOT, { root, reason }, cause);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(root)) {
    const url = URL.parse(root);
    if (url === null) throw bad('it is not a valid URL');
    if (url.protocol === 'file:') return siteOf(decodeURIComponent(url.pathname), cwd, baseUrl);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw bad(`${url.protocol} is not gathered yet`);
    return { kind: 'web', url: url.href };
  }
  const path = resolve(cwd, root);
  const stats = await stat(path).catch((error: unknown) => {
    throw bad('there is no such folder', error);
  });
  if (!stats.isDirectory()) throw bad('it is not a folder');
  const base = baseUrl ?? pathToFileURL(`${path}/`).href;
  if (!URL.canParse(base)) throw bad(`${base} is not a valid URL`);
  return { kind: 'folder', path, baseUrl: base.endsWith('/') ? base : `${base}/` };
}

/** What the data folder gathered last, or undefined. */
export async function readSite(data: string): Promise<Site | undefined> {
  try {
    return JSON.parse(await readFile(join(data, siteFile), 'utf8')) as Site;
  } catch {
    return undefined;
  }
}

/** Remember what the data folder gathers. */
export async function writeSite(data: string, site: Site): Promise<void> {
  const fresh = join(data, `${siteFile}.new`);
  await writeFile(fresh, `${JSON.stringify(site)}\n`);
  await rename(fresh, join(data, siteFile));
}
