import type { IncomingMessage } from 'node:http';
import type { ConnectionOptions } from 'node:tls';
import { WebSocket } from 'ws';
import { failure, type GarnerError } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import { handshakeOverdue, shakeHands } from './handshake.ts';
import { defaultInflater } from './inflater.ts';
import { Link, subProtocol, webSocketOptions } from './link.ts';
import { type EndOptions, LinkSession, type Session } from './session.ts';
import { type WireLimits, wireLimits } from './settings.ts';

/** Options of a connection: where to, and this side’s identity, name and role. */
export interface ConnectOptions extends EndOptions {
  /** ws:, wss:, http: or https: address with path. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  /** Ends connecting; an open session is ended by `close`. */
  readonly signal?: AbortSignal;
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;
}

/**
 * Open a session with a server. Throws WIRE_URL, WIRE_UNREACHABLE, WIRE_UNTRUSTED, WIRE_REFUSED (token), WIRE_BUSY, WIRE_NOT_SPOKEN,
 * WIRE_HANDSHAKE, WIRE_TIMEOUT, or the signal's reason.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { identityFrom, newIdentitySecret } from 'garner/soif';
 * import { connect, probeState, systemClock, systemRandom } from 'garner/wire';
 *
 * const session = await connect({
 *   url: 'ws://127.0.0.1:8500',
 *   identity: identityFrom(newIdentitySecret()),
 *   name: 'my program',
 *   role: 'client',
 *   clock: systemClock,
 *   random: systemRandom,
 * });
 * assert.equal(session.peer.role, 'gatherer');
 * const { count } = await probeState({ session });
 * assert.equal(count, 2);
 * await session.close();
 */
export async function connect(options: ConnectOptions): Promise<Session> {
  const limits = wireLimits(options.limits);
  const where = options.url;
  options.signal?.throwIfAborted();
  const webSocket = openWebSocket(options, limits);
  // Any later error is reported by the link.
  webSocket.on('error', () => {});
  const timer = new AbortController();
  const overdue = handshakeOverdue(options.clock, limits, where, timer.signal);
  overdue.catch(() => {});
  const opened = new Promise<Link>((resolve, reject) => {
    let response: IncomingMessage | undefined;
    webSocket.on('upgrade', (answer) => {
      response = answer;
    });
    webSocket.on('open', () => {
      if (response) resolve(new Link(webSocket, response.socket, where, 'initiator'));
    });
    webSocket.on('unexpected-response', (request, answer) => {
      reject(answered(where, answer.statusCode ?? 0));
      request.destroy();
    });
    webSocket.on('error', (error) => reject(unreachable(where, error)));
    const stop = () => reject(options.signal?.reason);
    options.signal?.addEventListener('abort', stop, { once: true, signal: timer.signal });
  });
  try {
    const link = await Promise.race([opened, overdue]);
    const side = 'initiator';
    const { clock, random, signal } = options;
    const handshake = await shakeHands(link, { self: options, side, limits, clock, random, signal });
    const inflater = (options.inflater ?? defaultInflater)();
    return new LinkSession(link, handshake, { side, limits, clock, inflater, onChannel: options.onChannel });
  } catch (error) {
    webSocket.terminate();
    throw error;
  } finally {
    timer.abort();
  }
}

function openWebSocket({ url, token, tls }: ConnectOptions, limits: WireLimits): WebSocket {
  if (!/^(ws|http)s?:\/\//i.test(url) || !URL.canParse(url)) throw failure(wireErrors.WIRE_URL, { url });
  const address = new URL(url);
  address.hash = '';
  return new WebSocket(address, [subProtocol], {
    ...tls,
    ...webSocketOptions(limits),
    followRedirects: false,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
}

function answered(where: string, status: number): GarnerError {
  if (status === 401 || status === 403) return failure(wireErrors.WIRE_REFUSED, { where, status });
  if (status === 503 || status === 429) return failure(wireErrors.WIRE_BUSY, { where });
  if (status >= 500)
    return failure(wireErrors.WIRE_UNREACHABLE, { where, reason: `its server answered HTTP ${status}` });
  return failure(wireErrors.WIRE_NOT_SPOKEN, { where, reason: `it answered HTTP ${status}` });
}

function unreachable(where: string, error: Error & { code?: string }): GarnerError {
  const { code, message } = error;
  const notSpoken = (reason: string) => failure(wireErrors.WIRE_NOT_SPOKEN, { where, reason }, error);
  // The library's own errors carry no code of the system.
  if (code === undefined && /sub-?protocol|Sec-WebSocket|Upgrade header|Invalid WebSocket/i.test(message))
    return notSpoken(message);
  if (code?.startsWith('HPE_')) return notSpoken('it does not speak HTTP');
  if (/^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT)/.test(code ?? '')) {
    const isUnknown = /^(?:UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_UNTRUSTED)/.test(code ?? '');
    return failure(wireErrors.WIRE_UNTRUSTED, { where, reason: message, isUnknown }, error);
  }
  return failure(wireErrors.WIRE_UNREACHABLE, { where, reason: message || code || 'no answer' }, error);
}
