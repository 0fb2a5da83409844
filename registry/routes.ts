import type { Route } from '../http/index.ts';
import { failure } from '../kernel/index.ts';
import { isServerType } from './attributes.ts';
import type { Directory, ListedServer } from './directory.ts';
import { registryErrors } from './errors.ts';
import type { LinkState } from './links.ts';

/** A server in the list: without the addresses of its links, but with their number by state. */
export interface ServerEntry extends Omit<ListedServer, 'collectsFrom' | 'roots' | 'parents'> {
  /** Seconds since the last renewal. */
  readonly age: number;
  readonly links: Readonly<Record<LinkState, number>>;
}

/** A server with everything that it says. */
export interface DescribedServer extends ListedServer {
  readonly age: number;
  /** As it signed them, in its order. */
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

function entryOf({ collectsFrom, roots, parents, ...server }: ListedServer, now: number): ServerEntry {
  const links = { live: 0, late: 0, broken: 0 };
  for (const { state } of [...collectsFrom, ...parents]) links[state]++;
  return { ...server, age: ageAt(now, server), links };
}

const ageAt = (now: number, { updatedAt }: Pick<ListedServer, 'updatedAt'>) =>
  Math.max(0, Math.round(now - updatedAt));

/** `GET /servers` and `GET /servers/:id`: the directory as JSON. */
export function directoryRoutes(
  directory: Pick<Directory, 'find' | 'list' | 'attributesOf' | 'now'>,
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/servers',
      summary: 'The servers that have registered here and whose leases have not ended',
      scope: 'public',
      parameters: [
        { name: 'type', in: 'query', describe: 'Only servers of this type', schema: { type: 'string' } },
      ],
      handle: ({ query: { type = '' } }) => {
        const wanted = type.toUpperCase();
        if (wanted !== '' && !isServerType(wanted)) return { json: { servers: [] } };
        const listed = directory.list(wanted === '' ? undefined : wanted);
        return { json: { servers: listed.map((server) => entryOf(server, directory.now)) } };
      },
    },
    {
      method: 'GET',
      path: '/servers/:id',
      summary: 'Everything that one server says of itself, by its id or its server id',
      scope: 'public',
      parameters: [
        { name: 'id', in: 'path', describe: 'Id of the server', required: true, schema: { type: 'string' } },
      ],
      handle: async ({ params: { id = '' } }) => {
        const server = directory.find(id);
        if (server === undefined) throw failure(registryErrors.REGISTRY_NO_SERVER, { id: id.slice(0, 100) });
        const attributes = await directory.attributesOf(server);
        const described: DescribedServer = {
          ...{ ...server, age: ageAt(directory.now, server) },
          attributes: attributes.map(([name, value]) => ({ name, value })),
        };
        return { json: described };
      },
    },
  ];
}
