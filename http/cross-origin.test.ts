import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../kernel/index.ts';
import { isSharedOrigin } from './cross-origin.ts';
import type { Route } from './route.ts';
import { serveHttp } from './server.ts';

const docs = 'https://docs.example.org';
const readToken = 'read-token-1';

const route = (path: string, more: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  summary: path,
  scope: 'public',
  handle: () => ({ json: path, headers: { etag: '"1"', vary: 'accept' } }),
  ...more,
});

const routes = [
  route('/search'),
  route('/search', { method: 'POST', isShared: true }),
  route('/objects/:oid'),
  route('/objects/:oid/check', { method: 'POST' }),
  route('/private', { scope: 'read' }),
  route('/page', { hidden: true }),
  route('/framed', { hidden: true, isShared: true }),
  route('/control/sources', { scope: 'admin' }),
  route('/control/sources', { scope: 'admin', method: 'POST', isShared: true }),
];

const serve = (corsOrigins: readonly string[], more: { readonly requireToken?: boolean } = {}) =>
  serveHttp({
    ...{ routes, corsOrigins, port: 0, clock: systemClock, title: 'Test', version: '1' },
    tokens: { read: [readToken], admin: ['admin-token-1'] },
    ...more,
  });

interface Sent extends RequestInit {
  readonly origin?: string;
}

const ask = (url: string, { origin = docs, headers, ...init }: Sent = {}) =>
  fetch(url, { ...init, headers: { ...(origin !== '' && { origin }), ...headers } });

const preflight = (url: string, method: string, origin = docs) =>
  ask(url, { origin, method: 'OPTIONS', headers: { 'access-control-request-method': method } });

const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

test('pages of a listed origin may read the reading routes, and no other page may', async () => {
  await using server = await serve([docs, 'http://localhost:3000']);
  for (const path of ['search', 'objects/x', 'framed', 'openapi.json']) {
    const response = await ask(server.url + path);
    assert.equal(response.status, 200);
    assert.equal(allowed(response), docs, path);
    assert.match(response.headers.get('vary') ?? '', /\borigin\b/);
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /\betag\b/);
  }
  assert.match((await ask(`${server.url}search`)).headers.get('vary') ?? '', /^origin, accept/);
  for (const origin of ['', 'https://evil.example', 'http://docs.example.org', `${docs}:8443`, 'null']) {
    const response = await ask(`${server.url}search`, { origin });
    assert.equal(allowed(response), null, origin);
    assert.match(response.headers.get('vary') ?? '', /\borigin\b/, 'a cache must not mix the answers');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin');
  }
  const refused = await ask(`${server.url}private`);
  assert.deepEqual([refused.status, allowed(refused)], [401, docs], 'the script sees why');
  const current = await ask(`${server.url}search`, { headers: { 'if-none-match': '"1"' } });
  assert.deepEqual([current.status, allowed(current)], [304, docs]);
});

test('administration and pages are shared with no origin, whatever is listed', async () => {
  for (const origins of [[docs], ['*']]) {
    await using server = await serve(origins);
    const admin = { authorization: 'Bearer admin-token-1' };
    for (const path of ['control/sources', 'page', 'nowhere']) {
      const response = await ask(server.url + path, { headers: admin });
      assert.equal(allowed(response), null, path);
      assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.equal(allowed(await preflight(server.url + path, 'GET')), null, path);
    }
    for (const path of ['control/sources', 'objects/x/check']) {
      const response = await ask(server.url + path, { method: 'POST', headers: admin });
      assert.deepEqual([response.status, allowed(response)], [403, null], path);
      const { error } = (await response.json()) as { error: { code: string } };
      assert.equal(error.code, 'HTTP_CROSS_ORIGIN');
    }
  }
});

test('a preflight request is answered by the routes of its path, without a token', async () => {
  await using server = await serve([docs], { requireToken: true });
  const response = await preflight(`${server.url}search?q=x`, 'POST');
  assert.equal(response.status, 204);
  assert.equal(allowed(response), docs);
  assert.equal(response.headers.get('access-control-allow-methods'), 'GET, HEAD, POST');
  assert.match(response.headers.get('access-control-allow-headers') ?? '', /authorization, content-type/);
  assert.equal(response.headers.get('access-control-max-age'), '600');
  assert.equal(response.headers.get('access-control-allow-credentials'), null);
  assert.match(response.headers.get('vary') ?? '', /\borigin\b/);

  const stranger = await preflight(`${server.url}search`, 'POST', 'https://evil.example');
  assert.deepEqual([stranger.status, allowed(stranger)], [401, null]);
  const without = await ask(`${server.url}search`, { method: 'POST' });
  assert.deepEqual([without.status, allowed(without)], [401, docs]);
  const authorization = `Bearer ${readToken}`;
  const posted = await ask(`${server.url}search`, { method: 'POST', headers: { authorization } });
  assert.deepEqual([posted.status, allowed(posted)], [200, docs]);
  assert.equal(posted.headers.get('cache-control'), 'private, no-store');
});

test('* admits every page, without credentials and without Vary', async () => {
  await using server = await serve(['*']);
  for (const origin of ['', docs, 'null', 'http://127.0.0.1:1']) {
    const response = await ask(`${server.url}search`, { origin });
    assert.equal(allowed(response), '*');
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
    assert.doesNotMatch(response.headers.get('vary') ?? '', /origin/);
  }
});

test('the listed origins may show shared pages in a frame', async () => {
  const policyOf = async (origins: readonly string[]) => {
    await using server = await serve(origins);
    return (await ask(`${server.url}framed`, { origin: '' })).headers.get('content-security-policy') ?? '';
  };
  assert.match(await policyOf([]), /frame-ancestors 'none'$/);
  assert.match(await policyOf([docs]), /frame-ancestors 'self' https:\/\/docs\.example\.org$/);
  assert.match(await policyOf(['*']), /frame-ancestors \*$/);
});

test('nothing is shared unless the operator says so', async () => {
  await using server = await serve([]);
  const response = await ask(`${server.url}search`);
  assert.equal(allowed(response), null);
  assert.doesNotMatch(response.headers.get('vary') ?? '', /origin/);
  assert.equal((await ask(`${server.url}search`, { method: 'POST' })).status, 403);
  const options = await preflight(`${server.url}search`, 'GET');
  assert.deepEqual(
    [options.status, options.headers.get('allow'), allowed(options)],
    [204, 'GET, HEAD, POST', null],
  );
});

test('an entry is an origin as browsers send it', () => {
  for (const origin of ['*', docs, 'http://localhost:3000', 'https://Docs.example.org', 'http://[::1]:8080'])
    assert.ok(isSharedOrigin(origin), origin);
  for (const odd of [
    'docs.example.org',
    `${docs}/`,
    `${docs}/a`,
    'https://*.example.org',
    'null',
    'file:///',
    '',
  ])
    assert.ok(!isSharedOrigin(odd), odd);
});
