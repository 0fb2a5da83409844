import { type ClientRequest, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { Route } from '../requests/index.ts';
import { appendVia } from '../rules/index.ts';
import { upstreamError } from '../upstream/index.ts';

export interface ParentAsking {
  /** `host:port`, as in CONNECT. */
  readonly place: string;
  /** Via of the client's request, to which this cache adds itself. */
  readonly via: readonly string[];
  readonly pseudonym: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Request a tunnel from a parent (RFC 9110 9.3.6), and return the connection through it. Rejects with
 * CACHE_TUNNEL_REFUSED when the parent refuses, else as `Upstream.send` does.
 */
export function throughParent(
  parent: Exclude<Route, { to: 'origin' }>,
  { place, via, pseudonym, timeoutMs, signal }: ParentAsking,
): Promise<{ readonly socket: Duplex; readonly first: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request({
      ...{ host: parent.host, port: parent.port, method: 'CONNECT', path: place, agent: false },
      headers: ['Host', place, ...appendVia([...via], '1.1', pseudonym)],
      timeout: timeoutMs,
      signal,
    });
    const refused = (status: number) =>
      failure(cacheErrors.CACHE_TUNNEL_REFUSED, {
        place,
        why: `the cache at ${parent.host}:${parent.port} answers ${status}`,
      });
    sent.once('timeout', () =>
      sent.destroy(failure(cacheErrors.CACHE_SILENT, { url: place, why: 'its parent cache is silent' })),
    );
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : upstreamError(place, error)));
    sent.once('connect', (response, socket, first) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode <= 299) {
        socket.setTimeout(0);
        resolve({ socket, first });
        return;
      }
      socket.destroy();
      reject(refused(statusCode));
    });
    sent.end();
  });
}
