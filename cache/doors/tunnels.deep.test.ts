import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { AddressGuard } from '../../fetch/index.ts';
import type { Route } from '../requests/request-response.ts';
import { codeOf, exchange, hear, open, statusOf, testDoor, text, untilEnd } from '../testing/raw-client.ts';
import { rawOrigin } from '../testing/raw-origin.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';
import { AccessRules } from './access.ts';
import { doorCounts } from './door-counts.ts';
import type { HttpDoorOptions } from './door-options.ts';
import { type TunnelOptions, Tunnels } from './tunnels.ts';

const limit = { timeout: 20_000 };

/** A server that says what it hears, in capitals, and ends when it hears the end. */
async function echo() {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => socket.write(bytes.toString('latin1').toUpperCase()));
    socket.on('end', () => socket.end('.'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const served = (
  allowed: number | undefined,
  more: Partial<TunnelOptions> = {},
  door: Partial<HttpDoorOptions> = {},
) => {
  const guard = new AddressGuard(
    allowed === undefined ? [] : [`127.0.0.1:${allowed}`, `localhost:${allowed}`],
  );
  const tunnels = new Tunnels({ guard, ports: ['1-65535'], ...more });
  return testDoor(() => text('x'), { proxy: true, tunnels, ...door });
};

const connectTo = (place: string) => `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`;
const established = 'HTTP/1.1 200 Connection Established\r\n\r\n';

test('RFC 9110 9.3.6: a tunnel carries bytes both ways until both sides have ended', limit, async () => {
  await using server = await echo();
  await using proxy = await served(server.port);
  const socket = await open(proxy.door);
  // Bytes after the head go through the tunnel.
  socket.write(`${connectTo(`127.0.0.1:${server.port}`)}first`);
  assert.equal(await hear(socket, 'FIRST'), `${established}FIRST`);
  socket.write('second');
  assert.equal(await hear(socket, 'SECOND'), 'SECOND');
  const ending = untilEnd(socket);
  socket.end('third');
  assert.equal((await ending).text, 'THIRD.');
  while (proxy.door.connections > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('tunnels are refused to ports, addresses and clients that they are not for', limit, async () => {
  await using server = await echo();
  const place = `127.0.0.1:${server.port}`;
  const denied = { access: new AccessRules([{ allow: false, methods: ['CONNECT'] }]) };
  for (const [what, bytes, status, code, options] of [
    [
      'a port',
      connectTo(place),
      403,
      'CACHE_TUNNEL_REFUSED',
      served(server.port, { ports: ['443', '8443-8444'] }),
    ],
    [
      'the usual ports',
      connectTo(place),
      403,
      'CACHE_TUNNEL_REFUSED',
      served(server.port, { ports: undefined } as never),
    ],
    ['a private address', connectTo(place), 403, 'CACHE_ADDRESS_REFUSED', served(undefined)],
    [
      'a private name',
      connectTo(`localhost:${server.port}`),
      403,
      'CACHE_ADDRESS_REFUSED',
      served(undefined),
    ],
    [
      'a mapped address',
      connectTo(`[::ffff:127.0.0.1]:${server.port}`),
      403,
      'CACHE_ADDRESS_REFUSED',
      served(undefined),
    ],
    ['a client', connectTo(place), 403, 'CACHE_FORBIDDEN', served(server.port, {}, denied)],
    ['no port', connectTo('127.0.0.1'), 400, 'CACHE_BAD_REQUEST', served(server.port)],
    ['port 0', connectTo('127.0.0.1:0'), 400, 'CACHE_BAD_REQUEST', served(server.port)],
    ['a user', connectTo(`u@${place}`), 400, 'CACHE_BAD_REQUEST', served(server.port)],
    ['a path', connectTo(`${place}/`), 400, 'CACHE_BAD_REQUEST', served(server.port)],
    ['where nothing listens', connectTo('127.0.0.1:1'), 502, 'CACHE_UNREACHABLE', served(1)],
    ['one too many', connectTo(place), 503, 'CACHE_BUSY', served(server.port, { maxTunnels: 0 })],
  ] as const) {
    await using proxy = await options;
    const answer = await exchange(proxy.door, bytes);
    assert.deepEqual([statusOf(answer), codeOf(answer)], [status, code], `${what}: ${answer}`);
  }
  assert.equal(server.sockets.size, 0);
});

test('what a door refused and its tunnels are counted', limit, async () => {
  await using server = await echo();
  const place = `127.0.0.1:${server.port}`;
  const guard = new AddressGuard([place]);
  const tunnels = new Tunnels({ guard, ports: [`${server.port}`] });
  await using proxy = await testDoor(() => text('x'), { proxy: true, tunnels });
  for (const port of [1, 2]) await exchange(proxy.door, connectTo(`127.0.0.1:${port}`));
  const socket = await open(proxy.door);
  socket.write(`${connectTo(place)}first`);
  await hear(socket, 'FIRST');
  const refused = { CACHE_TUNNEL_REFUSED: 2 };
  assert.deepEqual(doorCounts([proxy.door], tunnels), { refused, tunnels: { opened: 1, open: 1 } });
  const ending = untilEnd(socket);
  socket.end();
  await ending;
  assert.equal(tunnels.opened, 1);
  assert.deepEqual(doorCounts([proxy.door, proxy.door], tunnels).refused, { CACHE_TUNNEL_REFUSED: 4 });
});

test('a tunnel ends when it is idle, old or has carried its bytes', limit, async () => {
  await using server = await echo();
  for (const limits of [{ tunnelIdleMs: 100 }, { tunnelMaxMs: 100 }, { tunnelMaxBytes: 4 }]) {
    await using proxy = await served(server.port, { limits });
    const socket = await open(proxy.door);
    socket.write(`${connectTo(`127.0.0.1:${server.port}`)}abcdef`);
    await new Promise((resolve) => socket.resume().once('close', resolve));
  }
});

test('a side that breaks takes the other with it, and a closing door takes all', limit, async () => {
  await using server = await echo();
  const proxy = await served(server.port);
  const begin = async () => {
    const socket = await open(proxy.door);
    socket.write(`${connectTo(`127.0.0.1:${server.port}`)}a`);
    await hear(socket, 'A');
    return socket;
  };
  const gone = await begin();
  gone.resetAndDestroy();
  const [left] = server.sockets;
  assert.ok(left);
  await new Promise((resolve) => left.once('close', resolve));
  const broken = await begin();
  for (const socket of server.sockets) socket.resetAndDestroy();
  await new Promise((resolve) => broken.resume().once('close', resolve));
  const last = await begin();
  const ending = new Promise((resolve) => last.resume().once('close', resolve));
  await proxy[Symbol.asyncDispose]();
  await ending;
});

test('CONNECT sent behind an unanswered request opens nothing', limit, async () => {
  await using server = await echo();
  await using proxy = await served(
    server.port,
    {},
    {
      answer: () => new Promise((resolve) => setTimeout(() => resolve(text('late')), 50)),
    },
  );
  const answer = await exchange(
    proxy.door,
    `GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n${connectTo(`127.0.0.1:${server.port}`)}`,
  );
  assert.equal(answer, '');
  assert.equal(server.sockets.size, 0);
});

const upgrade = (more = '') =>
  `GET /chat HTTP/1.1\r\nHost: www\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n${more}\r\n`;

test('RFC 6455 4.1: a WebSocket goes through an accelerator', limit, async () => {
  await using origin = await rawOrigin(({ socket }) => {
    // From the next bytes on: the present event already has its listeners.
    socket.on('data', (bytes) => socket.write(bytes.toString('latin1').toUpperCase()));
    return 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: a\r\n\r\nhello';
  });
  const guard = new AddressGuard([origin.url]);
  await using accelerator = await testDoor(() => text('x'), {
    accelerator: acceleratedHosts([origin.url]),
    tunnels: new Tunnels({ guard }),
  });
  const socket = await open(accelerator.door);
  socket.write(upgrade('X-Real-IP: 192.0.2.1\r\n'));
  assert.match(
    await hear(socket, 'hello'),
    /^HTTP\/1\.1 101 Switching Protocols\r\nSec-WebSocket-Accept: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello$/,
  );
  socket.write('frame');
  await hear(socket, 'FRAME');
  assert.match(
    origin.heads[0] ?? '',
    /^GET \/chat HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nSec-WebSocket-Key: k\r\nForwarded: for=127\.0\.0\.1;host="www";proto=http\r\nX-Forwarded-For: 127\.0\.0\.1\r\nX-Forwarded-Proto: http\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n$/,
  );
  socket.destroy();
});

test(
  'a refusal of a WebSocket by the origin is passed on, and a missing origin is an error',
  limit,
  async () => {
    const origin = await rawOrigin(() => 'HTTP/1.1 403 Forbidden\r\nX-A: b\r\nContent-Length: 2\r\n\r\nno');
    const guard = new AddressGuard([origin.url]);
    await using accelerator = await testDoor(() => text('x'), {
      accelerator: acceleratedHosts([origin.url]),
      tunnels: new Tunnels({ guard }),
    });
    assert.match(
      await exchange(accelerator.door, upgrade()),
      /^HTTP\/1\.1 403 Forbidden\r\nX-A: b\r\n[\s\S]*\r\n\r\nno$/,
    );
    await origin[Symbol.asyncDispose]();
    const gone = await exchange(accelerator.door, upgrade());
    assert.deepEqual([statusOf(gone), codeOf(gone)], [502, 'CACHE_UNREACHABLE']);
    const content = await exchange(accelerator.door, upgrade('Content-Length: 3\r\n'));
    assert.equal(statusOf(content), 400);
  },
);

test(
  'RFC 9110 7.8: other protocols are not taken up, and the request is answered in HTTP/1.1',
  limit,
  async () => {
    await using accelerator = await testDoor(
      async ({ content }) => {
        let said = '';
        for await (const piece of content ?? []) said += piece;
        return text(`got ${said}`);
      },
      { accelerator: acceleratedHosts(['http://o']), tunnels: new Tunnels({ guard: new AddressGuard([]) }) },
    );
    const answer = await exchange(
      accelerator.door,
      'POST /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    assert.equal(answer.match(/got abc|got $/g)?.join(), 'got abc,got abc,got ');
    assert.deepEqual(
      accelerator.requests.map(({ url }) => url),
      ['http://o/a', 'http://o/b'],
    );
    assert.equal(accelerator.requests[0]?.fields.join().includes('h2c'), false);
  },
);

test('a tunnel leads through a parent where the router says so, and a loop is seen', limit, async () => {
  await using server = await echo();
  const outcomes: string[] = [];
  await using parent = await served(server.port, {}, { pseudonym: 'parent' });
  const routes = [
    { to: 'parent', host: '127.0.0.1', port: 1, because: 'default' },
    { to: 'parent', host: '127.0.0.1', port: parent.door.port, because: 'default' },
  ] as const;
  const router = {
    routes: async () => routes,
    outcome: (route: Route, result: string) =>
      outcomes.push(`${'port' in route && route.port === 1 ? 'gone' : 'parent'} ${result}`),
  };
  await using child = await served(undefined, { router }, { pseudonym: 'child' });
  const socket = await open(child.door);
  socket.write(`${connectTo(`127.0.0.1:${server.port}`)}first`);
  assert.equal(await hear(socket, 'FIRST'), `${established}FIRST`);
  assert.deepEqual(outcomes, ['gone failed', 'parent answered']);
  socket.destroy();
  const refused = await exchange(child.door, connectTo('127.0.0.1:1'));
  assert.deepEqual([statusOf(refused), codeOf(refused)], [403, 'CACHE_TUNNEL_REFUSED']);
  const looped = await exchange(
    child.door,
    connectTo(`127.0.0.1:${server.port}`).replace('\r\n\r\n', '\r\nVia: 1.1 x, 1.1 child\r\n\r\n'),
  );
  assert.equal(codeOf(looped), 'CACHE_LOOP');
});

test('two connections of which one has closed are carried no further', limit, async () => {
  await using server = await echo();
  const tunnels = new Tunnels({ guard: new AddressGuard([]) });
  const [one, other] = [await open(server), await open(server)];
  one.destroy();
  await once(one, 'close');
  assert.equal(await tunnels.carry(one, other), 0);
  assert.deepEqual([tunnels.count, other.destroyed], [0, true]);
});

test(
  'who leaves while it is looked up whether it may have a tunnel is let go at once, and gets none',
  limit,
  async () => {
    await using server = await echo();
    for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      let asked = () => {};
      const isAsked = new Promise<void>((resolve) => {
        asked = resolve;
      });
      let answer = (_addresses: readonly string[]) => {};
      const names = {
        addressesOf: () =>
          new Promise<readonly string[]>((resolve) => {
            answer = resolve;
            asked();
          }),
        namesOf: async () => [],
      };
      const access = new AccessRules([{ allow: true, from: ['client.example'] }], undefined, names);
      await using proxy = await served(server.port, {}, { access });
      const socket = await open(proxy.door);
      socket.write(connectTo(`127.0.0.1:${server.port}`));
      await isAsked;
      assert.equal(proxy.door.connections, 1);
      const closed = once(socket, 'close');
      leave(socket);
      // The look-up is still in flight.
      while (proxy.door.connections > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      socket.resume();
      await closed;
      answer(['127.0.0.1']);
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(server.sockets.size, 0);
      assert.equal(proxy.door.refused.size, 0);
    }
  },
);
