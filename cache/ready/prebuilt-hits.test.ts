import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastLane } from '../doors/fast-lane/fast-lane.ts';
import { type HttpDoor, openHttpDoor } from '../doors/http-door.ts';
import type { CacheOptions } from '../serving/open-cache.ts';
import { type Bench, openBench } from '../testing/object-cache.ts';

/** A cache behind a real door with a fast lane. */
interface Laned extends AsyncDisposable {
  readonly bench: Bench;
  readonly lane: FastLane;
  /** Say GET (or something else) on a connection of its own; gives what came back, but for the connection's fields. */
  ask(path: string, options?: { method?: string; lines?: readonly string[] }): Promise<string>;
  /** The same, with a field that no fast lane knows. */
  askSlowly(path: string, options?: { method?: string; lines?: readonly string[] }): Promise<string>;
}

async function openLaned(
  origin: (url: string, response: ServerResponse) => void,
  more: Partial<CacheOptions> = {},
): Promise<Laned> {
  const bench = await openBench((request, response) => origin(request.url ?? '', response), {
    ready: { maxBytes: 1e7, keepAliveMs: 15_000 },
    ...more,
  });
  const { opened, clock } = bench;
  const accelerator = {
    originFor: () => bench.url(''),
    namedOriginFor: () => undefined,
    forwardedHost: () => undefined,
    passHost: false,
    origins: [bench.url('')],
  };
  const door: HttpDoor = await openHttpDoor({
    ...{ port: 0, clock, pseudonym: 'bench' },
    answer: (request) => opened.cache.answer(request),
    accelerator,
    ...(opened.ready && { lane: { ready: opened.ready } }),
  });
  const { lane } = door;
  assert.ok(lane);
  const ask: Laned['ask'] = (path, { method = 'GET', lines = [] } = {}) =>
    new Promise((resolve, reject) => {
      const socket = connect(door.port, '127.0.0.1');
      let heard = '';
      socket.setEncoding('latin1').on('error', reject);
      socket.on('data', (text: string) => {
        heard += text;
        const end = heard.indexOf('\r\n\r\n') + 4;
        const length = Number(/^content-length: (\d+)\r$/im.exec(heard.slice(0, end))?.[1] ?? 0);
        const whole = method === 'HEAD' || heard.startsWith('HTTP/1.1 304') ? end : end + length;
        if (end < 4 || heard.length < whole) return;
        socket.destroy();
        resolve(heard.replaceAll(/^(connection|keep-alive|content-length): .*\r\n/gim, ''));
      });
      socket.write(`${[`${method} ${path} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`);
    });
  return {
    ...{ bench, lane, ask },
    askSlowly: (path, { method, lines = [] } = {}) =>
      ask(path, { lines: [...lines, 'X-Not-Plain: 1'], ...(method && { method }) }),
    [Symbol.asyncDispose]: async () => {
      await door[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

/** Whether the lane answered it. */
async function isReady({ lane, ask }: Laned, path: string, lines: readonly string[] = []): Promise<boolean> {
  const before = lane.answered.requests;
  await ask(path, { lines });
  return lane.answered.requests > before;
}

test("a ready hit is byte for byte the cache's own answer, at every age and to its last second", async () => {
  const kinds = {
    '/tag': ['ETag', '"a"'],
    '/weak': ['ETag', 'W/"a"'],
    '/date': ['Last-Modified', 'Sun, 01 Nov 2026 00:00:00 GMT'],
    '/none': ['X-Something', 'else'],
  };
  await using laned = await openLaned((url, response) => {
    response.setHeader('Cache-Control', 'max-age=20, no-cache="set-cookie"');
    response.setHeader('Set-Cookie', 'a=b');
    response.setHeader('Age', '3');
    response.appendHeader(...(kinds[url as keyof typeof kinds] as [string, string]));
    response.end('content');
  });
  const { bench, lane, ask, askSlowly } = laned;
  for (const path of Object.keys(kinds)) {
    await ask(path);
    await ask(path);
  }
  let rounds = 0;
  let fast = 0;
  for (;;) {
    bench.clock.advance(331);
    if (!/; hit/.test(await askSlowly('/tag'))) break;
    rounds += 1;
    for (const [path, [name, value]] of Object.entries(kinds)) {
      const condition = `${name === 'ETag' ? 'If-None-Match' : 'If-Modified-Since'}: ${value}`;
      for (const options of [{}, { method: 'HEAD' }, { lines: [condition] }]) {
        const before = lane.answered.requests;
        assert.equal(
          await ask(path, options),
          await askSlowly(path, options),
          `${path} ${JSON.stringify(options)}`,
        );
        fast += lane.answered.requests - before;
      }
    }
  }
  // No longer fresh, all of them.
  for (const path of ['/weak', '/date', '/none']) assert.ok(!(await isReady(laned, path)), path);
  assert.ok(rounds > 45, `${rounds}`);
  // All except requests with a validator that the response lacks.
  assert.equal(fast, rounds * 11);
  assert.equal(bench.asked.length, 8);
  const { hit, bytesFromStore } = bench.opened.cache.counts();
  assert.equal(hit, 4 + rounds * (12 + 12 + 1));
  // A GET by both paths each, and a request with a date that the response does not have.
  assert.equal(bytesFromStore, 7 * (4 + rounds * (4 + 4 + 1 + 2)));
});

test('RFC 9111 4.4: a change through the cache makes nothing ready of what it outdates', async () => {
  await using laned = await openLaned((_url, response) => {
    response.setHeader('Cache-Control', 'max-age=100');
    response.end(`content ${laned.bench.asked.length}`);
  });
  const { ask } = laned;
  await ask('/');
  await ask('/');
  assert.ok(await isReady(laned, '/'));
  await ask('/', { method: 'DELETE' });
  assert.match(await ask('/'), /content 3$/);
  await ask('/');
  assert.ok(await isReady(laned, '/'));
});

test('a purge by URL, prefix or tag, soft or not, takes effect on what is ready at once', async () => {
  await using laned = await openLaned((_url, response) => {
    response.setHeader('Cache-Control', 'max-age=100');
    response.setHeader('Surrogate-Key', 'red');
    response.end(`content ${laned.bench.asked.length}`);
  });
  const { bench, ask } = laned;
  const targets = [
    { url: bench.url('/a') },
    { prefix: bench.url('/') },
    { tag: 'red' },
    { all: true },
  ] as const;
  let asked = 0;
  for (const target of targets)
    for (const soft of [true, false]) {
      await ask('/a');
      await ask('/a');
      assert.ok(await isReady(laned, '/a'));
      asked = bench.asked.length;
      const purged = bench.opened.cache.purge(target, { soft });
      await purged;
      assert.match(await ask('/a'), new RegExp(`content ${asked + 1}$`));
    }
});

test('a refetched or validated response is the ready one', async () => {
  await using laned = await openLaned((_url, response) => {
    response.setHeader('Cache-Control', 'max-age=100');
    response.setHeader('ETag', '"a"');
    response.setHeader('X-Answer', laned.bench.asked.length);
    response.statusCode = laned.bench.asked.length === 2 ? 304 : 200;
    response.end(response.statusCode === 304 ? '' : `content ${laned.bench.asked.length}`);
  });
  const { ask } = laned;
  for (let count = 0; count < 3; count++) await ask('/');
  assert.match(await ask('/', { lines: ['Cache-Control: no-cache'] }), /x-answer: 2/i);
  await ask('/');
  assert.ok(await isReady(laned, '/'));
  assert.match(await ask('/'), /x-answer: 2(?:.|\r|\n)*content 1$/i);
  assert.match(await ask('/', { lines: ['Cache-Control: no-cache'] }), /content 3$/);
  assert.match(await ask('/'), /content 3$/);
  assert.match(await ask('/'), /content 3$/);
});

test('RFC 9111 4.1: variants are ready by the values they were selected by, each under its own', async () => {
  await using laned = await openLaned((_url, response) => {
    const { 'accept-language': language, 'accept-encoding': coding } =
      laned.bench.asked.at(-1)?.headers ?? {};
    response.setHeader('Cache-Control', 'max-age=100');
    response.setHeader('Vary', coding === 'gzip' ? 'Accept-Encoding' : 'Accept-Language, Accept-Encoding');
    response.end(`${language} ${coding}`);
  });
  const { bench, ask } = laned;
  const lines = (language: string, coding: string) => [
    `Accept-Language: ${language}`,
    `Accept-Encoding: ${coding}`,
  ];
  for (let count = 0; count < 3; count++) {
    assert.match(await ask('/', { lines: lines('de', 'br') }), /de br$/);
    assert.match(await ask('/', { lines: lines('fr', 'br') }), /fr br$/);
    assert.match(await ask('/', { lines: lines('fr', 'gzip') }), /fr gzip$/);
    // Whatever the language.
    assert.match(await ask('/', { lines: lines('de', 'gzip') }), /fr gzip$/);
    assert.match(await ask('/', { lines: ['Accept-Language: de'] }), /de undefined$/);
  }
  assert.equal(bench.asked.length, 4);
  assert.ok(await isReady(laned, '/', lines('de', 'gzip')));
  assert.ok(await isReady(laned, '/', lines('fr', 'br')));
  assert.ok(!(await isReady(laned, '/', lines('FR', 'br'))));
});

test('a response that needs validation, or has left the store, is never ready', async () => {
  await using laned = await openLaned((url, response) => {
    response.setHeader('Cache-Control', url === '/fresh' ? 'max-age=5' : url.slice(1));
    response.setHeader('ETag', '"a"');
    response.end('content');
  });
  const { bench, ask } = laned;
  for (const path of ['/no-cache', '/no-store', '/private', '/max-age=0', '/max-age=1,no-cache'])
    for (let count = 0; count < 3; count++) assert.ok(!(await isReady(laned, path)), path);
  await ask('/fresh');
  await ask('/fresh');
  assert.ok(await isReady(laned, '/fresh'));
  const [entry] = await bench.opened.store.variants(bench.url('/fresh'));
  assert.ok(entry);
  bench.opened.store.remove(entry);
  assert.ok(!(await isReady(laned, '/fresh')));
});

test('an evicted response is ready until its Age changes', async () => {
  await using laned = await openLaned(
    (_url, response) => {
      response.setHeader('Cache-Control', 'max-age=100');
      response.end('x'.repeat(1000));
    },
    { memoryBytes: 20_000, largestEntryBytes: 2000 },
  );
  const { bench, ask } = laned;
  for (let count = 0; count < 2; count++) await ask('/a');
  // All are used, so that the hand of SIEVE comes round to the oldest.
  for (let count = 0; count < 60; count++) await ask(`/${count >> 1}`);
  assert.equal((await bench.opened.store.variants(bench.url('/a'))).length, 0);
  assert.ok(await isReady(laned, '/a'));
  bench.clock.advance(1000);
  assert.ok(!(await isReady(laned, '/a')));
});
