import type { LookupFunction } from 'node:net';
import { type AddressGuard, fetchErrors } from '../../fetch/index.ts';
import { failure, isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';

/** The destination of one request to an origin. */
export interface Target {
  readonly secure: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** The Host field: that of the URL, also for a request to a peer (RFC 9112 3.2.2). */
  readonly authority: string;
  /** In the form of the request line. */
  readonly path: string;
  /** Refuses private addresses unless the operator named the place. */
  readonly lookup: LookupFunction;
}

type Site = Omit<Target, 'path'>;

const maxSites = 1024;

/** The places of origins, by URL. */
export class Origins {
  readonly #guard: AddressGuard;
  /** By scheme and authority: most requests go to a known place. */
  readonly #known = new Map<string, Site>();

  constructor(guard: AddressGuard) {
    this.#guard = guard;
  }

  /** The place of a URL, with Host `asHost` if given. Throws CACHE_UNREACHABLE, CACHE_ADDRESS_REFUSED. */
  of(url: string, asHost?: string): Target {
    const slash = url.indexOf('/', url.indexOf('://') + 3);
    const site = slash === -1 ? undefined : this.#known.get(url.slice(0, slash));
    if (site === undefined) return this.#find(url, asHost);
    const { secure, host, port, authority, lookup } = site;
    return { secure, host, port, authority: asHost ?? authority, path: url.slice(slash), lookup };
  }

  #find(url: string, asHost: string | undefined): Target {
    const [, scheme = '', authority = '', path = ''] = /^([a-z]+):\/\/([^/?#]+)(.*)$/s.exec(url) ?? [];
    if (scheme !== 'http' && scheme !== 'https')
      throw failure(cacheErrors.CACHE_UNREACHABLE, {
        url,
        why: `this cache does not speak ${scheme || 'that'}`,
      });
    const secure = scheme === 'https';
    const [, name = '', digits] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority) ?? [];
    const host = name.replace(/^\[(.*)\]$/, '$1');
    const port = digits === undefined ? (secure ? 443 : 80) : Number(digits);
    const lookup = guardedLookup(url, host, port, this.#guard);
    if (this.#known.size >= maxSites) this.#known.clear();
    this.#known.set(`${scheme}://${authority}`, { secure, host, port, authority, lookup });
    const slashed = path.startsWith('/') ? path : `/${path}`;
    return { secure, host, port, authority: asHost ?? authority, path: slashed, lookup };
  }
}

/** Name resolution closed to private addresses that the operator has not named: CACHE_ADDRESS_REFUSED. */
export function guardedLookup(url: string, host: string, port: number, guard: AddressGuard): LookupFunction {
  try {
    guard.checkLiteral(host, port);
  } catch (error) {
    if (!isGarnerError(error, fetchErrors.FETCH_PRIVATE_ADDRESS)) throw error;
    throw failure(cacheErrors.CACHE_ADDRESS_REFUSED, { url, why: 'its address is private' }, error);
  }
  return guard.isTyped(host, port) ? guard.openLookup : guard.guardedLookup;
}
