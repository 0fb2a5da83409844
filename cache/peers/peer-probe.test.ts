import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../kernel/index.ts';
import { openHttpDoor } from '../doors/http-door.ts';
import { reachable } from './peer-probe.ts';

async function listening(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    place: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a peer that answers in HTTP is reachable, even with an error', async () => {
  await using refusing = await listening((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  assert.equal(await reachable(refusing.place, new AbortController().signal), true);
  await using drop = await listening((socket) =>
    socket.once('data', () => {
      socket.setNoDelay(true);
      socket.write('HT');
      setImmediate(() => socket.end('TP/1.0 200 OK\r\n\r\n'));
    }),
  );
  assert.equal(await reachable(drop.place, new AbortController().signal), true);
  await using door = await openHttpDoor({
    ...{ port: 0, clock: systemClock, pseudonym: 'own', proxy: true },
    answer: () => Promise.reject(new Error('this is not for others')),
  });
  assert.equal(await reachable({ host: door.host, port: door.port }, new AbortController().signal), true);
});

test('a peer that stays silent, closes the connection, or does not speak HTTP is unreachable', async () => {
  const { signal } = new AbortController();
  await using closing = await listening((socket) => socket.end());
  assert.equal(await reachable(closing.place, signal), false);
  await using other = await listening((socket) => socket.end('SSH-2.0-OpenSSH_9.2p1\r\n'));
  assert.equal(await reachable(other.place, signal), false);
  await using silent = await listening(() => {});
  const control = new AbortController();
  const asked = reachable(silent.place, control.signal);
  control.abort();
  assert.equal(await asked, false);
});
