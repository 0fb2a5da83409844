import type { Route } from '../http/index.ts';
import { failure } from '../kernel/index.ts';
import { isServerType } from './description.ts';
import type { Directory } from './directory.ts';
import { registryErrors } from './errors.ts';

/** Max servers that are named beside another. */
const maxGathered = 20;

/** `GET /servers` and `GET /servers/:id`: the directory as JSON. */
export function directoryRoutes(
  directory: Pick<Directory, 'alike' | 'find' | 'gathered' | 'list'>,
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
        return { json: { servers: directory.list(wanted === '' ? undefined : wanted) } };
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
      handle: ({ query: { url = '' } }) => ({
        json: { servers: directory.gathered(url).slice(0, maxGathered) },
      }),
    },
    {
      method: 'GET',
      path: '/servers/:id',
      summary: 'One server, by its id or its server id, with those that have much of the same contents',
      scope: 'public',
      parameters: [
        { name: 'id', in: 'path', describe: 'Id of the server', required: true, schema: { type: 'string' } },
      ],
      handle: ({ params: { id = '' } }) => {
        const server = directory.find(id);
        if (server === undefined) throw failure(registryErrors.REGISTRY_NO_SERVER, { id: id.slice(0, 100) });
        return { json: { ...server, alike: directory.alike(server.id).slice(0, maxGathered) } };
      },
    },
  ];
}
