import {
  Broker,
  ResultTemplates,
  type SelfRepairingEngine,
  type SourceAddress,
} from '../../../broker/index.ts';
import { HttpClient, userAgent } from '../../../fetch/index.ts';
import { systemClock, systemRandom } from '../../../kernel/index.ts';
import { openDataFolder, signAgain } from '../../../store/index.ts';
import { limitsFromSettings } from '../../../wire/settings.ts';
import type { EffectiveConfig } from '../../config/config.ts';
import { version } from '../../config/version.ts';
import { brokerFetch, proofFetch } from './broker-fetch.ts';
import { openEngine, type UpkeptEngine } from './open-engine.ts';
import { topicSynonyms } from './topic-synonyms.ts';

/** An opened Broker with all its parts; disposing closes everything in order. */
export interface OpenedBroker extends AsyncDisposable {
  readonly broker: Broker;
  /** Resolve when no merge of the index is running or due. */
  settled(): Promise<void>;
  /** Read every file of the index once, slowly; a damaged index is rebuilt. */
  verifyIndex(): Promise<void>;
}

/** Follow the server's own change of key: what it publishes in its own name is verified by its keyring too. */
export async function followOwnKey({ folder, keyring }: Pick<Broker, 'folder' | 'keyring'>): Promise<void> {
  const { serverId, succession } = folder.identity;
  if (succession !== undefined) await keyring.succeed?.(serverId, succession);
}

/** Open the Broker of a data folder. Throws the store's errors (STORE_LOCKED and the like). */
export async function openBroker(
  data: string,
  sources: readonly SourceAddress[],
  config: EffectiveConfig,
  {
    create = true,
    name = config.text('broker.name'),
    ownHosts = [] as readonly string[],
    role = 'broker' as 'broker' | 'registry',
    /** Make damaged databases again from what can be read. */
    heals = undefined as boolean | undefined,
  } = {},
): Promise<OpenedBroker> {
  const sender = new HttpClient({
    userAgent: userAgent(version()),
    allowHosts: config.list('broker.webhook-hosts'),
    ...{ delayMs: 0, perHost: 2, retries: 0, totalTimeoutMs: 30_000 },
  });
  const visitor = config.flag('broker.require-proof') ? proofFetch(config, ownHosts) : undefined;
  const folder = await openDataFolder(data, {
    role,
    ...{ create, heals: heals ?? create },
    clock: systemClock,
    random: systemRandom,
    cacheBytes: config.bytes('store.cache'),
  });
  const token = config.text('wire.token');
  const scheme = config.text('broker.scheme');
  let engine: SelfRepairingEngine<UpkeptEngine> | undefined;
  const stopping = new AbortController();
  const web = brokerFetch(config, ownHosts);
  try {
    // Before it serves: other Brokers, and this one, drop what only a revoked key has signed.
    await signAgain(folder, systemClock);
    const synonyms = await topicSynonyms(config);
    engine = await openEngine(folder, config, { create });
    const opened = engine;
    const broker = await Broker.open({
      folder,
      engine,
      name,
      sources,
      wire: limitsFromSettings(config.values()),
      clock: systemClock,
      random: systemRandom,
      intervalSeconds: config.seconds('broker.interval'),
      silenceSeconds: config.seconds('exchange.silence'),
      graceSeconds: config.seconds('broker.grace'),
      snippetLength: config.count('broker.snippet'),
      deleteGuard: config.count('exchange.delete-guard') / 100,
      ...(token === '' ? {} : { token }),
      ...(scheme === '' ? {} : { scheme }),
      tombstoneSeconds: config.seconds('store.tombstones'),
      countsSearches: config.text('broker.search-log') === 'counts',
      showsTables: config.flag('broker.tables'),
      checksLinks: config.flag('broker.link-checks'),
      templates: new ResultTemplates(config.records('broker.templates')),
      fetch: web.fetch,
      ...(visitor && { proofFetch: visitor.fetch }),
      ...(synonyms === undefined ? {} : { synonyms }),
      webhookFetch: sender.fetch,
      webhookCheck: sender.check,
      timeToLiveSeconds: config.seconds('broker.time-to-live'),
      maxTimeToLiveSeconds: config.seconds('broker.max-time-to-live'),
      quotas: {
        maxObjects: config.count('broker.max-objects'),
        maxBytes: config.bytes('broker.max-bytes'),
        minFreeDisk: config.bytes('broker.min-free-disk'),
      },
      cleaningSeconds: config.seconds('broker.cleaning'),
      logLevel: config.text('broker.log-level'),
      logEvents: config.list('broker.log-events'),
      settingFrom: (key) => config.origin(key),
    });
    await folder.settleMended();
    let verifying: Promise<void> | undefined;
    return {
      broker,
      settled: () => opened.inner.settled(),
      verifyIndex: () => {
        verifying ??= opened.verify(stopping.signal).then(
          () => undefined,
          () => undefined,
        );
        return verifying;
      },
      [Symbol.asyncDispose]: async () => {
        stopping.abort();
        await verifying;
        await broker[Symbol.asyncDispose]();
        await sender[Symbol.asyncDispose]();
        await opened[Symbol.asyncDispose]();
        await web[Symbol.asyncDispose]();
        await visitor?.[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await sender[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
    await visitor?.[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}
