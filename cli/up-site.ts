import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { siteRoutes } from '../gatherer/index.ts';
import { type HttpServer, httpErrors, serveHttp } from '../http/index.ts';
import { isGarnerError, systemClock, systemRandom } from '../kernel/index.ts';
import { openDataFolder } from '../store/index.ts';
import { dataPath } from './data-option.ts';
import { readSite, type Site, siteOf } from './site.ts';
import { packageFolder, version } from './version.ts';

/** The site `up` is to gather, and what serves it when it is a folder. */
export interface UpSite extends AsyncDisposable {
  readonly site: Site;
  /** What the same data folder gathered before, when that was another site; its data is gone now. */
  readonly replaced: Site | undefined;
}

/** Port a folder is served on; kept between runs, because it is part of every URL. */
const firstSitePort = 8580;

function sameRoot(a: Site, b: Site): boolean {
  return a.kind === 'folder' ? b.kind === 'folder' && a.path === b.path : b.kind === 'web' && a.url === b.url;
}

async function serveFolder(path: string, hidden: boolean, host: string, port: number): Promise<HttpServer> {
  const options = {
    routes: siteRoutes(path, hidden),
    host,
    clock: systemClock,
    title: 'The gathered folder',
    version: version(),
    bare: true,
  };
  try {
    return await serveHttp({ ...options, port });
  } catch (error) {
    if (!isGarnerError(error, httpErrors.HTTP_PORT_IN_USE)) throw error;
    return serveHttp({ ...options, port: 0 });
  }
}

/** Forget what a data folder holds; throws STORE_LOCKED while somebody is using it. */
async function forget(path: string, role: 'gatherer' | 'broker'): Promise<void> {
  const held = await openDataFolder(path, { role, create: true, clock: systemClock, random: systemRandom });
  await held[Symbol.asyncDispose]();
  await rm(path, { recursive: true, force: true });
}

/**
 * Settle what is gathered: the folder or URL given, or Garner's own docs/. A folder is served on an origin of its
 * own. Another site in the same data folder is replaced.
 */
export async function openUpSite(options: {
  readonly root: string | undefined;
  readonly cwd: string;
  readonly data: string;
  readonly hidden: boolean;
  readonly sitePort: number | undefined;
}): Promise<UpSite> {
  const { root, cwd, data, hidden, sitePort } = options;
  const wanted = await siteOf(root ?? join(packageFolder(), 'docs'), cwd);
  const gathererPath = dataPath(cwd, data, 'gatherer');
  const before = await readSite(gathererPath);
  const replaced = before !== undefined && !sameRoot(before, wanted) ? before : undefined;
  if (replaced !== undefined) {
    await forget(gathererPath, 'gatherer');
    await forget(dataPath(cwd, data, 'broker'), 'broker');
  }
  if (wanted.kind === 'web') return { site: wanted, replaced, [Symbol.asyncDispose]: async () => {} };
  const known =
    before?.kind === 'folder' && replaced === undefined ? URL.parse(before.baseUrl)?.port : undefined;
  const port = sitePort ?? (known === undefined || known === '' ? firstSitePort : Number(known));
  const server = await serveFolder(wanted.path, hidden, '127.0.0.1', port);
  return {
    site: { ...wanted, baseUrl: server.url },
    replaced,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
