import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, openBench, textOf } from '../testing/object-cache.ts';

test('RFC 5861 4: a softly purged response answers when the origin fails, an invalidated one does not', async () => {
  let fails = false;
  await using bench = await openBench((request, response) => {
    if (request.method === 'PUT') response.writeHead(204).end();
    else if (fails) response.writeHead(503).end('down');
    else response.writeHead(200, { 'Cache-Control': 'max-age=60, stale-if-error=100' }).end('text');
  });
  const { cache } = bench.opened;
  await textOf(await bench.ask('/s'));
  fails = true;
  await cache.purge({ url: bench.url('/s') }, { soft: true });
  bench.clock.advance(100_000);
  const stale = await bench.ask('/s');
  assert.equal(await textOf(stale), 'text');
  assert.match(fieldOf(stale, 'cache-status') ?? '', /fwd=stale; .*ttl=-\d+; detail=stale-if-error$/);
  const reported = await cache.explain({ url: bench.url('/s'), fields: [] });
  assert.equal(reported.recent[0]?.outcome, 'stale-on-error');
  assert.deepEqual([reported.purged?.by, reported.purged?.soft], ['url', true]);
  assert.ok(reported.entries[0]?.staleSinceMs && !reported.entries[0].invalidated);
  // Its window counts from the purge, not from the end of its own lifetime.
  bench.clock.advance(2000);
  assert.equal((await bench.ask('/s')).status, 503);

  fails = false;
  await textOf(await bench.ask('/s'));
  await bench.ask('/s', { method: 'PUT' });
  fails = true;
  assert.equal((await bench.ask('/s')).status, 503);
  const outdated = await cache.explain({ url: bench.url('/s'), fields: [] });
  assert.equal(outdated.entries[0]?.rule.name, 'invalidated');
  assert.equal(outdated.entries[0]?.staleSinceMs, null);
});

test('RFC 5861 3: what was softly purged is given while it is validated, and asks past caches on the way', async () => {
  let version = 0;
  await using bench = await openBench((_, response) => {
    version += 1;
    response
      .writeHead(200, { 'Cache-Control': 'max-age=60, stale-while-revalidate=60' })
      .end(String(version));
  });
  await textOf(await bench.ask('/s'));
  await bench.opened.cache.purge({ url: bench.url('/s') }, { soft: true });
  assert.equal(await textOf(await bench.ask('/s')), '1');
  while (bench.asked.length < 2) await new Promise(setImmediate);
  assert.equal(bench.asked[1]?.headers['cache-control'], 'max-age=0');
  let text = '1';
  for (let turn = 0; text === '1' && turn < 10_000; turn++) {
    await new Promise(setImmediate);
    text = await textOf(await bench.ask('/s'));
  }
  assert.equal(text, '2');
});

test('RFC 5861 3: a stale response of any size is refreshed in the background', async () => {
  const size = 17 * 2 ** 20;
  let version = 0;
  await using bench = await openBench(
    (_, response) => {
      version += 1;
      response
        .writeHead(200, {
          'Cache-Control': 'max-age=1, stale-while-revalidate=1000',
          'Content-Length': size,
          'X-Version': version,
        })
        .end(Buffer.alloc(size, String(version)));
    },
    { memoryBytes: 20 * 21 * 2 ** 20, largestEntryBytes: 2 * size },
  );
  await textOf(await bench.ask('/large'));
  bench.clock.advance(2000);
  assert.equal(fieldOf(await bench.ask('/large', { method: 'HEAD' }), 'x-version'), '1');
  for (let turn = 0; turn < 100_000; turn++) {
    const answer = await bench.ask('/large', { method: 'HEAD' });
    if (fieldOf(answer, 'x-version') === '2') break;
    await new Promise(setImmediate);
  }
  assert.equal((await textOf(await bench.ask('/large'))).slice(-3), '222');
  assert.equal(version, 2);
});

test('RFC 9211 2.6: the ttl of a stored response is not stated for its replacement', async () => {
  let version = 0;
  await using bench = await openBench((request, response) => {
    version += 1;
    response.setHeader('Date', new Date(bench.clock.now()).toUTCString());
    if (request.headers['if-none-match'] === '"same"') response.writeHead(304, { ETag: '"same"' }).end();
    else {
      const etag = request.url === '/same' ? '"same"' : `"${version}"`;
      response.writeHead(200, { 'Cache-Control': 'max-age=60', ETag: etag }).end('a');
    }
  });
  const status = async (path: string, method = 'GET') => {
    const answer = await bench.ask(path, { method });
    await textOf(answer);
    return fieldOf(answer, 'cache-status');
  };
  await status('/new');
  await status('/same');
  bench.clock.advance(61_000);
  assert.equal(await status('/new'), 'bench; fwd=stale; fwd-status=200; stored');
  assert.match((await status('/same')) ?? '', /^bench; fwd=stale; fwd-status=304; ttl=\d+$/);
  await bench.opened.cache.purge({ url: bench.url('/new') }, { soft: true });
  assert.equal(await status('/new'), 'bench; fwd=stale; fwd-status=200; stored');
  await status('/new', 'PUT');
  assert.equal(await status('/new'), 'bench; fwd=stale; fwd-status=200; stored');
  assert.match((await status('/new')) ?? '', /^bench; hit; ttl=\d+$/);
});
