import { join } from 'node:path';
import { siteRoutes } from '../../gatherer/index.ts';
import { httpErrors } from '../../http/errors.ts';
import { type HttpServer, serveHttp } from '../../http/index.ts';
import { failure, isGarnerError, systemClock } from '../../kernel/index.ts';
import { dataPath } from '../command/common-options.ts';
import { cliErrors } from '../config/errors.ts';
import { defaultPorts } from '../config/ports.ts';
import { isSameRoot, readSite, type Site, siteName, siteOf } from '../config/site.ts';
import { packageFolder, version } from '../config/version.ts';
import { keptText } from '../gatherer/site-option.ts';
import { count } from '../text/number-formats.ts';
import { bringBack, isUnsettled, type Replacement, replaceData, settle } from './replaced-data.ts';

/** The site that `up` gathers, with a server for it when it is a folder. */
export interface UpSite extends AsyncDisposable {
  readonly site: Site;
  /** The site that the data folder held before, when that was another; disposing brings it back unless kept. */
  readonly replaced: Site | undefined;
  /** The number of annotations of that site that are deleted. */
  readonly annotationsDeleted: number;
  /** Keep the new data; that of another site is removed. */
  keep(): Promise<void>;
}

/** `given` is the port of --site-port, which no other may replace. Throws CLI_SITE_PORT. */
async function serveFolder(
  path: string,
  hidden: boolean,
  given: number | undefined,
  usual: number,
): Promise<HttpServer> {
  const options = {
    routes: siteRoutes(path, hidden),
    host: '127.0.0.1',
    clock: systemClock,
    title: 'The gathered folder',
    version: version(),
    bare: true,
  };
  try {
    return await serveHttp({ ...options, port: given ?? usual });
  } catch (error) {
    if (!isGarnerError(error, httpErrors.HTTP_PORT_IN_USE)) throw error;
    if (given !== undefined) throw failure(cliErrors.CLI_SITE_PORT, { port: given }, error);
    return serveHttp({ ...options, port: 0 });
  }
}

/**
 * Decide what is gathered: the folder or URL given, or Garner's own docs/. A folder is served on an origin of its
 * own. The data of another site in the same data folder is moved away, and removed when the new data is kept. When that
 * would delete annotations, it needs `deleteAnnotations`. Throws CLI_ANNOTATIONS, CLI_SITE_PORT, STORE_LOCKED.
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
  const paths = { gatherer: dataPath(cwd, data, 'gatherer'), broker: dataPath(cwd, data, 'broker') };
  const agree = (held: Site | undefined) => (annotations: number) => {
    if (annotations === 0 || held === undefined || options.deleteAnnotations) return;
    const lost = { data, site: siteName(held), annotations: count(annotations, 'annotation') };
    throw failure(cliErrors.CLI_ANNOTATIONS, lost);
  };
  const isOther = (held: Site | undefined) => held === undefined || !isSameRoot(held, named);
  const found = await readSite(paths.gatherer);
  // A crash while one site replaced another: the old data is valid, unless the same new site is wanted again.
  if (isOther(found) && (await isUnsettled(paths))) await bringBack(paths, agree(found));
  const before = await readSite(paths.gatherer);
  const replaced = before !== undefined && isOther(before) ? before : undefined;
  const wanted = keptText(named, before);
  let server: HttpServer | undefined;
  if (wanted.kind === 'folder') {
    const known =
      before?.kind === 'folder' && replaced === undefined ? URL.parse(before.baseUrl)?.port : undefined;
    // The port is part of every URL, so the one of the run before is used again.
    const usual = known === undefined || known === '' ? defaultPorts.site : Number(known);
    // Before any data moves: a port that is in use changes nothing.
    server = await serveFolder(wanted.path, hidden, sitePort, usual);
  }
  let replacement: Replacement | undefined;
  try {
    if (replaced !== undefined) replacement = await replaceData(paths, agree(replaced));
  } catch (error) {
    await server?.[Symbol.asyncDispose]();
    throw error;
  }
  return {
    site: wanted.kind === 'folder' && server !== undefined ? { ...wanted, baseUrl: server.url } : wanted,
    replaced,
    annotationsDeleted: replacement?.annotations ?? 0,
    keep: () => replacement?.keep() ?? settle(paths),
    [Symbol.asyncDispose]: async () => {
      await server?.[Symbol.asyncDispose]();
      await replacement?.[Symbol.asyncDispose]();
    },
  };
}
