import { httpErrors, type ParameterDescription, type Route, type RouteRequest } from '../http/index.ts';
import { failure } from '../kernel/index.ts';
import { gatheredAnswer, serverAnswer, serversAnswer } from './answer-schemas.ts';
import { isServerType, type LinkState, serverTypes } from './descriptions/index.ts';
import type { Alike, Directory, ListedServer } from './directory.ts';
import { registryErrors } from './errors.ts';
import type { ServerFilter } from './servers/index.ts';

/** A server in the list: without the addresses of its links, but with their number by state. */
export interface ServerEntry
  extends Omit<ListedServer, 'collectsFrom' | 'roots' | 'parents' | 'contentSummary' | 'fingerprint'> {
  /** Seconds since the last renewal. */
  readonly age: number;
  readonly links: Readonly<Record<LinkState, number>>;
}

/** What was found of a server, as its entry of the list. */
export type Listed<Found> = Omit<Found, 'server'> & { readonly server: ServerEntry };

/** A server with everything that it says. */
export interface DescribedServer extends Omit<ListedServer, 'contentSummary' | 'fingerprint'> {
  readonly age: number;
  /** As it signed them, in its order. */
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  /** Those with half or more of the same contents, the closest first. */
  readonly alike: readonly Listed<Alike>[];
}

function entryOf(
  { collectsFrom, roots, parents, contentSummary: _, fingerprint: __, ...server }: ListedServer,
  now: number,
): ServerEntry {
  const links = { live: 0, late: 0, broken: 0 };
  for (const { state } of [...collectsFrom, ...parents]) links[state]++;
  return { ...server, age: ageAt(now, server), links };
}

const withEntry = <Found extends { readonly server: ListedServer }>(
  { server, ...found }: Found,
  now: number,
): Listed<Found> => ({ ...found, server: entryOf(server, now) });

const ageAt = (now: number, { updatedAt }: Pick<ListedServer, 'updatedAt'>) =>
  Math.max(0, Math.round(now - updatedAt));

/** Max servers in an answer, and the number without `limit`. */
const maxListed = 1000;

const maxText = 2000;

const parameter = (name: string, describe: string): ParameterDescription => ({
  ...{ name, in: 'query', describe, schema: { type: 'string' } },
});

const parameters: readonly ParameterDescription[] = [
  parameter('type', 'Only servers of this type'),
  parameter('state', 'Only servers in this state: live or late'),
  parameter('prefix', 'Only servers whose address begins so; they are in the order of their addresses'),
  parameter('q', 'Only servers with all these words in their name, address, description and the like'),
  {
    ...{ name: 'limit', in: 'query', describe: `How many, max ${maxListed}` },
    schema: { type: 'integer', minimum: 1, maximum: maxListed },
  },
  parameter('after', 'The `next` of the page before'),
];

/** What a request wants. Throws HTTP_BAD_PARAMETER. */
function filterOf({ query }: Pick<RouteRequest, 'query'>): ServerFilter {
  const text = (name: string) => {
    const value = query[name]?.trim() ?? '';
    if (value.length > maxText)
      throw failure(httpErrors.HTTP_BAD_PARAMETER, { name, problem: `is longer than ${maxText} characters` });
    return value;
  };
  const [type, state] = [text('type').toUpperCase(), text('state').toLowerCase()];
  const wrong = (name: string, valid: readonly string[]) =>
    failure(httpErrors.HTTP_BAD_PARAMETER, { name, problem: `is one of ${valid.join(', ')}` });
  if (type !== '' && !isServerType(type))
    throw wrong(
      'type',
      serverTypes.map((one) => one.toLowerCase()),
    );
  if (state !== '' && state !== 'live' && state !== 'late') throw wrong('state', ['live', 'late']);
  return {
    ...(type !== '' && { type }),
    ...(state !== '' && { state }),
    ...{ prefix: text('prefix'), text: text('q') },
  };
}

/** Max servers that are named beside another. */
const maxGathered = 20;

/** `GET /servers`, `GET /gathered` and `GET /servers/:id`: the directory as JSON. */
export function directoryRoutes(
  directory: Pick<Directory, 'find' | 'page' | 'attributesOf' | 'now' | 'gathered' | 'alike'>,
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/servers',
      summary: 'The servers that have registered here and whose leases have not ended, a page at a time',
      scope: 'public',
      parameters,
      response: serversAnswer,
      handle: (request) => {
        const filter = filterOf(request);
        const { limit, after = '' } = request.query;
        const { total, servers, next } = directory.page(filter, {
          limit: Number(limit || maxListed),
          // A place may end within a surrogate pair.
          after: Buffer.from(after, 'base64url').toString('utf16le'),
        });
        const place = next === undefined ? null : Buffer.from(next, 'utf16le').toString('base64url');
        const entries = servers.map((server) => entryOf(server, directory.now));
        return { json: { total, servers: entries, next: place } };
      },
    },
    {
      method: 'GET',
      path: '/gathered',
      summary: 'The servers that gather or collect from an address or its host already, the closest first',
      scope: 'public',
      parameters: [
        {
          name: 'url',
          in: 'query',
          describe: 'Address of a site, or of a server to collect from',
          required: true,
          schema: { type: 'string' },
        },
      ],
      response: gatheredAnswer,
      handle: ({ query: { url = '' } }) => {
        if (!URL.canParse(url))
          throw failure(httpErrors.HTTP_BAD_PARAMETER, {
            name: 'url',
            problem: 'is an address such as https://www.example.org/docs/',
          });
        const found = directory.gathered(url, maxGathered);
        return { json: { servers: found.map((one) => withEntry(one, directory.now)) } };
      },
    },
    {
      method: 'GET',
      path: '/servers/:id',
      summary:
        'Everything that one server says of itself, by its id, server id or address, and those with much of its contents',
      scope: 'public',
      parameters: [
        { name: 'id', in: 'path', describe: 'Id of the server', required: true, schema: { type: 'string' } },
      ],
      response: serverAnswer,
      handle: async ({ params: { id = '' } }) => {
        const found = directory.find(id);
        if (found === undefined) throw failure(registryErrors.REGISTRY_NO_SERVER, { id: id.slice(0, 100) });
        const { contentSummary: _, fingerprint: __, ...server } = found;
        const attributes = await directory.attributesOf(server);
        const described: DescribedServer = {
          ...{ ...server, age: ageAt(directory.now, server) },
          attributes: attributes.map(([name, value]) => ({ name, value })),
          alike: directory.alike(server.id, maxGathered).map((one) => withEntry(one, directory.now)),
        };
        return { json: described };
      },
    },
  ];
}
