import { type Route, schemas, tokenScopes } from '../../http/index.ts';
import { bodySchema, count, JsonBody, pathParameter, text, texts, unkept } from '../requests/index.ts';
import type { Administration } from './administration.ts';

/** The last moment that a Date can represent; seconds since 1970. */
const latestTime = 8_640_000_000_000;

const note = {
  ...{ name: text, scopes: texts, createdAt: schemas.time },
  expiresAt: schemas.orNull(schemas.time),
};

/** Named tokens and their scopes, added and removed while the server runs. */
export function tokenRoutes(administration: Administration): readonly Route[] {
  const { tokens } = administration;
  return [
    {
      method: 'GET',
      path: '/control/tokens',
      summary: 'Every named token: its scopes and expiry, never the token itself',
      scope: 'admin',
      response: schemas.object({ tokens: schemas.list(schemas.object(note)) }),
      handle: () => ({ json: { tokens: tokens.notes }, headers: unkept }),
    },
    {
      method: 'POST',
      path: '/control/tokens',
      summary: 'Make a token; only this answer contains it',
      scope: 'admin',
      request: bodySchema(
        {
          name: text,
          scopes: { ...texts, items: { enum: [...tokenScopes] } },
          expiresAt: { ...count, description: 'seconds since 1970' },
        },
        'name',
        'scopes',
      ),
      status: 201,
      response: schemas.object({ ...note, token: text }),
      handle: async (request) => {
        const body = new JsonBody(request, ['name', 'scopes', 'expiresAt']);
        const [name, scopes] = [body.required('name'), body.texts('scopes', tokenScopes.length) ?? []];
        const expiresAt = body.number('expiresAt', 0, latestTime) ?? null;
        const until = expiresAt === null ? '' : `, until ${new Date(expiresAt * 1000).toISOString()}`;
        const made = await administration.act(
          request,
          ['token add', `${name}: ${scopes.join(', ')}${until}`],
          () => tokens.add({ name, scopes, expiresAt }),
        );
        return { status: 201, json: made, headers: unkept };
      },
    },
    {
      method: 'DELETE',
      path: '/control/tokens/:name',
      summary: 'Revoke a token at once',
      scope: 'admin',
      parameters: [pathParameter('name', 'The name of the token')],
      response: schemas.object({ removed: text }),
      handle: async (request) => {
        const name = request.params.name ?? '';
        await administration.act(request, ['token remove', name], () => tokens.remove(name));
        return { json: { removed: name } };
      },
    },
  ];
}
