import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gathererErrors } from '../../gatherer/errors.ts';
import { parseRootNode, rootSchemes } from '../../gatherer/index.ts';
import { failure } from '../../kernel/index.ts';
import { type SummaryText, summaryTexts } from '../../readers/document/index.ts';
import { readKept, writeKept } from '../../store/index.ts';
import type { EffectiveConfig } from './config.ts';

/** The site that a Gatherer's data folder holds. */
export type Site = (
  | { readonly kind: 'folder'; readonly path: string; readonly baseUrl: string }
  | { readonly kind: 'web'; readonly url: string }
  /** A root that is neither: ftp, gopher, news, mail, a feed, a git repository, a program. */
  | { readonly kind: 'root'; readonly url: string }
  /** Only what the configuration names: gatherer.roots and gatherer.leaves. */
  | { readonly kind: 'configured' }
) & {
  /** The gatherer.text of its summaries; every verb uses that until gatherer.text is set. */
  readonly text?: SummaryText;
};

const siteFile = 'site.json';

/** The name of a site for people. */
export function siteName(site: Site): string {
  if (site.kind === 'configured') return 'the roots of the configuration';
  return site.kind === 'folder' ? site.path : site.url;
}

const everyday =
  /^(?:build|dist|docs?|html?|htdocs|out|output|pages|public|public_html|site|_site|src|www)$/i;

/** Whether both gather the same place, however it is published. */
export function isSameRoot(a: Site, b: Site): boolean {
  return a.kind === b.kind && siteName(a) === siteName(b);
}

/** The site as it is gathered now: with the gatherer.text that is set, else its stored one, else the default. */
export function withText(site: Site, config: EffectiveConfig): Site & { readonly text: SummaryText } {
  const set = config.text('gatherer.text') as SummaryText;
  return { ...site, text: config.isGiven('gatherer.text') ? set : (site.text ?? set) };
}

/** A short name for a folder's documents: its own, with its parent's before it where many folders have that name. */
export function folderName(path: string): string {
  const own = basename(path) || path;
  const parent = basename(dirname(path));
  return everyday.test(own) && parent !== '' ? `${parent}/${own}` : own;
}

/**
 * Understand FOLDER|URL as a person wrote it; folders are taken from `cwd` and must exist. Without `baseUrl` a
 * folder's documents have file: URLs. Throws GATHERER_ROOT, GATHERER_ROOT_NODE.
 */
export async function siteOf(root: string, cwd: string, baseUrl?: string): Promise<Site> {
  const bad = (reason: string, cause?: unknown) =>
    failure(gathererErrors.GATHERER_ROOT, { root: root || 'an empty name', reason }, cause);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(root) || isOtherRoot(root)) {
    const url = URL.parse(root);
    if (url === null) throw bad('it is not a valid URL');
    if (url.protocol === 'file:') return siteOf(decodeURIComponent(url.pathname), cwd, baseUrl);
    if (url.protocol === 'http:' || url.protocol === 'https:') return { kind: 'web', url: url.href };
    parseRootNode({ url: root }, '--root');
    return { kind: 'root', url: root };
  }
  // An unset variable of the shell would otherwise name the current folder.
  if (root === '') throw bad('it names no folder');
  const path = resolve(cwd, root);
  const stats = await stat(path).catch((error: unknown) => {
    const meant = webAddress(root);
    const reason = isAbsent(error) ? 'there is no such folder' : (error as Error).message;
    throw bad(meant === undefined ? reason : `${reason}; for the web site write ${meant}`, error);
  });
  if (!stats.isDirectory()) throw bad('it is not a folder');
  const base = baseUrl ?? pathToFileURL(`${path}/`).href;
  if (!URL.canParse(base)) throw bad(`${base} is not a valid URL`);
  return { kind: 'folder', path, baseUrl: base.endsWith('/') ? base : `${base}/` };
}

/** Whether its scheme is that of a root without slashes: `news:comp.lang.c`, `mbox:/var/mail/jo`, `feed:https://...`. */
function isOtherRoot(root: string): boolean {
  const scheme = /^([a-z]+):/i.exec(root)?.[1]?.toLowerCase() ?? '';
  return rootSchemes.includes(scheme) && !['http', 'https', 'file'].includes(scheme);
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The URL that an address without a scheme may mean: `www.example.org`, `localhost:8000/docs`. */
function webAddress(root: string): string | undefined {
  // `https:www.example.org`, `http:/www.example.org`
  const rest = root.replace(/^https?:\/*/i, '');
  const host = /^(localhost|(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+|\d+(?:\.\d+){3})(?::\d+)?(?:[/?#].*)?$/i.exec(
    rest,
  )?.[1];
  // A file is more likely than a host of that name.
  if (host === undefined || /\.(?:css|gz|html?|js|json|md|pdf|php|tar|txt|xml|ya?ml|zip)$/i.test(host))
    return undefined;
  const isHere = /^(?:localhost|[\d.]+)$/i.test(host);
  const scheme = /^https:/i.test(root) ? 'https' : isHere || /^http:/i.test(root) ? 'http' : 'https';
  return URL.parse(`${scheme}://${rest}`)?.href;
}

/** The site that the data folder gathered last, or undefined. */
export async function readSite(data: string): Promise<Site | undefined> {
  try {
    const { check: _, ...site } = JSON.parse((await readKept(join(data, siteFile))) ?? '') as Site & {
      readonly check?: string;
    };
    const isSound =
      site.kind === 'folder'
        ? typeof site.path === 'string' && URL.canParse(site.baseUrl)
        : site.kind === 'configured' ||
          ((site.kind === 'web' || site.kind === 'root') && URL.canParse(site.url));
    const isTextKnown = site.text === undefined || summaryTexts.includes(site.text);
    return isSound && isTextKnown ? site : undefined;
  } catch {
    return undefined;
  }
}

export async function writeSite(data: string, site: Site): Promise<void> {
  await writeKept(join(data, siteFile), JSON.stringify(site));
}
