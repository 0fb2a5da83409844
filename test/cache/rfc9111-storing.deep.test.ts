import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cached } from './kit/pages.ts';
import { RunningCache } from './kit/running-cache.ts';
import type { Line, Step } from './kit/scripted-origin.ts';

let cache: RunningCache;
before(async () => {
  cache = await RunningCache.open();
});
after(() => cache[Symbol.asyncDispose]());

/** Send two requests in a row; the number of requests at the origin. */
async function fetchesOfTwo(
  ...[answer, first = [], second = first]: [answer: Step, first?: readonly Line[], second?: readonly Line[]]
): Promise<number> {
  const page = cache.page(answer);
  await page.get(...first);
  await page.get(...second);
  return page.fetches;
}

test('RFC 9111 2: the key is the whole target URI: another query is another response', async () => {
  const one = cache.pageAt('/key?a=1', cached('max-age=60', [], { body: 'one' }));
  const other = cache.pageAt('/key?a=2', cached('max-age=60', [], { body: 'two' }));
  assert.equal((await one.get()).body, 'one');
  assert.equal((await other.get()).body, 'two');
  assert.equal((await one.get()).body, 'one');
  assert.deepEqual([one.fetches, other.fetches], [1, 1]);
});

test('RFC 9111 3: a response to GET with explicit freshness is stored', async () => {
  for (const line of [
    ['Cache-Control', 'max-age=60'],
    ['Cache-Control', 's-maxage=60'],
    ['Expires', cache.at(60)],
  ] as const)
    assert.equal(await fetchesOfTwo({ fields: [line], body: 'x' }), 1, line[1]);
});

test('RFC 9111 3: a response without freshness, validator or permission is not used again', async () => {
  assert.equal(await fetchesOfTwo({ body: 'x' }), 2);
});

test('RFC 9111 3: the answer to a method whose caching is not understood is not stored', async () => {
  for (const method of ['PATCH', 'OPTIONS', 'M-SEARCH', 'PROPFIND']) {
    const page = cache.page(cached('max-age=60'));
    await page.send({ method, body: 'x' });
    await page.send({ method, body: 'x' });
    await page.get();
    assert.equal(page.fetches, 3, method);
  }
});

test('RFC 9110 9.3.3: the answer to POST with freshness and its own URI as Content-Location answers a later GET', async () => {
  const page = cache.page((asked) => cached('max-age=60', [['Content-Location', asked.target]]));
  await page.send({ method: 'POST', body: 'x' });
  assert.equal((await page.get()).body, 'content');
  assert.equal(page.fetches, 1);
});

test('RFC 9110 9.3.3: the answer to POST without Content-Location, or with another, answers no GET', async () => {
  for (const fields of [[], [['Content-Location', '/elsewhere']]] as const) {
    const page = cache.page(cached('max-age=60', fields));
    await page.send({ method: 'POST', body: 'x' });
    await page.get();
    assert.equal(page.fetches, 2);
  }
});

test('RFC 9111 3: no POST is answered from the store', async () => {
  const page = cache.page((asked) => cached('max-age=60', [['Content-Location', asked.target]]));
  await page.get();
  await page.send({ method: 'POST', body: 'x' });
  await page.send({ method: 'POST', body: 'x' });
  assert.equal(page.fetches, 3);
});

test('RFC 9111 3: interim responses are passed on and not stored', async () => {
  const page = cache.page(
    cached('max-age=60', [], {
      interim: [
        { status: 102, fields: [] },
        { status: 103, fields: [['Link', '</a.css>; rel=preload']] },
      ],
    }),
  );
  const first = await page.get();
  assert.deepEqual(
    first.interim.map(({ status }) => status),
    [102, 103],
  );
  const second = await page.get();
  assert.deepEqual(second.interim, []);
  assert.deepEqual([second.status, second.line('link'), page.fetches], [200, undefined, 1]);
});

test('RFC 9111 3: any final status with explicit freshness is stored, known or not', async () => {
  for (const status of [200, 203, 204, 299, 301, 302, 307, 308, 400, 404, 410, 451, 500, 503, 599])
    assert.equal(await fetchesOfTwo(cached('max-age=60', [], { status })), 1, String(status));
});

test('RFC 9111 3: an unrequested 304 and an unrequested 206 answer no later request', async () => {
  for (const answer of [
    { status: 304, fields: [['Cache-Control', 'max-age=60']] },
    { status: 206, fields: [['Cache-Control', 'max-age=60']], body: 'part' },
  ] as const) {
    const page = cache.page(answer, cached('max-age=60'));
    await page.get();
    const received = await page.get();
    assert.deepEqual([received.status, received.body], [200, 'content']);
  }
});

test('RFC 9111 5.2: directives pass through, in both directions, known or not', async () => {
  const page = cache.page(cached('max-age=60, x-odd="a, b", no-transform'));
  const asked: Line = ['Cache-Control', 'max-age=30, x-mine=1'];
  for (const _ of [1, 2])
    assert.equal((await page.get(asked)).line('cache-control'), 'max-age=60, x-odd="a, b", no-transform');
  assert.equal(page.asked[0]?.line('cache-control'), asked[1]);
});

test('RFC 9111 5.2.2.3: must-understand with a known status outweighs no-store', async () => {
  assert.equal(await fetchesOfTwo(cached('max-age=60, must-understand, no-store')), 1);
});

test('RFC 9111 5.2.2.3: must-understand with an unknown status is not stored', async () => {
  for (const more of ['', ', no-store'])
    assert.equal(await fetchesOfTwo(cached(`max-age=60, must-understand${more}`, [], { status: 599 })), 2);
});

test('RFC 9111 5.2.2.5: a response with no-store is not stored, in any case of letters, with any other directives', async () => {
  for (const value of ['no-store', 'No-StOrE', 'max-age=60, no-store', 'no-store, public, s-maxage=60'])
    assert.equal(await fetchesOfTwo(cached(value, [['Expires', cache.at(60)]])), 2, value);
});

test('RFC 9111 5.2.1.5: the answer to a request with no-store is not stored', async () => {
  assert.equal(await fetchesOfTwo(cached('max-age=60'), [['Cache-Control', 'no-store']], []), 2);
});

test('RFC 9111 5.2.2.7: a private response is not stored by a shared cache', async () => {
  for (const value of ['private', 'private, max-age=60', 'PRIVATE, s-maxage=60'])
    assert.equal(await fetchesOfTwo(cached(value)), 2, value);
});

test('RFC 9111 5.2.2.7: fields named by a qualified private are given to no other client', async () => {
  const page = cache.page(
    cached('max-age=60, private="x-user, x-id"', [
      ['X-User', 'ann'],
      ['X-Id', '7'],
    ]),
  );
  assert.equal((await page.get()).line('x-user'), 'ann');
  const second = await page.get();
  if (page.fetches === 1)
    assert.deepEqual([second.line('x-user'), second.line('x-id')], [undefined, undefined]);
});

const login: Line = ['Authorization', 'Basic YTpi'];

test('RFC 9111 3.5: the answer to a request with Authorization is not used again, not even for the same user', async () => {
  assert.equal(await fetchesOfTwo(cached('max-age=60'), [login]), 2);
  assert.equal(await fetchesOfTwo(cached('max-age=60'), [login], []), 2);
  assert.equal(await fetchesOfTwo({ fields: [['Expires', cache.at(60)]] }, [login], []), 2);
});

test('RFC 9111 3.5: public, s-maxage and must-revalidate allow it to be used again', async () => {
  for (const value of ['max-age=60, public', 's-maxage=60', 'max-age=60, must-revalidate']) {
    const page = cache.page(cached(value));
    await page.get(login);
    assert.equal(page.lastAsked?.line('authorization'), login[1]);
    await page.get();
    assert.equal(page.fetches, 1, value);
  }
});

test('RFC 9111 3.5: a stored answer to a request without Authorization serves one that has it', async () => {
  assert.equal(await fetchesOfTwo(cached('max-age=60'), [], [login]), 1);
});

test('RFC 9111 3.1: unknown fields are stored, with their lines in order', async () => {
  const fields: Line[] = [
    ['X-Odd', '1'],
    ['Set-Cookie', 'a=1'],
    ['X-Odd', '2'],
    ['Set-Cookie', 'b=2'],
    ['Content-Foo', 'bar'],
    ['Content-Security-Policy', "default-src 'self'"],
  ];
  const page = cache.page(cached('max-age=60', fields));
  for (const _ of [1, 2]) {
    const received = await page.get();
    assert.deepEqual(received.lines('x-odd'), ['1', '2']);
    assert.deepEqual(received.lines('set-cookie'), ['a=1', 'b=2']);
    assert.equal(received.line('content-foo'), 'bar');
    assert.equal(received.line('content-security-policy'), "default-src 'self'");
  }
  assert.equal(page.fetches, 1);
});

test('RFC 9111 3.1: fields of the connection are neither passed on nor stored', async () => {
  const page = cache.page(
    cached('max-age=60', [
      ['Connection', 'x-hop, x-other'],
      ['X-Hop', '1'],
      ['X-Other', '2'],
      ['X-End', '3'],
      ['Proxy-Authenticate', 'Basic realm="x"'],
      ['Proxy-Authentication-Info', 'a=b'],
      ['Proxy-Connection', 'keep-alive'],
      ['TE', 'trailers'],
      ['Upgrade', 'h2c'],
    ]),
  );
  for (const _ of [1, 2]) {
    const received = await page.get();
    for (const name of ['x-hop', 'x-other', 'proxy-authenticate', 'proxy-connection', 'te', 'upgrade'])
      assert.equal(received.line(name), undefined, name);
    assert.equal(received.line('x-end'), '3');
  }
  assert.equal(page.fetches, 1);
});

test('RFC 9111 3.1: Connection may not take fields out that decide about caching', async () => {
  const page = cache.page(cached('no-store', [['Connection', 'cache-control']]));
  await page.get();
  await page.get();
  assert.equal(page.fetches, 2);
});

test('RFC 9111 3.3: an incomplete content is not used as a complete one', async () => {
  const page = cache.page(
    cached('max-age=60', [['Content-Length', '100']], { body: 'half of it' }),
    cached('max-age=60', [], { body: 'all of it' }),
  );
  assert.equal((await page.get()).isCut, true);
  const second = await page.get();
  assert.deepEqual([second.isCut, second.body], [false, 'all of it']);
});

test('RFC 9111 3.3: incomplete chunks are not used as a complete content', async () => {
  const head = 'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n';
  const page = cache.page({ raw: `${head}5\r\nhello\r\n` }, cached('max-age=60', [], { body: 'all of it' }));
  assert.equal((await page.get()).isCut, true);
  assert.equal((await page.get()).body, 'all of it');
});

test('RFC 9111 3.3: a part answers requests for ranges within it, and no request for the whole', async () => {
  const part = {
    status: 206,
    fields: [
      ['Cache-Control', 'max-age=60'],
      ['Content-Range', 'bytes 2-6/10'],
      ['ETag', '"a"'],
    ],
    body: '23456',
  } as const;
  const page = cache.page(part, cached('max-age=60', [['ETag', '"b"']], { body: 'abcdefghij' }));
  assert.equal((await page.get(['Range', 'bytes=2-6'])).body, '23456');
  const within = await page.get(['Range', 'bytes=3-4']);
  assert.deepEqual(
    [within.status, within.body, within.line('content-range'), page.fetches],
    [206, '34', 'bytes 3-4/10', 1],
  );
  const whole = await page.get();
  assert.deepEqual([whole.status, whole.body], [200, 'abcdefghij']);
});

/** An origin of ten digits that answers ranges, under an entity tag. */
const digits =
  (etag: string, text = '0123456789') =>
  (asked: { line(name: string): string | undefined }) => {
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(asked.line('range') ?? '') ?? [];
    const fields: Line[] = [
      ['Cache-Control', 'max-age=60'],
      ['ETag', etag],
    ];
    if (asked.line('range') === undefined) return { fields, body: text };
    const [from, to] = [Number(first), last === '' ? 9 : Number(last)];
    return {
      status: 206,
      fields: [...fields, ['Content-Range', `bytes ${from}-${to}/10`] as Line],
      body: text.slice(from, to + 1),
    };
  };

test('RFC 9111 3.4: parts with the same strong validator are combined; only missing bytes are requested', async () => {
  const page = cache.page(digits('"same"'));
  await page.get(['Range', 'bytes=0-4']);
  const whole = await page.get();
  assert.deepEqual([whole.status, whole.body], [200, '0123456789']);
  assert.match(page.lastAsked?.line('range') ?? '', /^bytes=5-9?$/);
  assert.equal((await page.get()).body, '0123456789');
  assert.equal(page.fetches, 2);
});

test('RFC 9111 3.4: parts of different entity tags are never combined', async () => {
  const page = cache.page(digits('"one"'), digits('"two"', 'abcdefghij'));
  await page.get(['Range', 'bytes=0-4']);
  assert.equal((await page.get()).body, 'abcdefghij');
});

test('RFC 9111 3.4: parts with weak validators are never combined', async () => {
  const page = cache.page(digits('W/"same"'), digits('W/"same"', 'abcdefghij'));
  await page.get(['Range', 'bytes=0-4']);
  assert.equal((await page.get()).body, 'abcdefghij');
});

test('RFC 9111 3.4: a part other than the requested one does no damage', async () => {
  const lie = {
    status: 206,
    fields: [
      ['Cache-Control', 'max-age=60'],
      ['ETag', '"same"'],
      ['Content-Range', 'bytes 5-9/20'],
    ],
    body: 'xxxxx',
  } as const;
  const page = cache.page(digits('"same"'), lie, digits('"same"'));
  await page.get(['Range', 'bytes=0-4']);
  const whole = await page.get();
  assert.deepEqual([whole.status, whole.body], [200, '0123456789']);
});
