import type { Alike, ListedServer } from '../../registry/index.ts';
import { count } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** One line for each server. */
export function serverLines(servers: readonly ListedServer[], now: number): string {
  if (servers.length === 0) return 'no server is registered';
  return servers
    .map(({ type, name, url, objects, state, updatedAt }) =>
      [
        `  ${type.toLowerCase().padEnd(10)} ${terminalSafe(name)}`,
        terminalSafe(url),
        ...(objects === undefined ? [] : [count(objects, 'object')]),
        `${state}, renewed ${Math.max(0, Math.round(now - updatedAt))} s ago`,
      ].join('  '),
    )
    .join('\n');
}

/** Every field of a description that is filled, a line each. */
export function describedServer(server: ListedServer & { readonly alike?: readonly Alike[] }): string {
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
    ['renewal', `every ${server.refreshSeconds} s, removed after ${server.ttlSeconds} s without one`],
    ...(server.alike ?? []).map(
      (other) =>
        [
          'contents as',
          `${other.server.name}, ${Math.round(other.share * 100)} %, ${other.server.url}`,
        ] as const,
    ),
    ['server id', server.serverId],
    ['id', server.id],
  ];
  return fields
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([label, value]) => `  ${label.padEnd(13)} ${terminalSafe(String(value))}`)
    .join('\n');
}
