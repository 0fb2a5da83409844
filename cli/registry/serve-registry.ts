import { type SourceAddress, searchesTogether } from '../../broker/index.ts';
import { HttpClient, userAgent } from '../../fetch/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { publicationRoute } from '../../publication/index.ts';
import {
  AddressProofs,
  applicationRoute,
  Directory,
  directoryRoutes,
  registrarDesk,
} from '../../registry/index.ts';
import { assetRoutes, registerPageRoutes, registryPageRoute, withStatusPage } from '../../web/index.ts';
import { type OpenedBroker, openBroker } from '../broker/serving/open-broker.ts';
import { serveAdministration } from '../broker/serving/serve-administration.ts';
import { askRoutes } from '../command/call-routes.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { version } from '../config/version.ts';
import { DisposalStack } from '../server/disposal-stack.ts';
import { type Listening, listen } from '../server/listen.ts';
import { openApplications } from './open-applications.ts';

/** A Registry that listens. */
export interface ServedRegistry extends AsyncDisposable {
  readonly opened: OpenedBroker;
  readonly directory: Directory;
  readonly listening: Listening;
}

/** A client for servers that registered: their addresses are strangers', so private ones are refused. */
function strangersClient(config: EffectiveConfig, totalTimeoutMs?: number): HttpClient {
  return new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{ allowHosts: config.list('registry.allow-hosts'), delayMs: 0, retries: 0 },
    ...(totalTimeoutMs !== undefined && { totalTimeoutMs }),
  });
}

/** Max time of a look whether a server answers or is named by its site. */
const visitMs = 10_000;

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
  const directory = stack.keep(await Directory.open(folder.store, systemClock));
  const client = stack.keep(strangersClient(config));
  const visitor = stack.keep(strangersClient(config, visitMs));
  const { federatedRoute } = await searchesTogether();
  const desk = registrarDesk({
    ...{ store: folder.store, keyring: broker.keyring, clock: systemClock, directory },
    maxServers: config.count('registry.max-servers'),
  });
  const proofs = new AddressProofs({
    ...{ directory, store: folder.store, keyring: broker.keyring, fetch: visitor.fetch, clock: systemClock },
  });
  stack.keep(proofs);
  directory.proofOf = (server) => proofs.stateOf(server);
  const applying = stack.keep(await openApplications({ broker, directory, desk, client: visitor, config }));
  const administration = stack.keep(await serveAdministration(broker, config, applying.controlRoutes));
  const api = [
    ...administration.api,
    ...directoryRoutes(directory),
    publicationRoute(desk),
    applicationRoute(applying.desk),
    federatedRoute({
      brokers: () => directory.list('BROKER').filter(({ unsigned }) => unsigned !== true),
      ...{ fetch: client.fetch, clock: systemClock },
      deadlineMs: config.seconds('registry.deadline') * 1000,
    }),
  ];
  const title = broker.name;
  const listening = stack.keep(
    await listen({
      ...{ folder, role: 'registry', name: title, port, config },
      routes: [
        ...api.map((route) => (route.path === '/status' ? withStatusPage(route, { title }) : route)),
        registryPageRoute({ api: (path) => askRoutes(api, { path }), title }),
        ...registerPageRoutes({ api: (call) => askRoutes(api, call), title }),
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
