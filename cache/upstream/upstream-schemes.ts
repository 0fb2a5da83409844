import { AddressGuard, ftpPlace, type GopherAccess, gopherPlace } from '../../fetch/index.ts';
import { type Clock, failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { Upstream, UpstreamRequest, UpstreamResponse } from '../requests/index.ts';
import { askFtp, type Ftp } from './ftp-answers.ts';
import { askGopher } from './gopher-answers.ts';
import { explained } from './scheme-errors.ts';
import { heldBytes } from './synthetic-response.ts';

/** The clients of other protocols: an `FtpClient` and a `GopherClient`. */
export interface SchemeClients {
  readonly ftp: Ftp;
  readonly gopher: GopherAccess;
}

export interface SchemeOptions {
  readonly clock: Clock;
  /** The operator's entries: on these places any port may be requested. */
  readonly allowHosts?: Iterable<string>;
  /** Lifetime of a response without a date; an hour when absent. */
  readonly freshSeconds?: number;
  /** Max bytes of all contents that wait for their readers; then requests fail with CACHE_BUSY. */
  readonly maxHeldBytes?: number;
}

const maxHeldBytes = 256 * 1024 * 1024;

// Lower ports belong to servers that could read our line as a command of their own protocol.
const firstFreePort = 1024;

/** An upstream that also sends requests by FTP and Gopher where the URL has such a scheme (as caches of 1994 did). */
export function withSchemes(http: Upstream, clients: SchemeClients, options: SchemeOptions): Upstream {
  const guard = new AddressGuard(options.allowHosts ?? []);
  const held = heldBytes(options.maxHeldBytes ?? maxHeldBytes);
  const making = { clock: options.clock, freshSeconds: options.freshSeconds ?? 3600, held };
  const ask = (request: UpstreamRequest): Promise<UpstreamResponse> => {
    checkPort(request.url, guard);
    if (held.isFull) throw failure(cacheErrors.CACHE_BUSY, {});
    return request.url.startsWith('ftp:')
      ? askFtp(request, clients.ftp, making)
      : askGopher(request, clients.gopher, making);
  };
  return {
    send: async (request) => {
      const { url, method, route, signal } = request;
      const isOther = url.startsWith('ftp:') || url.startsWith('gopher:');
      if (!isOther || route.to !== 'origin') return http.send(request);
      request.content?.resume();
      if (method !== 'GET' && method !== 'HEAD')
        throw failure(cacheErrors.CACHE_METHOD, { what: `${method} for ${url.slice(0, url.indexOf(':'))}:` });
      try {
        return await ask(request);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw explained(url, error);
      }
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** A login name or selector could be read as mail by a mail server: no other protocol's port is permitted. */
function checkPort(url: string, guard: AddressGuard): void {
  const isFtp = url.startsWith('ftp:');
  const { hostname, port } = isFtp ? ftpPlace(url) : gopherPlace(url);
  if (port === (isFtp ? 21 : 70) || port >= firstFreePort || guard.isTyped(hostname, port)) return;
  const why = `port ${port} is not one of ${isFtp ? 'FTP' : 'Gopher'}`;
  throw failure(cacheErrors.CACHE_ADDRESS_REFUSED, { url, why });
}
