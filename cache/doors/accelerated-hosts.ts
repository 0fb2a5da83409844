import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { normalisedUrl } from '../rules/index.ts';
import type { AcceleratedHosts } from './request-head.ts';

/**
 * The hosts that an operator named: `http://origin:8080` for every host, or `www.example.org=http://origin:8080` for one,
 * which outweighs the former. Throws CACHE_ORIGIN for an entry that is neither.
 */
export function acceleratedHosts(entries: readonly string[]): AcceleratedHosts {
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
  const namedOriginFor = (host: string) =>
    byHost.size === 0 ? undefined : (byHost.get(host) ?? byHost.get(host.replace(/:\d*$/, '')));
  const origins = [...byHost.values(), ...(everyHost === undefined ? [] : [everyHost])];
  return { namedOriginFor, originFor: (host) => namedOriginFor(host) ?? everyHost, origins };
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
