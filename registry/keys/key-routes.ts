import { httpErrors, type Route, schemas } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { encodeKeyLinks, type ServerId } from '../../soif/index.ts';
import { registryErrors } from '../errors.ts';
import type { PublishedKey, RegistrarKeys } from './registrar-keys.ts';

/** Max servers in one page of changes. */
const maxPage = 100;

/** A server with its current key and the links to it; bytes are base64url. */
export interface KeyEntry {
  readonly serverId: string;
  readonly key: string;
  readonly succession: string;
}

/** A page of changes: `epoch` names the log, `next` is the number to go on from, `last` that of the last change. */
export interface KeyPage {
  readonly epoch: string;
  readonly keys: readonly KeyEntry[];
  readonly next: number;
  readonly last: number;
}

const { count, flag, list, object, text: words, time } = schemas;
const keyEntry = { serverId: words, key: words, succession: words };

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

const entryOf = ({ server, key, links }: PublishedKey): KeyEntry => ({
  ...{ serverId: server, key: text(key), succession: text(encodeKeyLinks(links)) },
});

/** `GET /keys` and `GET /keys/:id`: the directory of keys. Each change of a key is signed by the key before it. */
export function keyRoutes(
  keys: Pick<RegistrarKeys, 'published' | 'changedSince'>,
  epoch: () => string,
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/keys',
      summary: 'The servers that changed their keys after the change of a number, a page at a time',
      scope: 'public',
      parameters: [
        {
          ...{ name: 'since', in: 'query', describe: 'The `next` of the page before; 0 when absent' },
          schema: { type: 'integer', minimum: 0 },
        },
      ],
      response: object({ epoch: words, keys: list(object(keyEntry)), next: count, last: count }),
      handle: ({ query: { since = '0' } }) => {
        if (!/^\d{1,15}$/.test(since))
          throw failure(httpErrors.HTTP_BAD_PARAMETER, { name: 'since', problem: 'is not a number' });
        const { keys: changed, next, last } = keys.changedSince(Number(since), maxPage);
        const page: KeyPage = { epoch: epoch(), keys: changed.map(entryOf), next, last };
        return { json: page };
      },
    },
    {
      method: 'GET',
      path: '/keys/:id',
      summary: 'The current key of a server that registered here, and its former keys',
      scope: 'public',
      parameters: [
        { name: 'id', in: 'path', describe: 'Server id', required: true, schema: { type: 'string' } },
      ],
      response: object({
        ...keyEntry,
        links: list(object({ key: words, next: words, at: time, isRevoked: flag })),
      }),
      handle: ({ params: { id = '' } }) => {
        const found = keys.published(id as ServerId);
        if (found === undefined) throw failure(registryErrors.REGISTRY_NO_SERVER, { id: id.slice(0, 100) });
        const links = found.links.map(({ key, next, at, isRevoked }) => ({
          ...{ key: text(key), next: text(next), at, isRevoked },
        }));
        return { json: { ...entryOf(found), links } };
      },
    },
  ];
}
