import { availableParallelism } from 'node:os';
import { sourceVerbs, type Verb as WireVerb } from '../../exchange/index.ts';
import {
  ClassicStream,
  Gatherer,
  LightFirstProcessor,
  readPlan,
  threadBounds,
  UrlRewriter,
} from '../../gatherer/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { type DataFolder, openDataFolder, signAgain } from '../../store/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { type Site, withText } from '../config/site.ts';
import { version } from '../config/version.ts';
import { type OpenedRoots, openRoots } from './open-roots.ts';

/** An opened Gatherer with all its parts; disposing closes everything in order. */
export interface OpenedGatherer extends AsyncDisposable {
  readonly folder: DataFolder;
  readonly gatherer: Gatherer;
  readonly stream: ClassicStream;
  /** The site as it is gathered now, with its gatherer.text; to be stored. */
  readonly site: Site;
  /** The folders among the roots, which can be watched, and the other roots. */
  readonly watched: OpenedRoots['watched'];
  readonly unwatched: OpenedRoots['unwatched'];
  readonly wireVerbs: Readonly<Record<string, WireVerb>>;
}

/** Open the Gatherer of a data folder for a site; `heals` is that of `openDataFolder`. Throws the store's errors (STORE_LOCKED and the like). */
export async function openGatherer(
  data: string,
  given: Site,
  config: EffectiveConfig,
  { heals = true } = {},
): Promise<OpenedGatherer> {
  const site = withText(given, config);
  const folder = await openDataFolder(data, {
    role: 'gatherer',
    ...{ create: true, heals },
    clock: systemClock,
    random: systemRandom,
    cacheBytes: config.bytes('store.cache'),
  });
  let roots: OpenedRoots | undefined;
  let processor: LightFirstProcessor | undefined;
  const close = async () => {
    await processor?.[Symbol.asyncDispose]();
    await roots?.[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  try {
    // Before it serves: a Broker takes no object that only a revoked key has signed.
    await signAgain(folder, systemClock);
    const plan = await readPlan(config, site.text);
    processor = new LightFirstProcessor({
      plan,
      threads: config.count('gatherer.threads') || availableParallelism(),
      ...threadBounds(config),
    });
    const opened = await openRoots(site, config);
    roots = opened;
    const rewriter = new UrlRewriter(plan.rewrite);
    const gatherer = await Gatherer.open({
      folder,
      enumerators: opened.enumerators,
      clock: systemClock,
      name: config.text('gatherer.name') || opened.name,
      host: opened.host,
      version: version(),
      plan,
      processor,
      ...(plan.rewrite.length > 0 && { published: (url) => rewriter.published(url) }),
      ttlSeconds: Math.round(config.seconds('gatherer.ttl')),
      refreshSeconds: Math.round(config.seconds('gatherer.refresh')),
      maxAnnotations: config.count('gatherer.max-annotations'),
      answers: opened.answers,
      mapped: opened.mapped,
      budget: opened.budget,
    });
    const stream = await ClassicStream.open(folder);
    return {
      folder,
      gatherer,
      stream,
      site,
      watched: opened.watched,
      unwatched: opened.unwatched,
      wireVerbs: sourceVerbs({
        source: folder.store,
        serverId: folder.identity.serverId,
        sign: folder.identity.sign,
        clock: systemClock,
        filling: () => !gatherer.filled,
        learned: folder.store.clients.learned,
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
