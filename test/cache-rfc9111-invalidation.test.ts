import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, cached, type Line, RunningCache } from './cache-kit/index.ts';

let cache: RunningCache;
before(async () => {
  cache = await RunningCache.open();
});
after(() => cache[Symbol.asyncDispose]());

const changing = ['PUT', 'POST', 'DELETE', 'PATCH', 'M-SEARCH'];

test('RFC 9111 4.4: a change that succeeds makes what is stored under its target unusable', async () => {
  for (const method of changing)
    for (const status of [200, 201, 204, 303]) {
      const page = cache.page(
        cached('max-age=60', [], { body: 'old' }),
        { status },
        cached('max-age=60', [], { body: 'new' }),
      );
      await page.get();
      await page.send({ method, body: 'x' });
      assert.equal((await page.get()).body, 'new', `${method} ${status}`);
    }
});

test('RFC 9111 4.4: every variant is made unusable', async () => {
  const varying = (body: string) => cached('max-age=60', [['Vary', 'X-Kind']], { body });
  const page = cache.page(varying('1'), varying('2'), {}, varying('new'));
  await page.get(['X-Kind', '1']);
  await page.get(['X-Kind', '2']);
  await page.send({ method: 'DELETE' });
  assert.equal((await page.get(['X-Kind', '1'])).body, 'new');
  assert.equal((await page.get(['X-Kind', '2'])).body, 'new');
});

test('RFC 9111 4.4: a change that fails leaves what is stored', async () => {
  for (const status of [400, 403, 404, 500, 503]) {
    const page = cache.page(cached('max-age=60'), { status });
    await page.get();
    await page.send({ method: 'PUT', body: 'x' });
    assert.equal((await page.get()).body, 'content', String(status));
    assert.equal(page.fetches, 2);
  }
});

test('RFC 9111 4.4: safe methods leave what is stored', async () => {
  for (const method of ['OPTIONS', 'PROPFIND']) {
    const page = cache.page(cached('max-age=60'), {});
    await page.get();
    await page.send({ method });
    await page.get();
    assert.equal(page.fetches, 2, method);
  }
});

test('RFC 9111 4.4: what Location and Content-Location name at the same origin is made unusable too', async () => {
  for (const name of ['Location', 'Content-Location'])
    for (const form of ['path', 'url'] as const) {
      const named = cache.page(
        cached('max-age=60', [], { body: 'old' }),
        cached('max-age=60', [], { body: 'new' }),
      );
      const changed = cache.page({
        status: 201,
        fields: [[name, form === 'url' ? named.url : named.target]],
      });
      await named.get();
      await changed.send({ method: 'POST', body: 'x' });
      assert.equal((await named.get()).body, 'new', `${name} as ${form}`);
    }
});

test('RFC 9111 4.4: what they name at another origin is left alone', async () => {
  const kept = cache.page(
    cached('max-age=60', [], { body: 'old' }),
    cached('max-age=60', [], { body: 'new' }),
  );
  const changed = cache.page({ status: 201, fields: [['Location', `http://example.org${kept.target}`]] });
  await kept.get();
  await changed.send({ method: 'POST', body: 'x' });
  assert.equal((await kept.get()).body, 'old');
});

test('RFC 9111 4.4: a Location in the answer to GET makes nothing unusable', async () => {
  const named = cache.page(cached('max-age=60'));
  const page = cache.page({ status: 302, fields: [['Location', named.target]] });
  await named.get();
  await page.get();
  await named.get();
  assert.equal(named.fetches, 1);
});

test('RFC 9110 7.6.3: requests and answers bear Via with this cache behind those before', async () => {
  const page = cache.page(cached('max-age=60', [['Via', '1.1 origin-side']]));
  const received = await page.get(['Via', '1.0 child']);
  assert.match(page.lastAsked?.line('via') ?? '', /^1\.0 child, 1\.1 kit\b/);
  assert.match(received.line('via') ?? '', /^1\.1 origin-side, 1\.1 kit\b/);
  assert.match((await page.get()).line('via') ?? '', /^1\.1 origin-side, 1\.1 kit\b/);
});

test('RFC 9110 7.6.3: a request that came through this cache before is refused as a loop', async () => {
  const page = cache.page(cached('max-age=60'));
  const { status } = await page.get(['Via', '1.1 kit']);
  assert.ok([502, 508].includes(status), String(status));
  assert.equal(page.fetches, 0);
});

test('RFC 9110 7.6.1: fields of the connection are not sent on', async () => {
  const page = cache.page(cached('max-age=60'));
  await page.get(
    ['Connection', 'x-hop, close'],
    ['X-Hop', '1'],
    ['Proxy-Connection', 'keep-alive'],
    ['Proxy-Authorization', 'Basic YTpi'],
    ['X-End', '2'],
  );
  const names = ['x-hop', 'proxy-connection', 'proxy-authorization', 'x-end'];
  assert.deepEqual(
    names.map((name) => page.lastAsked?.line(name)),
    [undefined, undefined, undefined, '2'],
  );
});

test('RFC 9110 7.2: the origin is asked by its own Host', async () => {
  const page = cache.page(cached('max-age=60'));
  await page.get();
  assert.equal(page.lastAsked?.line('host'), new URL(page.url).host);
});

test('RFC 9110 7.6.2: OPTIONS and TRACE go no further than Max-Forwards says, which is counted down', async () => {
  for (const [method, status] of [
    ['OPTIONS', 204],
    ['TRACE', 200],
  ] as const) {
    const page = cache.page({});
    assert.equal((await page.send({ method, fields: [['Max-Forwards', '0']] })).status, status);
    assert.equal(page.fetches, 0, method);
    await page.send({ method, fields: [['Max-Forwards', '5']] });
    assert.equal(page.lastAsked?.line('max-forwards'), '4', method);
  }
});

test('RFC 9110 9.3: the content of a request reaches the origin as it was sent', async () => {
  const page = cache.page({ status: 201 });
  const body = 'x'.repeat(100_000);
  assert.equal((await page.send({ method: 'POST', body })).status, 201);
  assert.equal(page.lastAsked?.content, body);
});

/** The members of the last list entry of Cache-Status, which is this cache's. */
const statusOf = (received: { line(name: string): string | undefined }) =>
  (received.line('cache-status') ?? '').split(', ').at(-1)?.split(/; */) ?? [];

test('RFC 9211 2: Cache-Status says hit, forwarded and why, stored and how long it lasts', async () => {
  const page = cache.page(cached('max-age=60'), cached('max-age=60'), { status: 404 });
  const miss = statusOf(await page.get());
  assert.equal(miss[0], 'kit');
  assert.ok(miss.includes('fwd=uri-miss') && miss.includes('stored') && !miss.includes('hit'), miss.join());
  cache.pass(20);
  const hit = statusOf(await page.get());
  assert.ok(
    hit.includes('hit') && hit.includes('ttl=40') && !hit.some((item) => item.startsWith('fwd=')),
    hit.join(),
  );
  const asked = statusOf(await page.get(['Cache-Control', 'no-cache']));
  assert.ok(asked.includes('fwd=request'), asked.join());
  cache.pass(61);
  const stale = statusOf(await page.get());
  assert.ok(stale.includes('fwd=stale') && stale.includes('fwd-status=404'), stale.join());
  assert.ok(statusOf(await page.send({ method: 'POST' })).includes('fwd=method'));
});

test('RFC 9211 2: Cache-Status of caches nearer to the origin stays in front', async () => {
  const line: Line = ['Cache-Status', 'near; hit; ttl=5'];
  const page = cache.page(cached('max-age=60', [line]));
  for (const _ of [1, 2])
    assert.match((await page.get()).line('cache-status') ?? '', /^near; hit; ttl=5, kit;/);
});

test('RFC 9211 2.2: another variant is a vary-miss', async () => {
  const page = cache.page(cached('max-age=60', [['Vary', 'X-Kind']]));
  await page.get(['X-Kind', '1']);
  assert.ok(statusOf(await page.get(['X-Kind', '2'])).includes('fwd=vary-miss'));
});

test('RFC 9112 3.2: a request to the proxy itself in origin form is not sent anywhere', async () => {
  const page = cache.page(cached('max-age=60'));
  const received = await ask(cache.port, page.target);
  assert.ok(received.status >= 400 && received.status < 500, String(received.status));
  assert.equal(page.fetches, 0);
});
