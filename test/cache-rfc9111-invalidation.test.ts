import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cached, RunningCache } from './cache-kit/index.ts';

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
