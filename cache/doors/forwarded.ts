import { isIPv6 } from 'node:net';
import { Fields, type RawFields, withField, withoutFields } from '../rules/index.ts';
import type { RequestHead } from './request-head.ts';

/** How a request came in. */
export interface CameIn {
  readonly method: string;
  readonly from: string;
  /** Whether what the origin answers is for that host alone. */
  readonly isHostTold: boolean;
}

// With these a client says which host, target or method is really meant, past the key under which others get the answer.
const otherwiseMeant: ReadonlySet<string> = new Set([
  ...['x-forwarded-host', 'x-forwarded-server', 'x-forwarded-prefix', 'x-host', 'x-original-host'],
  ...['x-original-url', 'x-rewrite-url', 'x-forwarded-uri', 'x-forwarded-path', 'x-forwarded-port'],
  ...[
    'x-forwarded-scheme',
    'x-forwarded-protocol',
    'x-forwarded-ssl',
    'x-url-scheme',
    'x-scheme',
    'front-end-https',
  ],
  ...['x-http-method', 'x-http-method-override', 'x-method-override'],
]);

/**
 * An accelerated request's fields with what its origin cannot see any more: who asked, for which host, and how (RFC 7239).
 * What is asked for with GET or HEAD may be everybody's answer: of those an origin is told nothing of a host but what the
 * operator named, and nothing by which it would take the request for another.
 */
export function withForwarded({ fields, host, scheme }: RequestHead, came: CameIn): RawFields {
  const { method, from, isHostTold } = came;
  const isShared = method === 'GET' || method === 'HEAD';
  const address = from.startsWith('::ffff:') && from.includes('.') ? from.slice(7) : from;
  const bare = address.split('%')[0] ?? '';
  const parts = [`for=${isIPv6(bare) ? `"[${bare}]"` : bare || 'unknown'}`];
  // A host that passed holds nothing that would have to be escaped.
  if (host !== '' && (isHostTold || !isShared)) parts.push(`host="${host}"`);
  parts.push(`proto=${scheme}`);
  const own = parts.join(';');
  const said = new Fields(fields).get('forwarded') ?? '';
  const before = isShared && /host|proto/i.test(said) ? '' : said;
  const sent = isShared ? withoutFields(fields, otherwiseMeant) : fields;
  const told = withField(sent, 'Forwarded', before === '' ? own : `${before}, ${own}`);
  return withField(told, 'X-Forwarded-Proto', scheme);
}
