import { HttpClient, userAgent } from '../../fetch/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import type { GatheredBy, Listed } from '../../registry/index.ts';
import type { ServerId } from '../../soif/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { version } from '../config/version.ts';
import { ago, count } from '../text/number-formats.ts';
import { type Output, terminalSafe } from '../text/output.ts';
import { registriesOf } from './listed.ts';
import { registryAnswer } from './registry-answer.ts';

/** Max time for all Registries: what they report is advice, and a run does not depend on it. */
const patienceMs = 2000;

const maxAddresses = 8;
const maxServers = 3;

/**
 * Note the servers of the Registries of `server.registry` that gather or collect from one of these addresses already.
 * `own` is this server, which may be among them. Throws CLI_BAD_SETTING.
 */
export async function noteGathered(
  addresses: readonly string[],
  {
    config,
    run: { output, typed },
    own,
  }: {
    readonly config: EffectiveConfig;
    readonly run: { readonly output: Output; readonly typed: (line: string) => string };
    readonly own?: ServerId;
  },
): Promise<void> {
  const registries = registriesOf(config);
  const asked = addresses.filter((address) => /^(?:https?|ftp|wss?):/.test(address)).slice(0, maxAddresses);
  if (registries.length === 0 || asked.length === 0) return;
  await using client = new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{ allowHosts: registries, delayMs: 0, retries: 0, totalTimeoutMs: patienceMs },
  });
  const signal = AbortSignal.timeout(patienceMs);
  const named = new Set<string>();
  const ask = async (registry: string, url: string) => {
    try {
      const path = `/gathered?${new URLSearchParams({ url })}`;
      const { servers } = (await registryAnswer(
        registry,
        path,
        { list: 'servers' },
        { fetch: client.fetch, signal },
      )) as {
        readonly servers: readonly Listed<GatheredBy>[];
      };
      let left = maxServers;
      for (const one of servers) {
        const { serverId } = one.server;
        // One server may be in the answer twice: it gathers the address, and has much of the same contents.
        if (serverId === own || named.has(serverId) || left-- <= 0) continue;
        named.add(serverId);
        output.note(gatheredLine(one, systemClock.now() / 1000, typed));
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      output.note(terminalSafe(`${registry} was not asked who gathers ${url} already: ${why}`));
    }
  };
  await Promise.all(registries.flatMap((registry) => asked.map((url) => ask(registry, url))));
}

const verbs = {
  covers: (place: string) => `gathers ${place} already`,
  collects: (place: string) => `collects from ${place} already`,
  below: (place: string) => `gathers a part of it already, ${place}`,
  'same host': (place: string) => `gathers another part of this host, ${place}`,
  alike: (place: string, share: number) =>
    `has about ${Math.round(share * 100)} % of its contents in common with ${place}`,
} as const;

/** A server that gathers the same, how fresh it is, and how to use it. Strangers wrote all of it. */
export function gatheredLine(
  { relation, place, share = 0, server }: Listed<GatheredBy>,
  now: number,
  typed = (line: string) => line,
): string {
  const { type, name, url, objects, state, updatedAt } = server;
  const facts = [
    ...(objects === undefined ? [] : [count(objects, 'object')]),
    `${state}, renewed ${ago(now - updatedAt)}`,
  ].join(', ');
  // Quoted, because an address may have what a shell acts on, such as `;` and `$`.
  const source = `'${url.replace(/^http/, 'ws').replaceAll("'", '%27')}'`;
  return [
    `note: the ${type.toLowerCase()} ${name} ${verbs[relation](place, share)} (${facts})`,
    `      to collect from it: ${typed('garner broker serve')} --collect ${source}`,
  ]
    .map(terminalSafe)
    .join('\n');
}
