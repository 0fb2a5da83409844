import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '../kernel/index.ts';
import { requestFailed } from './events.ts';
import { type HttpServer, serveHttp } from './server.ts';
import type { Upgrade } from './upgrades.ts';

const limit = { timeout: 20_000 };

function serve(upgrades: readonly Upgrade[]) {
  return serveHttp({ routes: [], port: 0, clock: systemClock, title: 'T', version: '1', upgrades });
}

/** Request an upgrade; the server's bytes arrive at `heard`. */
async function ask(server: HttpServer, path: string, headers = '', host = 'localhost') {
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\nhead`,
  );
  return socket;
}

async function untilEnd(socket: Duplex): Promise<string> {
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  await once(socket, 'close');
  return said;
}

const echo: Upgrade = {
  path: '/wire',
  handle: (_request, socket, head) => {
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n${head}`);
    socket.pipe(socket);
  },
};

test('an upgrade reaches its taker with the bytes behind the headers', limit, async () => {
  await using server = await serve([echo]);
  const socket = await ask(server, '/wire?token=x');
  const [first] = await once(socket, 'data');
  assert.equal(String(first), 'HTTP/1.1 101 Switching Protocols\r\n\r\nhead');
  socket.write('ping');
  const [second] = await once(socket, 'data');
  assert.equal(String(second), 'ping');
  socket.end();
  await once(socket, 'close');
});

test('unknown paths, foreign pages and wrong hosts are refused and closed', limit, async () => {
  await using server = await serve([echo, { ...echo, path: '/open', origins: 'any' }]);
  for (const [path, headers, host, status] of [
    ['/other', '', 'localhost', 404],
    ['/wire/', '', 'localhost', 404],
    ['/wire', 'Origin: http://evil.example\r\n', 'localhost', 403],
    ['/wire', '', 'evil.example', 421],
  ] as const) {
    const said = await untilEnd(await ask(server, path, headers, host));
    assert.match(said, new RegExp(`^HTTP/1\\.1 ${status} `), path);
    assert.match(said, /content-security-policy: default-src 'none'/);
    assert.match(said, /"error":\{"code":"HTTP_\w+","message":"[^"]+","hint":/);
  }
  const own = await ask(server, '/wire', 'Origin: http://localhost\r\n');
  assert.match(String((await once(own, 'data'))[0]), /101/);
  own.destroy();
  const judged = await ask(server, '/open', 'Origin: http://other.example\r\n');
  assert.match(String((await once(judged, 'data'))[0]), /101/);
  judged.destroy();
});

test('without any taker every upgrade is 404', limit, async () => {
  await using server = await serve([]);
  assert.match(await untilEnd(await ask(server, '/wire')), /^HTTP\/1\.1 404 /);
});

test('a taker that throws costs its connection only', limit, async () => {
  await using server = await serve([
    {
      path: '/wire',
      handle: () => {
        throw new Error('no');
      },
    },
  ]);
  const failed: unknown[] = [];
  const unsubscribe = requestFailed.subscribe(({ error }) => failed.push(error));
  assert.match(await untilEnd(await ask(server, '/wire')), /^HTTP\/1\.1 500 /);
  unsubscribe();
  assert.equal(failed.length, 1);
  assert.equal((await fetch(`${server.url}health`)).status, 200);
});

test('closing the server closes connections that left HTTP', limit, async () => {
  const server = await serve([echo]);
  const socket = await ask(server, '/wire');
  await once(socket, 'data');
  const ended = once(socket, 'close');
  await server[Symbol.asyncDispose]();
  await ended;
});

test('two takers of one path are a mistake', limit, async () => {
  await assert.rejects(serve([echo, echo]), TypeError);
});
