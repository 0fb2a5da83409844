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

/** Whether a stored response answers a second request so many seconds later. */
async function isUsedAfter(seconds: number, answer: Step): Promise<boolean> {
  const page = cache.page(answer);
  await page.get();
  cache.pass(seconds);
  await page.get();
  return page.fetches === 1;
}

/** Check that a response is fresh for exactly so many seconds. */
async function freshFor(seconds: number, answer: () => Step): Promise<void> {
  assert.equal(await isUsedAfter(seconds - 1, answer()), true, `used after ${seconds - 1} s`);
  assert.equal(await isUsedAfter(seconds, answer()), false, `not used after ${seconds} s`);
}

const withFields = (...fields: readonly Line[]): Step => ({ body: 'content', fields });

test('RFC 9111 4.2: a response is fresh while its lifetime is more than its age', async () => {
  await freshFor(10, () => cached('max-age=10'));
  assert.equal(await isUsedAfter(0, cached('max-age=0')), false);
});

test('RFC 9111 4.2.1: s-maxage overrides max-age, longer or shorter, in any order and line', async () => {
  await freshFor(20, () => cached('max-age=10, s-maxage=20'));
  await freshFor(10, () => cached('s-maxage=10, max-age=20'));
  await freshFor(10, () => withFields(['Cache-Control', 'max-age=20'], ['Cache-Control', 's-maxage=10']));
});

test('RFC 9111 4.2.1: max-age overrides Expires, also a later, past or invalid one', async () => {
  for (const expires of [cache.at(500), cache.at(-500), '0'])
    await freshFor(10, () => cached('max-age=10', [['Expires', expires]]));
});

test('RFC 9111 4.2.1: without max-age the lifetime is Expires minus Date', async () => {
  await freshFor(10, () => withFields(['Expires', cache.at(10)]));
  // The origin's clock is a minute fast in both fields.
  await freshFor(10, () => withFields(['Date', cache.at(60)], ['Expires', cache.at(70)]));
  assert.equal(await isUsedAfter(0, withFields(['Date', cache.at(400)], ['Expires', cache.at(300)])), false);
  assert.equal(await isUsedAfter(0, withFields(['Expires', cache.at(0)])), false);
});

test('RFC 9111 4.2.1: the first of a repeated directive applies, or the response is stale', async () => {
  assert.equal(await isUsedAfter(5, cached('max-age=1, max-age=60')), false);
  assert.equal(
    await isUsedAfter(5, withFields(['Cache-Control', 'max-age=1'], ['Cache-Control', 'max-age=60'])),
    false,
  );
});

test('RFC 9111 4.2.1: a lifetime that is no number makes the response stale', async () => {
  for (const value of ['-3600', "'3600'", 'a3600', '3600a', '3600.5', '', '" "'])
    assert.equal(await isUsedAfter(0, cached(`max-age=${value}`)), false, value);
});

test('RFC 9111 1.2.2: a lifetime too large to hold is a very long one', async () => {
  for (const value of ['2147483647', '2147483648', '99999999999', '9'.repeat(100)])
    assert.equal(await isUsedAfter(1000, cached(`max-age=${value}`)), true, value);
});

test('RFC 9111 5.2: names are case-insensitive, extensions are ignored', async () => {
  await freshFor(10, () => cached('MaX-aGe=10'));
  await freshFor(10, () => cached('foobar, max-age=10, other="a, b"'));
});

test('RFC 9111 5.2: an argument may be a quoted string', async () => {
  await freshFor(10, () => cached('max-age="10"'));
});

test('RFC 9111 5.2: text within a quoted string is no directive', async () => {
  assert.equal(await isUsedAfter(5, cached('extension="max-age=3600", max-age=1')), false);
  assert.equal(await isUsedAfter(5, cached('max-age=1, extension="max-age=3600"')), false);
  assert.equal(await isUsedAfter(5, cached('max-age=60, extension="no-store, private"')), true);
});

test('RFC 9111 5.3: an invalid Expires is a time in the past', async () => {
  for (const value of [
    '0',
    'never',
    'Thu, 18 Aug 2050 02:01:18 UTC',
    'Thu, 18 Aug 2050 02:01:18 AEST',
    'Thu, 18 Aug 50 02:01:18 GMT',
    'Thu 18 Aug 2050 02:01:18 GMT',
    'Thu, 18  Aug  2050 02:01:18 GMT',
    'Thu, 18-Aug-2050 02:01:18 GMT',
    'Thu, 18 Aug 2050 02.01.18 GMT',
    'Thu, 18 Aug 2050 2:01:18 GMT',
  ])
    assert.equal(await isUsedAfter(0, withFields(['Expires', value])), false, value);
});

test('RFC 9110 5.6.7: the three forms of a date are read, in any case of letters', async () => {
  for (const value of [
    'Thu, 18 Aug 2050 02:01:18 GMT',
    'Thursday, 18-Aug-50 02:01:18 GMT',
    'Thu Aug 18 02:01:18 2050',
    'Mon Aug  8 02:01:18 2050',
    'THU, 18 AUG 2050 02:01:18 gMT',
    'Sun, 21 Nov 2286 04:46:39 GMT',
  ])
    assert.equal(await isUsedAfter(1000, withFields(['Expires', value])), true, value);
});

test('RFC 9110 6.6.1: an absent or invalid Date is the time of receipt', async () => {
  await freshFor(10, () => withFields(['Date', 'foo'], ['Expires', cache.at(10)]));
  await freshFor(10, () => ({ body: 'x', date: false, fields: [['Expires', cache.at(10)]] }));
});

const day = 86_400;

test('RFC 9111 4.2.2: without explicit freshness a response is fresh for a tenth of the time since Last-Modified', async () => {
  await freshFor(100, () => withFields(['Last-Modified', cache.at(-1000)]));
});

test('RFC 9111 4.2.2: no guess is made when freshness is explicit', async () => {
  for (const line of [
    ['Cache-Control', 'max-age=0'],
    ['Cache-Control', 's-maxage=0'],
    ['Expires', cache.at(-10)],
    ['Expires', '0'],
  ] as const)
    assert.equal(await isUsedAfter(0, withFields(['Last-Modified', cache.at(-day)], line)), false, line[1]);
});

test('RFC 9111 4.2.2: a guess is made for the statuses that allow it', async () => {
  for (const status of [200, 203, 204, 301, 308, 404, 405, 410, 414, 501])
    assert.equal(
      await isUsedAfter(60, { status, fields: [['Last-Modified', cache.at(-day)]] }),
      true,
      String(status),
    );
});

test('RFC 9111 4.2.2: no guess is made for other statuses, unless they say public', async () => {
  for (const status of [201, 202, 302, 307, 403, 502, 503, 504, 599])
    assert.equal(
      await isUsedAfter(0, { status, fields: [['Last-Modified', cache.at(-day)]] }),
      false,
      String(status),
    );
  const fields: Line[] = [
    ['Last-Modified', cache.at(-day)],
    ['Cache-Control', 'public'],
  ];
  assert.equal(await isUsedAfter(60, { status: 599, fields }), true);
});

test('RFC 9111 4.2.3: the Age that a response came with counts', async () => {
  await freshFor(10, () => cached('max-age=40', [['Age', '30']]));
  assert.equal(await isUsedAfter(0, cached('max-age=40', [['Age', '40']])), false);
  await freshFor(10, () => withFields(['Expires', cache.at(40)], ['Age', '30']));
});

test('RFC 9111 4.2.3: the age by Date counts when it is larger', async () => {
  await freshFor(10, () => cached('max-age=40', [['Date', cache.at(-30)]]));
  await freshFor(10, () =>
    cached('max-age=40', [
      ['Date', cache.at(-30)],
      ['Age', '5'],
    ]),
  );
});

test('RFC 9111 4.2.3: the time an answer took counts as age', async () => {
  await freshFor(10, () => cached('max-age=15', [], { takesSeconds: 5, date: false }));
  assert.equal(await isUsedAfter(0, cached('max-age=5', [], { takesSeconds: 6, date: false })), false);
});

test('RFC 9111 5.1: an Age that is no whole number is ignored, one too large is the maximum age', async () => {
  for (const value of ['abc', '-7200', '7200.0', ''])
    assert.equal(await isUsedAfter(0, cached('max-age=3600', [['Age', value]])), true, value);
  for (const value of ['2147483647', '2147483648', '9'.repeat(50)])
    assert.equal(await isUsedAfter(0, cached('max-age=3600', [['Age', value]])), false, value);
});

test('RFC 9111 5.1: the first of several Age values counts', async () => {
  for (const [values, isUsed] of [
    [['0, 7200'], true],
    [['7200, 0'], false],
    [['0', '7200'], true],
    [['7200', '0'], false],
    [['0', '0'], true],
  ] as const) {
    const ages = values.map((value) => ['Age', value] as const);
    assert.equal(await isUsedAfter(0, cached('max-age=3600', ages)), isUsed, values.join(' and '));
  }
});

test('RFC 9111 4: an answer from the store has one Age, the current one', async () => {
  const page = cache.page(
    cached('max-age=3600', [
      ['Age', '30'],
      ['Age', '7'],
    ]),
  );
  await page.get();
  cache.pass(12);
  const received = await page.get();
  assert.deepEqual(received.lines('age'), ['42']);
  assert.equal(page.fetches, 1);
});

test('RFC 9110 6.6.1: an answer from the store keeps its Date; one without Date gets the date of receipt', async () => {
  const date = cache.at(0);
  const dated = cache.page(cached('max-age=3600'));
  const undated = cache.page(cached('max-age=3600', [], { date: false }));
  for (const page of [dated, undated]) {
    await page.get();
    cache.pass(5);
  }
  assert.equal((await dated.get()).line('date'), date);
  assert.equal(Date.parse((await undated.get()).line('date') ?? ''), Date.parse(date) + 5000);
});

test('RFC 9111 5.3: Expires is passed on unchanged, also when another field sets the freshness', async () => {
  const expires = cache.at(1);
  const page = cache.page(cached('max-age=60', [['Expires', expires]]));
  await page.get();
  cache.pass(5);
  assert.equal((await page.get()).line('expires'), expires);
  assert.equal(page.fetches, 1);
});

const cdn = (value: string, ...more: readonly Line[]): Step =>
  withFields(['CDN-Cache-Control', value], ...more);

test('RFC 9213 2.1: a targeted field overrides Cache-Control and Expires', async () => {
  await freshFor(20, () => cdn('max-age=20', ['Cache-Control', 'max-age=10']));
  await freshFor(10, () => cdn('max-age=10', ['Cache-Control', 'max-age=20'], ['Expires', cache.at(99)]));
  await freshFor(20, () => cdn('max-age=20', ['Cache-Control', 'no-store']));
  await freshFor(20, () => cdn('max-age=20', ['Expires', '0']));
  for (const value of ['no-store', 'private', 'no-cache', 'max-age=0'])
    assert.equal(await isUsedAfter(0, cdn(value, ['Cache-Control', 'max-age=60'])), false, value);
});

test('RFC 9213 2.1: Age counts for a targeted lifetime', async () => {
  await freshFor(10, () => cdn('max-age=40', ['Age', '30']));
});

test('RFC 9213 2.1: a targeted field that is no structured dictionary is ignored', async () => {
  for (const value of ['max-age=60, &&&&&', 'max-age="60"', 'max-age =60', '']) {
    assert.equal(await isUsedAfter(0, cdn(value, ['Cache-Control', 'no-store'])), false, value);
    await freshFor(10, () => cdn(value, ['Cache-Control', 'max-age=10']));
  }
});

test('RFC 9213 2.1: unknown members of a targeted field are ignored', async () => {
  await freshFor(10, () => cdn('foobar, max-age=10;x=1, other=(1 2)'));
});
