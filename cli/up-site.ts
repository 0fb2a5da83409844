import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AnnotationStore, siteRoutes } from '../gatherer/index.ts';
import { type HttpServer, httpErrors, serveHttp } from '../http/index.ts';
import { failure, isGarnerError, systemClock, systemRandom } from '../kernel/index.ts';
import { openDataFolder } from '../store/index.ts';
import { dataPath } from './data-option.ts';
import { cliErrors } from './errors.ts';
import { keptText } from './given-site.ts';
import { isSameRoot, readSite, type Site, siteName, siteOf } from './site.ts';
import { packageFolder, version } from './version.ts';
import { count } from './wording.ts';

/** The site `up` is to gather, and what serves it when it is a folder. */
export interface UpSite extends AsyncDisposable {
  readonly site: Site;
  /** What the same data folder gathered before, when that was another site; its data is gone now. */
  readonly replaced: Site | undefined;
  /** How many annotations of that site went with it. */
  readonly annotationsDeleted: number;
}

/** Port a folder is served on; kept between runs, because it is part of every URL. */
const firstSitePort = 8580;

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

/** Where a folder that is being forgotten waits to be removed. */
function retired(path: string): string {
  return `${path}.replaced`;
}

/**
 * Forget what the Gatherer and the Broker of a data folder hold. Both are locked before anything happens: throws
 * STORE_LOCKED, with both as they were, while somebody uses one. The Broker goes first, each in one step: a crash
 * between leaves the Gatherer whole, and never a Broker with the objects of a Gatherer that is gone. `agree` is told
 * how many annotations go too, and throws when they may not; resolves to their number.
 */
async function forget(
  gatherer: string,
  broker: string,
  agree: (annotations: number) => void,
): Promise<number> {
  const clocks = { create: true, clock: systemClock, random: systemRandom };
  let annotations = 0;
  {
    await using folder = await openDataFolder(gatherer, { role: 'gatherer', ...clocks });
    await using _broker = await openDataFolder(broker, { role: 'broker', ...clocks });
    annotations = (await AnnotationStore.open(await folder.database('annotations'))).count;
    agree(annotations);
    for (const path of [broker, gatherer]) {
      await rm(retired(path), { recursive: true, force: true });
      await rename(path, retired(path));
    }
  }
  for (const path of [broker, gatherer]) await rm(retired(path), { recursive: true, force: true });
  return annotations;
}

/**
 * Settle what is gathered: the folder or URL given, or Garner's own docs/. A folder is served on an origin of its
 * own. Another site in the same data folder is replaced; when that would delete annotations, only if they may be
 * deleted. Throws CLI_ANNOTATIONS, STORE_LOCKED.
 */
export async function openUpSite(options: {
  readonly root: string | undefined;
  readonly cwd: string;
  readonly data: string;
  readonly hidden: boolean;
  readonly sitePort: number | undefined;
  readonly deleteAnnotations: boolean;
}): Promise<UpSite> {
  const { root, cwd, data, hidden, sitePort } = options;
  const named = await siteOf(root ?? join(packageFolder(), 'docs'), cwd);
  const gatherer = dataPath(cwd, data, 'gatherer');
  const before = await readSite(gatherer);
  const replaced = before !== undefined && !isSameRoot(before, named) ? before : undefined;
  const agree = (annotations: number) => {
    if (annotations === 0 || replaced === undefined || options.deleteAnnotations) return;
    const held = { data, site: siteName(replaced), annotations: count(annotations, 'annotation') };
    throw failure(cliErrors.CLI_ANNOTATIONS, held);
  };
  const annotationsDeleted =
    replaced === undefined ? 0 : await forget(gatherer, dataPath(cwd, data, 'broker'), agree);
  const wanted = keptText(named, before);
  if (wanted.kind !== 'folder')
    return { site: wanted, replaced, annotationsDeleted, [Symbol.asyncDispose]: async () => {} };
  const known =
    before?.kind === 'folder' && replaced === undefined ? URL.parse(before.baseUrl)?.port : undefined;
  const port = sitePort ?? (known === undefined || known === '' ? firstSitePort : Number(known));
  const server = await serveFolder(wanted.path, hidden, '127.0.0.1', port);
  return {
    site: { ...wanted, baseUrl: server.url },
    replaced,
    annotationsDeleted,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
