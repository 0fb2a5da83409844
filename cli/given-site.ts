import { gathererErrors } from '../gatherer/index.ts';
import { failure } from '../kernel/index.ts';
import { readSite, type Site, siteOf } from './site.ts';
import type { Run } from './verb.ts';

/** The site a person named with --root and --base-url, or else the one the data folder gathered last. */
export async function givenSite({ args, cwd }: Run, path: string): Promise<Site> {
  const root = args.text('root');
  const baseUrl = args.text('base-url');
  const before = await readSite(path);
  if (root !== undefined) return siteOf(root, cwd, baseUrl);
  if (before === undefined) throw failure(gathererErrors.GATHERER_NOTHING, { path });
  return before.kind === 'folder' && baseUrl !== undefined ? siteOf(before.path, cwd, baseUrl) : before;
}
