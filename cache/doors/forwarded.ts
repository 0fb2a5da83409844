import { isIPv6 } from 'node:net';
import type { RawFields } from '../rules/index.ts';
import { fieldRole } from './forwarding-fields.ts';
import type { RequestHead } from './request-head.ts';

export interface CameIn {
  /** Its answer may be shared by all clients. */
  readonly isShared: boolean;
  readonly from: string;
  /** The client is a trusted server in front, whose statements about its clients' addresses are passed on. */
  readonly isFront: boolean;
  /** The host as in the key, or as the operator wrote it, when the origin's answer is for that host only. */
  readonly forwardedHost: string | undefined;
}

/**
 * An accelerated request's fields with information that its origin cannot see: the client's address, its host
 * and its protocol (RFC 7239), and the address also in X-Forwarded-For, after the earlier ones. For a shared
 * answer the origin gets no host but the operator's, and no field that names another host or path. Fields in
 * which a client states its own address, as a server in front would, are removed.
 */
export function withForwarded({ fields, host, scheme }: RequestHead, came: CameIn): RawFields {
  const { isShared, from, isFront, forwardedHost = '' } = came;
  const sent: string[] = [];
  let earlierForwarded = '';
  let earlierFor = '';
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    switch (fieldRole(name)) {
      case 'forwarded':
        earlierForwarded = listed(earlierForwarded, value);
        break;
      case 'forwarded-for':
        earlierFor = listed(earlierFor, value);
        break;
      case 'forwarded-proto':
        break;
      case 'otherwise':
        if (!isShared) sent.push(name, value);
        break;
      case 'address':
        if (isFront) sent.push(name, value);
        break;
      default:
        sent.push(name, value);
    }
  }
  const address = from.startsWith('::ffff:') && from.includes('.') ? from.slice(7) : from;
  const bare = address.split('%', 1)[0] || 'unknown';
  // A host that passed the checks has no character that needs an escape.
  const named = isShared ? forwardedHost : host;
  const shownHost = named === '' ? '' : `host="${named}";`;
  const own = `for=${isIPv6(bare) ? `"[${bare}]"` : bare};${shownHost}proto=${scheme}`;
  const before = isShared && /host|proto/i.test(earlierForwarded) ? '' : earlierForwarded;
  sent.push('Forwarded', listed(before, own));
  sent.push('X-Forwarded-For', listed(earlierFor, bare));
  sent.push('X-Forwarded-Proto', scheme);
  return sent;
}

const listed = (before: string, next: string) => (before === '' ? next : `${before}, ${next}`);
