import assert from 'node:assert/strict';
import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { defineErrors, failure, systemClock } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import { requestFailed, requestFinished } from './events.ts';
import type { Route } from './route.ts';
import { type HttpOptions, serveHttp } from './server.ts';

const ownPath = fileURLToPath(import.meta.url);
const limit = { timeout: 20_000 };
const readToken = 'read-token-1';
const adminToken = 'admin-token-1';

const testErrors = defineErrors({
  TEST_TEAPOT: {
    message: (data: { what: string }) => `cannot brew ${data.what}`,
    hint: () => 'ask for <tea>',
    exit: 1,
    retry: 'never',
    status: 418,
  },
});

const text = 'one line of an answer that is long enough to be worth compressing\n'.repeat(200);

function route(path: string, handle: Route['handle'], more: Partial<Route> = {}): Route {
  return { method: 'GET', path, summary: path, scope: 'public', handle, ...more };
}

const routes: Route[] = [
  route('/hello/:name', ({ params, query, queries }) => ({ json: { params, query, queries } }), {
    parameters: [
      ...['a', 'b', 'constructor'].map((name) => ({
        name,
        in: 'query' as const,
        describe: 'any',
        several: true,
        schema: { type: 'string' as const },
      })),
      {
        name: 'limit',
        in: 'query',
        describe: 'how many',
        schema: { type: 'integer', minimum: 1, maximum: 100 },
      },
    ],
  }),
  route('/text', () => ({ body: text, headers: { etag: '"v1"', 'content-type': 'text/plain' } })),
  route('/small', () => ({ body: 'small', headers: { 'content-type': 'text/plain' } })),
  route('/picture', () => ({ body: new Uint8Array(5000), headers: { 'content-type': 'image/png' } })),
  route('/ready', () => ({
    body: Buffer.from('kept'),
    headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' },
  })),
  route('/files/*', ({ params }) => ({ json: params['*'] })),
  route('/teapot', () => {
    throw failure(testErrors.TEST_TEAPOT, { what: '<script>alert(1)</script>' });
  }),
  route('/broken', () => {
    throw new Error('secret of the house');
  }),
  route('/bad-header', () => ({ body: 'x', headers: { 'x-a': 'a\r\nx-b: b' } })),
  route('/private', () => ({ body: 'read' }), { scope: 'read' }),
  route('/control/stop', ({ body }) => ({ json: { bytes: body.byteLength } }), {
    scope: 'admin',
    method: 'POST',
  }),
  route('/stream', () => ({
    headers: { 'content-type': 'text/plain' },
    body: (async function* () {
      for (let line = 0; line < 50; line++) yield Buffer.from(text);
    })(),
  })),
  route('/stream/fails-at-once', () => ({
    headers: { etag: '"x"' },
    // biome-ignore lint/correctness/useYield: it fails before it yields
    body: (async function* (): AsyncGenerator<Uint8Array> {
      throw failure(testErrors.TEST_TEAPOT, { what: 'streams' });
    })(),
  })),
  route('/stream/breaks', () => ({
    body: (async function* () {
      yield Buffer.from('some');
      throw new Error('broke in the middle');
    })(),
  })),
];

function serve(more: Partial<HttpOptions> = {}) {
  return serveHttp({
    routes,
    port: 0,
    clock: systemClock,
    title: 'Test',
    version: '1.2.3',
    tokens: { read: [readToken], admin: [adminToken] },
    ...more,
  });
}

interface Got {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: Buffer;
}

/** A request with any header, Host included, and the body as it came. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Got> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false })
      .once('error', reject)
      .once('response', (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('error', reject)
          .once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
              body: Buffer.concat(chunks),
            }),
          );
      })
      .end(body);
  });
}

const code = (got: Got) => JSON.parse(got.body.toString()).error.code;

test('routes get decoded parameters and queries', limit, async () => {
  await using server = await serve();
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const got = await ask(`${server.url}hello/caf%C3%A9?a=1&a=2&b=x%20y&constructor=z`);
  assert.equal(got.status, 200);
  assert.equal(got.headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(got.body.toString()), {
    params: { name: 'café' },
    query: { a: '1', b: 'x y', constructor: 'z' },
    queries: { a: ['1', '2'], b: ['x y'], constructor: ['z'] },
  });
});

test('declared parameters are checked against their bounds', limit, async () => {
  await using server = await serve();
  for (const [value, expected] of [
    ['1', 200],
    ['100', 200],
    ['0', 400],
    ['101', 400],
    ['ten', 400],
    ['1e9', 400],
  ] as const) {
    const got = await ask(`${server.url}hello/x?limit=${value}`);
    assert.equal(got.status, expected, `limit=${value}`);
    if (expected === 400) assert.equal(code(got), 'HTTP_BAD_PARAMETER');
  }
});

test('scopes: no token, unknown token, a token of too small a scope, enough', limit, async () => {
  await using server = await serve();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const none = await ask(`${server.url}private`);
  assert.equal(none.status, 401);
  assert.equal(none.headers['www-authenticate'], 'Bearer');
  assert.equal(code(none), 'HTTP_TOKEN_NEEDED');
  assert.equal((await ask(`${server.url}private`, bearer('not-the-token'))).status, 401);
  assert.equal((await ask(`${server.url}private`, { authorization: `Basic ${readToken}` })).status, 401);
  assert.equal((await ask(`${server.url}private`, bearer(readToken))).status, 200);
  assert.equal((await ask(`${server.url}private`, bearer(adminToken))).status, 200);
  const small = await ask(`${server.url}control/stop`, bearer(readToken), 'POST', 'x');
  assert.equal(small.status, 403);
  const enough = await ask(`${server.url}control/stop`, bearer(adminToken), 'POST', 'four');
  assert.deepEqual(JSON.parse(enough.body.toString()), { bytes: 4 });
});

test('requireToken closes public paths too, unknown ones included', limit, async () => {
  await using server = await serve({ requireToken: true });
  for (const path of ['small', 'health', 'openapi.json', 'no-such-path'])
    assert.equal((await ask(server.url + path)).status, 401, path);
  const got = await ask(`${server.url}small`, { authorization: `Bearer ${readToken}` });
  assert.equal(got.body.toString(), 'small');
});

test('errors keep one shape and leak nothing', limit, async () => {
  await using server = await serve();
  const failed: unknown[] = [];
  const unsubscribe = requestFailed.subscribe(({ route, error }) => failed.push([route, error]));
  const teapot = await ask(`${server.url}teapot`);
  assert.equal(teapot.status, 418);
  assert.deepEqual(JSON.parse(teapot.body.toString()), {
    error: {
      code: 'TEST_TEAPOT',
      message: 'cannot brew <script>alert(1)</script>',
      hint: 'ask for <tea>',
    },
  });
  const broken = await ask(`${server.url}broken`);
  assert.equal(broken.status, 500);
  assert.equal(code(broken), 'HTTP_INTERNAL');
  assert.doesNotMatch(broken.body.toString(), /secret/);
  const badHeader = await ask(`${server.url}bad-header`);
  assert.equal(badHeader.status, 500);
  assert.equal(badHeader.headers['x-b'], undefined);
  unsubscribe();
  assert.equal(failed.length, 2);
  assert.match(String(failed[0]), /^\/broken,Error: secret of the house/);
});

test('people get a page instead, with everything escaped', limit, async () => {
  await using server = await serve();
  const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
  const got = await ask(`${server.url}teapot`, { accept });
  assert.equal(got.status, 418);
  assert.equal(got.headers['content-type'], 'text/html; charset=utf-8');
  assert.doesNotMatch(got.body.toString(), /<script|<tea>|style=/);
  assert.match(got.body.toString(), /&lt;script&gt;/);
  const missing = await ask(`${server.url}<b>missing`, { accept });
  assert.equal(missing.status, 404);
  assert.doesNotMatch(missing.body.toString(), /<b>/);
});

test('404, 405 with Allow, OPTIONS', limit, async () => {
  await using server = await serve();
  const missing = await ask(`${server.url}nowhere`);
  assert.deepEqual([missing.status, code(missing)], [404, 'HTTP_NOT_FOUND']);
  const wrong = await ask(`${server.url}control/stop`);
  assert.deepEqual(
    [wrong.status, code(wrong), wrong.headers.allow],
    [405, 'HTTP_METHOD_NOT_ALLOWED', 'POST'],
  );
  const deleted = await ask(`${server.url}hello/x`, {}, 'DELETE');
  assert.deepEqual([deleted.status, deleted.headers.allow], [405, 'GET, HEAD']);
  const options = await ask(`${server.url}hello/x`, {}, 'OPTIONS');
  assert.deepEqual([options.status, options.headers.allow, options.body.length], [204, 'GET, HEAD', 0]);
});

test('every answer has security headers', limit, async () => {
  await using server = await serve();
  for (const path of ['small', 'nowhere', 'broken', 'private', 'stream', 'hello/%zz']) {
    const { headers } = await ask(server.url + path);
    assert.match(
      headers['content-security-policy'] ?? '',
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
      path,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.equal(headers['referrer-policy'], 'no-referrer', path);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
  }
});

test('a script or style sheet has no headers that only concern documents', limit, async () => {
  await using server = await serveHttp({
    ...{ port: 0, clock: systemClock, title: 'Test', version: '0' },
    routes: ['text/javascript; charset=utf-8', 'text/css', 'image/svg+xml', 'text/html'].map((type, at) =>
      route(`/${at}`, () => ({ headers: { 'content-type': type }, body: ' ' })),
    ),
  });
  for (const [path, isDocument] of [
    ['0', false],
    ['1', false],
    ['2', true],
    ['3', true],
  ] as const) {
    const { headers } = await ask(server.url + path);
    assert.equal('content-security-policy' in headers, isDocument, path);
    assert.equal('permissions-policy' in headers, isDocument, path);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
  }
});

test('compression by what is accepted, only where it pays', limit, async () => {
  await using server = await serve();
  const plain = await ask(`${server.url}text`);
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.headers.vary, 'accept-encoding');
  assert.equal(plain.body.toString(), text);
  const brotli = await ask(`${server.url}text`, { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(brotli.headers.etag, 'W/"v1"');
  assert.equal(brotliDecompressSync(brotli.body).toString(), text);
  assert.equal(brotli.headers['content-length'], String(brotli.body.length));
  const gzip = await ask(`${server.url}text`, { 'accept-encoding': 'gzip, br;q=0.5' });
  assert.equal(gunzipSync(gzip.body).toString(), text);
  const stream = await ask(`${server.url}stream`, { 'accept-encoding': 'gzip' });
  assert.equal(gunzipSync(stream.body).toString(), text.repeat(50));
  for (const path of ['small', 'picture']) {
    const got = await ask(server.url + path, { 'accept-encoding': 'gzip, br' });
    assert.equal(got.headers['content-encoding'], undefined, path);
  }
  const ready = await ask(`${server.url}ready`, { 'accept-encoding': 'br' });
  assert.deepEqual([ready.headers['content-encoding'], ready.body.toString()], ['gzip', 'kept']);
});

test('304 for a known entity tag, compressed or not, and on HEAD', limit, async () => {
  await using server = await serve();
  for (const etag of ['"v1"', 'W/"v1"', '"other", W/"v1"', '*'])
    for (const method of ['GET', 'HEAD'])
      for (const coding of ['identity', 'br']) {
        const got = await ask(
          `${server.url}text`,
          { 'if-none-match': etag, 'accept-encoding': coding },
          method,
        );
        assert.deepEqual([got.status, got.body.length], [304, 0], `${etag} ${method} ${coding}`);
        assert.match(got.headers.etag ?? '', /"v1"$/);
        assert.equal(got.headers['content-length'], undefined);
      }
  assert.equal((await ask(`${server.url}text`, { 'if-none-match': '"v2"' })).status, 200);
});

test('HEAD has the headers of GET and no body, and starts no stream', limit, async () => {
  await using server = await serve();
  const got = await ask(`${server.url}text`, {}, 'HEAD');
  assert.deepEqual([got.status, got.body.length], [200, 0]);
  assert.equal(got.headers['content-length'], String(text.length));
  assert.equal(got.headers.etag, '"v1"');
  assert.equal((await ask(`${server.url}stream/fails-at-once`, {}, 'HEAD')).status, 200);
  assert.equal((await ask(`${server.url}nowhere`, {}, 'HEAD')).status, 404);
});

test('a stream that fails at once is an error, one that breaks is cut', limit, async () => {
  await using server = await serve();
  const got = await ask(`${server.url}stream/fails-at-once`);
  assert.deepEqual([got.status, code(got), got.headers.etag], [418, 'TEST_TEAPOT', undefined]);
  const failed: string[] = [];
  const unsubscribe = requestFailed.subscribe(({ error }) => failed.push(String(error)));
  await assert.rejects(ask(`${server.url}stream/breaks`), { code: 'ECONNRESET' });
  unsubscribe();
  assert.deepEqual(failed, ['Error: broke in the middle']);
});

test('each request ends in one event that names the route, not the path', limit, async () => {
  await using server = await serve();
  const events: { method: string; route: string; status: number; ms: number; bytes: number }[] = [];
  const askAndWatch = (path: string, method: string) =>
    new Promise<void>((resolve, reject) => {
      const unsubscribe = requestFinished.subscribe((event) => {
        events.push(event);
        unsubscribe();
        resolve();
      });
      ask(server.url + path, {}, method).catch(reject);
    });
  await askAndWatch('hello/one', 'GET');
  await askAndWatch('hello/two', 'HEAD');
  await askAndWatch('secret/path', 'GET');
  assert.deepEqual(
    events.map(({ method, route, status }) => `${method} ${route} ${status}`),
    ['GET /hello/:name 200', 'HEAD /hello/:name 200', 'GET - 404'],
  );
  assert.ok(events.every(({ ms, bytes }) => ms >= 0 && bytes > 300));
});

test('two routes that take the same requests are a mistake that names both', limit, async () => {
  const twin = (path: string, summary: string) => route(path, () => ({}), { summary });
  const both = [twin('/a/:x', 'first'), twin('/a/:y', 'second')];
  await assert.rejects(serve({ routes: both }), (error) => {
    assert.ok(error instanceof TypeError);
    assert.match(error.message, /"first" \(\/a\/:x\) and "second"/);
    return true;
  });
  await assert.rejects(serve({ routes: [twin('/health', 'mine')] }), /"mine".*and "Whether this server/);
  await assert.rejects(serve({ routes: [twin('/a(b)', 'regex')] }), TypeError);
});

test('a port in use and an address elsewhere are named with a hint', limit, async () => {
  await using server = await serve();
  await assert.rejects(serve({ port: server.port }), {
    code: 'HTTP_PORT_IN_USE',
    message: `port ${server.port} is already in use`,
    hint: /--port 0/,
  });
  await assert.rejects(serve({ host: '192.0.2.1' }), { code: httpErrors.HTTP_ADDRESS_UNAVAILABLE.code });
});

test('a file is streamed, and closed when only its headers were wanted', limit, async () => {
  const opened: ReadStream[] = [];
  const file = route('/file', () => {
    const stream = createReadStream(ownPath);
    opened.push(stream);
    return { body: stream, headers: { etag: '"f"', 'content-type': 'image/png' } };
  });
  await using server = await serve({ routes: [file] });
  const whole = await ask(`${server.url}file`);
  assert.deepEqual(whole.body, await readFile(ownPath));
  assert.equal((await ask(`${server.url}file`, {}, 'HEAD')).status, 200);
  assert.equal((await ask(`${server.url}file`, { 'if-none-match': '"f"' })).status, 304);
  assert.deepEqual(
    opened.map(({ destroyed }) => destroyed),
    [true, true, true],
  );
});
