import { type SourceAddress, searchesTogether } from '../../broker/index.ts';
import { HttpClient, userAgent } from '../../fetch/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { publicationRoute } from '../../publication/index.ts';
import {
  Directory,
  directoryRoutes,
  registrarDesk,
  TopologyFeed,
  topologyRoutes,
} from '../../registry/index.ts';
import { assetRoutes, registryPageRoute, withStatusPage, withTopologyPage } from '../../web/index.ts';
import { type OpenedBroker, openBroker } from '../broker/serving/open-broker.ts';
import { serveAdministration } from '../broker/serving/serve-administration.ts';
import { askRoutes } from '../command/call-routes.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { version } from '../config/version.ts';
import { DisposalStack } from '../server/disposal-stack.ts';
import { type Listening, listen } from '../server/listen.ts';
import { sitePages } from '../server/site-pages.ts';

/** A Registry that listens. */
export interface ServedRegistry extends AsyncDisposable {
  readonly opened: OpenedBroker;
  readonly directory: Directory;
  readonly listening: Listening;
}

/** The client for Brokers that registered: their addresses are strangers', so private ones are refused. */
function federationClient(config: EffectiveConfig): HttpClient {
  return new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{ allowHosts: config.list('registry.allow-hosts'), delayMs: 0, retries: 0 },
  });
}

/** Open a Registry and its port. */
export async function serveRegistry(
  data: string,
  sources: readonly SourceAddress[],
  config: EffectiveConfig,
  { port }: { readonly port: number },
): Promise<ServedRegistry> {
  const stack = new DisposalStack();
  try {
    const parts = await openParts(stack, data, sources, config, port);
    return { ...parts, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

async function openParts(
  stack: DisposalStack,
  data: string,
  sources: readonly SourceAddress[],
  config: EffectiveConfig,
  port: number,
): Promise<Omit<ServedRegistry, typeof Symbol.asyncDispose>> {
  const opened = stack.keep(await openBroker(data, sources, config, { role: 'registry' }));
  const { broker } = opened;
  const { folder } = broker;
  const pages = sitePages('registry', config);
  const directory = stack.keep(await Directory.open(folder.store, systemClock));
  const feed = new TopologyFeed(directory, systemClock);
  stack.keep({ [Symbol.asyncDispose]: async () => feed[Symbol.dispose]() });
  const [topology, topologyEvents] = topologyRoutes(feed, systemClock);
  const client = stack.keep(federationClient(config));
  const administration = stack.keep(await serveAdministration(broker, config, pages));
  const { federatedRoute } = await searchesTogether();
  const desk = registrarDesk({
    ...{ store: folder.store, keyring: broker.keyring, clock: systemClock, directory },
    maxServers: config.count('registry.max-servers'),
  });
  const api = [
    ...administration.api,
    ...directoryRoutes(directory),
    publicationRoute(desk),
    federatedRoute({
      brokers: () => directory.list('BROKER'),
      ...{ fetch: client.fetch, clock: systemClock },
      deadlineMs: config.seconds('registry.deadline') * 1000,
    }),
  ];
  const title = broker.name;
  const shown = { title, pages };
  const listening = stack.keep(
    await listen({
      ...{ folder, role: 'registry', name: title, port, config },
      routes: [
        ...api.map((route) => (route.path === '/status' ? withStatusPage(route, shown) : route)),
        withTopologyPage(topology, shown),
        topologyEvents,
        registryPageRoute({ api: (path) => askRoutes(api, { path }), ...shown }),
        ...assetRoutes(),
        ...administration.routes,
      ],
      access: administration.access,
      refused: administration.refused,
      wireVerbs: broker.verbs(),
      registers: { type: 'REGISTRY', objects: () => directory.count },
    }),
  );
  broker.start();
  return { opened, directory, listening };
}
