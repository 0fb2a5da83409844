import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressGuard } from '../../fetch/index.ts';
import { failure, type GarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { withoutConnectionFields } from '../rules/index.ts';
import { Origins, upstreamError } from '../upstream/index.ts';
import { rawHead } from './raw-answer.ts';
import type { RequestHead } from './request-head.ts';

/** Whether a request demands an upgrade that is passed on (RFC 6455 4.1). */
export function asksForWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/**
 * Request an upgrade from the origin. Resolves with its connection after a 101, undefined after any other
 * answer, which was written. Rejects as `Upstream.send` does.
 */
export function passUpgrade(
  client: Duplex,
  head: RequestHead,
  options: { readonly guard: AddressGuard; readonly timeoutMs: number },
): Promise<Duplex | undefined> {
  const { url, fields } = head;
  const target = new Origins(options.guard).of(url);
  const sent = (target.secure ? tlsRequest : plainRequest)({
    method: 'GET',
    host: target.host,
    port: target.port,
    path: target.path,
    headers: [
      'Host',
      head.authority ?? target.authority,
      ...fields,
      'Connection',
      'Upgrade',
      'Upgrade',
      'websocket',
    ],
    lookup: target.lookup,
    agent: false,
    timeout: options.timeoutMs,
    ...(target.secure && isIP(target.host) === 0 && { servername: target.host }),
  });
  return new Promise((resolve, reject) => {
    const left = () => sent.destroy();
    client.once('close', left);
    const settled = () => client.off('close', left);
    const fail = (error: GarnerError) => {
      settled();
      sent.destroy();
      reject(error);
    };
    sent.once('timeout', () => fail(failure(cacheErrors.CACHE_SILENT, { url, why: 'it is silent' })));
    sent.on('error', (error) => fail(upstreamError(url, error)));
    sent.once('upgrade', (response, origin, first) => {
      settled();
      origin.setTimeout(0);
      const { upgrade = 'websocket' } = response.headers;
      const own = ['Connection', 'Upgrade', 'Upgrade', upgrade];
      client.write(rawHead(101, [...withoutConnectionFields(response.rawHeaders), ...own]));
      if (first.length > 0) client.write(first);
      resolve(origin);
    });
    sent.once('response', (response) => {
      settled();
      const { statusCode = 502 } = response;
      client.write(
        rawHead(statusCode, [...withoutConnectionFields(response.rawHeaders), 'Connection', 'close']),
      );
      response.pipe(client);
      response.once('error', () => client.destroy());
      client.once('close', () => sent.destroy());
      resolve(undefined);
    });
    sent.end();
  });
}
