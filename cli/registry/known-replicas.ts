import type { Broker } from '../../broker/index.ts';
import { HttpClient, readStart, userAgent } from '../../fetch/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import type { Directory, KnownReplica, Registrar, ReplicasOptions } from '../../registry/index.ts';
import { allowedHosts } from '../config/allowed-hosts.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { version } from '../config/version.ts';

interface Own {
  readonly broker: Broker;
  readonly directory: Pick<Directory, 'ofType'>;
  readonly registrar: Pick<Registrar, 'keyring'>;
  /** Undefined until it listens. */
  readonly url: () => string | undefined;
}

const maxStrangers = 200;

/** Where a server that is collected from answers HTTP; undefined for one that is not dialled. */
function httpAddress(source: string): string | undefined {
  const url = URL.parse(source.replace(/^ws/, 'http'));
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** The addresses that this Registry collects all servers from. */
const collectedBy = ({ collector }: Broker) => collector.status.filter(({ filter }) => filter === null);

/** The Registries that one knows: itself, those that it collects from, and those that registered at it. */
export async function knownReplicas({
  broker,
  directory,
  registrar,
  url,
}: Own): Promise<readonly KnownReplica[]> {
  const own = broker.folder.identity.serverId;
  const replicas: KnownReplica[] = [];
  const self = url();
  if (self !== undefined)
    replicas.push({ url: self, name: broker.name, serverId: own, isReplica: true, isSelf: true });
  const registered = new Map(
    directory
      .ofType('REGISTRY')
      .slice(0, maxStrangers)
      .map((server) => [server.serverId, server] as const),
  );
  registered.delete(own);
  for (const { url: source, serverId, name } of collectedBy(broker)) {
    const listed = serverId === null ? undefined : registered.get(serverId);
    // Under a disputed id a stranger may have registered.
    const isDisputed =
      listed !== undefined && (await registrar.keyring.hasReplaced?.(listed.serverId)) !== false;
    const address = (isDisputed ? undefined : listed?.url) ?? httpAddress(source);
    if (listed !== undefined && !isDisputed) registered.delete(listed.serverId);
    if (address !== undefined)
      replicas.push({ url: address, name: listed?.name ?? name, serverId, isReplica: true, isSelf: false });
  }
  for (const { url: address, name, serverId } of registered.values())
    replicas.push({ url: address, name, serverId, isReplica: false, isSelf: false });
  const seen = new Set<string>();
  return replicas
    .map((replica) => ({ ...replica, url: replica.url.endsWith('/') ? replica.url : `${replica.url}/` }))
    .filter((replica) => !seen.has(replica.url) && seen.add(replica.url));
}

/** Asks a Registry for its health, over a connection of its own. Private addresses are those that the operator named. */
export function replicaProbe(config: EffectiveConfig, { broker, url: own }: Own): ReplicasOptions['probe'] {
  const named = allowedHosts(config, 'registry.allow-hosts');
  return async ({ url }, signal) => {
    const collected = collectedBy(broker).flatMap((source) => httpAddress(source.url) ?? []);
    const allowHosts = [...collected, own() ?? [], ...named].flat();
    await using client = new HttpClient({
      ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom, allowHosts },
      ...{ allowSetting: 'registry.allow-hosts', delayMs: 0, retries: 0 },
    });
    const started = performance.now();
    const response = await client.fetch({ url: new URL('health', url).href, redirect: 'manual', signal });
    await readStart(response, 1);
    if (response.status !== 200) throw new Error(`it answers with status ${response.status}`);
    return Math.round((performance.now() - started) * 1000) / 1000;
  };
}
