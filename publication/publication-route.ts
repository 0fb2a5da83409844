import { type Route, type RouteRequest, schemas } from '../http/index.ts';
import { failure } from '../kernel/index.ts';
import { publicationErrors } from './errors.ts';
import type { PublicationDesk, Published } from './publication-desk.ts';
import { readPublicationRequest, type UnsignedPublication } from './publication-request.ts';

const base64url = { type: 'string', pattern: '^[A-Za-z0-9_-]+$' } as const;

const published = {
  oid: schemas.text,
  outcome: schemas.choice('stored', 'refreshed', 'withdrawn'),
  url: schemas.text,
};

/** Takes publications, and where it may, objects that a token speaks for in the place of a signature. */
export interface PublicationTaker extends Pick<PublicationDesk, 'publish'> {
  publishUnsigned?(
    objects: readonly UnsignedPublication[],
    request: Pick<RouteRequest, 'headers'>,
  ): Promise<readonly (Published & { readonly url: string })[]>;
}

/** `POST /publish`: a signed object, or the statement that its content is unchanged or that it is withdrawn. */
export function publicationRoute(desk: PublicationTaker): Route {
  return {
    method: 'POST',
    path: '/publish',
    summary: 'Publish an object that its publisher signed; without `soif`, its content is unchanged',
    scope: 'public',
    request: {
      type: 'object',
      required: ['publisher', 'key', 'updatedAt', 'signature', 'url'],
      properties: {
        publisher: { ...base64url, description: 'id of the server, 16 bytes' },
        key: { ...base64url, description: 'its Ed25519 public key, 32 bytes' },
        updatedAt: { type: 'integer', description: 'Update-Time, seconds since 1970' },
        signature: { ...base64url, description: 'Ed25519 over OID, digest and Update-Time, 64 bytes' },
        url: { type: 'string' },
        soif: { type: 'string', description: 'the object as SOIF' },
        delta: { ...base64url, description: 'the change of the object, in the place of `soif`' },
        succession: { ...base64url, description: 'the links from former keys of the server to this one' },
        withdrawn: { enum: [true], description: 'the object is removed' },
      },
    },
    response: {
      anyOf: [
        schemas.object(published, 'url'),
        schemas.object({ published: schemas.list(schemas.object(published)) }),
      ],
    },
    handle: async (request) => {
      const asked = await readPublicationRequest(request);
      if ('signed' in asked) return { json: await desk.publish(asked.signed) };
      if (desk.publishUnsigned === undefined)
        throw failure(publicationErrors.PUBLICATION_INVALID, { reason: 'it has no signature' });
      return { json: { published: await desk.publishUnsigned(asked.unsigned, request) } };
    },
  };
}
