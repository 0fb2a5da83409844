import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cached } from './kit/pages.ts';
import { ask } from './kit/raw-client.ts';
import { RunningCache } from './kit/running-cache.ts';
import type { Line } from './kit/scripted-origin.ts';

let cache: RunningCache;
before(async () => {
  cache = await RunningCache.open();
});
after(() => cache[Symbol.asyncDispose]());

test('RFC 9110 7.6.3: requests and answers have Via with this cache after earlier ones', async () => {
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

test('RFC 9110 7.2: a request to the origin has the origin in Host', async () => {
  const page = cache.page(cached('max-age=60'));
  await page.get();
  assert.equal(page.lastAsked?.line('host'), new URL(page.url).host);
});

test('RFC 9110 7.6.2: OPTIONS and TRACE go no further than Max-Forwards allows, which is counted down', async () => {
  for (const [method, status] of [
    ['OPTIONS', 204],
    ['TRACE', 200],
  ] as const) {
    const page = cache.page({});
    const last = await page.send({
      method,
      fields: [
        ['Max-Forwards', '0'],
        ['Authorization', 'Basic YTpi'],
      ],
    });
    assert.deepEqual([last.status, last.body.includes('YTpi'), page.fetches], [status, false, 0], method);
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

/** The members of this cache's entry in Cache-Status, which is the last one. */
const statusOf = (received: { line(name: string): string | undefined }) =>
  (received.line('cache-status') ?? '').split(', ').at(-1)?.split(/; */) ?? [];

test('RFC 9211 2: Cache-Status gives hit, the reason for forwarding, stored and the remaining lifetime', async () => {
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

test('RFC 9110 6.6.1: an answer without Date gets the date of its receipt', async () => {
  const page = cache.page({ body: 'x', date: false });
  // The door adds it, by the machine's clock.
  assert.ok(Number.isFinite(Date.parse((await page.get()).line('date') ?? '')));
});

test('RFC 9110 9.3.2: HEAD has no content, from the store and from the origin', async () => {
  const page = cache.page(cached('max-age=60', [['Content-Length', '7']]));
  for (const _ of [1, 2]) {
    const received = await page.send({ method: 'HEAD' });
    assert.deepEqual([received.status, received.line('content-length'), received.body], [200, '7', '']);
    await page.get();
  }
});

test('RFC 9110 14.2: a Range in a request other than GET is ignored', async () => {
  const page = cache.page(cached('max-age=60'));
  await page.get();
  const received = await page.send({ method: 'HEAD', fields: [['Range', 'bytes=0-1']] });
  assert.deepEqual([received.status, received.line('content-length')], [200, '7']);
});

test('RFC 9110 7.8: Upgrade is not sent on with a plain request', async () => {
  const page = cache.page(cached('max-age=60'));
  await page.get(['Upgrade', 'h2c']);
  assert.equal(page.lastAsked?.line('upgrade'), undefined);
});

test('RFC 9110 15: an unknown status is passed on with its content', async () => {
  for (const status of [299, 399, 499, 599]) {
    const received = await cache.page({ status, body: 'odd' }).get();
    assert.deepEqual([received.status, received.body], [status, 'odd']);
  }
});

test('RFC 9112 6.3: an answer that a closing connection ends is passed on whole', async () => {
  const page = cache.page({ raw: 'HTTP/1.0 200 OK\r\nCache-Control: max-age=60\r\n\r\nto the end' });
  for (const _ of [1, 2]) assert.equal((await page.get()).body, 'to the end');
  assert.equal(page.fetches, 1);
});

test('RFC 9112 7.1.2: chunks are read, and served again as a content of known length', async () => {
  const page = cache.page(cached('max-age=60', [], { body: 'in chunks', chunked: true }));
  assert.equal((await page.get()).body, 'in chunks');
  const received = await page.get();
  assert.deepEqual([received.body, received.line('content-length'), page.fetches], ['in chunks', '9', 1]);
});

test('RFC 9110 6.5: trailers are passed on after their content', async () => {
  const head =
    'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n';
  const page = cache.page({ raw: `${head}4\r\nbody\r\n0\r\nX-Sum: 7\r\n\r\n` });
  const received = await page.get(['TE', 'trailers']);
  assert.deepEqual([received.body, received.trailers], ['body', ['X-Sum', '7']]);
  const second = await page.get();
  assert.deepEqual([second.body, second.line('x-sum'), page.fetches], ['body', undefined, 1]);
});

test('RFC 9209 2.3: Proxy-Status names the cause of an answer that the cache itself made', async () => {
  const blame = async (asking: Promise<{ line(name: string): string | undefined }>) =>
    /error=([a-z_]+)/.exec((await asking).line('proxy-status') ?? '')?.[1];
  const page = cache.page({ reset: true });
  assert.equal(await blame(page.get(['Via', '1.1 kit'])), 'proxy_loop_detected');
  assert.equal(await blame(page.get(['Cache-Control', 'only-if-cached'])), 'proxy_internal_response');
  assert.equal(await blame(page.get(['X-Large', 'x'.repeat(40_000)])), 'http_request_error');
  assert.equal(await blame(ask(cache.port, page.target)), 'http_request_error');
});
