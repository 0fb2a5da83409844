import { dirname } from 'node:path';
import { gathererErrors } from '../../gatherer/errors.ts';
import { failure } from '../../kernel/index.ts';
import type { Run } from '../command/verb.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { isSameRoot, readSite, type Site, siteOf } from '../config/site.ts';

/** The site of --root and --base-url, or else the one that the data folder gathered last. */
export async function givenSite({ args, cwd, config }: Run, path: string): Promise<Site> {
  const root = args.text('root');
  const baseUrl = args.text('base-url');
  const before = await readSite(path);
  if (root !== undefined) return keptText(await siteOf(root, cwd, baseUrl), before);
  if (before === undefined) {
    if (!namesRoots(await config()))
      throw failure(gathererErrors.GATHERER_NOTHING, { path, data: dirname(path) });
    return { kind: 'configured' };
  }
  if (before.kind !== 'folder' || baseUrl === undefined) return before;
  return keptText(await siteOf(before.path, cwd, baseUrl), before);
}

/** The options that name another site than the one that the data folder gathered last. */
export async function otherSiteOptions(run: Run, path: string): Promise<readonly string[]> {
  const before = await readSite(path);
  if (before === undefined || isSameRoot(await givenSite(run, path), before)) return [];
  return ['root', 'base-url'].flatMap((name) => (run.args.text(name) === undefined ? [] : [`--${name}`]));
}

function namesRoots(config: EffectiveConfig): boolean {
  return config.records('gatherer.roots').length + config.list('gatherer.leaves').length > 0;
}

/** The site with the gatherer.text that the same place was summarised with before. */
export function keptText(site: Site, before: Site | undefined): Site {
  return before?.text !== undefined && isSameRoot(site, before) ? { ...site, text: before.text } : site;
}
