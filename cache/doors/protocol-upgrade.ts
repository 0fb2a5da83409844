import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { failure, GarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { clientsError } from '../requests/index.ts';
import { Fields, loops, type RawFields } from '../rules/index.ts';
import type { AccessRules } from './access.ts';
import { placeOf } from './max-forwards.ts';
import { answerRaw } from './raw-answer.ts';
import { type HeadRules, type RequestHead, understandHead } from './request-head.ts';
import { onDisconnect } from './tunnel.ts';
import type { Tunnels } from './tunnels.ts';
import { asksForWebSocket, passUpgrade } from './upgrade-pass.ts';

/** The rules of a door for connections that leave HTTP. */
export interface UpgradeRules {
  readonly head: HeadRules;
  readonly access: AccessRules;
  readonly tunnels: Tunnels | undefined;
  readonly pseudonym: string;
  /** Whether an answer is in flight on a connection: a request pipelined behind it may not leave HTTP. */
  readonly isBusy: (socket: Socket) => boolean;
  readonly isClosing: () => boolean;
  readonly refused: (error: GarnerError) => void;
  /** The fields that an origin gets, for a client at an address. */
  readonly originFields: (head: RequestHead, from: string) => RawFields;
}

/**
 * Handle the requests after which a connection leaves HTTP: CONNECT to a proxy, WebSockets through an
 * accelerator. A request for any other protocol is answered in HTTP/1.1 (RFC 9110 7.8).
 */
export function handleUpgrades(
  server: Server,
  event: 'connection' | 'secureConnection',
  rules: UpgradeRules,
): void {
  const { tunnels, pseudonym } = rules;
  const take = (socket: Socket, serve: () => Promise<void>) => {
    // Node has removed its listeners here: without one a socket error would end the process.
    socket.on('error', () => socket.destroy());
    if (rules.isBusy(socket)) {
      socket.destroy();
      return;
    }
    const refuse = (error: unknown) => {
      const typed = clientsError(error);
      rules.refused(typed);
      answerRaw(socket, typed, pseudonym);
    };
    if (rules.isClosing()) {
      refuse(failure(cacheErrors.CACHE_CLOSING, {}));
      return;
    }
    socket.setTimeout(0);
    serve().catch(refuse);
  };

  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    take(socket, async () => {
      if (tunnels === undefined || !rules.head.proxy)
        throw failure(cacheErrors.CACHE_METHOD, { what: 'CONNECT' });
      const place = tunnels.place(request);
      if (place instanceof GarnerError) throw place;
      const from = socket.remoteAddress ?? '';
      const question = { from, method: 'CONNECT', ...place };
      if (!(await unlessDisconnected(socket, head, rules.access.admits(question, 'proxy'))))
        throw failure(cacheErrors.CACHE_FORBIDDEN, {
          method: 'CONNECT',
          host: `${place.host}:${place.port}`,
        });
      if (socket.destroyed) return;
      const fields = new Fields(request.rawHeaders);
      if (loops(fields, pseudonym)) throw failure(cacheErrors.CACHE_LOOP, { name: pseudonym });
      const via = fields.lines('via').flatMap((line) => ['Via', line]);
      await tunnels.openFor(socket, head, place, { via, pseudonym });
    }),
  );

  if (tunnels === undefined || rules.head.accelerator === undefined) return;
  server.on('upgrade', (request: IncomingMessage, socket: Socket, first: Buffer) => {
    if (!asksForWebSocket(request) || !request.url?.startsWith('/')) {
      declineUpgrade(server, event, request, socket, first);
      return;
    }
    take(socket, async () => {
      const head = understandHead(request, rules.head);
      if (head instanceof GarnerError) throw head;
      if (head.content !== undefined)
        throw failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'an upgrade has no content' });
      const from = socket.remoteAddress ?? '';
      const question = { from, method: 'GET', ...placeOf(head.url) };
      if (!(await unlessDisconnected(socket, first, rules.access.admits(question, 'accelerator'))))
        throw failure(cacheErrors.CACHE_FORBIDDEN, { method: 'GET', host: head.host });
      if (socket.destroyed) return;
      await tunnels.carryUpgrade(
        socket,
        (guard, timeoutMs) =>
          passUpgrade(socket, { ...head, fields: rules.originFields(head, from) }, { guard, timeoutMs }),
        first,
      );
    });
  });
}

/** Wait for a promise; a client that disconnects meanwhile has its connection closed at once. */
async function unlessDisconnected<Known>(
  socket: Socket,
  first: Buffer,
  known: Known | Promise<Known>,
): Promise<Known> {
  const stop = onDisconnect(socket, first, () => socket.destroy());
  try {
    return await known;
  } finally {
    stop();
  }
}

/** Give a request back to the parser as if no other protocol had been offered. */
function declineUpgrade(
  server: Server,
  event: 'connection' | 'secureConnection',
  request: IncomingMessage,
  socket: Socket,
  first: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders: raw } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.toLowerCase() !== 'upgrade') lines.push(`${raw[at]}: ${raw[at + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), first]));
  server.emit(event, socket);
}
