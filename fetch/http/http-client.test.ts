import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type ErrorKind, isGarnerError } from '../../kernel/index.ts';
import { readBody, readStart } from '../client/fetch.ts';
import { fetchErrors } from '../errors.ts';
import { HttpClient, type HttpClientOptions, userAgent } from './http-client.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real origin on loopback that records its requests. */
async function openOrigin(handle: Handler) {
  const requested: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requested.push(request);
    handle(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    requested,
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const client = (allowHosts: string[], options: Partial<HttpClientOptions> = {}) =>
  new HttpClient({ userAgent: 'Garner/test', retries: 0, ...options, allowHosts });

const withKind = (kind: ErrorKind<never>) => (error: unknown) => isGarnerError(error, kind);
const text = async (response: Parameters<typeof readBody>[0]) =>
  new TextDecoder().decode(await readBody(response));

test('a plain answer, its fields, and connections that are used again', async () => {
  await using origin = await openOrigin((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      etag: '"v1"',
      'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT',
      'x-twice': ['a', 'b'],
    });
    response.end('hello');
  });
  await using http = client([origin.url], { userAgent: userAgent('0.1.0', 'me@example.org\r\nX: y') });
  for (let round = 0; round < 20; round += 1) {
    const response = await http.fetch({ url: `${origin.url}/a?b=c#d` });
    assert.equal(response.status, 200);
    assert.equal(response.url, `${origin.url}/a?b=c`);
    assert.equal(response.etag, '"v1"');
    assert.equal(response.lastModified, 784_111_777);
    assert.equal(response.contentType, 'text/html; charset=utf-8');
    assert.equal(response.headers['x-twice'], 'a, b');
    assert.equal(await text(response), 'hello');
    assert.equal(response.wireBytes, 5);
  }
  assert.ok(origin.connections() <= 2, `${origin.connections()} connections`);
  assert.equal(origin.requested[0]?.url, '/a?b=c');
  assert.equal(origin.requested[0]?.headers['user-agent'], 'Garner/0.1.0 (+me@example.orgX: y)');
  assert.deepEqual(http.counts, {
    requests: 20,
    retries: 0,
    notModified: 0,
    answers: { 200: 20 },
    wireBytes: 100,
    bytes: 100,
  });
});

test('conditional requests and HEAD have no body and free their connection', async () => {
  await using origin = await openOrigin((request, response) => {
    const fresh = request.headers['if-none-match'] === '"v1"' && request.headers['if-modified-since'];
    response.writeHead(fresh ? 304 : 200, { etag: '"v1"' }).end(fresh ? undefined : 'body');
  });
  await using http = client([origin.url], { perHost: 1, loopback: { delayMs: 0, perHost: 1 } });
  const known = await http.fetch({ url: origin.url, etag: '"v1"', lastModified: 784_111_777 });
  assert.equal(known.notModified, true);
  assert.equal(await text(known), '');
  assert.equal(origin.requested[0]?.headers['if-modified-since'], 'Sun, 06 Nov 1994 08:49:37 GMT');
  assert.equal((await http.fetch({ url: origin.url, method: 'HEAD' })).status, 200);
  assert.equal((await http.fetch({ url: origin.url, etag: '"v1"', lastModified: 1 })).status, 304);
  assert.equal(await text(await http.fetch({ url: origin.url })), 'body');
  assert.ok(origin.connections() <= 2, `${origin.connections()} connections`);
});

test('every content encoding is undone, damaged and unknown ones are typed errors', async () => {
  const plain = 'garner '.repeat(5000);
  const bodies: Record<string, [string, Uint8Array]> = {
    '/gzip': ['gzip', gzipSync(plain)],
    '/x-gzip': ['x-gzip', gzipSync(plain)],
    '/br': ['br', brotliCompressSync(plain)],
    '/deflate': ['deflate', deflateSync(plain)],
    '/raw': ['deflate', deflateRawSync(plain)],
    '/both': ['gzip, br', brotliCompressSync(gzipSync(plain))],
    '/identity': ['identity', Buffer.from(plain)],
    '/cut': ['gzip', gzipSync(plain).subarray(0, 40)],
    '/lie': ['br', Buffer.from('not brotli at all')],
    '/zstd': ['zstd', Buffer.from('whatever')],
    '/deep': ['gzip, gzip, gzip, gzip', Buffer.from('x')],
    '/empty': ['gzip', new Uint8Array()],
  };
  await using origin = await openOrigin((request, response) => {
    const [encoding, body] = bodies[request.url ?? ''] ?? ['', new Uint8Array()];
    response.writeHead(200, { 'content-encoding': encoding }).end(body);
  });
  await using http = client([origin.url]);
  for (const path of ['/gzip', '/x-gzip', '/br', '/deflate', '/raw', '/both', '/identity']) {
    const response = await http.fetch({ url: origin.url + path });
    assert.equal(await text(response), plain, path);
    assert.equal(response.wireBytes, bodies[path]?.[1].length, path);
  }
  assert.equal(await text(await http.fetch({ url: `${origin.url}/empty` })), '');
  for (const path of ['/cut', '/lie', '/zstd', '/deep']) {
    const response = await http.fetch({ url: origin.url + path });
    await assert.rejects(readBody(response), withKind(fetchErrors.FETCH_BAD_ENCODING), path);
  }
});

test('a bomb stops at the limit, and a declared length is enough to refuse', async () => {
  const bomb = brotliCompressSync(Buffer.alloc(16 * 1024 * 1024));
  const nested = gzipSync(gzipSync(Buffer.alloc(32 * 1024 * 1024)));
  await using origin = await openOrigin((request, response) => {
    if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'br' }).end(bomb);
    else if (request.url === '/nested')
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(nested);
    else response.writeHead(200, { 'content-length': 1 << 30 }).write('begin');
  });
  await using http = client([origin.url]);
  for (const path of ['/bomb', '/nested', '/declared']) {
    const response = await http.fetch({ url: origin.url + path, maxBytes: 100_000 });
    let seen = 0;
    await assert.rejects(async () => {
      for await (const chunk of response.body) seen += chunk.length;
    }, withKind(fetchErrors.FETCH_TOO_LARGE));
    assert.ok(seen <= 100_000, `${path}: ${seen}`);
  }
  assert.ok(http.counts.wireBytes < 100_000);
});

test('redirects are followed and remembered, or handed back', async () => {
  await using other = await openOrigin((_request, response) => response.end('there'));
  await using origin = await openOrigin((request, response) => {
    const url = request.url ?? '';
    const go = (location: string, status = 302) => response.writeHead(status, { location }).end('moved');
    if (url === '/a') go('/b?x=1', 301);
    else if (url === '/b?x=1') go('c', 308);
    else if (url === '/loop') go('/loop2');
    else if (url === '/loop2') go('/loop');
    else if (url.startsWith('/far')) go(`/far${Number(url.slice(4)) + 1}`);
    else if (url === '/away') go(`${other.url}/x`);
    else if (url === '/ftp') go('ftp://127.0.0.1/x');
    else if (url === '/login') go(`http://user:secret@127.0.0.1:${origin.port}/`);
    else if (url === '/nowhere') response.writeHead(302).end('no location');
    else response.end('here');
  });
  await using http = client([origin.url, other.url], { loopback: { delayMs: 0, perHost: 1 } });
  const headers = { authorization: 'Bearer x', 'x-other': 'y' };
  const end = await http.fetch({ url: `${origin.url}/a`, headers });
  assert.equal(end.url, `${origin.url}/c`);
  assert.deepEqual(end.redirects, [
    { from: `${origin.url}/a`, to: `${origin.url}/b?x=1`, status: 301 },
    { from: `${origin.url}/b?x=1`, to: `${origin.url}/c`, status: 308 },
  ]);
  assert.equal(await text(end), 'here');
  assert.equal(origin.requested.at(-1)?.headers.authorization, 'Bearer x');
  await using manual = await http.fetch({ url: `${origin.url}/a`, redirect: 'manual' });
  assert.equal(manual.status, 301);
  assert.equal(manual.location, `${origin.url}/b?x=1`);
  await manual[Symbol.asyncDispose]();
  assert.equal(await text(await http.fetch({ url: `${origin.url}/away`, headers })), 'there');
  assert.equal(other.requested[0]?.headers.authorization, undefined);
  assert.equal(other.requested[0]?.headers['x-other'], 'y');
  for (const path of ['/loop', '/far1'])
    await assert.rejects(http.fetch({ url: origin.url + path }), withKind(fetchErrors.FETCH_REDIRECTS), path);
  for (const path of ['/ftp', '/login'])
    await assert.rejects(http.fetch({ url: origin.url + path }), withKind(fetchErrors.FETCH_BAD_URL), path);
  const lost = await http.fetch({ url: `${origin.url}/nowhere` });
  assert.equal(lost.status, 302);
  await readBody(lost);
});

test('nothing leads into private addresses but hosts of the operator, and no packet is sent', async () => {
  await using secret = await openOrigin((_request, response) => response.end('secret'));
  await using origin = await openOrigin((request, response) => {
    const to = decodeURIComponent((request.url ?? '').slice(1));
    response.writeHead(302, { location: to }).end();
  });
  const names: Record<string, string> = { 'typed.test': '127.0.0.1', 'rebound.test': '127.0.0.1' };
  const requested: string[] = [];
  await using http = client([origin.url, `typed.test:${secret.port}`], {
    delayMs: 0,
    lookup: (name, _options, callback) => {
      requested.push(name);
      callback(null, [{ address: names[name] ?? '10.0.0.1', family: 4 }]);
    },
  });
  const refused = withKind(fetchErrors.FETCH_PRIVATE_ADDRESS);
  const { port } = secret;
  const targets = [
    ...[`http://127.0.0.1:${port}/`, `http://rebound.test:${port}/`, `http://2130706433:${port}/`],
    ...[`http://[::ffff:127.0.0.1]:${port}/`, `http://localhost:${port}/`, `https://127.1:${port}/`],
  ];
  for (const target of targets) {
    await assert.rejects(http.fetch({ url: target }), refused, target);
    await assert.rejects(
      http.fetch({ url: `${origin.url}/${encodeURIComponent(target)}` }),
      refused,
      `redirect to ${target}`,
    );
  }
  assert.equal(secret.connections(), 0);
  assert.ok(requested.includes('rebound.test'));
  const typed = await http.fetch({ url: `http://typed.test:${port}/` });
  assert.equal(await text(typed), 'secret');
  // The same name on another port is not an entry of the operator.
  await assert.rejects(http.fetch({ url: `http://typed.test:${origin.port}/` }), refused);
});

test('an invalid URL, a missing server and a server that does not speak HTTP', async () => {
  const answers: Record<string, string> = {
    garbage: 'SSH-2.0-OpenSSH\r\n',
    short: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this',
    headers: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    silent: '',
  };
  let answer = '';
  const tcp = createTcpServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const http = client([url, '127.0.0.1:1', `nobody.invalid:${port}`]);
  try {
    for (const bad of ['', 'x', '/path', 'ftp://h/', 'file:///etc/passwd', 'http://u:p@h/', 'http://'])
      await assert.rejects(http.fetch({ url: bad }), withKind(fetchErrors.FETCH_BAD_URL), bad);
    answer = answers.garbage ?? '';
    await assert.rejects(http.fetch({ url }), withKind(fetchErrors.FETCH_BAD_RESPONSE));
    answer = answers.headers ?? '';
    await assert.rejects(http.fetch({ url }), withKind(fetchErrors.FETCH_BAD_RESPONSE));
    answer = answers.silent ?? '';
    await assert.rejects(http.fetch({ url }), withKind(fetchErrors.FETCH_UNREACHABLE));
    answer = answers.short ?? '';
    await assert.rejects(readBody(await http.fetch({ url })), withKind(fetchErrors.FETCH_INTERRUPTED));
    await assert.rejects(
      http.fetch({ url: url.replace('http:', 'https:') }),
      withKind(fetchErrors.FETCH_TLS),
    );
    await assert.rejects(http.fetch({ url: 'http://127.0.0.1:1/' }), (error) => {
      assert.ok(isGarnerError(error, fetchErrors.FETCH_REFUSED));
      return error.message === 'No server listens at 127.0.0.1:1.';
    });
  } finally {
    await http[Symbol.asyncDispose]();
    await new Promise((resolve) => tcp.close(resolve));
  }
});

test('unwanted bodies do not block the next request, and bodies are read once', async () => {
  await using origin = await openOrigin((request, response) => {
    if (request.url === '/small') response.writeHead(200, { 'content-length': 5 }).end('small');
    else response.end(Buffer.alloc(1 << 20));
  });
  await using http = client([origin.url], { loopback: { delayMs: 0, perHost: 1 } });
  for (let round = 0; round < 20; round += 1) {
    await using small = await http.fetch({ url: `${origin.url}/small` });
    assert.equal(small.status, 200);
  }
  assert.ok(origin.connections() <= 2, `${origin.connections()} connections`);
  await using large = await http.fetch({ url: `${origin.url}/large` });
  assert.equal((await readStart(large, 1000)).length, 1000);
  const once = await http.fetch({ url: `${origin.url}/small` });
  await readBody(once);
  await assert.rejects(readBody(once), TypeError);
});
