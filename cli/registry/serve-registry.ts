import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { type Broker, type SourceAddress, searchesTogether } from '../../broker/index.ts';
import { HttpClient, userAgent } from '../../fetch/index.ts';
import type { Route } from '../../http/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { ClientGate, guardedRoute, publicationRoute, RefusalReports } from '../../publication/index.ts';
import {
  AddressProofs,
  applicationRoute,
  Directory,
  directoryRoutes,
  keyRoutes,
  printCounts,
  Registrar,
  Replicas,
  replicaRoutes,
  serverAttributes,
  TopologyFeed,
  topologyRoutes,
} from '../../registry/index.ts';
import {
  assetRoutes,
  registerPageRoutes,
  registryPageRoute,
  withStatusPage,
  withTopologyPage,
} from '../../web/index.ts';
import { followOwnKey, type OpenedBroker, openBroker } from '../broker/serving/open-broker.ts';
import { serveAdministration } from '../broker/serving/serve-administration.ts';
import { askRoutes } from '../command/call-routes.ts';
import { allowedHosts } from '../config/allowed-hosts.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { version } from '../config/version.ts';
import { DisposalStack } from '../server/disposal-stack.ts';
import { brokerHealth } from '../server/health.ts';
import { type Listening, listen } from '../server/listen.ts';
import { pageSite } from '../server/page-site.ts';
import type { Registered } from '../server/registering.ts';
import { isBlockedServer } from './blocked-servers.ts';
import { chooseBySummary } from './choose-by-summary.ts';
import { knownReplicas, replicaProbe } from './known-replicas.ts';
import { openApplications } from './open-applications.ts';

/** Max bytes of a registration: a description of 160 KiB, as SOIF within JSON. */
const maxPublicationBytes = 320 * 1024;
/** Max bytes of an application: five texts and an address, with escapes of JSON. */
const maxApplicationBytes = 32 * 1024;

/** A Registry that listens. */
export interface ServedRegistry extends AsyncDisposable {
  readonly opened: OpenedBroker;
  readonly directory: Directory;
  readonly listening: Listening;
}

/** Connections to one Broker, and to all: searches at once, each of as many Brokers as it may ask. */
const connections = { perHost: 16, connections: 1024 };

/** A client for servers that registered: their addresses are strangers', so private ones are refused. */
function strangersClient(config: EffectiveConfig, totalTimeoutMs?: number): HttpClient {
  return new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{
      allowHosts: allowedHosts(config, 'registry.allow-hosts'),
      allowSetting: 'registry.allow-hosts',
      delayMs: 0,
      retries: 0,
    },
    ...{ ...connections, loopback: { delayMs: 0, perHost: connections.perHost } },
    ...(totalTimeoutMs !== undefined && { totalTimeoutMs }),
  });
}

/** Max time of a look whether a server answers or is named by its site. */
const visitMs = 10_000;

/** The name of a Registry: as it is set, or where it is reached, or that of its data where any free port is taken. */
export function registryName(config: EffectiveConfig, data: string, port: number): string {
  if (config.origin('broker.name') !== 'default') return config.text('broker.name');
  const reached = URL.parse(config.text('server.public-url'))?.host;
  if (reached !== undefined && reached !== '') return reached;
  const [named] = config.list('http.host-names');
  const listening = config.text('http.host');
  const host = named ?? (/^(?:0\.0\.0\.0|::)$/.test(listening) ? hostname() : listening);
  if (port === 0) return basename(dirname(data));
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
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
  const opened = stack.keep(
    await openBroker(data, sources, config, { role: 'registry', name: registryName(config, data, port) }),
  );
  const { broker } = opened;
  const { folder } = broker;
  const { site: shown, routes: ownRoutes } = await pageSite('registry', config, broker.name);
  const directory = stack.keep(await Directory.open(folder.store, systemClock));
  const feed = new TopologyFeed(directory, systemClock);
  stack.keep({ [Symbol.asyncDispose]: async () => feed[Symbol.dispose]() });
  const [topology, topologyEvents] = topologyRoutes(feed, systemClock);
  const client = stack.keep(strangersClient(config));
  const visitor = stack.keep(strangersClient(config, visitMs));
  const { federatedRoute } = await searchesTogether();
  const registrar = stack.keep(
    await Registrar.open({
      ...{ store: folder.store, database: await folder.database('registrar'), directory },
      ...{ clock: systemClock, collected: broker.keyring },
      ...{ maxServers: config.count('registry.max-servers'), own: folder.identity.serverId },
      isBlocked: (candidate) => isBlockedServer(broker.orders, candidate),
    }),
  );
  // Other Registries are collected from by the keys and the bounds of registrations.
  broker.rules = { keyring: registrar.keyring, guard: (replica) => registrar.guard(replica) };
  await followOwnKey(broker);
  let url: string | undefined;
  const own = { broker, directory, registrar, url: () => url };
  const replicas = stack.keep(
    new Replicas({
      ...{ known: () => knownReplicas(own), probe: replicaProbe(config, own) },
      ...{ clock: systemClock, random: systemRandom },
    }),
  );
  const content = () => ({ servers: directory.count, fingerprint: directory.fingerprint });
  const proofs = new AddressProofs({
    ...{ directory, keyring: registrar.keyring, fetch: visitor.fetch, clock: systemClock },
  });
  stack.keep(proofs);
  directory.proofOf = (server) => proofs.stateOf(server);
  const applying = stack.keep(
    await openApplications({ broker, directory, registrar, client: visitor, config }),
  );
  const administration = stack.keep(
    await serveAdministration(broker, config, { role: 'registry', site: shown }, applying.controlRoutes),
  );
  /** A route by which strangers write. */
  const guarded = (route: Route, maxBodyBytes: number) =>
    guardedRoute(route, {
      gate: new ClientGate({ clock: systemClock, perSecond: config.count('registry.client-rate') }),
      reports: new RefusalReports({
        clock: systemClock,
        write: (note) => administration.refusedStranger(`POST ${route.path}`, note),
      }),
      maxBodyBytes,
    });
  const api = [
    ...administration.api,
    ...directoryRoutes(directory),
    ...replicaRoutes(replicas, content),
    ...keyRoutes(registrar.keys, () => folder.store.epoch),
    guarded(publicationRoute(registrar), maxPublicationBytes),
    guarded(applicationRoute(applying.desk), maxApplicationBytes),
    federatedRoute({
      brokers: () => directory.brokers(),
      unsigned: () => directory.ofType('BROKER').length - directory.brokers().length,
      choose: chooseBySummary(({ url }) => directory.summaryAt(url)),
      ...{ fetch: client.fetch, check: client.check, clock: systemClock },
      deadlineMs: config.seconds('registry.deadline') * 1000,
    }),
  ];
  const listening = stack.keep(
    await listen({
      ...{ folder, role: 'registry', name: broker.name, port, config },
      routes: [
        ...api.map((route) => (route.path === '/status' ? withStatusPage(route, shown) : route)),
        withTopologyPage(topology, shown),
        topologyEvents,
        registryPageRoute({ api: (path, request) => askRoutes(api, { path, ...request }), ...shown }),
        ...registerPageRoutes({ api: (call) => askRoutes(api, call), ...shown }),
        ...assetRoutes(),
        ...ownRoutes,
        ...administration.routes,
      ],
      access: administration.access,
      refused: administration.refused,
      wireVerbs: broker.verbs(),
      knows: (peer) => broker.collector.knows(peer),
      registers: () => registered(broker, directory),
      health: brokerHealth(broker, config),
    }),
  );
  url = config.text('server.public-url') || listening.http.url;
  broker.start();
  registrar.start();
  replicas.start();
  return { opened, directory, listening };
}

/** What a Registry says of itself where it registers. */
async function registered(broker: Broker, directory: Directory): Promise<Registered> {
  const { freeFigures, onSourceState } = await import('../broker/serving/registered-broker.ts');
  return {
    type: 'REGISTRY',
    objects: () => directory.count,
    attributes: async () => {
      const counts = new Map<string, number>();
      for (const { type } of directory.list()) counts.set(type, (counts.get(type) ?? 0) + 1);
      const types = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      return [[serverAttributes.types, printCounts(types.map(([value, count]) => ({ value, count })))]];
    },
    links: () => freeFigures(broker),
    onChange: onSourceState,
    keyring: broker.keyring,
  };
}
