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

const etag = (value: string): Line => ['ETag', value];
const noneMatch = (value: string): Line => ['If-None-Match', value];

test('RFC 9111 4.3.1: a stale response is validated by its entity tag, strong or weak, as it is written', async () => {
  for (const value of ['"abc"', 'W/"abc"']) {
    const page = cache.page(notModifiedOr(cached('max-age=10', [etag(value)])));
    await page.get();
    cache.pass(10);
    const received = await page.get();
    assert.deepEqual([received.status, received.body], [200, 'content']);
    assert.equal(page.lastAsked?.line('if-none-match'), value);
  }
});

test('RFC 9111 4.3.1: a stale response is validated by its Last-Modified, as it is written', async () => {
  const modified = cache.at(-5000);
  const page = cache.page(notModifiedOr(cached('max-age=10', [['Last-Modified', modified]])));
  await page.get();
  cache.pass(10);
  assert.equal((await page.get()).body, 'content');
  assert.equal(page.lastAsked?.line('if-modified-since'), modified);
});

test('RFC 9111 4.3.1: a validation has the fields that Vary names', async () => {
  const page = cache.page(notModifiedOr(cached('max-age=10', [etag('"a"'), ['Vary', 'X-Kind']])));
  await page.get(['X-Kind', '7']);
  cache.pass(10);
  await page.get(['X-Kind', '7']);
  assert.deepEqual([page.lastAsked?.line('x-kind'), page.lastAsked?.line('if-none-match')], ['7', '"a"']);
});

test('RFC 9111 4.3.1: when no variant matches, a validation sends all their entity tags; the one in the 304 is used', async () => {
  const variant = (tag: string, body: string) =>
    cached('max-age=60', [etag(tag), ['Vary', 'X-Kind']], { body });
  const page = cache.page(variant('"one"', 'first'), variant('"two"', 'second'), {
    status: 304,
    fields: [etag('"one"'), ['Cache-Control', 'max-age=60'], ['Vary', 'X-Kind']],
  });
  await page.get(['X-Kind', '1']);
  await page.get(['X-Kind', '2']);
  const received = await page.get(['X-Kind', '3']);
  const asked = page.lastAsked?.line('if-none-match');
  if (asked !== undefined) {
    assert.deepEqual(asked.split(/, */).toSorted(), ['"one"', '"two"']);
    assert.deepEqual([received.status, received.body], [200, 'first']);
  }
});

test('RFC 9111 4.3.2: If-None-Match is answered from a fresh response with 304, comparing weakly', async () => {
  for (const [stored, asked] of [
    ['"abc"', '"abc"'],
    ['"abc"', 'W/"abc"'],
    ['W/"abc"', 'W/"abc"'],
    ['W/"abc"', '"abc"'],
    ['"abc"', '"x", "abc", "y"'],
    ['"abc"', '"x","y",   "abc"'],
    ['"a,c"', '"b", "a,c"'],
    ['"abc"', '*'],
  ] as const) {
    const page = cache.page(cached('max-age=60', [etag(stored)]));
    await page.get();
    const received = await page.get(noneMatch(asked));
    assert.deepEqual([received.status, received.body, page.fetches], [304, '', 1], `${stored} ${asked}`);
  }
});

test('RFC 9111 4.3.2: If-None-Match that names another entity gets the whole response', async () => {
  for (const asked of ['"abd"', '"ABC"', '"x", "y"', '"x,"abc"']) {
    const page = cache.page(cached('max-age=60', [etag('"abc"')]));
    await page.get();
    const received = await page.get(noneMatch(asked));
    assert.deepEqual([received.status, received.body, page.fetches], [200, 'content', 1], asked);
  }
});

test('RFC 9110 15.4.5: a 304 has the fields of the 200: Cache-Control, Date, ETag, Expires, Vary, Content-Location', async () => {
  const fields: Line[] = [
    etag('"a"'),
    ['Expires', cache.at(60)],
    ['Vary', 'X-Kind'],
    ['Content-Location', '/there'],
  ];
  const page = cache.page(cached('max-age=60', fields));
  const first = await page.get();
  const received = await page.get(noneMatch('"a"'));
  assert.equal(received.status, 304);
  for (const name of ['cache-control', 'date', 'etag', 'expires', 'vary', 'content-location'])
    assert.equal(received.line(name), first.line(name), name);
  assert.equal(received.line('content-type'), undefined);
});

test('RFC 9111 4.3.2: If-Modified-Since is compared with Last-Modified: 304 when that is not later', async () => {
  const modified = cache.at(-3000);
  for (const [since, status] of [
    [modified, 304],
    [cache.at(-2000), 304],
    [cache.at(-4000), 200],
  ] as const) {
    const page = cache.page(cached('max-age=60', [['Last-Modified', modified]]));
    await page.get();
    assert.equal((await page.get(['If-Modified-Since', since])).status, status, since);
    assert.equal(page.fetches, 1);
  }
});

test('RFC 9110 5.6.7: If-Modified-Since is read in the obsolete forms too', async () => {
  const page = cache.page(cached('max-age=60', [['Last-Modified', 'Sun, 06 Nov 1994 08:49:37 GMT']]));
  await page.get();
  for (const since of ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])
    assert.equal((await page.get(['If-Modified-Since', since])).status, 304, since);
});

test('RFC 9110 13.1.3: an invalid If-Modified-Since is ignored', async () => {
  const page = cache.page(cached('max-age=60', [['Last-Modified', cache.at(-3000)]]));
  await page.get();
  assert.equal((await page.get(['If-Modified-Since', 'yesterday'])).status, 200);
});

test('RFC 9111 4.3.2: with If-None-Match, If-Modified-Since is ignored', async () => {
  const page = cache.page(cached('max-age=60', [etag('"a"'), ['Last-Modified', cache.at(-5000)]]));
  await page.get();
  const since: Line = ['If-Modified-Since', cache.at(-1)];
  assert.equal((await page.get(noneMatch('"b"'), since)).status, 200);
  assert.equal((await page.get(noneMatch('"a"'), ['If-Modified-Since', cache.at(-9000)])).status, 304);
  assert.equal(page.fetches, 1);
});

test('RFC 9111 4.3.2: a 304 to a client is made after validation as well', async () => {
  const modified = cache.at(-3000);
  const page = cache.page(notModifiedOr(cached('max-age=10', [['Last-Modified', modified]])));
  await page.get();
  cache.pass(20);
  const received = await page.get(['If-Modified-Since', modified]);
  assert.deepEqual([received.status, page.fetches], [304, 2]);
});

test('RFC 9110 13.1.1: If-Match and If-Unmodified-Since are for the origin', async () => {
  for (const line of [
    ['If-Match', '"other"'],
    ['If-Unmodified-Since', cache.at(-9000)],
  ] as const) {
    const page = cache.page(cached('max-age=60', [etag('"a"')]), { status: 412 });
    await page.get();
    const received = await page.get(line);
    if (page.fetches === 2) assert.equal(page.lastAsked?.line(line[0]), line[1]);
    assert.equal(received.status, page.fetches === 2 ? 412 : 200, line[0]);
  }
});

test('RFC 9111 4.3.2: conditions of a client reach the origin when nothing is stored, and so does its 304', async () => {
  const page = cache.page(notModifiedOr(cached('max-age=60', [etag('"a"')])));
  const received = await page.get(noneMatch('"a"'));
  assert.deepEqual([received.status, page.lastAsked?.line('if-none-match')], [304, '"a"']);
  assert.equal((await page.get()).body, 'content');
});

test('RFC 9111 4.3.3: a 304 makes the stored response fresh again', async () => {
  const page = cache.page(notModifiedOr(cached('max-age=10', [etag('"a"')])));
  await page.get();
  cache.pass(10);
  await page.get();
  cache.pass(9);
  const received = await page.get();
  assert.deepEqual([received.body, received.age, page.fetches], ['content', 9, 2]);
});

test('RFC 9111 4.3.3: a full response to a validation replaces the stored one', async () => {
  const page = cache.page(
    cached('max-age=10', [etag('"a"')], { body: 'old' }),
    cached('max-age=10', [etag('"b"')], { body: 'new' }),
  );
  await page.get();
  cache.pass(10);
  assert.equal((await page.get()).body, 'new');
  const third = await page.get();
  assert.deepEqual([third.body, third.line('etag'), page.fetches], ['new', '"b"', 2]);
});

test('RFC 9111 4.3.3: a server error in answer to a validation leaves the stored response in place', async () => {
  const page = cache.page(
    cached('max-age=10, must-revalidate', [etag('"a"')]),
    { status: 503 },
    {
      status: 304,
      fields: [etag('"a"')],
    },
  );
  await page.get();
  cache.pass(10);
  assert.equal((await page.get()).status, 503);
  assert.equal((await page.get()).body, 'content');
});

test('RFC 9111 3.2: the fields of a 304 replace the stored ones; others stay', async () => {
  const page = cache.page(
    cached('max-age=10', [
      etag('"a"'),
      ['X-Both', 'old'],
      ['X-Old', '1'],
      ['Content-Foo', 'old'],
      ['X-Many', '1'],
      ['X-Many', '2'],
    ]),
    {
      status: 304,
      fields: [
        etag('"a"'),
        ['Cache-Control', 'max-age=50'],
        ['X-Both', 'new'],
        ['Content-Foo', 'new'],
        ['X-Many', '3'],
        ['X-New', '1'],
      ],
    },
  );
  await page.get();
  cache.pass(10);
  for (const _ of [1, 2]) {
    const received = await page.get();
    const shown = ['cache-control', 'x-both', 'x-old', 'content-foo', 'x-new'].map((name) =>
      received.line(name),
    );
    assert.deepEqual(shown, ['max-age=50', 'new', '1', 'new', '1']);
    assert.deepEqual(received.lines('x-many'), ['3']);
  }
  assert.equal(page.fetches, 2);
});

test('RFC 9111 3.2: a 304 changes neither the length nor the content', async () => {
  const page = cache.page(cached('max-age=10', [etag('"a"')]), {
    status: 304,
    fields: [etag('"a"'), ['Content-Length', '3'], ['Cache-Control', 'max-age=10']],
  });
  await page.get();
  cache.pass(10);
  for (const _ of [1, 2]) {
    const received = await page.get();
    assert.deepEqual([received.line('content-length'), received.body], ['7', 'content']);
  }
});

test('RFC 9111 3.2: fields of the connection in a 304 are not taken over', async () => {
  const page = cache.page(cached('max-age=10', [etag('"a"'), ['X-Hop', 'stored']]), {
    status: 304,
    fields: [
      etag('"a"'),
      ['Connection', 'x-hop'],
      ['X-Hop', 'of the connection'],
      ['Cache-Control', 'max-age=10'],
    ],
  });
  await page.get();
  cache.pass(10);
  for (const _ of [1, 2]) assert.equal((await page.get()).line('x-hop'), 'stored');
});

test('RFC 9111 4.3.4: a 304 with another strong validator freshens nothing', async () => {
  const page = cache.page(
    cached('max-age=10', [etag('"a"')], { body: 'old' }),
    { status: 304, fields: [etag('"b"'), ['Cache-Control', 'max-age=60']] },
    cached('max-age=10', [etag('"b"')], { body: 'new' }),
  );
  await page.get();
  cache.pass(10);
  assert.equal((await page.get()).body, 'new');
});

test('RFC 9111 4.3.5: a 200 to HEAD with the same validators makes the stored response fresh', async () => {
  const page = cache.page(cached('max-age=10', [etag('"a"'), ['X-Both', 'old']]), {
    fields: [etag('"a"'), ['Cache-Control', 'max-age=100'], ['X-Both', 'new'], ['Content-Length', '7']],
  });
  await page.get();
  cache.pass(10);
  await page.send({ method: 'HEAD' });
  const received = await page.get();
  assert.deepEqual([received.body, received.line('x-both'), page.fetches], ['content', 'new', 2]);
});

test('RFC 9111 4.3.5: a 200 to HEAD with another length or validator makes the stored response stale', async () => {
  for (const fields of [
    [etag('"b"'), ['Content-Length', '7']],
    [etag('"a"'), ['Content-Length', '9']],
  ] as Line[][]) {
    const page = cache.page(
      cached('max-age=10', [etag('"a"')], { body: 'content' }),
      { fields: [['Cache-Control', 'max-age=100'], ...fields] },
      cached('max-age=10', [etag('"b"')], { body: 'different' }),
    );
    await page.get();
    cache.pass(10);
    await page.send({ method: 'HEAD' });
    assert.equal((await page.get()).body, 'different');
  }
});

const range = (value: string): Line => ['Range', `bytes=${value}`];
const digits = (...fields: readonly Line[]) => cached('max-age=60', fields, { body: '0123456789' });

test('RFC 9110 14.2: ranges are answered from a stored complete response', async () => {
  const page = cache.page(digits(etag('"a"')));
  await page.get();
  for (const [asked, body, contentRange] of [
    ['0-1', '01', 'bytes 0-1/10'],
    ['4-', '456789', 'bytes 4-9/10'],
    ['-3', '789', 'bytes 7-9/10'],
    ['8-99', '89', 'bytes 8-9/10'],
    ['-99', '0123456789', 'bytes 0-9/10'],
  ] as const) {
    const received = await page.get(range(asked));
    assert.deepEqual(
      [received.status, received.body, received.line('content-range'), received.line('content-length')],
      [206, body, contentRange, String(body.length)],
      asked,
    );
    assert.equal(received.line('etag'), '"a"');
  }
  assert.equal(page.fetches, 1);
});

test('RFC 9110 15.5.17: a range beyond the end is answered with 416 and the length', async () => {
  const page = cache.page(digits(etag('"a"')));
  await page.get();
  const received = await page.get(range('10-'));
  assert.deepEqual([received.status, received.line('content-range')], [416, 'bytes */10']);
});

test('RFC 9110 14.2: a Range that is not understood is ignored', async () => {
  for (const value of ['lines=1-2', 'bytes=5-2', 'bytes=a-b', 'bytes=', 'bytes']) {
    const page = cache.page(digits(etag('"a"')));
    await page.get();
    const received = await page.get(['Range', value]);
    assert.deepEqual([received.status, received.body], [200, '0123456789'], value);
  }
});

test('RFC 9110 13.1.5: If-Range gives the part when the strong validator is the same, the whole otherwise', async () => {
  const page = cache.page(digits(etag('"a"')));
  await page.get();
  assert.equal((await page.get(range('0-1'), ['If-Range', '"a"'])).status, 206);
  for (const value of ['"b"', 'W/"a"', cache.at(-60)]) {
    const received = await page.get(range('0-1'), ['If-Range', value]);
    assert.deepEqual([received.status, received.body], [200, '0123456789'], value);
  }
});

test('RFC 9110 13.1.5: If-Range compares weak tags as different', async () => {
  const page = cache.page(digits(etag('W/"a"')));
  await page.get();
  assert.equal((await page.get(range('0-1'), ['If-Range', 'W/"a"'])).status, 200);
});

test('RFC 9110 13.2.2: If-None-Match is evaluated before Range', async () => {
  const page = cache.page(digits(etag('"a"')));
  await page.get();
  assert.equal((await page.get(range('0-1'), noneMatch('"a"'))).status, 304);
});
