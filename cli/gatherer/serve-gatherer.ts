import type { RunReport } from '../../gatherer/events.ts';
import {
  type GatherdServer,
  GatherLoop,
  gatherdPort,
  gathererRoutes,
  type PushLinkStatus,
  PushLinks,
} from '../../gatherer/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { limitsFromSettings } from '../../wire/settings.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { pushAddresses } from '../config/server-addresses.ts';
import { type Site, siteName, writeSite } from '../config/site.ts';
import { serverTokens } from '../config/tokens.ts';
import { type Listening, linesAddress, listen } from '../server/listen.ts';
import { sitePages } from '../server/site-pages.ts';
import { type OpenedGatherer, openGatherer } from './open-gatherer.ts';

/** A Gatherer that listens and gathers. */
export interface ServedGatherer extends AsyncDisposable {
  readonly opened: OpenedGatherer;
  readonly listening: Listening;
  /** `host:port` for collectors of Harvest's time, when gatherer.gatherd-port is set. */
  readonly gatherdAddress: string | undefined;
  /** The state of the links to the Brokers that are pushed to. */
  pushes(): readonly PushLinkStatus[];
  /** The form that annotates documents, when there is a token for saving. */
  readonly annotateUrl: string | undefined;
  /** Record the site beside the data. Not before every port is open: a server that cannot start changes nothing. */
  recordSite(): Promise<void>;
  /** Begin to gather; resolves when the first run has ended. */
  gather(signal: AbortSignal): Promise<RunReport>;
}

/**
 * Open a Gatherer, its port and its loop. `defaultRecheckSeconds` is for web sites without gatherer.recheck. With
 * `isInternal` only this process collects from it: its port is on loopback, without TLS. With `isUnlisted` it does
 * not register.
 */
export async function serveGatherer(
  data: string,
  site: Site,
  config: EffectiveConfig,
  {
    port,
    defaultRecheckSeconds,
    isInternal = false,
    isUnlisted = false,
  }: {
    readonly port: number;
    readonly defaultRecheckSeconds?: number;
    readonly isInternal?: boolean;
    readonly isUnlisted?: boolean;
  },
): Promise<ServedGatherer> {
  const brokers = pushAddresses(config);
  const tokens = serverTokens(config);
  const opened = await openGatherer(data, site, config);
  const pushes = pushLinks(opened, brokers, config);
  let loop: (GatherLoop & { first: Promise<RunReport> }) | undefined;
  let listening: Listening | undefined;
  let gatherd: GatherdServer | undefined;
  try {
    listening = await listen({
      folder: opened.folder,
      role: 'gatherer',
      name: opened.gatherer.options.name,
      routes: gathererRoutes({
        gatherer: opened.gatherer,
        stream: opened.stream,
        roots: [siteName(site)],
        lastRun: () => loop?.lastRun,
        waitingChanges: () => loop?.waitingChanges ?? 0,
        runNow: () => loop?.runNow() ?? opened.gatherer.run(),
        adminTokens: tokens.admin,
        isGuarded: tokens.session !== undefined,
        pushes: () => pushes.status,
        pages: sitePages('gatherer', config),
      }),
      wireVerbs: opened.wireVerbs,
      registers: async () => {
        const { publicRoots, registeredGatherer } = await import('./registered-gatherer.ts');
        const roots = publicRoots(site, config);
        return registeredGatherer(opened.gatherer, { roots, lastRun: () => loop?.lastRun });
      },
      isUnlisted,
      port,
      config,
      isInternal,
      health: [
        {
          name: 'run',
          check: () =>
            loop?.lastRun?.complete === false
              ? { state: 'warn', detail: 'the last run could not read everything' }
              : { state: 'pass' },
        },
      ],
    });
    gatherd = await openGatherd(opened, config);
  } catch (error) {
    await listening?.[Symbol.asyncDispose]();
    await opened[Symbol.asyncDispose]();
    throw error;
  }
  pushes.start();
  const refresh = config.seconds('gatherer.refresh');
  const recheck =
    config.seconds('gatherer.recheck') ||
    (site.kind === 'folder' ? refresh : (defaultRecheckSeconds ?? refresh));
  return {
    opened,
    listening,
    pushes: () => pushes.status,
    gatherdAddress: gatherd && linesAddress(gatherd),
    annotateUrl: tokens.admin.length === 0 ? undefined : `${listening.http.url}annotate`,
    recordSite: () => writeSite(data, opened.site),
    gather: async (signal) => {
      loop = await GatherLoop.start({
        gatherer: opened.gatherer,
        stream: opened.stream,
        clock: systemClock,
        signal,
        folders: opened.watched,
        others: opened.unwatched,
        intervalSeconds: Math.min(recheck, refresh),
        tombstoneSeconds: config.seconds('store.tombstones'),
      });
      return loop.first;
    },
    [Symbol.asyncDispose]: async () => {
      // Collectors are disconnected first, so that none waits for a store that is closing.
      await Promise.all([listening[Symbol.asyncDispose](), pushes[Symbol.asyncDispose]()]);
      await gatherd?.[Symbol.asyncDispose]();
      await loop?.[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

function pushLinks(
  { folder, gatherer, wireVerbs }: OpenedGatherer,
  brokers: readonly string[],
  config: EffectiveConfig,
): PushLinks {
  const token = config.text('wire.token');
  return new PushLinks({
    ...{ brokers, folder, verbs: wireVerbs, name: gatherer.options.name },
    ...(token === '' ? {} : { token }),
    limits: limitsFromSettings(config.values()),
    clock: systemClock,
    random: systemRandom,
  });
}

async function openGatherd(
  { folder, gatherer, stream }: OpenedGatherer,
  config: EffectiveConfig,
): Promise<GatherdServer | undefined> {
  const port = config.count('gatherer.gatherd-port');
  if (port === 0) return undefined;
  const { name, host, version, ttlSeconds, refreshSeconds, clock } = gatherer.options;
  const about = { name, host, port, version, ttlSeconds, refreshSeconds, clock };
  const { classicSource, serveGatherd } = await gatherdPort();
  return serveGatherd({
    source: classicSource(folder, stream, about),
    name,
    clock,
    port,
    host: config.text('gatherer.gatherd-host'),
    allow: config.list('gatherer.gatherd-allow'),
    deny: config.list('gatherer.gatherd-deny'),
    maxConnections: config.count('gatherer.gatherd-connections'),
    idleSeconds: config.seconds('gatherer.gatherd-idle'),
  });
}
