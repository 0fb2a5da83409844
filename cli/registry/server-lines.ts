import type { ListedServer } from '../../registry/index.ts';
import { count } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** One line for each server. */
export function serverLines(servers: readonly ListedServer[], now: number): string {
  if (servers.length === 0) return 'no server is registered';
  return servers
    .map((server) => {
      const { type, name, url, objects, state, updatedAt } = server;
      return [
        `  ${type.toLowerCase().padEnd(10)} ${terminalSafe(name)}`,
        terminalSafe(url),
        ...(objects === undefined ? [] : [count(objects, 'object')]),
        ...claimOf(server),
        `${state}, renewed ${Math.max(0, Math.round(now - updatedAt))} s ago`,
      ].join('  ');
    })
    .join('\n');
}

/** What is known of a server's claim to its address. */
const claimOf = ({ unsigned, proof }: ListedServer): readonly string[] =>
  unsigned === true ? ['unsigned'] : proof === undefined ? [] : [proof];

/** Every field of a description that is filled, a line each. */
export function describedServer(server: ListedServer): string {
  const fields: readonly (readonly [string, string | number | undefined])[] = [
    ['type', server.type.toLowerCase()],
    ['name', server.name],
    ['address', server.url],
    ['description', server.description],
    ['administrator', server.administrator],
    ['location', server.location],
    ['software', server.software],
    ['objects', server.objects],
    ['state', server.state],
    ['its address', claimOf(server)[0]],
    ['renewal', `every ${server.refreshSeconds} s, removed after ${server.ttlSeconds} s without one`],
    ['server id', server.serverId],
    ['id', server.id],
  ];
  return fields
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([label, value]) => `  ${label.padEnd(13)} ${terminalSafe(String(value))}`)
    .join('\n');
}
