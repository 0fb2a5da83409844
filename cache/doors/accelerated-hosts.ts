import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { normalisedUrl } from '../rules/index.ts';
import { isWithin } from './access.ts';
import type { AcceleratedHosts } from './request-key.ts';

/** What is said of hosts beside the servers behind them. */
export interface HostRules {
  /** Hand the host that a client asked for on to the origin. */
  readonly passHost?: boolean;
  /** The hosts that are answered for, as `hostPatterns` reads them; every one when absent or empty. */
  readonly hosts?: readonly string[];
}

const hostPattern = /^(?:(?:\*?\.)?[a-z0-9_-][a-z0-9._-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Whether a host with its port is one of `www.example.org`, `www.example.org:8080` and `.example.org`, all below it too. */
function hostPatterns(entries: readonly string[]): (host: string) => boolean {
  const patterns = entries.map((entry) => entry.trim().toLowerCase());
  for (const [at, pattern] of patterns.entries())
    if (!hostPattern.test(pattern)) throw failure(cacheErrors.CACHE_HOST, { entry: entries[at] ?? '' });
  const places = patterns.map((pattern) => pattern.replace(/^\*/, ''));
  return (host) => {
    const name = withoutPort(host);
    return places.some((place) => isWithin(place.includes(':') && !place.endsWith(']') ? host : name, place));
  };
}

const withoutPort = (host: string) => host.replace(/:\d*$/, '');

/**
 * The hosts that an operator named: `http://origin:8080` for every host, or `www.example.org=http://origin:8080` for one,
 * which outweighs the former. Throws CACHE_ORIGIN for an entry that is neither, CACHE_HOST for a host that is none.
 */
export function acceleratedHosts(entries: readonly string[], rules: HostRules = {}): AcceleratedHosts {
  const byHost = new Map<string, string>();
  let everyHost: string | undefined;
  for (const entry of entries) {
    const [, host, address = ''] = /^(?:([^=/]+)=)?(.*)$/s.exec(entry.trim()) ?? [];
    const origin = originOf(entry, address);
    if (host === undefined && everyHost !== undefined)
      throw failure(cacheErrors.CACHE_ORIGIN, { entry, problem: 'there is one for every host already' });
    if (host === undefined) everyHost = origin;
    else byHost.set(host.toLowerCase(), origin);
  }
  const { passHost = false, hosts = [] } = rules;
  const isListed = hosts.length === 0 ? undefined : hostPatterns(hosts);
  const entryFor = (host: string) =>
    byHost.size === 0 ? undefined : [host, withoutPort(host)].find((name) => byHost.has(name));
  const ownOriginFor = (host: string) => byHost.get(entryFor(host) ?? '');
  const namedOriginFor = (host: string) =>
    ownOriginFor(host) ?? (isListed?.(host) === true ? everyHost : undefined);
  const origins = [...byHost.values(), ...(everyHost === undefined ? [] : [everyHost])];
  // What lies below another origin has that one's keys too.
  const isBelow = (one: string, other: string) => `${one}/`.startsWith(`${other}/`);
  const ofOne = new Set<string | undefined>(
    origins.filter((one, at) =>
      origins.every((other, place) => place === at || !(isBelow(one, other) || isBelow(other, one))),
    ),
  );
  return {
    ...{ passHost, namedOriginFor, origins },
    originFor: (host) => namedOriginFor(host) ?? (isListed === undefined ? everyHost : undefined),
    // Nothing of how it was written, or with which port: that is no part of the key.
    forwardedHost: (host) => (ofOne.has(ownOriginFor(host)) ? entryFor(host) : undefined),
  };
}

/** An origin's URL without the slash at its end, so that a path can follow. */
function originOf(entry: string, address: string): string {
  const url = normalisedUrl(address);
  if (url === undefined)
    throw failure(cacheErrors.CACHE_ORIGIN, { entry, problem: 'it is not a URL, or has a user name' });
  if (!/^https?:/.test(url))
    throw failure(cacheErrors.CACHE_ORIGIN, { entry, problem: 'it is not http or https' });
  if (/[?]/.test(url)) throw failure(cacheErrors.CACHE_ORIGIN, { entry, problem: 'it has a query' });
  return url.replace(/\/$/, '');
}
