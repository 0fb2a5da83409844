import { isIPv6 } from 'node:net';
import { Fields, type RawFields, withField } from '../rules/index.ts';
import type { RequestHead } from './request-head.ts';

/** An accelerated request's fields with what its origin cannot see any more: who asked, for which host, and how (RFC 7239). */
export function withForwarded({ fields, host }: RequestHead, from: string, secure: boolean): RawFields {
  const address = from.startsWith('::ffff:') && from.includes('.') ? from.slice(7) : from;
  const bare = address.split('%')[0] ?? '';
  const parts = [`for=${isIPv6(bare) ? `"[${bare}]"` : bare || 'unknown'}`];
  // A host that passed holds nothing that would have to be escaped.
  if (host !== '') parts.push(`host="${host}"`);
  parts.push(`proto=${secure ? 'https' : 'http'}`);
  const before = new Fields(fields).get('forwarded');
  const own = parts.join(';');
  return withField(fields, 'Forwarded', before === undefined || before === '' ? own : `${before}, ${own}`);
}
