import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route, RouteRequest } from '../../http/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { acceleratedHosts } from '../doors/accelerated-hosts.ts';
import { cacheErrors } from '../errors.ts';
import type { CacheReport } from '../reporting/cache-report.ts';
import { RequestStatistics } from '../reporting/request-statistics.ts';
import { type Bench, openBench } from '../testing/object-cache.ts';
import { cacheRoutes } from './cache-routes.ts';
import type { Explanation } from './explain.ts';

/** A cache before an origin whose pages are tagged, and its routes. */
async function openRouted() {
  const bench = await openBench((request, response) => {
    response.setHeader('cache-control', request.url === '/private' ? 'private' : 'max-age=60');
    if (request.url === '/vary') response.setHeader('vary', 'accept-language');
    response.setHeader('surrogate-key', `all ${(request.url ?? '').slice(1)}`);
    response.end(`page ${request.url}`);
  });
  const origin = bench.url('');
  const tally = new RequestStatistics(bench.clock, () => 0);
  const place = { name: 'bench', origin, origins: [], proxy: false, addresses: [] };
  const cleared: string[] = [];
  const routes = cacheRoutes({
    ...{ ...bench.opened, clock: bench.clock, place, tally, neighbours: () => [] },
    clearPeers: (url) => cleared.push(url),
  });
  return { bench, routes, cleared };
}

async function call<Answer>(routes: readonly Route[], path: string, body?: unknown): Promise<Answer> {
  const url = new URL(path, 'http://localhost');
  const route = routes.find((one) => one.path === url.pathname) ?? assert.fail(path);
  const request: RouteRequest = {
    ...{ method: route.method, url: path, path: url.pathname, params: {}, headers: {} },
    queries: { header: url.searchParams.getAll('header') },
    query: Object.fromEntries(url.searchParams),
    body:
      body === undefined
        ? new Uint8Array()
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    signal: new AbortController().signal,
  };
  return (await route.handle(request)).json as Answer;
}

async function get(bench: Bench, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { content } = await bench.ask(path);
    if (content !== undefined && !(content instanceof Uint8Array)) for await (const _ of content);
  }
}

test('the status has what is stored, how often it was used, and what requests came to', async () => {
  const { bench, routes } = await openRouted();
  await using _ = bench;
  await get(bench, '/a', '/a', '/a', '/large-name-of-a-page', '/private');
  const report = await call<CacheReport>(routes, '/status');
  assert.equal(report.store.entries, 2);
  assert.deepEqual(report.hottest[0], { url: bench.url('/a'), bytes: 7, hits: 2, status: 200 });
  assert.equal(report.largest[0]?.url, bench.url('/large-name-of-a-page'));
  assert.equal(report.answers?.outcomes.hit, 2);
  assert.equal(report.answers?.outcomes.miss, 3);
  assert.equal(report.answers?.hitRatio, 2 / 5);
});

test('the status has what doors refused, which is no part of the requests, and what ended in errors, which is', async () => {
  const { bench } = await openRouted();
  await using _ = bench;
  const counted = { refused: { CACHE_FORBIDDEN: 2 }, tunnels: { opened: 3, open: 1 } };
  const routes = cacheRoutes({
    ...{ ...bench.opened, clock: bench.clock, neighbours: () => [], doors: () => counted },
    place: { name: 'bench', origin: bench.url(''), proxy: false, origins: [], addresses: [] },
    tally: new RequestStatistics(bench.clock, () => 0),
  });
  await get(bench, '/a', '/a');
  await assert.rejects(bench.ask('/b', { fields: ['Cache-Control', 'only-if-cached'] }));
  const { answers } = await call<CacheReport>(routes, '/status');
  assert.ok(answers);
  const { refused, tunnels, requests, outcomes, hitRatio } = answers;
  assert.deepEqual({ refused, tunnels }, counted);
  assert.deepEqual([requests, outcomes.refused, hitRatio], [3, 1, 1 / 2]);
});

test('why states the rule for stored and unstored responses, by URL or by path at the origin', async () => {
  const { bench, routes } = await openRouted();
  await using _ = bench;
  await get(bench, '/a', '/private');
  for (const url of [bench.url('/a'), '/a']) {
    const why = await call<Explanation>(routes, `/why?url=${encodeURIComponent(url)}`);
    assert.equal(why.url, bench.url('/a'));
    assert.equal(why.entries[0]?.rule.name, 'fresh');
    assert.equal(why.recent[0]?.storedBy?.name, 'stored');
  }
  const why = await call<Explanation>(routes, '/why?url=/private');
  assert.deepEqual(why.entries, []);
  assert.deepEqual(why.recent[0]?.storedBy, {
    name: 'private',
    section: 'RFC 9111 5.2.2.7',
    sentence: 'the response is private to one user',
    advice:
      'the server may omit private, or send CDN-Cache-Control for accelerators; no setting overrides it',
  });
  await assert.rejects(call(routes, '/why?url=nowhere'), (error) =>
    isGarnerError(error, cacheErrors.CACHE_BAD_URL),
  );
});

test('a URL at a host that clients name is at the origin asked for it, which a proxy has for named hosts alone', async () => {
  const { bench } = await openRouted();
  await using _ = bench;
  await get(bench, '/a', '/b');
  const at = (proxy: boolean, ...origins: readonly string[]) =>
    cacheRoutes({
      ...{ ...bench.opened, clock: bench.clock, neighbours: () => [] },
      place: { name: 'bench', origin: bench.url(''), origins: [], proxy, addresses: [] },
      accelerator: acceleratedHosts(origins),
    });
  const meant = async (routes: readonly Route[], url: string) =>
    (await call<Explanation>(routes, `/why?url=${encodeURIComponent(url)}`)).url;
  const alone = at(false, bench.url(''));
  for (const url of ['https://www.example.org/a', 'http://cache.example:3128/a', '/a', bench.url('/a')])
    assert.equal(await meant(alone, url), bench.url('/a'), url);
  await assert.rejects(meant(alone, 'ftp://www.example.org/a'), (error) =>
    isGarnerError(error, cacheErrors.CACHE_BAD_URL),
  );
  const both = at(true, bench.url(''), 'www.example.org=http://www.in.example/base');
  assert.equal(await meant(both, 'http://www.example.org:80/a?b'), 'http://www.in.example/base/a?b');
  assert.equal(await meant(both, 'http://www.in.example/base/a'), 'http://www.in.example/base/a');
  assert.equal(await meant(both, 'http://elsewhere.example/a'), 'http://elsewhere.example/a');
  assert.equal(
    await meant(at(false, 'www.example.org=http://in.example'), 'http://other.example/a'),
    'http://other.example/a',
  );
  assert.deepEqual(await call(alone, '/purge', { url: 'http://www.example.org/a' }), {
    purged: 1,
    soft: false,
  });
  const { purged } = await call<Explanation>(alone, '/why?url=/a');
  assert.deepEqual([purged?.by, purged?.soft], ['url', false]);
  assert.equal((await call<Explanation>(alone, '/why?url=/b')).purged, null);
});

test('why states which variant a request with fields would get', async () => {
  const { bench, routes } = await openRouted();
  await using _ = bench;
  for (const language of ['de', 'fr']) {
    const { content } = await bench.ask('/vary', { fields: ['Accept-Language', language] });
    if (content !== undefined && !(content instanceof Uint8Array)) for await (const _ of content);
  }
  const chosen = async (...headers: readonly string[]) => {
    const asked = new URLSearchParams({ url: '/vary' });
    for (const header of headers) asked.append('header', header);
    const { entries, recent } = await call<Explanation>(routes, `/why?${asked}`);
    assert.equal(entries.length, 2);
    assert.deepEqual(
      recent.map(({ rule }) => rule.name),
      ['other-variant', 'not-stored'],
    );
    return entries.filter((one) => one.chosen).map(({ selecting }) => selecting[1]);
  };
  assert.deepEqual(await chosen('Accept-Language: de'), ['de']);
  assert.deepEqual(await chosen('accept-language:fr', 'Accept: */*'), ['fr']);
  assert.deepEqual(await chosen(), []);
  for (const bad of ['nothing', ': de', 'a b: c', 'a: b\r\nc: d'])
    await assert.rejects(chosen(bad), (error) => isGarnerError(error, cacheErrors.CACHE_BAD_FIELD), bad);
});

test('a purge takes a URL, a prefix, a tag, or all, and returns the number of responses', async () => {
  const { bench, routes } = await openRouted();
  await using _ = bench;
  const purge = async (body: unknown) => (await call<{ purged: number }>(routes, '/purge', body)).purged;
  const stored = async () => (await call<CacheReport>(routes, '/status')).store.entries;
  await get(bench, '/a', '/b/1', '/b/2', '/c');
  assert.equal(await purge({ url: '/a' }), 1);
  assert.equal(await purge({ url: '/a' }), 0);
  assert.equal(await purge({ prefix: bench.url('/b/') }), 2);
  assert.equal(await stored(), 1);
  await get(bench, '/a', '/b/1');
  assert.equal(await purge({ tag: 'a' }), 1);
  assert.equal(await purge({ tag: 'all' }), 2);
  await get(bench, '/a', '/b/1');
  assert.equal(await purge({ all: true }), 2);
  assert.equal(await stored(), 0);
});

test('peers are asked to forget a URL on request, and nothing else', async () => {
  const { bench, routes, cleared } = await openRouted();
  await using _ = bench;
  await call(routes, '/purge', { url: '/a' });
  await call(routes, '/purge', { url: '/b', peers: true });
  assert.deepEqual(cleared, [bench.url('/b')]);
  await assert.rejects(call(routes, '/purge', { tag: 'all', peers: true }), (error) =>
    isGarnerError(error, cacheErrors.CACHE_BAD_PURGE),
  );
});

test('a softly purged response is stale, is validated before its next use, and stays', async () => {
  const { bench, routes } = await openRouted();
  await using _ = bench;
  await get(bench, '/a', '/a');
  assert.equal(bench.asked.length, 1);
  await call(routes, '/purge', { url: '/a', soft: true });
  const why = await call<Explanation>(routes, '/why?url=/a');
  assert.equal(why.entries[0]?.rule.name, 'softly-purged');
  await get(bench, '/a');
  assert.equal(bench.asked.length, 2);
});

test('an order to purge that can be read in no way, or in two, purges nothing', async () => {
  const { bench, routes } = await openRouted();
  await using _ = bench;
  await get(bench, '/a');
  const bad = ['', 'x', '[]', '{}', 'null', '7', '{"url":""}', '{"url":7}', '{"all":false}', '{"path":"/a"}'];
  const two = [
    { url: '/a', tag: 'all' },
    { all: true, prefix: '/' },
    { url: '/a', soft: 'no' },
  ];
  for (const body of [...bad, ...two])
    await assert.rejects(
      call(routes, '/purge', body),
      (error) => isGarnerError(error, cacheErrors.CACHE_BAD_PURGE),
      JSON.stringify(body),
    );
  await assert.rejects(call(routes, '/purge', { url: 'a b' }), (error) =>
    isGarnerError(error, cacheErrors.CACHE_BAD_URL),
  );
  assert.equal((await call<CacheReport>(routes, '/status')).store.entries, 1);
});

test('purging needs the scope admin, why the scope read', async () => {
  const { bench, routes } = await openRouted();
  await using _ = bench;
  assert.deepEqual(Object.fromEntries(routes.map(({ path, scope }) => [path, scope])), {
    '/status': 'public',
    '/why': 'read',
    '/purge': 'admin',
  });
});
