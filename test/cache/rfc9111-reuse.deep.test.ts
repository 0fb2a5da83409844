import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cached, notModifiedOr } from './kit/pages.ts';
import { RunningCache } from './kit/running-cache.ts';
import type { Line } from './kit/scripted-origin.ts';

let cache: RunningCache;
before(async () => {
  cache = await RunningCache.open();
});
after(() => cache[Symbol.asyncDispose]());

const control = (value: string): Line => ['Cache-Control', value];

/** Whether the stored response answers a request with these fields, so many seconds later. */
async function answers(stored: string, asked: readonly Line[], seconds = 0, more: readonly Line[] = []) {
  const page = cache.page(cached(stored, more));
  await page.get();
  cache.pass(seconds);
  await page.get(...asked);
  return page.fetches === 1;
}

test('RFC 9111 4: of several matching responses the one with the latest Date is used', async () => {
  const page = cache.page(
    cached(
      'max-age=600',
      [
        ['Vary', 'X-Kind'],
        ['Date', cache.at(0)],
      ],
      { body: 'newer' },
    ),
    cached(
      'max-age=600',
      [
        ['Vary', 'X-Other'],
        ['Date', cache.at(-60)],
      ],
      { body: 'older' },
    ),
  );
  await page.get(['X-Kind', '1'], ['X-Other', '1']);
  await page.get(['X-Kind', '2'], ['X-Other', '1'], control('no-cache'));
  assert.equal((await page.get(['X-Kind', '1'], ['X-Other', '1'])).body, 'newer');
  assert.equal(page.fetches, 2);
});

test('RFC 9111 4: a stored response to GET answers HEAD, without its content', async () => {
  const page = cache.page(cached('max-age=60', [['X-End', '1']]));
  await page.get();
  const received = await page.send({ method: 'HEAD' });
  assert.deepEqual(
    [received.status, received.body, received.line('content-length'), received.line('x-end'), page.fetches],
    [200, '', '7', '1', 1],
  );
});

test('RFC 9111 4: the answer to HEAD answers no GET', async () => {
  const page = cache.page(cached('max-age=60'));
  await page.send({ method: 'HEAD' });
  assert.equal((await page.get()).body, 'content');
  assert.equal(page.fetches, 2);
});

test('RFC 9111 4: unsafe requests are always written through', async () => {
  const page = cache.page(cached('max-age=60'));
  await page.get();
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'BIND']) await page.send({ method, body: 'x' });
  assert.deepEqual(
    page.asked.map(({ method }) => method),
    ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'BIND'],
  );
});

test('RFC 9111 4: concurrent requests are sent on once, and each gets the answer', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const page = cache.page(cached('max-age=60', [], { after: gate }));
  const asking = Array.from({ length: 20 }, () => page.get());
  while (page.fetches === 0) await new Promise((resolve) => setImmediate(resolve));
  open();
  const received = await Promise.all(asking);
  assert.deepEqual(new Set(received.map(({ body }) => body)), new Set(['content']));
  assert.equal(page.fetches, 1);
});

test('RFC 9111 4: concurrent requests do not share an answer that may not be stored', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let made = 0;
  const page = cache.page(() => ({
    fields: [['Cache-Control', 'private']],
    body: `for ${made++}`,
    after: gate,
  }));
  const asking = Array.from({ length: 5 }, () => page.get());
  while (page.fetches === 0) await new Promise((resolve) => setImmediate(resolve));
  open();
  const bodies = (await Promise.all(asking)).map(({ body }) => body);
  assert.equal(new Set(bodies).size, 5);
});

const varying = (fields: string, body = 'content') => cached('max-age=60', [['Vary', fields]], { body });

async function varies(vary: string, first: readonly Line[], second: readonly Line[]): Promise<boolean> {
  const page = cache.page(varying(vary));
  await page.get(...first);
  await page.get(...second);
  return page.fetches === 2;
}

test('RFC 9111 4.1: a varying response answers only requests whose named fields are the same', async () => {
  const [one, two]: Line[] = [
    ['Foo', '1'],
    ['Foo', '2'],
  ] as const;
  assert.equal(await varies('Foo', [one as Line], [one as Line]), false);
  assert.equal(await varies('foo', [one as Line], [['FOO', '1']]), false);
  assert.equal(await varies('Foo', [one as Line], [two as Line]), true);
  assert.equal(await varies('Foo', [one as Line], []), true);
  assert.equal(await varies('Foo', [], [one as Line]), true);
  assert.equal(await varies('Foo', [], []), false);
});

test('RFC 9111 4.1: every named field has to be the same, in any order, over any lines', async () => {
  const fields: Line[] = [
    ['Foo', '1'],
    ['Bar', 'abc'],
    ['Baz', '789'],
  ];
  assert.equal(await varies('Foo, Bar, Baz', fields, fields.toReversed()), false);
  assert.equal(await varies('Foo, Bar, Baz', fields, [...fields.slice(0, 2), ['Baz', '780']]), true);
  assert.equal(await varies('Foo, Bar, Baz', fields.slice(0, 1), fields.slice(0, 1)), false);
  const page = cache.page(
    cached('max-age=60', [
      ['Vary', 'Foo'],
      ['Vary', 'Bar'],
    ]),
  );
  await page.get(...fields);
  await page.get(['Foo', '1'], ['Bar', 'abd']);
  assert.equal(page.fetches, 2);
});

test('RFC 9111 4.1: several variants are stored', async () => {
  const page = cache.page(varying('Foo', 'for 1'), varying('Foo', 'for 2'));
  await page.get(['Foo', '1']);
  await page.get(['Foo', '2']);
  assert.equal((await page.get(['Foo', '1'])).body, 'for 1');
  assert.equal((await page.get(['Foo', '2'])).body, 'for 2');
  assert.equal(page.fetches, 2);
});

test('RFC 9111 4.1: Vary with * never answers another request, with the * at any place', async () => {
  for (const value of ['*', '*, *', ', *', '*, Foo', 'Foo, *'])
    assert.equal(await varies(value, [['Foo', '1']], [['Foo', '1']]), true, value);
  const page = cache.page(
    cached('max-age=60', [
      ['Vary', ''],
      ['Vary', '*'],
    ]),
  );
  await page.get();
  await page.get();
  assert.equal(page.fetches, 2);
});

test('RFC 9111 4.1: fields are compared after lines are joined and blanks are normalised', async () => {
  assert.equal(
    await varies(
      'Foo',
      [['Foo', '1, 2']],
      [
        ['Foo', '1'],
        ['Foo', '2'],
      ],
    ),
    false,
  );
  assert.equal(await varies('Foo', [['Foo', '1,2']], [['Foo', ' 1, 2 ']]), false);
  assert.equal(await varies('Foo', [['Foo', '1,2']], [['Foo', '2,1']]), true);
});

test('RFC 9111 4.1: languages are compared without regard to case and order', async () => {
  const asked: Line[] = [['Accept-Language', 'en, de']];
  for (const value of ['de, en', 'eN, De', ' en ,   de'])
    assert.equal(await varies('Accept-Language', asked, [['Accept-Language', value]]), false, value);
  for (const value of ['en', 'en, fr', 'en;q=0.5, de'])
    assert.equal(await varies('Accept-Language', asked, [['Accept-Language', value]]), true, value);
});

test('RFC 9111 5.2.1.1: max-age in a request refuses older responses', async () => {
  assert.equal(await answers('max-age=60', [control('max-age=10')], 10), true);
  assert.equal(await answers('max-age=60', [control('max-age=10')], 11), false);
  assert.equal(await answers('max-age=3600', [control('max-age=600')], 0, [['Age', '1800']]), false);
  assert.equal(await answers('max-age=60', [control('max-age=0')]), false);
});

test('RFC 9111 5.2.1.2: max-stale in a request accepts stale responses, up to its seconds', async () => {
  assert.equal(await answers('max-age=10', [control('max-stale=5')], 14), true);
  assert.equal(await answers('max-age=10', [control('max-stale=5')], 16), false);
  assert.equal(await answers('max-age=10', [control('max-stale')], 5000), true);
});

test('RFC 9111 5.2.1.3: min-fresh in a request refuses responses that do not stay fresh so long', async () => {
  assert.equal(await answers('max-age=60', [control('min-fresh=20')], 39), true);
  assert.equal(await answers('max-age=60', [control('min-fresh=20')], 41), false);
});

test('RFC 9111 5.2.1.4: no-cache in a request makes the cache validate the stored response', async () => {
  const page = cache.page(notModifiedOr(cached('max-age=60', [['ETag', '"a"']])));
  await page.get();
  const received = await page.get(control('no-cache'));
  assert.deepEqual([received.status, received.body], [200, 'content']);
  assert.equal(page.lastAsked?.line('if-none-match'), '"a"');
});

test('RFC 9111 5.2.1.7: only-if-cached is answered from the store or with 504', async () => {
  const page = cache.page(cached('max-age=60'));
  assert.equal((await page.get(control('only-if-cached'))).status, 504);
  assert.equal(page.fetches, 0);
  await page.get();
  assert.equal((await page.get(control('only-if-cached'))).status, 200);
  cache.pass(61);
  assert.equal((await page.get(control('only-if-cached'))).status, 504);
  assert.equal(page.fetches, 1);
});

test('RFC 9111 5.4: Pragma with no-cache counts in a request without Cache-Control', async () => {
  assert.equal(await answers('max-age=60', [['Pragma', 'no-cache']]), false);
  assert.equal(await answers('max-age=60', [['Pragma', 'no-cache'], control('max-age=60')]), true);
  assert.equal(await answers('max-age=60', [['Pragma', 'other']]), true);
  assert.equal(await answers('max-age=60', [], 0, [['Pragma', 'no-cache']]), true);
});

test('RFC 9111 5.2.2.4: a response with no-cache is validated before each use', async () => {
  for (const value of ['no-cache', 'No-CaChE', 'max-age=60, no-cache']) {
    const page = cache.page(notModifiedOr(cached(value, [['ETag', '"a"']])));
    await page.get();
    assert.equal((await page.get()).body, 'content');
    assert.equal(page.lastAsked?.line('if-none-match'), '"a"', value);
  }
});

test('RFC 9111 5.2.2.4: fields named by a qualified no-cache are not served without validation', async () => {
  const page = cache.page(
    cached('max-age=60, no-cache="x-a, X-B"', [
      ['X-A', '1'],
      ['X-B', '2'],
      ['X-C', '3'],
    ]),
  );
  assert.equal((await page.get()).line('x-a'), '1');
  const received = await page.get();
  if (page.fetches === 1)
    assert.deepEqual(
      ['x-a', 'x-b', 'x-c'].map((name) => received.line(name)),
      [undefined, undefined, '3'],
    );
});

test('RFC 9111 4.2.4: stale answers are not given when the origin can be reached', async () => {
  const page = cache.page(
    cached('max-age=10', [], { body: 'old' }),
    cached('max-age=10', [], { body: 'new' }),
  );
  await page.get();
  cache.pass(10);
  assert.equal((await page.get()).body, 'new');
});

test('RFC 9111 4.2.4: a stale response is served while the origin cannot be reached', async () => {
  const page = cache.page(cached('max-age=10'), { reset: true });
  await page.get();
  cache.pass(20);
  const received = await page.get();
  assert.deepEqual([received.status, received.body, received.age], [200, 'content', 20]);
});

test('RFC 9111 4.2.4: no stale response is served where a directive forbids it: 504 or 502', async () => {
  for (const value of ['must-revalidate', 'proxy-revalidate', 's-maxage=10', 'no-cache']) {
    const page = cache.page(cached(`max-age=10, ${value}`), { reset: true });
    await page.get();
    cache.pass(20);
    for (const asked of [[], [control('max-stale=1000')]]) {
      const { status } = await page.get(...asked);
      assert.ok([502, 504].includes(status), `${value}: ${status}`);
    }
  }
});

test('RFC 9111 4.2.4: a stale response that the request refuses is not served either', async () => {
  for (const value of ['no-cache', 'max-age=5', 'min-fresh=60']) {
    const page = cache.page(cached('max-age=30'), { reset: true });
    await page.get();
    cache.pass(10);
    const { status } = await page.get(control(value));
    assert.ok([502, 504].includes(status), `${value}: ${status}`);
    assert.equal((await page.get()).body, 'content');
  }
});

test('RFC 9111 5.2.2.2: must-revalidate has no effect on a fresh response', async () => {
  assert.equal(await answers('max-age=10, must-revalidate', [], 9), true);
});

test('RFC 5861 3: stale-while-revalidate answers at once and validates in the background, within its window', async () => {
  const page = cache.page(
    cached('max-age=10, stale-while-revalidate=20', [], { body: 'old' }),
    cached('max-age=10', [], { body: 'new' }),
  );
  await page.get();
  cache.pass(25);
  assert.equal((await page.get()).body, 'old');
  while (page.fetches < 2 || (await page.get()).body === 'old')
    await new Promise((resolve) => setImmediate(resolve));
  assert.equal(page.fetches, 2);
});

test('RFC 5861 3: outside of its window stale-while-revalidate gives nothing stale', async () => {
  const page = cache.page(
    cached('max-age=10, stale-while-revalidate=20', [], { body: 'old' }),
    cached('max-age=10', [], { body: 'new' }),
  );
  await page.get();
  cache.pass(31);
  assert.equal((await page.get()).body, 'new');
});

test('RFC 5861 3: another cache gets no stale answer for stale-while-revalidate', async () => {
  const page = cache.page(
    cached('max-age=10, stale-while-revalidate=20', [], { body: 'old' }),
    cached('max-age=10', [], { body: 'new' }),
  );
  await page.get();
  cache.pass(15);
  assert.equal((await page.get(['Via', '1.1 child'])).body, 'new');
});

test('RFC 5861 4: stale-if-error serves a stale response on an error of the origin, within its window', async () => {
  for (const status of [500, 502, 503, 504]) {
    const page = cache.page(cached('max-age=10, stale-if-error=20'), { status });
    await page.get();
    cache.pass(25);
    assert.equal((await page.get()).body, 'content', String(status));
    cache.pass(10);
    assert.equal((await page.get()).status, status);
  }
});

test('RFC 5861 4: stale-if-error in a request counts as well', async () => {
  const page = cache.page(cached('max-age=10, stale-if-error=0'), { status: 500 });
  await page.get();
  cache.pass(15);
  assert.equal((await page.get()).status, 500);
  assert.equal((await page.get(control('stale-if-error=30'))).status, 200);
});

test('RFC 5861 4: stale-if-error has no effect for statuses that are no server error', async () => {
  const page = cache.page(cached('max-age=10, stale-if-error=600'), { status: 404 });
  await page.get();
  cache.pass(15);
  assert.equal((await page.get()).status, 404);
});
