import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { normalisedUrl } from '../rules/index.ts';
import { isWithin } from './access.ts';
import type { AcceleratedHosts } from './request-key.ts';

export interface HostRules {
  /** Send the host that the client requested to the origin. */
  readonly passHost?: boolean;
  /** The served hosts, as `hostPatterns` reads them; every host when absent or empty. */
  readonly hosts?: readonly string[];
}

const hostPattern = /^(?:(?:\*?\.)?[a-z0-9_-][a-z0-9._-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** A test of hosts: `www.example.org`, one with a port, or `.example.org` with its subdomains. */
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
 * The operator's entries: `http://origin:8080` for every host, or `www.example.org=http://origin:8080` for one host,
 * which has priority. Throws CACHE_ORIGIN for an entry that is neither, CACHE_HOST for an invalid host.
 */
export function acceleratedHosts(entries: readonly string[], rules: HostRules = {}): AcceleratedHosts {
  const byHost = new Map<string, string>();
  let everyHost: string | undefined;
  for (const entry of entries) {
    const [, host, address = ''] = /^(?:([^=/]+)=)?(.*)$/s.exec(entry.trim()) ?? [];
    const origin = originOf(entry, address);
    if (host === undefined && everyHost !== undefined)
      throw failure(cacheErrors.CACHE_ORIGIN, { entry, problem: 'there is already one for every host' });
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
  // An origin below another origin shares keys with it.
  const isBelow = (one: string, other: string) => `${one}/`.startsWith(`${other}/`);
  const ofOne = new Set<string | undefined>(
    origins.filter((one, at) =>
      origins.every((other, place) => place === at || !(isBelow(one, other) || isBelow(other, one))),
    ),
  );
  return {
    ...{ passHost, namedOriginFor, origins },
    originFor: (host) => namedOriginFor(host) ?? (isListed === undefined ? everyHost : undefined),
    // Not the client's spelling or port: they are not part of the key.
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
