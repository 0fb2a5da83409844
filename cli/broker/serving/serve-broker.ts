import { type Broker, type ClassicOrders, classicPort, type SourceAddress } from '../../../broker/index.ts';
import { systemClock } from '../../../kernel/index.ts';
import type { LineServer } from '../../../line-protocol/index.ts';
import {
  searchPageRoutes,
  summaryPageRoute,
  tablePageRoute,
  withStatusPage,
  withSummaryPage,
} from '../../../web/index.ts';
import { askRoutes } from '../../command/call-routes.ts';
import type { EffectiveConfig } from '../../config/config.ts';
import { brokerHealth } from '../../server/health.ts';
import { type Listening, linesAddress, listen } from '../../server/listen.ts';
import { pageSite } from '../../server/page-site.ts';
import { followOwnKey, type OpenedBroker, openBroker } from './open-broker.ts';
import { serveAdministration } from './serve-administration.ts';

/** A Broker that listens and collects. */
export interface ServedBroker extends AsyncDisposable {
  readonly opened: OpenedBroker;
  readonly listening: Listening;
  /** `host:port` for clients of Harvest's time, when broker.classic-port is set. */
  readonly classicAddress: string | undefined;
}

/** Open a Broker and its port, and begin to collect. */
export async function serveBroker(
  data: string,
  sources: readonly SourceAddress[],
  config: EffectiveConfig,
  {
    port,
    ownHosts = [],
    isUnlisted = false,
    gathersFirst = false,
  }: {
    readonly port: number;
    readonly ownHosts?: readonly string[];
    /** It does not register. */
    readonly isUnlisted?: boolean;
    /** Its Gatherer, in this process, will gather now. */
    readonly gathersFirst?: boolean;
  },
): Promise<ServedBroker> {
  const opened = await openBroker(data, sources, config, { ownHosts });
  const { broker } = opened;
  let listening: Listening | undefined;
  try {
    // At a later start the objects are there already, and are only checked.
    broker.collector.isFilling = gathersFirst && broker.folder.store.count === 0;
    await followOwnKey(broker);
    const { site: shown, routes: own } = await pageSite('broker', config, broker.name);
    const administration = await serveAdministration(broker, config, { role: 'broker', site: shown });
    const { api } = administration;
    listening = await listen({
      folder: broker.folder,
      role: 'broker',
      name: broker.name,
      routes: [
        ...api.map((route) =>
          route.path === '/status'
            ? withStatusPage(route, shown)
            : route.path === '/objects/:oid' && route.method === 'GET'
              ? withSummaryPage(route)
              : route,
        ),
        summaryPageRoute({ api: (path) => askRoutes(api, { path }), ...shown }),
        tablePageRoute({ api: (path) => askRoutes(api, { path }), ...shown }),
        ...searchPageRoutes({
          api: (path) => askRoutes(api, { path }),
          ...shown,
          cache: config.text('broker.cache'),
          publicUrl: config.text('server.public-url'),
          isSecure: config.text('http.tls-certificate') !== '',
          keepsRecent: config.flag('broker.recent-searches'),
        }),
        ...own,
        ...administration.routes,
        ...administration.publishing,
      ],
      access: administration.access,
      refused: administration.refused,
      wireVerbs: broker.verbs(),
      knows: (peer) => broker.collector.knows(peer),
      registers: async () => {
        const { registeredBroker } = await import('./registered-broker.ts');
        return registeredBroker(broker, config.seconds('server.renewal') * 1000);
      },
      isUnlisted,
      port,
      config,
      health: brokerHealth(broker, config),
    });
    const classic = await openClassicPort(broker, config, administration.classic);
    broker.start();
    void opened.verifyIndex();
    const door = listening;
    return {
      opened,
      listening,
      classicAddress: classic && linesAddress(classic),
      [Symbol.asyncDispose]: async () => {
        await Promise.all([door[Symbol.asyncDispose](), classic?.[Symbol.asyncDispose]()]);
        administration[Symbol.dispose]();
        await opened[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await listening?.[Symbol.asyncDispose]();
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/** Open the port for clients of Harvest's time when `broker.classic-port` is set. */
async function openClassicPort(
  broker: Broker,
  config: EffectiveConfig,
  orders: ClassicOrders,
): Promise<LineServer | undefined> {
  const port = config.count('broker.classic-port');
  if (port === 0) return undefined;
  const { classicBroker, serveClassic } = await classicPort();
  return serveClassic(classicBroker(broker, orders), {
    clock: systemClock,
    port,
    host: config.text('broker.classic-host'),
    allow: config.list('broker.classic-allow'),
    deny: config.list('broker.classic-deny'),
    maxConnections: config.count('broker.classic-connections'),
    idleSeconds: config.seconds('broker.classic-idle'),
  });
}
