import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '../../kernel/index.ts';
import { acceleratedHosts } from '../doors/accelerated-hosts.ts';
import type { HttpDoorOptions } from '../doors/door-options.ts';
import { openHttpDoor } from '../doors/http-door.ts';
import { defaultPolicy } from '../rules/policy.ts';
import { type Bench, openBench } from '../testing/object-cache.ts';
import { exchange, statusOf } from '../testing/raw-client.ts';

const fresh = { 'Cache-Control': 'max-age=60, stale-if-error=600' };
const answers = (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, fresh).end('text');
};
const policy = { ...defaultPolicy, clientReload: 'ignore' } as const;

function doorOf(bench: Bench, more: Partial<HttpDoorOptions> = {}) {
  return openHttpDoor({
    ...{ port: 0, clock: systemClock, pseudonym: 'test', ignoresReload: true },
    answer: (request) => bench.opened.cache.answer(request),
    accelerator: acceleratedHosts([bench.url('')]),
    ...more,
  });
}

const get = (more: string, target = '/') =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more === '' ? '' : `${more}\r\n`}\r\n`;

const reloads = [
  'Cache-Control: no-cache',
  'Cache-Control: max-age=0',
  'Cache-Control: MAX-AGE=0, no-store',
  'Cache-Control: min-fresh=1000',
  'Pragma: no-cache',
  'Cache-Control: no-cache\r\nCache-Control: max-age="0"\r\nPragma: no-cache',
];

test('RFC 9111 5.2.1: what clients want newer than what is stored counts, unless an accelerator ignores it', async () => {
  await using bench = await openBench(answers);
  await using obeying = await doorOf(bench, { ignoresReload: false });
  await using ignoring = await doorOf(bench);
  await exchange(obeying, get(''));
  for (const reload of reloads) {
    const before = bench.asked.length;
    assert.match(await exchange(obeying, get(reload)), /fwd=request/, reload);
    assert.equal(bench.asked.length, before + 1, reload);
    assert.match(await exchange(ignoring, get(reload)), /bench; hit/, reload);
    assert.equal(bench.asked.length, before + 1, reload);
  }
});

test('directives that demand nothing newer are obeyed all the same', async () => {
  await using bench = await openBench(answers);
  await using door = await doorOf(bench);
  const only = 'Cache-Control: only-if-cached, no-cache';
  assert.equal(statusOf(await exchange(door, get(only))), 504);
  assert.match(await exchange(door, get('Cache-Control: no-store, no-cache')), /fwd=uri-miss(?!.*stored)/);
  assert.match(await exchange(door, get('Pragma: other')), /stored/);
  assert.match(await exchange(door, get(only)), /hit/);
  bench.clock.advance(100_000);
  assert.match(await exchange(door, get('Cache-Control: max-stale=50, max-age=0')), /hit; ttl=-4\d/);
  assert.equal(bench.asked.length, 2);
  assert.deepEqual(
    bench.asked.map(({ headers }) => headers['cache-control']),
    ['no-store', undefined],
    'nor is it sent on',
  );
});

test('a peer that validates is obeyed; Via alone or the use as a proxy changes nothing', async () => {
  await using bench = await openBench(answers);
  const reload = 'Cache-Control: max-age=0';
  for (const [isPeer, more, isObeyed] of [
    [true, `${reload}\r\nVia: 1.1 child`, true],
    [true, reload, false],
    [false, `${reload}\r\nVia: 1.1 child`, false],
  ] as const) {
    await using door = await doorOf(bench, { isPeer: () => isPeer });
    await exchange(door, get(''));
    assert.equal(/fwd=request/.test(await exchange(door, get(more))), isObeyed, more);
  }
  await using proxy = await doorOf(bench, { proxy: true, accelerator: acceleratedHosts([]) });
  assert.match(await exchange(proxy, get(reload, bench.url('/'))), /fwd=request/);
});

test('many that reload what is not there yet make one request where that is ignored', async () => {
  const clients = 6;
  let door: Awaited<ReturnType<typeof doorOf>> | undefined;
  await using bench = await openBench((request, response) => {
    const whenAllAsk = () => {
      if (door?.activeRequests === clients) answers(request, response);
      else setImmediate(whenAllAsk);
    };
    whenAllAsk();
  });
  await using opened = await doorOf(bench);
  door = opened;
  const all = await Promise.all(
    Array.from({ length: clients }, () => exchange(opened, get(reloads[0] ?? ''))),
  );
  for (const one of all) assert.equal(statusOf(one), 200);
  assert.equal(bench.asked.length, 1);
});

test('RFC 5861 4: a stored response replaces an error for a client that reloads only where reloads are ignored', async () => {
  let fails = false;
  await using bench = await openBench((request, response) => {
    if (fails) response.writeHead(503).end();
    else answers(request, response);
  });
  await using obeying = await doorOf(bench, { ignoresReload: false });
  await using ignoring = await doorOf(bench);
  await exchange(obeying, get(''));
  fails = true;
  for (const seconds of [0, 100]) {
    bench.clock.advance(seconds * 1000);
    for (const reload of reloads) {
      assert.equal(statusOf(await exchange(obeying, get(reload))), 503, reload);
      assert.equal(statusOf(await exchange(ignoring, get(reload))), 200, reload);
    }
  }
  assert.match(await exchange(ignoring, get(reloads[0] ?? '')), /detail=stale-if-error/);
});

test('why says which setting has a reload answered from what is stored', async () => {
  await using bench = await openBench(answers, { policy });
  await using door = await doorOf(bench);
  await exchange(door, get(''));
  const rules = async (isAccelerated: boolean, fields: readonly string[]) =>
    (await bench.opened.cache.explain({ url: bench.url('/'), fields, isAccelerated })).entries.map(
      ({ use, rule }) => [use, rule.name, rule.section],
    );
  const noCache = ['Cache-Control', 'no-cache'];
  assert.deepEqual(await rules(true, noCache), [['fresh', 'reload-ignored', 'cache.client-reload']]);
  assert.deepEqual(await rules(true, []), [['fresh', 'fresh', 'RFC 9111 4.2']]);
  assert.deepEqual(await rules(false, noCache), [['validate', 'request-no-cache', 'RFC 9111 5.2.1.4']]);
});
