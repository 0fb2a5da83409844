import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { fieldOf, openBench, textOf } from '../testing/object-cache.ts';

const fresh = { 'Cache-Control': 'max-age=60' };

test('a thousand who want the same make one request, and each gets all of it', async () => {
  const waiting: ServerResponse[] = [];
  await using bench = await openBench((_, response) => waiting.push(response));
  const answers = Array.from({ length: 1000 }, () => bench.ask('/shared'));
  while (waiting.length === 0) await new Promise(setImmediate);
  const [response] = waiting as [ServerResponse];
  response.writeHead(200, fresh);
  response.write('the first half, ');
  const texts = Promise.all(answers.map(async (answer) => textOf(await answer)));
  // The head and half of the content have been sent: a new request joins.
  const late = textOf(await bench.ask('/shared'));
  response.end('and the second');
  assert.deepEqual(new Set(await texts), new Set(['the first half, and the second']));
  assert.equal(await late, 'the first half, and the second');
  assert.equal(bench.asked.length, 1);
  assert.match(fieldOf(await (answers[999] as (typeof answers)[0]), 'cache-status') ?? '', /collapsed/);
  assert.match(fieldOf(await bench.ask('/shared'), 'cache-status') ?? '', /bench; hit; ttl=60/);
});

test('a response that cannot be shared is not waited for a second time', async () => {
  await using bench = await openBench((_, response) => {
    response.writeHead(200, { 'Cache-Control': 'no-store' }).end('own');
  });
  const texts = await Promise.all(Array.from({ length: 8 }, async () => textOf(await bench.ask('/own'))));
  assert.deepEqual(new Set(texts), new Set(['own']));
  assert.equal(bench.asked.length, 8);
});

test('RFC 9111 4.1: a request that waited for a response for others fetches its own', async () => {
  await using bench = await openBench((request, response) => {
    response.writeHead(200, { ...fresh, Vary: 'Accept-Language' }).end(request.headers['accept-language']);
  });
  const [german, french] = await Promise.all([
    bench.ask('/v', { fields: ['Accept-Language', 'de'] }).then(textOf),
    bench.ask('/v', { fields: ['Accept-Language', 'fr'] }).then(textOf),
  ]);
  assert.deepEqual([german, french], ['de', 'fr']);
  assert.equal(await textOf(await bench.ask('/v', { fields: ['Accept-Language', 'de'] })), 'de');
  assert.equal(bench.asked.length, 2);
});

test('RFC 5861 3: what is stale answers while it is validated, but not to another cache', async () => {
  let version = 0;
  await using bench = await openBench((_, response) => {
    version += 1;
    response
      .writeHead(200, { 'Cache-Control': 'max-age=10, stale-while-revalidate=60', ETag: `"${version}"` })
      .end(`version ${version}`);
  });
  assert.equal(await textOf(await bench.ask('/swr')), 'version 1');
  bench.clock.advance(20_000);
  const child = bench.ask('/swr', { fromCache: true });
  assert.equal(await textOf(await child), 'version 2');
  bench.clock.advance(20_000);
  assert.equal(await textOf(await bench.ask('/swr')), 'version 2');
  while (version < 3) await new Promise(setImmediate);
  const until = async () => textOf(await bench.ask('/swr'));
  while ((await until()) === 'version 2') await new Promise(setImmediate);
  assert.equal(await until(), 'version 3');
  assert.equal(bench.asked.length, 3);
});

test('RFC 9111 4.2.4: a stale response answers for an unreachable origin, unless it must be validated', async () => {
  await using bench = await openBench((request, response) => {
    const strict = request.url === '/strict' ? ', must-revalidate' : '';
    response.writeHead(200, { 'Cache-Control': `max-age=10${strict}` }).end('kept');
  });
  await textOf(await bench.ask('/lenient'));
  await textOf(await bench.ask('/strict'));
  bench.clock.advance(30_000);
  await bench.stopOrigin();
  const answer = await bench.ask('/lenient');
  assert.equal(await textOf(answer), 'kept');
  assert.equal(fieldOf(answer, 'age'), '30');
  await assert.rejects(bench.ask('/strict'), (error) => isGarnerError(error, { code: 'CACHE_UNREACHABLE' }));
});

test('RFC 9111 3.4: of a content that is here in part only the rest is asked for', async () => {
  const whole = '0123456789';
  await using bench = await openBench((request, response) => {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const fields = { ...fresh, ETag: '"strong"' };
    if (range === null) {
      response.writeHead(200, fields).end(whole);
      return;
    }
    const [first, last] = [Number(range[1]), Number(range[2])];
    response
      .writeHead(206, { ...fields, 'Content-Range': `bytes ${first}-${last}/10` })
      .end(whole.slice(first, last + 1));
  });
  const ranged = (range: string) => bench.ask('/p', { fields: ['Range', `bytes=${range}`] });
  assert.equal(await textOf(await ranged('2-5')), '2345');
  assert.equal(await textOf(await ranged('3-4')), '34');
  assert.equal(bench.asked.length, 1);
  assert.equal(await textOf(await ranged('4-7')), '4567');
  assert.equal(bench.asked[1]?.headers.range, 'bytes=6-7');
  assert.equal(bench.asked[1]?.headers['if-range'], '"strong"');
  assert.equal(await textOf(await ranged('0-7')), '01234567');
  assert.equal(await textOf(await bench.ask('/p')), whole);
  assert.equal(bench.asked[3]?.headers.range, 'bytes=8-9');
  assert.equal(await textOf(await bench.ask('/p')), whole);
  assert.equal(bench.asked.length, 4);
});

test('RFC 9111 4.4: after a change no older response answers, not even one in flight', async () => {
  const held: ServerResponse[] = [];
  await using bench = await openBench((request, response) => {
    if (request.method === 'POST') response.writeHead(204).end();
    else if (held.length === 0) held.push(response);
    else response.writeHead(200, fresh).end('after');
  });
  const before = bench.ask('/c').then(textOf);
  while (held.length === 0) await new Promise(setImmediate);
  await bench.ask('/c', { method: 'POST' });
  (held[0] as ServerResponse).writeHead(200, fresh).end('before');
  assert.equal(await before, 'before');
  // In the next iteration of the event loop the late response is marked.
  await new Promise(setImmediate);
  assert.equal(await textOf(await bench.ask('/c')), 'after');
  assert.equal(await textOf(await bench.ask('/c')), 'after');
  assert.equal(bench.asked.length, 3);
});

test('one who leaves does not take the answer from the others; when all have left the origin is let go', async () => {
  const held: ServerResponse[] = [];
  await using bench = await openBench((_, response) => held.push(response));
  const leaving = new AbortController();
  const left = bench.ask('/l', { signal: leaving.signal });
  const stays = bench.ask('/l').then(textOf);
  while (held.length === 0) await new Promise(setImmediate);
  leaving.abort();
  await assert.rejects(left);
  (held[0] as ServerResponse).writeHead(200, fresh).end('for who stayed');
  assert.equal(await stays, 'for who stayed');

  const alone = new AbortController();
  const gone = bench.ask('/alone', { signal: alone.signal });
  while (held.length === 1) await new Promise(setImmediate);
  const closed = once(held[1] as ServerResponse, 'close');
  alone.abort();
  await assert.rejects(gone);
  await closed;
});

test('a content that breaks off is not stored and does not end well for anyone', async () => {
  let broken = true;
  await using bench = await openBench((request, response) => {
    response.writeHead(200, { ...fresh, 'Content-Length': '10' });
    if (!broken) response.end('0123456789');
    else response.write('01234', () => request.socket.destroy());
  });
  await assert.rejects(
    async () => textOf(await bench.ask('/b')),
    (error) => isGarnerError(error, { code: 'CACHE_BROKEN_OFF' }),
  );
  broken = false;
  assert.equal(await textOf(await bench.ask('/b')), '0123456789');
  assert.equal(bench.asked.length, 2);
});

test('a purge removes, a soft purge has it validated, and why reports both', async () => {
  await using bench = await openBench((request, response) => {
    if (request.headers['if-none-match'] === '"e"') response.writeHead(304, fresh).end();
    else response.writeHead(200, { ...fresh, ETag: '"e"', 'Surrogate-Key': 'news front' }).end('text');
  });
  const { cache } = bench.opened;
  await textOf(await bench.ask('/s'));
  assert.equal(await cache.purge({ tag: 'news' }, { soft: true }), 1);
  const explained = await cache.explain({ url: bench.url('/s'), fields: [] });
  assert.equal(explained.entries[0]?.use, 'validate');
  assert.equal(explained.entries[0]?.rule.name, 'softly-purged');
  assert.match(fieldOf(await bench.ask('/s'), 'cache-status') ?? '', /fwd=stale; fwd-status=304/);
  assert.equal(bench.asked[1]?.headers['if-none-match'], '"e"');
  assert.equal(await cache.purge({ url: bench.url('/s') }, { soft: false }), 1);
  await textOf(await bench.ask('/s'));
  assert.equal(bench.asked[2]?.headers['if-none-match'], undefined);
  const reported = await cache.explain({ url: bench.url('/s'), fields: [] });
  assert.deepEqual(
    reported.recent.map(({ outcome }) => outcome),
    ['miss', 'validated', 'miss'],
  );
  assert.equal(reported.recent[0]?.storedBy?.name, 'stored');
});

test('RFC 9110 7.6.3: a request that has come through this cache before is refused', async () => {
  await using bench = await openBench((_, response) => response.end());
  await assert.rejects(bench.ask('/loop', { fields: ['Via', '1.1 other, 1.1 bench'] }), (error) =>
    isGarnerError(error, { code: 'CACHE_LOOP' }),
  );
  assert.equal(bench.asked.length, 0);
});

test('RFC 9111 5.2.1.7: only-if-cached never goes upstream', async () => {
  await using bench = await openBench((_, response) => response.writeHead(200, fresh).end('text'));
  const only = { fields: ['Cache-Control', 'only-if-cached'] };
  await assert.rejects(bench.ask('/o', only), (error) =>
    isGarnerError(error, { code: 'CACHE_ONLY_IF_CACHED' }),
  );
  await textOf(await bench.ask('/o'));
  assert.equal(await textOf(await bench.ask('/o', only)), 'text');
  assert.equal(bench.asked.length, 1);
});

test('an unstored response waits for its client, also when a change is recorded first', async () => {
  await using bench = await openBench((request, response) => {
    if (request.method === 'GET') response.writeHead(200, { ...fresh, ETag: '"e"' }).end('before');
    else response.writeHead(200).end('changed');
  });
  await textOf(await bench.ask('/w'));
  const answer = await bench.ask('/w', { method: 'PUT' });
  // All of its content has come by now.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  assert.equal(await textOf(answer), 'changed');
});

test('a content without a reader is dropped', async () => {
  const closed: Promise<unknown>[] = [];
  await using bench = await openBench((_, response) => {
    closed.push(once(response, 'close'));
    response.writeHead(200, { 'Cache-Control': 'no-store', ETag: '"e"' });
    response.write('it goes on');
  });
  const answer = await bench.ask('/n', { fields: ['If-None-Match', '"e"'] });
  assert.equal(answer.status, 304);
  await closed[0];
});

test('RFC 9111 4.4: what a change made invalid is validated past the caches on the way', async () => {
  await using bench = await openBench((request, response) => {
    if (request.method === 'PUT') response.writeHead(204).end();
    else response.writeHead(200, { ...fresh, ETag: '"1"' }).end('content');
  });
  const control = () => bench.asked.at(-1)?.headers['cache-control'];
  await textOf(await bench.ask('/changed'));
  bench.clock.advance(61_000);
  await textOf(await bench.ask('/changed'));
  assert.deepEqual([bench.asked.length, control()], [2, undefined]);
  await bench.ask('/changed', { method: 'PUT' });
  await textOf(await bench.ask('/changed', { fields: ['Cache-Control', 'max-stale'] }));
  assert.deepEqual([bench.asked.length, control()], [4, 'max-age=0, max-stale']);
});

test('a content that every waiting request leaves or declines is dropped', { timeout: 20_000 }, async () => {
  const waiting: ServerResponse[] = [];
  await using bench = await openBench((_, response) => waiting.push(response));
  const come = async (count: number) => {
    while (waiting.length < count) await new Promise(setImmediate);
    return waiting[count - 1] as ServerResponse;
  };
  const leaving = new AbortController();
  const leader = bench.ask('/x', { signal: leaving.signal });
  const response = await come(1);
  const follower = bench.ask('/x').then(textOf);
  await new Promise(setImmediate);
  leaving.abort(new Error('gone'));
  await assert.rejects(leader, /gone/);
  const closed = once(response, 'close');
  response.writeHead(200, { 'Cache-Control': 'no-store' }).write(Buffer.alloc(64e6));
  (await come(2)).writeHead(200, { 'Cache-Control': 'no-store' }).end('own');
  assert.equal(await follower, 'own');
  await closed;
});

test('an endless content without a length is dropped when no client waits', {
  timeout: 20_000,
}, async () => {
  let sent = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  await using bench = await openBench(
    (_, response) => {
      response.once('close', end).writeHead(200, fresh);
      const more = () => {
        sent += 1;
        if (!response.destroyed && sent < 2000) response.write(Buffer.alloc(65_536), more);
      };
      more();
    },
    { memoryBytes: 4e9, largestEntryBytes: 200e6 },
  );
  const leaving = new AbortController();
  await bench.ask('/endless', { signal: leaving.signal });
  leaving.abort();
  await ended;
  assert.ok(sent * 65_536 < 64 * 1024 * 1024, `${sent} pieces`);
});

test('RFC 9111 4.4: what was changed through here and is not stored is asked for past the caches on the way, once', async () => {
  await using bench = await openBench((request, response) => {
    if (request.method === 'PUT') response.writeHead(204).end();
    else
      response
        .writeHead(request.url === '/failing' ? 503 : 200, { 'Cache-Control': 'no-store' })
        .end('content');
  });
  const control = () => bench.asked.at(-1)?.headers['cache-control'];
  const get = async (path: string) => {
    await textOf(await bench.ask(path));
    return control();
  };
  await bench.ask('/changed', { method: 'PUT' });
  assert.equal(control(), undefined);
  assert.deepEqual(
    [await get('/other'), await get('/changed'), await get('/changed')],
    [undefined, 'max-age=0', undefined],
  );
  await bench.ask('/failing', { method: 'PUT' });
  assert.deepEqual([await get('/failing'), await get('/failing')], ['max-age=0', 'max-age=0']);
});

test('a cookie of a 304 is for the requesting client only', async () => {
  await using bench = await openBench((request, response) => {
    response.sendDate = false;
    const said = { ...fresh, ETag: '"1"' };
    if (request.headers['if-none-match'] === undefined)
      response.writeHead(200, { ...said, 'Set-Cookie': 'kind=all' }).end('x');
    else response.writeHead(304, { ...said, 'Set-Cookie': `session=${request.headers.cookie}` }).end();
  });
  await textOf(await bench.ask('/'));
  bench.clock.advance(100_000);
  const cookies = async (cookie: string) =>
    fieldOf(await bench.ask('/', { fields: ['Cookie', cookie] }), 'set-cookie');
  assert.deepEqual([await cookies('ada'), await cookies('bob')], ['session=ada', 'kind=all']);
  assert.equal(bench.asked.length, 2);
});

test('a login gives no session to later clients, though the page is validated and shared', async () => {
  await using bench = await openBench((request, response) => {
    response.setHeader('ETag', '"page"');
    if (request.headers['if-none-match'] !== undefined) return void response.writeHead(304).end();
    response.writeHead(200, { 'Set-Cookie': 'session=first' }).end('page');
  });
  const first = await bench.ask('/');
  assert.equal(await textOf(first), 'page');
  assert.equal(fieldOf(first, 'set-cookie'), 'session=first');
  const second = await bench.ask('/');
  assert.equal(await textOf(second), 'page');
  assert.match(fieldOf(second, 'cache-status') ?? '', /fwd-status=304/);
  assert.equal(fieldOf(second, 'set-cookie'), undefined);
  const { recent } = await bench.opened.cache.explain({ url: bench.url('/'), fields: [] });
  assert.equal(recent.at(-1)?.storedBy?.section, 'cache.share-set-cookie');
});
