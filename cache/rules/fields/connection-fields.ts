import { type RawFields, withoutFields } from './fields.ts';
import { listMembers } from './list-members.ts';

// RFC 9110 7.6.1 and 11.7: fields for the next hop only.
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// RFC 9110 7.6.1: fields for every recipient are never connection options. A client that could nominate these
// would remove fields on which the origin decides, and a stored response would answer another request.
const neverNominated: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'age',
  'authorization',
  'cache-control',
  'cache-status',
  'cdn-cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'cookie',
  'date',
  'etag',
  'expires',
  'forwarded',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'origin',
  'pragma',
  'range',
  'set-cookie',
  'surrogate-control',
  'vary',
  'via',
  'www-authenticate',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

/**
 * The fields without connection fields (RFC 9110 7.6.1), which are neither forwarded nor stored (RFC 9111
 * 3.1): the standard ones and those that Connection nominates, except fields for every recipient. Returns the
 * same list when there is none.
 */
export function withoutConnectionFields(raw: RawFields): RawFields {
  let nominated: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    for (const member of listMembers(raw[at + 1] ?? '')) {
      const lower = member.toLowerCase();
      if (neverNominated.has(lower) || ofTheConnection.has(lower)) continue;
      nominated ??= new Set(ofTheConnection);
      nominated.add(lower);
    }
  }
  return withoutFields(raw, nominated ?? ofTheConnection);
}
