import { runFinished } from '../../gatherer/events.ts';
import type { Gatherer, RunReport } from '../../gatherer/index.ts';
import {
  CollectionSample,
  serverAttributes as names,
  printCounts,
  publicAddress,
  StoreFingerprint,
} from '../../registry/index.ts';
import type { Run } from '../command/verb.ts';
import type { EffectiveConfig } from '../config/config.ts';
import type { Site } from '../config/site.ts';
import { noteGathered } from '../server/already-gathered.ts';
import type { Registered } from '../server/registering.ts';
import type { OpenedGatherer } from './open-gatherer.ts';
import { configuredRoots } from './open-roots.ts';

/** The web and FTP addresses that are gathered, without passwords. A folder counts by the address of its documents. */
export function publicRoots(site: Site, config: EffectiveConfig): readonly string[] {
  const own = site.kind === 'folder' ? [site.baseUrl] : site.kind === 'configured' ? [] : [site.url];
  const others = configuredRoots(config).map(({ url, baseUrl }) => baseUrl ?? url);
  return [...new Set([...own, ...others].flatMap((url) => publicAddress(url) ?? []))].slice(0, 256);
}

/** Note the registered servers that gather this site already. */
export async function noteGatheredSite(
  { site, folder }: OpenedGatherer,
  config: EffectiveConfig,
  run: Run,
): Promise<void> {
  await noteGathered(publicRoots(site, config), { config, run, own: folder.identity.serverId });
}

/** What a Gatherer says of itself where it registers, counted in its store and its last run. */
export function registeredGatherer(
  { options: { folder } }: Gatherer,
  { roots, lastRun }: { readonly roots: readonly string[]; readonly lastRun: () => RunReport | undefined },
): Registered {
  const { store } = folder;
  const sample = new CollectionSample(store);
  const fingerprint = new StoreFingerprint(store);
  return {
    type: 'GATHERER',
    objects: () => store.count,
    attributes: async () => {
      const { topic, types, languages, changedAt } = await sample.get();
      return [
        [names.bytes, String(store.bodyBytes)],
        [names.types, printCounts(types)],
        [names.languages, printCounts(languages)],
        [names.topic, topic.join(', ')],
        [names.changed, changedAt === undefined ? '' : String(changedAt)],
        [names.contentFingerprint, await fingerprint.read()],
        [names.failed, String(lastRun()?.failed ?? '')],
      ];
    },
    links: () => [[names.roots, roots.join('\n')]],
    onChange: (changed) => {
      // The first run ends long before the first renewal.
      const stop = runFinished.subscribe(() => {
        stop();
        changed();
      });
      return stop;
    },
  };
}
