import { answerVerbs, type Verb as WireVerb } from '../../exchange/index.ts';
import { certificateRefused, certificateRenewed } from '../../http/events.ts';
import { type HealthCheck, type HttpServer, type Refusal, type Route, serveHttp } from '../../http/index.ts';
import { limitsFrom } from '../../http/settings.ts';
import { shareOf, systemClock, systemRandom } from '../../kernel/index.ts';
import type { LineServer } from '../../line-protocol/index.ts';
import { proofRoute } from '../../publication/index.ts';
import type { DataFolder, ServerRole } from '../../store/index.ts';
import { type Peer, WireServer } from '../../wire/index.ts';
import { limitsFromSettings } from '../../wire/settings.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { serverTls, type TlsFiles, tlsFiles } from '../config/tls-files.ts';
import { corsOrigins } from '../config/tokens.ts';
import { version } from '../config/version.ts';
import { type ServerAccess, serverAccess, trustedFronts } from './access.ts';
import { folderHealth } from './health.ts';
import { listed } from './listed.ts';
import { metricsProvider } from './metrics.ts';
import type { Registered } from './registering.ts';

/** `host:port`, with brackets around an IPv6 address. */
export function linesAddress({ host, port }: LineServer): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export interface ListenOptions {
  readonly folder: DataFolder;
  readonly role: ServerRole;
  readonly name: string;
  readonly routes: readonly Route[];
  readonly wireVerbs: Readonly<Record<string, WireVerb>>;
  /** Whether a caller is a server that this one was set up to deal with. */
  readonly knows?: (peer: Peer) => boolean;
  /** What it is listed as where `server.registry` names Registries. */
  readonly registers: () => Promise<Registered>;
  /** It never registers, whatever the settings say. */
  readonly isUnlisted?: boolean;
  readonly port: number;
  readonly config: EffectiveConfig;
  readonly health?: readonly HealthCheck[];
  /** Who may come in; as the settings say when absent. */
  readonly access?: ServerAccess;
  /** Gets every caller whom a route with a scope turned away. */
  readonly refused?: (refusal: Refusal) => void;
  /** Only this process collects from it: it listens on loopback, without TLS. */
  readonly isInternal?: boolean;
}

/** A server with its HTTP routes, its wire and its control door on one port. */
export interface Listening extends AsyncDisposable {
  readonly http: HttpServer;
  /** Where to collect from it. */
  readonly wireUrl: string;
  /** Reload the certificate for new connections; an unusable one is published, and the old one stays in use. */
  reload(): Promise<void>;
}

/** Open one port for a server: pages, API, metrics, the wire at `/`, and the control door for this machine. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { folder, role, name, routes, wireVerbs, port, config } = options;
  const { table, controlToken, authorise } = options.access ?? serverAccess(config);
  const tls = options.isInternal ? undefined : await serverTls(config);
  const limits = limitsFrom((key) => config.number(key));
  const maxSessions = config.count('wire.max-sessions');
  const fronts = trustedFronts(config);
  const wire = new WireServer({
    identity: folder.identity,
    name,
    role,
    software: `garner/${version()}`,
    clock: systemClock,
    random: systemRandom,
    limits: limitsFromSettings(config.values()),
    onChannel: answerVerbs(wireVerbs),
    origins: config.list('wire.origins'),
    maxSessions,
    clientSessions: shareOf(maxSessions, limits.clientShare),
    known: (peer) => folder.store.clients.hasKey(peer.publicKey) || options.knows?.(peer) === true,
    ...(authorise === undefined ? {} : { authorise }),
  });
  const health = await folderHealth(folder, {
    clock: systemClock,
    minFreeDisk: config.bytes('broker.min-free-disk'),
  });
  let http: HttpServer;
  try {
    http = await serveHttp({
      routes: [...routes, proofRoute(folder.identity)],
      host: options.isInternal ? '' : config.text('http.host'),
      port,
      ...(tls && { tls }),
      clock: systemClock,
      tokens: table,
      ...(options.refused === undefined ? {} : { refused: options.refused }),
      hostNames: config.list('http.host-names'),
      corsOrigins: corsOrigins(config),
      upgrades: [
        {
          path: '/',
          origins: 'any',
          handle: (request, socket, head, sender) => wire.handleUpgrade(request, socket, head, sender),
        },
      ],
      title: `Garner ${role}`,
      version: version(),
      ...{ limits, fronts },
      metrics: metricsProvider(role),
      health: [...health.checks, ...(options.health ?? [])],
    });
  } catch (error) {
    await health[Symbol.asyncDispose]();
    await wire[Symbol.asyncDispose]();
    throw error;
  }
  const address = new URL(http.url).origin;
  /** Commands of this machine trust these certificates and no other. */
  const announce = (...served: readonly TlsFiles[]) =>
    folder.announce({
      ...{ address, token: controlToken },
      ...(tls && { certificates: served.map(({ certificate }) => certificate.toString()) }),
    });
  let registration: AsyncDisposable | undefined;
  try {
    await announce(...(tls ? [tls] : []));
    if (!options.isUnlisted)
      registration = await listed(config, options.registers, { folder, name, url: http.url });
  } catch (error) {
    await health[Symbol.asyncDispose]();
    await http[Symbol.asyncDispose]();
    await wire[Symbol.asyncDispose]();
    throw error;
  }
  let served = tls;
  let isClosed = false;
  const renew = async () => {
    if (served === undefined || isClosed) return;
    try {
      const next = await tlsFiles(config, 'http');
      // A command must find the certificate that it meets, before the change and after it.
      await announce(served, next);
      http.renewTls(next);
      served = next;
      await announce(next);
      certificateRenewed.publish({ validTo: new Date(next.certificate.validTo) });
    } catch (error) {
      certificateRefused.publish({ error });
    }
  };
  let reloading = Promise.resolve();
  return {
    http,
    wireUrl: http.url.replace(/^http/, 'ws'),
    reload: () => {
      reloading = reloading.then(renew);
      return reloading;
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await registration?.[Symbol.asyncDispose]();
      await reloading;
      await wire[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      await health[Symbol.asyncDispose]();
    },
  };
}
