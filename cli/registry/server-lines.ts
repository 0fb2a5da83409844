import { cutAtWord, formatDuration } from '../../kernel/index.ts';
import {
  type Application,
  type DescribedServer,
  type ListedServer,
  type ServerEntry,
  serverAttributes,
} from '../../registry/index.ts';
import { ago, count, number, size } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** The health of a server: whether it renews its lease, what its index lacks, and links that do not work. */
function healthOf(server: ServerEntry): string {
  const { backlog = 0, links } = server;
  return [
    leaseOf(server),
    ...(backlog === 0 ? [] : [`index ${number(backlog)} behind`]),
    ...(links.broken === 0 ? [] : [count(links.broken, 'broken link')]),
  ].join(', ');
}

const leaseOf = ({ state, age, unreached }: Pick<ServerEntry, 'state' | 'age' | 'unreached'>): string =>
  unreached === true ? 'not reached yet' : `${state}, renewed ${ago(age)}`;

/** One line for each server, with the id that `garner registry describe` takes. */
export function serverLines(servers: readonly ServerEntry[], isFiltered = false): string {
  if (servers.length === 0) return isFiltered ? 'no server matches the filters' : 'no server is registered';
  return servers
    .map((server) => {
      const { id, type, name, url, objects, bytes, software, topic } = server;
      const line = [
        `  ${type.toLowerCase().padEnd(10)} ${name}`,
        url,
        `id ${id}`,
        ...(objects === undefined ? [] : [count(objects, 'object')]),
        ...(bytes === undefined ? [] : [size(bytes)]),
        ...(software === '' ? [] : [software]),
        ...(topic === '' ? [] : [topic]),
        healthOf(server),
        ...claimOf(server),
      ].join('  ');
      return terminalSafe(line);
    })
    .join('\n');
}

const maxShown = 300;

/** What is known of a server's claim to its address. */
const claimOf = ({ unsigned, proof }: Pick<ListedServer, 'unsigned' | 'proof'>): readonly string[] =>
  unsigned === true ? ['unsigned'] : proof === undefined ? [] : [proof];

const moment = (value: number) =>
  value < 1e11 ? `${new Date(value * 1000).toISOString().slice(0, 19)}Z` : String(value);

/** Attributes that are numbers, as a person reads them. */
const formats = new Map<string, (value: number) => string>([
  [serverAttributes.changed, moment],
  [serverAttributes.updateTime, moment],
  [serverAttributes.refreshRate, formatDuration],
  [serverAttributes.timeToLive, formatDuration],
  [serverAttributes.bytes, size],
  [serverAttributes.objects, number],
  [serverAttributes.backlog, number],
  [serverAttributes.failed, number],
]);

const readable = (name: string, value: string) =>
  /^\d{1,15}$/.test(value.trim()) ? (formats.get(name)?.(Number(value)) ?? value) : value;

/** Everything that a server says of itself, an attribute a line; long values are cut. */
export function describedServer(server: DescribedServer): string {
  const fields: readonly (readonly [string, string])[] = [
    ['type', server.type.toLowerCase()],
    ['address', server.url],
    ['state', leaseOf(server)],
    [
      'lease',
      `renewed every ${formatDuration(server.refreshSeconds)}, removed after ${formatDuration(server.ttlSeconds)} without`,
    ],
    ...claimOf(server).map((claim) => ['its address', claim] as const),
    ...server.alike.map(
      ({ share, server: { name, url } }) =>
        ['contents as', `${name}, ${Math.round(share * 100)} %, ${url}`] as const,
    ),
    ['server id', server.serverId],
    ['id', server.id],
    ...server.attributes.map(
      ({ name, value }) => [name, readable(name, value).trim().replace(/\n+/g, ', ')] as const,
    ),
  ];
  return fields
    .map(([label, value]) => {
      const shown = cutAtWord(value, maxShown);
      return `  ${terminalSafe(label).padEnd(24)} ${terminalSafe(shown)}`;
    })
    .join('\n');
}

/** The held applications: a line each, and below it what else was said. */
export function applicationLines(applications: readonly Application[], now: number): string {
  if (applications.length === 0) return 'no application is held';
  return applications
    .map(({ id, type, name, url, at, client, description, administrator, location, topics }) => {
      const head = `  ${id}  ${type.toLowerCase()} ${name}  ${url}  ${ago(now - at)} from ${client}`;
      const more = [description, administrator, location, topics].filter((text) => text !== '');
      return [head, ...(more.length === 0 ? [] : [`    ${more.join('; ')}`])].map(terminalSafe).join('\n');
    })
    .join('\n');
}
