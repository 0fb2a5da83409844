import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../kernel/index.ts';
import type { Route } from './route.ts';
import { type HttpOptions, type HttpServer, serveHttp } from './server.ts';

const limit = { timeout: 20_000 };

const routes: Route[] = [
  {
    method: 'GET',
    path: '/files/*',
    summary: 'files',
    scope: 'public',
    handle: ({ params }) => ({ json: params['*'] }),
  },
  {
    method: 'POST',
    path: '/echo',
    summary: 'echo',
    scope: 'public',
    handle: ({ body }) => ({ json: body.byteLength }),
  },
  {
    method: 'GET',
    path: '/asked',
    summary: 'the query',
    scope: 'public',
    hidden: true,
    handle: ({ query }) => ({ json: query.q }),
  },
];

function serve(more: Partial<HttpOptions> = {}) {
  return serveHttp({ routes, port: 0, clock: systemClock, title: 'T', version: '1', ...more });
}

async function open(server: HttpServer): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  // A reset is one of the ends a test may expect; it is seen as the end of the bytes.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** All output of the server until it ends the connection. */
async function untilEnd(socket: Socket): Promise<string> {
  let said = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    said += chunk;
  });
  await once(socket, 'close');
  return said;
}

/** Send bytes unchanged; each request should end the connection by itself or request its end. */
async function exchange(server: HttpServer, bytes: string): Promise<string> {
  const socket = await open(server);
  socket.write(bytes, 'latin1');
  return untilEnd(socket);
}

const get = (path: string, headers = '', host = 'localhost') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`;

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];

test('a loopback server answers for loopback names only', limit, async () => {
  await using server = await serve({ hostNames: ['garner.example'] });
  for (const host of ['localhost', '127.0.0.1:80', '[::1]:9', 'LOCALHOST.', 'a.localhost', 'garner.example'])
    assert.equal(statusOf(await exchange(server, get('/health', '', host))), 200, host);
  for (const host of [
    'evil.example',
    '10.0.0.1',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a b',
  ]) {
    const answer = await exchange(server, get('/health', '', host));
    assert.deepEqual([statusOf(answer), codeOf(answer)], [421, 'HTTP_WRONG_HOST'], host);
  }
  assert.equal(statusOf(await exchange(server, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')), 400);
});

test('an absolute request target is judged by its own host', limit, async () => {
  await using server = await serve();
  assert.equal(statusOf(await exchange(server, get('http://127.0.0.1/health'))), 200);
  assert.equal(statusOf(await exchange(server, get('http://evil.example/health'))), 421);
  assert.equal(statusOf(await exchange(server, get('http://localhost@evil.example/health'))), 421);
  assert.equal(statusOf(await exchange(server, get('ftp://localhost/health'))), 400);
});

test('a server on every address takes any name, unless names are configured', limit, async () => {
  await using any = await serve({ host: '0.0.0.0' });
  assert.match(any.url, /^http:\/\/localhost:/);
  assert.equal(statusOf(await exchange(any, get('/health', '', 'search.example'))), 200);
  await using named = await serve({ host: '0.0.0.0', hostNames: ['search.example'] });
  assert.equal(statusOf(await exchange(named, get('/health', '', 'search.example'))), 200);
  assert.equal(statusOf(await exchange(named, get('/health', '', 'evil.example'))), 421);
});

test('pages of other origins may not post', limit, async () => {
  await using server = await serve();
  const post = (origin: string) =>
    `POST /echo HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\nOrigin: ${origin}\r\nContent-Length: 2\r\n\r\nhi`;
  assert.equal(statusOf(await exchange(server, post('http://evil.example'))), 403);
  assert.equal(statusOf(await exchange(server, post('null'))), 403);
  assert.equal(statusOf(await exchange(server, post(`http://localhost:${server.port}`))), 200);
  const other = await exchange(server, post(`https://localhost:${server.port}`));
  assert.deepEqual([statusOf(other), codeOf(other)], [403, 'HTTP_CROSS_ORIGIN']);
});

test('case a11: a request with two Host headers is refused, whatever they say', limit, async () => {
  const upgrade = { path: '/', handle: () => assert.fail('it was taken') };
  await using server = await serve({ upgrades: [upgrade] });
  const wire = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  for (const second of ['evil.example', 'localhost', ''])
    for (const more of ['', wire])
      for (const name of ['Host', 'HOST']) {
        const answer = await exchange(server, get('/', `${name}: ${second}\r\n${more}`));
        assert.deepEqual([statusOf(answer), codeOf(answer)], [400, 'HTTP_BAD_REQUEST'], second + more);
      }
});

test('a rest of a path cannot climb', limit, async () => {
  await using server = await serve();
  const good = await exchange(server, get('/files/a/..b/c%20d'));
  assert.match(good, /"a\/\.\.b\/c d"$/);
  assert.match(await exchange(server, get('/files/a%5cb%2Fc')), /"a\\\\b\/c"$/);
  for (const path of [
    '/files/../../etc/passwd',
    '/files/..',
    '/files/a/%2e%2e/%2E./etc',
    '/files/..%2f..%2fetc',
    '/files/..%5c..%5cetc',
    '/files/a%00b',
    '/files/./a',
  ])
    assert.deepEqual(codeOf(await exchange(server, get(path))), 'HTTP_BAD_PATH', path);
});

test('broken percent-encoding is refused in paths and read unchanged in queries', limit, async () => {
  await using server = await serve();
  for (const path of ['/files/%zz', '/files/%', '/files/%c3', '/%e0%a4%a']) {
    const answer = await exchange(server, get(path));
    assert.deepEqual([statusOf(answer), codeOf(answer)], [400, 'HTTP_BAD_PATH'], path);
  }
  assert.match(await exchange(server, get('/asked?q=100%')), /\r\n\r\n"100%"$/);
});

test('requests that could be read in two ways are refused', limit, async () => {
  await using server = await serve();
  const post = (headers: string) =>
    `POST /echo HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`;
  for (const headers of [
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked, identity',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'Bad Header: x',
  ]) {
    const answer = await exchange(server, post(headers));
    assert.deepEqual([statusOf(answer), codeOf(answer)], [400, 'HTTP_BAD_REQUEST'], headers);
    assert.equal(answer.match(/^HTTP\/1\.1/gm)?.length, 1, headers);
  }
  assert.equal(statusOf(await exchange(server, 'nonsense\r\n\r\n')), 400);
  assert.equal(statusOf(await exchange(server, '\x16\x03\x01\x02\x00\x01\x00')), 400);
});

test('huge headers and bodies are refused by size', limit, async () => {
  await using server = await serve({ limits: { maxHeaderBytes: 8192, maxBodyBytes: 1000 } });
  const headers = await exchange(server, get('/health', `X-Long: ${'a'.repeat(10_000)}\r\n`));
  assert.deepEqual([statusOf(headers), codeOf(headers)], [431, 'HTTP_HEADERS_TOO_LARGE']);
  const announced = await exchange(
    server,
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\nstart',
  );
  assert.deepEqual([statusOf(announced), codeOf(announced)], [413, 'HTTP_BODY_TOO_LARGE']);
  const chunked = await exchange(
    server,
    `POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${`200\r\n${'x'.repeat(512)}\r\n`.repeat(4)}`,
  );
  assert.equal(statusOf(chunked), 413);
  const exact = await exchange(
    server,
    `POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(1000)}`,
  );
  assert.match(exact, /\r\n\r\n1000$/);
});

test('slow headers and slow bodies end in 408', limit, async () => {
  await using server = await serve({ limits: { headerTimeoutMs: 100, requestTimeoutMs: 100 } });
  const [headers, body] = await Promise.all([
    exchange(server, 'GET /health HTTP/1.1\r\nHost: localh'),
    exchange(server, 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'),
  ]);
  assert.deepEqual([statusOf(headers), codeOf(headers)], [408, 'HTTP_REQUEST_TIMEOUT']);
  // The slow body belongs to a request in progress: its connection is cut.
  assert.ok(body === '' || statusOf(body) === 408, body);
});

test('a silent connection is closed', limit, async () => {
  await using server = await serve({ limits: { idleTimeoutMs: 50, headerTimeoutMs: 60_000 } });
  assert.equal(await untilEnd(await open(server)), '');
});

test('a caller that waits for an answer in progress is not silent', limit, async () => {
  let release = () => {};
  const work = new Promise<void>((resolve) => {
    release = resolve;
  });
  const long: Route = {
    ...{ method: 'POST', path: '/long', summary: 'long', scope: 'public' },
    handle: async () => {
      await work;
      return { json: 'done' };
    },
  };
  await using server = await serve({ routes: [long], limits: { idleTimeoutMs: 50, keepAliveMs: 50 } });
  const request = 'POST /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  const answer = exchange(server, request);
  // Each of these is closed by the timeout, so that it has passed as often.
  for (let passed = 0; passed < 3; passed++) await untilEnd(await open(server));
  release();
  assert.equal(statusOf(await answer), 200);
});

test('more connections than allowed are dropped', limit, async () => {
  await using server = await serve({ limits: { maxConnections: 1 } });
  const first = await open(server);
  first.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(first, 'data');
  const second = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => {});
  assert.equal(await untilEnd(second), '');
  first.destroy();
});

test('random bytes never take the server down', limit, async () => {
  await using server = await serve({ limits: { headerTimeoutMs: 200 } });
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 16;
  };
  const valid = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc';
  const noise = Array.from({ length: 100 }, () => {
    const bytes = [...valid];
    for (let change = 0; change < 4; change++)
      bytes[next() % bytes.length] = String.fromCharCode(next() % 256);
    return bytes.join('');
  });
  await Promise.all(
    noise.map(async (bytes) => {
      const socket = await open(server);
      socket.end(bytes, 'latin1');
      await untilEnd(socket);
    }),
  );
  assert.equal(statusOf(await exchange(server, get('/health'))), 200);
  while (server.activeRequests > 0) await new Promise((resolve) => setImmediate(resolve));
});
