import { hostname } from 'node:os';
import { sourceVerbs, type Verb as WireVerb } from '../exchange/index.ts';
import { HttpClient, RobotsTxt, userAgent } from '../fetch/index.ts';
import {
  ClassicStream,
  type Enumerator,
  FolderEnumerator,
  Gatherer,
  type GathererOptions,
  WebEnumerator,
} from '../gatherer/index.ts';
import { systemClock, systemRandom } from '../kernel/index.ts';
import { type DataFolder, openDataFolder } from '../store/index.ts';
import type { EffectiveConfig } from './config.ts';
import { folderName, type Site, siteName } from './site.ts';
import { version } from './version.ts';

/** A Gatherer with all it needs, opened; disposing closes everything in order. */
export interface OpenedGatherer extends AsyncDisposable {
  readonly folder: DataFolder;
  readonly gatherer: Gatherer;
  readonly stream: ClassicStream;
  readonly site: Site;
  /** The enumerator of a folder, which can be watched. */
  readonly watched:
    | { readonly root: string; readonly hidden: boolean; readonly enumerator: FolderEnumerator }
    | undefined;
  readonly wireVerbs: Readonly<Record<string, WireVerb>>;
}

function zeroIsNone(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

function httpClient(config: EffectiveConfig, site: Site): HttpClient {
  return new HttpClient({
    userAgent: userAgent(version(), config.text('fetch.contact')),
    allowHosts: [...(site.kind === 'web' ? [site.url] : []), ...config.list('fetch.allow-hosts')],
    delayMs: config.seconds('fetch.delay') * 1000,
    perHost: config.count('fetch.per-host'),
    connections: config.count('fetch.connections'),
    retries: config.count('fetch.retries'),
    retryAfterMaxMs: config.seconds('fetch.retry-after-max') * 1000,
    connectTimeoutMs: config.seconds('fetch.connect-timeout') * 1000,
    headersTimeoutMs: config.seconds('fetch.headers-timeout') * 1000,
    idleTimeoutMs: config.seconds('fetch.idle-timeout') * 1000,
    totalTimeoutMs: config.seconds('fetch.total-timeout') * 1000,
    maxBytes: config.bytes('fetch.max-bytes'),
    clock: systemClock,
    random: systemRandom,
  });
}

/** Open the Gatherer of a data folder for a site. Throws the store's errors (STORE_LOCKED and the like). */
export async function openGatherer(
  data: string,
  site: Site,
  config: EffectiveConfig,
): Promise<OpenedGatherer> {
  const folder = await openDataFolder(data, {
    role: 'gatherer',
    create: true,
    clock: systemClock,
    random: systemRandom,
    cacheBytes: config.bytes('store.cache'),
  });
  const client = httpClient(config, site);
  const close = async () => {
    await client[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  try {
    const hidden = config.flag('gatherer.hidden');
    const maxBytesPerDocument = config.bytes('gatherer.max-document-bytes');
    const watched =
      site.kind === 'folder'
        ? {
            root: site.path,
            hidden,
            enumerator: new FolderEnumerator({
              root: site.path,
              baseUrl: site.baseUrl,
              hidden,
              maxBytesPerDocument,
            }),
          }
        : undefined;
    const web = (linksOf: Parameters<GathererOptions['enumerators']>[0]): Enumerator => {
      const maxUrls = zeroIsNone(config.count('gatherer.max-urls'));
      const maxDepth = zeroIsNone(config.count('gatherer.max-depth'));
      return new WebEnumerator({
        root: siteName(site),
        fetch: client.fetch,
        linksOf,
        ...(config.flag('gatherer.robots')
          ? { robots: new RobotsTxt({ fetch: client.fetch, clock: systemClock }) }
          : {}),
        limits: {
          maxBytesPerDocument,
          ...(maxUrls === undefined ? {} : { maxUrls }),
          ...(maxDepth === undefined ? {} : { maxDepth }),
        },
        stayBelow: config.flag('gatherer.stay-below'),
        sitemaps: config.flag('gatherer.sitemaps'),
        pageLists: config.flag('gatherer.page-lists'),
        concurrency: config.count('gatherer.concurrency'),
        frontierUrls: config.count('gatherer.frontier-urls'),
      });
    };
    const host = site.kind === 'web' ? new URL(site.url).host : hostname();
    const allow = config.list('gatherer.allow');
    const gatherer = await Gatherer.open({
      folder,
      enumerators: (linksOf) => [watched?.enumerator ?? web(linksOf)],
      clock: systemClock,
      name: config.text('gatherer.name') || (site.kind === 'web' ? host : folderName(site.path)),
      host,
      version: version(),
      summarise: {
        text: config.text('gatherer.text') as 'full' | 'selected' | 'none',
        maxTextBytes: config.bytes('gatherer.max-text'),
        maxDocumentBytes: maxBytesPerDocument,
      },
      selection: { stop: config.list('gatherer.stop'), ...(allow.length === 0 ? {} : { allow }) },
      ttlSeconds: Math.round(config.seconds('gatherer.ttl')),
      refreshSeconds: Math.round(config.seconds('gatherer.refresh')),
    });
    const stream = await ClassicStream.open(folder);
    return {
      folder,
      gatherer,
      stream,
      site,
      watched,
      wireVerbs: sourceVerbs({
        source: folder.store,
        serverId: folder.identity.serverId,
        clock: systemClock,
        learned: (client, { epoch, lsn }) => {
          // Only for status: that it is lost when the store closes meanwhile does no harm.
          folder.store.noteClient(client, { epoch, lsn }).catch(() => undefined);
        },
      }),
      [Symbol.asyncDispose]: async () => {
        await stream[Symbol.asyncDispose]();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
