import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy } from '../rules/policy.ts';
import { QueryRules } from '../rules/query-rules.ts';
import { peerLookup } from '../serving/peer-lookup.ts';
import { fieldOf, openBench, textOf } from '../testing/object-cache.ts';

const policyWith = (options: ConstructorParameters<typeof QueryRules>[0]) => ({
  ...defaultPolicy,
  queries: new QueryRules(options),
});

test('what differs in ignored parameters and their order is one response, purged and explained under any of its URLs', async () => {
  const policy = policyWith({ ignore: ['utm_*'], sort: true });
  await using bench = await openBench(
    (request, response) => response.writeHead(200, { 'Cache-Control': 'max-age=60' }).end(request.url),
    { policy },
  );
  const paths = ['/?b=1&utm_a=1&a=2', '/?a=2&b=1', '/?utm_b=3&b=1&a=2&utm_c'];
  for (const path of paths) assert.equal(await textOf(await bench.ask(path)), paths[0]);
  // The server gets the whole query of the first request.
  assert.deepEqual(
    bench.asked.map(({ url }) => url),
    [paths[0]],
  );
  const { cache, store } = bench.opened;
  const { entries, url } = await cache.explain({ url: bench.url(paths[2] ?? ''), fields: [] });
  assert.equal(entries.length, 1);
  assert.equal(url, bench.url('/?a=2&b=1'));
  const lookup = peerLookup(store, policy, bench.clock);
  assert.equal(lookup.has(bench.url(paths[2] ?? '')), true);
  assert.equal(await lookup.isFresh(bench.url(paths[0] ?? ''), [], 1), true);
  assert.equal(await cache.purge({ url: bench.url(paths[2] ?? '') }, { soft: false }), 1);
  for (const path of paths) await textOf(await bench.ask(path));
  assert.equal(bench.asked.length, 2);
  // RFC 9111 4.4, under the key.
  await bench.ask('/?utm_d=1&a=2&b=1', { method: 'POST' });
  assert.equal(bench.asked[2]?.url, '/?utm_d=1&a=2&b=1');
  await textOf(await bench.ask(paths[1] ?? ''));
  assert.equal(bench.asked.length, 4);
});

test('servers are not sent ignored parameters where that is wanted', async () => {
  const policy = policyWith({ ignore: ['utm_*'], sort: true, strip: true });
  await using bench = await openBench((_, response) => response.end('x'), { policy });
  await textOf(await bench.ask('/?b=1&utm_a=1&a=2'));
  await textOf(await bench.ask('/?utm_a=1'));
  await bench.ask('/?utm_a=1', { method: 'POST' });
  assert.deepEqual(
    bench.asked.map(({ url }) => url),
    ['/?b=1&a=2', '/', '/?utm_a=1'],
  );
});

test('times by URL are for the URL under which it is kept', async () => {
  const ttlRules = [{ pattern: /\.png$/, overrideSeconds: 60 }];
  const policy = { ...policyWith({ ignore: ['v'] }), ttlRules };
  await using bench = await openBench((_, response) => response.end('x'), { policy });
  await textOf(await bench.ask('/a.png?v=1'));
  assert.match(fieldOf(await bench.ask('/a.png?v=2'), 'cache-status') ?? '', /hit/);
});
