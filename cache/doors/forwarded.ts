import { isIPv6 } from 'node:net';
import type { RawFields } from '../rules/index.ts';
import { fieldRole } from './forwarding-fields.ts';
import type { RequestHead } from './request-head.ts';

/** How a request came in. */
export interface CameIn {
  /** What is answered to it may be everybody's answer. */
  readonly isShared: boolean;
  readonly from: string;
  /** Who asks is a server in front, whose word about its clients' addresses counts. */
  readonly isFront: boolean;
  /** The host as it is in the key, or as the operator wrote it, when what the origin answers is for that host alone. */
  readonly forwardedHost: string | undefined;
}

/**
 * An accelerated request's fields with what its origin cannot see any more: who asked, for which host, and how (RFC 7239),
 * and who asked in X-Forwarded-For too, behind those that it was said to come from before. Of what is everybody's answer an
 * origin is told nothing of a host but what the operator named, and nothing by which it would take the request for another;
 * what a client says of its own address, as if a server in front had, it is told of none.
 */
export function withForwarded({ fields, host, scheme }: RequestHead, came: CameIn): RawFields {
  const { isShared, from, isFront, forwardedHost = '' } = came;
  const told: string[] = [];
  let saidForwarded = '';
  let saidFor = '';
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    switch (fieldRole(name)) {
      case 'forwarded':
        saidForwarded = listed(saidForwarded, value);
        break;
      case 'forwarded-for':
        saidFor = listed(saidFor, value);
        break;
      case 'forwarded-proto':
        break;
      case 'otherwise':
        if (!isShared) told.push(name, value);
        break;
      case 'address':
        if (isFront) told.push(name, value);
        break;
      default:
        told.push(name, value);
    }
  }
  const address = from.startsWith('::ffff:') && from.includes('.') ? from.slice(7) : from;
  const bare = address.split('%', 1)[0] || 'unknown';
  // A host that passed holds nothing that would have to be escaped.
  const named = isShared ? forwardedHost : host;
  const shownHost = named === '' ? '' : `host="${named}";`;
  const own = `for=${isIPv6(bare) ? `"[${bare}]"` : bare};${shownHost}proto=${scheme}`;
  const before = isShared && /host|proto/i.test(saidForwarded) ? '' : saidForwarded;
  told.push('Forwarded', listed(before, own));
  told.push('X-Forwarded-For', listed(saidFor, bare));
  told.push('X-Forwarded-Proto', scheme);
  return told;
}

const listed = (before: string, next: string) => (before === '' ? next : `${before}, ${next}`);
