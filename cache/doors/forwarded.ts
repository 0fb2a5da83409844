import { isIPv6 } from 'node:net';
import { Fields, type RawFields, withField } from '../rules/index.ts';
import type { RequestHead } from './request-head.ts';
import { saysOtherwise } from './told-between-servers.ts';

/** How a request came in. */
export interface CameIn {
  readonly method: string;
  readonly from: string;
  /** The host as it is in the key, or as the operator wrote it, when what the origin answers is for that host alone. */
  readonly toldHost: string | undefined;
}

/**
 * An accelerated request's fields with what its origin cannot see any more: who asked, for which host, and how (RFC 7239).
 * What is asked for with GET or HEAD may be everybody's answer: of those an origin is told nothing of a host but what the
 * operator named, and nothing by which it would take the request for another.
 */
export function withForwarded({ fields, host, scheme }: RequestHead, came: CameIn): RawFields {
  const { method, from, toldHost = '' } = came;
  const isShared = method === 'GET' || method === 'HEAD';
  const address = from.startsWith('::ffff:') && from.includes('.') ? from.slice(7) : from;
  const bare = address.split('%')[0] ?? '';
  const parts = [`for=${isIPv6(bare) ? `"[${bare}]"` : bare || 'unknown'}`];
  // A host that passed holds nothing that would have to be escaped.
  const named = isShared ? toldHost : host;
  if (named !== '') parts.push(`host="${named}"`);
  parts.push(`proto=${scheme}`);
  const own = parts.join(';');
  const said = new Fields(fields).get('forwarded') ?? '';
  const before = isShared && /host|proto/i.test(said) ? '' : said;
  const sent = isShared ? believable(fields) : fields;
  const told = withField(sent, 'Forwarded', before === '' ? own : `${before}, ${own}`);
  return withField(told, 'X-Forwarded-Proto', scheme);
}

function believable(raw: RawFields): RawFields {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (!saysOtherwise(raw[at] ?? '')) kept.push(raw[at] ?? '', raw[at + 1] ?? '');
  return kept;
}
