import { AddressGuard, ftpPlace, type GopherAccess, gopherPlace } from '../../fetch/index.ts';
import { type Clock, failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { Upstream, UpstreamRequest, UpstreamResponse } from '../requests/index.ts';
import { askFtp, type Ftp } from './ftp-answers.ts';
import { askGopher } from './gopher-answers.ts';
import { explained } from './scheme-errors.ts';
import { heldBytes } from './synthetic-response.ts';

/** What answers for schemes without HTTP: an `FtpClient` and a `GopherClient`. */
export interface SchemeClients {
  readonly ftp: Ftp;
  readonly gopher: GopherAccess;
}

export interface SchemeOptions {
  readonly clock: Clock;
  /** What the operator typed: on these places any port is asked. */
  readonly allowHosts?: Iterable<string>;
  /** How long what bears no date is fresh; an hour when absent. */
  readonly freshSeconds?: number;
  /** Most bytes of all contents together that wait for their readers; then requests are told to come again. */
  readonly maxHeldBytes?: number;
}

const maxHeldBytes = 256 * 1024 * 1024;

// Ports below are those of servers that would take our line for a word of their own protocol.
const firstFreePort = 1024;

/** An upstream that asks origins by FTP and Gopher too, where their URLs say so (as caches of 1994 did). */
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

/** A login name or selector sent to a mail server is a line of mail: only ports that are nobody else's are asked. */
function checkPort(url: string, guard: AddressGuard): void {
  const isFtp = url.startsWith('ftp:');
  const { hostname, port } = isFtp ? ftpPlace(url) : gopherPlace(url);
  if (port === (isFtp ? 21 : 70) || port >= firstFreePort || guard.isTyped(hostname, port)) return;
  const why = `port ${port} is not one of ${isFtp ? 'FTP' : 'Gopher'}`;
  throw failure(cacheErrors.CACHE_ADDRESS_REFUSED, { url, why });
}
