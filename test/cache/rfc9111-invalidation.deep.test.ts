import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cached } from './kit/pages.ts';
import type { Ask } from './kit/raw-client.ts';
import { RunningCache } from './kit/running-cache.ts';
import type { Line, Step } from './kit/scripted-origin.ts';

let cache: RunningCache;
before(async () => {
  cache = await RunningCache.open();
});
after(() => cache[Symbol.asyncDispose]());

const changing = ['PUT', 'POST', 'DELETE', 'PATCH', 'M-SEARCH'];

test('RFC 9111 4.4: a successful change makes the stored responses of its target unusable', async () => {
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

/** A promise that the test resolves. */
function gate() {
  let open = () => {};
  const after = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { after, open: () => open() };
}

test('RFC 9111 4.4: a response requested before a change and received after it is not fresh', async () => {
  const etag: Line = ['ETag', '"old"'];
  const asked: readonly Ask[] = [
    {},
    { method: 'HEAD' },
    { fields: [['Range', 'bytes=0-1']] },
    { fields: [['Cache-Control', 'no-cache']] },
    { fields: [['If-None-Match', '"old"']] },
    {
      fields: [
        ['Cache-Control', 'max-age=0'],
        ['If-None-Match', '"mine"'],
      ],
    },
  ];
  for (const ask of asked)
    for (const seconds of [0, 60]) {
      const { after, open } = gate();
      const old = cached('max-age=60', [etag, ['Content-Length', '3']], { body: 'old' });
      // A HEAD's 200 with the same entity tag validates the stored response like a 304.
      const slow: Step = ({ method, line }) =>
        method === 'GET' && line('if-none-match')?.includes('"old"') === true
          ? { ...old, status: 304, after }
          : { ...old, after };
      const page = cache.page(
        old,
        slow,
        { status: 204 },
        cached('max-age=60', [['ETag', '"new"']], { body: 'new' }),
      );
      await page.get();
      cache.pass(seconds);
      const early = page.send(ask);
      // A hit sends no request; others are seen at the origin.
      let isOver = false;
      void early.then(() => {
        isOver = true;
      });
      while (!isOver && page.fetches < 2) await new Promise(setImmediate);
      if (page.fetches < 2) continue;
      await page.send({ method: 'PUT', body: 'x' });
      open();
      await early;
      assert.equal((await page.get()).body, 'new', `${JSON.stringify(ask)} after ${seconds} s`);
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

test('RFC 9111 4.4: a failed change leaves the stored responses usable', async () => {
  for (const status of [400, 403, 404, 500, 503]) {
    const page = cache.page(cached('max-age=60'), { status });
    await page.get();
    await page.send({ method: 'PUT', body: 'x' });
    assert.equal((await page.get()).body, 'content', String(status));
    assert.equal(page.fetches, 2);
  }
});

test('RFC 9111 4.4: safe methods leave the stored responses usable', async () => {
  for (const method of ['OPTIONS', 'PROPFIND']) {
    const page = cache.page(cached('max-age=60'), {});
    await page.get();
    await page.send({ method });
    await page.get();
    assert.equal(page.fetches, 2, method);
  }
});

test('RFC 9111 4.4: the targets of Location and Content-Location at the same origin become unusable too', async () => {
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

test('RFC 9111 4.4: their targets at another origin stay usable', async () => {
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
