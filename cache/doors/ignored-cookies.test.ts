import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../kernel/index.ts';
import { openBench } from '../testing/object-cache.ts';
import { exchange } from '../testing/raw-client.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';
import { openHttpDoor } from './http-door.ts';
import { IgnoredCookies } from './ignored-cookies.ts';

test('ignored cookies are taken out, the rest stays as it came', () => {
  const cookies = new IgnoredCookies(['_ga*', '_gid']);
  for (const [value, rest] of [
    ['a=1; _ga=2; b=3', 'a=1; b=3'],
    ['_ga=2; a=1', 'a=1'],
    ['_ga=2;_gid=3', undefined],
    ['_gid', undefined],
    ['a=1;  b=_ga; _gi=1', 'a=1;  b=_ga; _gi=1'],
    ['', ''],
    ['_ga_X="a;b"; c=1', 'b"; c=1'],
  ] as const)
    assert.equal(cookies.rest(value), rest, value);
  const raw = ['Cookie', '_ga=1', 'X', 'Y', 'cookie', 'a=1; _gid=2'];
  assert.deepEqual(cookies.without(raw), ['X', 'Y', 'cookie', 'a=1']);
});

test('what is left of cookies has nothing left to ignore', () => {
  const cookies = new IgnoredCookies(['u*', 'b']);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ubx=; "'), maxLength: 20 }), (value) => {
      const rest = cookies.rest(value);
      if (rest === undefined) return;
      assert.equal(cookies.rest(rest), rest);
      const names = rest.split(';').map((one) => (one.split('=')[0] ?? '').trim());
      assert.ok(names.every((name) => name !== 'b' && !name.startsWith('u')));
    }),
  );
});

test('RFC 9111 4.1: a response that varies by Cookie is one for all whose other cookies are the same', async () => {
  const cookies: (string | undefined)[] = [];
  await using bench = await openBench((request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, { 'Cache-Control': 'max-age=60', Vary: 'Cookie' }).end('x');
  });
  await using door = await openHttpDoor({
    ...{ port: 0, clock: systemClock, pseudonym: 'test' },
    answer: (request) => bench.opened.cache.answer(request),
    accelerator: acceleratedHosts([bench.url('')]),
    ignoredCookies: new IgnoredCookies(['_ga']),
  });
  const ask = (cookie: string, method = 'GET') =>
    exchange(door, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: ${cookie}\r\n\r\n`);
  for (const cookie of ['_ga=1; s=a', 's=a', 's=a; _ga=2']) await ask(cookie);
  for (const cookie of ['_ga=1', '_ga=2']) await ask(cookie);
  await ask('s=b');
  await ask('_ga=1; s=a', 'POST');
  assert.deepEqual(cookies, ['s=a', undefined, 's=b', '_ga=1; s=a']);
});
