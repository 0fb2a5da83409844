import { GatherLoop, gathererRoutes, type RunReport } from '../gatherer/index.ts';
import { systemClock } from '../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { type Listening, listen } from './listen.ts';
import { type OpenedGatherer, openGatherer } from './open-gatherer.ts';
import { type Site, siteName, writeSite } from './site.ts';

/** A Gatherer that listens and gathers by itself. */
export interface ServedGatherer extends AsyncDisposable {
  readonly opened: OpenedGatherer;
  readonly listening: Listening;
  /** Begin to gather; resolves when the first run has ended. */
  gather(signal: AbortSignal): Promise<RunReport>;
}

/** Open a Gatherer, its port and its loop; `defaultRecheckSeconds` counts for web sites when nobody set gatherer.recheck. */
export async function serveGatherer(
  data: string,
  site: Site,
  config: EffectiveConfig,
  { port, defaultRecheckSeconds }: { readonly port: number; readonly defaultRecheckSeconds?: number },
): Promise<ServedGatherer> {
  const opened = await openGatherer(data, site, config);
  let loop: (GatherLoop & { first: Promise<RunReport> }) | undefined;
  let listening: Listening;
  try {
    await writeSite(data, site);
    listening = await listen({
      folder: opened.folder,
      role: 'gatherer',
      name: opened.gatherer.options.name,
      routes: gathererRoutes({
        gatherer: opened.gatherer,
        stream: opened.stream,
        roots: [siteName(site)],
        lastRun: () => loop?.lastRun,
        runNow: () => loop?.runNow() ?? opened.gatherer.run(),
      }),
      wireVerbs: opened.wireVerbs,
      port,
      config,
      health: [{ name: 'store', check: async () => ({ ok: (await opened.folder.store.state()).lsn >= 0 }) }],
    });
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
  const refresh = config.seconds('gatherer.refresh');
  const recheck =
    config.seconds('gatherer.recheck') ||
    (site.kind === 'web' ? (defaultRecheckSeconds ?? refresh) : refresh);
  return {
    opened,
    listening,
    gather: async (signal) => {
      loop = await GatherLoop.start({
        gatherer: opened.gatherer,
        stream: opened.stream,
        clock: systemClock,
        signal,
        folders: opened.watched === undefined ? [] : [opened.watched],
        intervalSeconds: Math.min(recheck, refresh),
        tombstoneSeconds: config.seconds('store.tombstones'),
      });
      return loop.first;
    },
    [Symbol.asyncDispose]: async () => {
      // Who collects is told first, so that nobody waits for a store that is closing.
      await listening[Symbol.asyncDispose]();
      await loop?.[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}
