import type { DescribedServer, ServerEntry } from '../../registry/index.ts';
import { count, number, size } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** The health of a server: whether it renews its lease, what its index lacks, and links that do not work. */
function healthOf({ state, age, backlog = 0, links }: ServerEntry): string {
  return [
    `${state}, renewed ${age} s ago`,
    ...(backlog === 0 ? [] : [`index ${number(backlog)} behind`]),
    ...(links.broken === 0 ? [] : [count(links.broken, 'broken link')]),
  ].join(', ');
}

/** One line for each server. */
export function serverLines(servers: readonly ServerEntry[]): string {
  if (servers.length === 0) return 'no server is registered';
  return servers
    .map((server) => {
      const { type, name, url, objects, bytes, software, topic } = server;
      return [
        `  ${type.toLowerCase().padEnd(10)} ${terminalSafe(name)}`,
        terminalSafe(url),
        ...(objects === undefined ? [] : [count(objects, 'object')]),
        ...(bytes === undefined ? [] : [size(bytes)]),
        ...(software === '' ? [] : [terminalSafe(software)]),
        ...(topic === '' ? [] : [terminalSafe(topic)]),
        healthOf(server),
      ].join('  ');
    })
    .join('\n');
}

const maxShown = 300;

/** Everything that a server says of itself, an attribute a line; long values are cut. */
export function describedServer(server: DescribedServer): string {
  const fields: readonly (readonly [string, string])[] = [
    ['type', server.type.toLowerCase()],
    ['address', server.url],
    ['state', `${server.state}, renewed ${server.age} s ago`],
    ['lease', `renewed every ${server.refreshSeconds} s, removed after ${server.ttlSeconds} s without`],
    ['server id', server.serverId],
    ['id', server.id],
    ...server.attributes.map(({ name, value }) => [name, value.trim().replace(/\n+/g, ', ')] as const),
  ];
  return fields
    .map(([label, value]) => {
      const shown = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
      return `  ${terminalSafe(label).padEnd(24)} ${terminalSafe(shown)}`;
    })
    .join('\n');
}
