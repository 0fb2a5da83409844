import type { EffectiveConfig } from '../config/config.ts';
import type { Output } from '../text/output.ts';
import type { OpenedGatherer } from './open-gatherer.ts';
import { configuredRoots } from './open-roots.ts';

/** Note the registered servers that gather this site already; asks nobody where `server.registry` is empty. */
export async function noteGatheredSite(
  { site, folder }: OpenedGatherer,
  config: EffectiveConfig,
  output: Output,
): Promise<void> {
  if (config.list('server.registry').length === 0) return;
  const { noteGathered } = await import('../server/already-gathered.ts');
  const own = site.kind === 'configured' ? [] : [site.kind === 'folder' ? site.baseUrl : site.url];
  const urls = [...own, ...configuredRoots(config).map(({ url }) => url)];
  await noteGathered(urls, { config, output, own: folder.identity.serverId });
}
