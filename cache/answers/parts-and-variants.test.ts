import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, openBench, textOf } from '../testing/object-cache.ts';

const fresh = { 'Cache-Control': 'max-age=60' };
const ten = '0123456789';

/** An origin that knows ranges: what it sends with a 206 beside Content-Range, and with a 200. */
const ranged = (of200: Record<string, string>, of206: Record<string, string>) =>
  openBench((request, response) => {
    const found = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    if (found === null) {
      response.writeHead(200, of200).end(ten);
      return;
    }
    const [first, last] = [Number(found[1]), found[2] === '' ? 9 : Number(found[2])];
    response
      .writeHead(206, { ...of206, 'Content-Range': `bytes ${first}-${last}/10` })
      .end(ten.slice(first, last + 1));
  });

test('RFC 9110 14.2: parts are cut from what is stored whole, for GET alone', async () => {
  await using bench = await ranged(fresh, {});
  await textOf(await bench.ask('/whole'));
  const part = async (range: string) => {
    const answer = await bench.ask('/whole', { fields: ['Range', range] });
    return [answer.status, fieldOf(answer, 'content-range'), await textOf(answer)];
  };
  assert.deepEqual(await part('bytes=0-1'), [206, 'bytes 0-1/10', '01']);
  assert.deepEqual(await part('bytes=1-'), [206, 'bytes 1-9/10', '123456789']);
  assert.deepEqual(await part('bytes=-1'), [206, 'bytes 9-9/10', '9']);
  assert.deepEqual(await part('bytes=10-'), [416, 'bytes */10', '']);
  assert.deepEqual(await part('lines=1-'), [200, undefined, ten]);
  const head = await bench.ask('/whole', { method: 'HEAD', fields: ['Range', 'bytes=0-1'] });
  assert.equal(head.status, 200);
  assert.equal(bench.asked.length, 1);
});

test('RFC 9111 3.3: a stored part answers for itself and for what lies within it', async () => {
  await using bench = await ranged(fresh, fresh);
  const part = async (range: string) => textOf(await bench.ask('/part', { fields: ['Range', range] }));
  assert.equal(await part('bytes=4-8'), '45678');
  assert.equal(await part('bytes=4-8'), '45678');
  assert.equal(await part('bytes=5-6'), '56');
  assert.equal(bench.asked.length, 1);
  assert.equal(await textOf(await bench.ask('/part')), ten, 'without a strong validator all is fetched');
  assert.equal(bench.asked[1]?.headers.range, undefined);
});

test('RFC 9111 3.4: what surrounds a stored part is fetched at once, and all of it is here then', async () => {
  const tagged = { ...fresh, ETag: '"a"' };
  await using bench = await ranged(tagged, tagged);
  await textOf(await bench.ask('/', { fields: ['Range', 'bytes=4-5'] }));
  assert.equal(await textOf(await bench.ask('/')), ten);
  assert.equal(bench.asked[1]?.headers['if-range'], '"a"');
  assert.equal(await textOf(await bench.ask('/')), ten);
  assert.equal(bench.asked.length, 2);
});

test('a range apart from the stored part is fetched once, as it was asked for', async () => {
  const tagged = { ...fresh, ETag: '"a"' };
  await using bench = await ranged(tagged, tagged);
  await textOf(await bench.ask('/', { fields: ['Range', 'bytes=0-3'] }));
  const answer = await bench.ask('/', { fields: ['Range', 'bytes=5-9'] });
  assert.deepEqual([answer.status, await textOf(answer)], [206, '56789']);
  assert.match(fieldOf(answer, 'cache-status') ?? '', /fwd=partial/);
  assert.deepEqual(bench.asked.map(({ headers }) => [headers.range, headers['if-range']]).slice(1), [
    ['bytes=5-9', undefined],
  ]);
});

test('RFC 9111 3.4: what a 206 leaves out because the client has it is kept', async () => {
  const whole = { ...fresh, ETag: '"a"', 'Content-Type': 'text/plain', Test: '1' };
  let parts = 0;
  await using bench = await openBench((request, response) => {
    const [first, last] = parts === 0 ? [0, 4] : [5, 9];
    const fields = parts === 0 ? whole : { ETag: '"a"', Test: '2' };
    parts += 1;
    assert.equal(request.headers.range, `bytes=${first}-${last}`);
    response
      .writeHead(206, { ...fields, 'Content-Range': `bytes ${first}-${last}/10` })
      .end(ten.slice(first, last + 1));
  });
  await textOf(await bench.ask('/', { fields: ['Range', 'bytes=0-4'] }));
  const answer = await bench.ask('/');
  assert.equal(await textOf(answer), ten);
  assert.equal(fieldOf(answer, 'content-type'), 'text/plain');
  assert.equal(fieldOf(answer, 'test'), '2');
  assert.equal(fieldOf(answer, 'content-range'), undefined);
  assert.equal(answer.status, 200);
});

test('RFC 9110 15.3.7: parts of contents that have changed are never put together', async () => {
  let tag = 0;
  await using bench = await openBench((request, response) => {
    tag += 1;
    const found = /^bytes=(\d+)-/.exec(request.headers.range ?? '');
    const fields = { ...fresh, ETag: `"${tag}"` };
    if (found === null) response.writeHead(200, fields).end(`whole ${tag}`);
    else if (found[1] === '0') {
      response.writeHead(206, { ...fields, 'Content-Range': 'bytes 0-4/10' }).end('01234');
    } else response.writeHead(206, { ...fields, 'Content-Range': 'bytes 5-9/10' }).end('other');
  });
  await textOf(await bench.ask('/', { fields: ['Range', 'bytes=0-4'] }));
  assert.equal(await textOf(await bench.ask('/')), 'whole 3', 'an origin that ignores If-Range');
});

test('RFC 9111 4.1: spellings of one meaning share a response', async () => {
  await using bench = await openBench((_, response) => {
    response.writeHead(200, { ...fresh, Vary: 'Accept-Language, Foo' }).end('shared');
  });
  const spellings = ['en, de', 'de, en', 'en,de', 'eN, De', 'de;q=1, en'];
  for (const spelling of spellings) {
    await textOf(await bench.ask('/', { fields: ['Accept-Language', spelling, 'Foo', '1, 2'] }));
  }
  await textOf(await bench.ask('/', { fields: ['Foo', '1', 'Accept-Language', 'en, de', 'Foo', '2'] }));
  assert.equal(bench.asked.length, 1);
  await textOf(await bench.ask('/', { fields: ['Foo', '1', 'Accept-Language', 'en, de'] }));
  assert.equal(bench.asked.length, 2);
});

test('RFC 9111 4.1: several variants are kept, and each answers its own requests', async () => {
  await using bench = await openBench((request, response) => {
    response.writeHead(200, { ...fresh, Vary: 'Foo' }).end(`for ${request.headers.foo}`);
  });
  const ask = async (foo: string) => textOf(await bench.ask('/', { fields: ['Foo', foo] }));
  assert.equal(await ask('1'), 'for 1');
  assert.equal(await ask('2'), 'for 2');
  assert.equal(await ask('1'), 'for 1');
  assert.equal(await textOf(await bench.ask('/')), 'for undefined');
  assert.equal(bench.asked.length, 3);
});

test('RFC 9111 4.3.4: a 304 freshens the variant it names, and it is what is served', async () => {
  await using bench = await openBench((request, response) => {
    // The machine's Date would not go with the clock of this test.
    response.sendDate = false;
    const tag = `"${request.headers.foo}"`;
    const fields = { 'Cache-Control': 'max-age=10', Vary: 'Foo', ETag: tag, Test: `${bench.asked.length}` };
    if (request.headers['if-none-match']?.includes(tag)) response.writeHead(304, fields).end();
    else response.writeHead(200, fields).end(`for ${request.headers.foo}`);
  });
  const ask = (foo: string) => bench.ask('/', { fields: ['Foo', foo] });
  await textOf(await ask('1'));
  await textOf(await ask('2'));
  bench.clock.advance(20_000);
  const answer = await ask('1');
  assert.deepEqual([await textOf(answer), fieldOf(answer, 'test')], ['for 1', '3']);
  const again = await ask('1');
  assert.deepEqual([await textOf(again), fieldOf(again, 'test')], ['for 1', '3']);
  assert.equal(bench.asked.length, 3);
  assert.equal(await textOf(await ask('2')), 'for 2');
  assert.equal(bench.asked.length, 4, 'the other is still to be validated');
});

test('RFC 9111 4.3.4: variants that share a tag are each freshened for their own requests, and answer those', async () => {
  await using bench = await openBench((request, response) => {
    response.sendDate = false;
    const fields = { 'Cache-Control': 'max-age=10', Vary: 'Foo', ETag: '"same"' };
    const known = bench.asked.length > 2 && request.headers['if-none-match'] === '"same"';
    if (known) response.writeHead(304, fields).end();
    else response.writeHead(200, fields).end(`for ${request.headers.foo}`);
  });
  const ask = async (foo: string) => textOf(await bench.ask('/', { fields: ['Foo', foo] }));
  await ask('1');
  await ask('2');
  bench.clock.advance(20_000);
  for (const foo of ['1', '2', '1', '2']) assert.equal(await ask(foo), `for ${foo}`);
  assert.equal(bench.asked.length, 4);
});

test('RFC 9111 4.3.2: clients that have what is stored get a 304', async () => {
  const date = 'Wed, 10 Jun 2020 10:00:00 GMT';
  await using bench = await openBench((request, response) => {
    const tag: Record<string, string> = request.url === '/tag' ? { ETag: '"a"' } : {};
    const dated: Record<string, string> = request.url === '/date' ? { 'Last-Modified': date } : {};
    response.writeHead(200, { ...fresh, ...tag, ...dated }).end('x');
  });
  for (const path of ['/tag', '/date', '/none']) await textOf(await bench.ask(path));
  const status = async (path: string, ...fields: string[]) => (await bench.ask(path, { fields })).status;
  const now = new Date(bench.clock.now() + 1000).toUTCString();
  assert.equal(await status('/tag', 'If-None-Match', '"x", W/"a"'), 304);
  assert.equal(await status('/tag', 'If-None-Match', '"x"', 'If-Modified-Since', now), 200);
  assert.equal(await status('/date', 'If-Modified-Since', date), 304);
  assert.equal(await status('/date', 'If-Modified-Since', 'Wednesday, 10-Jun-20 10:00:00 GMT'), 304);
  assert.equal(await status('/date', 'If-Modified-Since', 'Tue, 09 Jun 2020 10:00:00 GMT'), 200);
  assert.equal(await status('/none', 'If-Modified-Since', now), 304);
  assert.equal(await status('/none', 'If-Modified-Since', date), 200);
  assert.equal(bench.asked.length, 3);
});

test('RFC 9111 4.3.2: If-Match and If-Unmodified-Since are judged by the origin', async () => {
  await using bench = await openBench((request, response) => {
    const other = (request.headers['if-match'] ?? '"a"') !== '"a"' || request.headers['if-unmodified-since'];
    response.writeHead(other ? 412 : 200, { ...fresh, ETag: '"a"' }).end('x');
  });
  await textOf(await bench.ask('/'));
  const status = async (...fields: string[]) => {
    const answer = await bench.ask('/', { fields });
    await textOf(answer);
    return answer.status;
  };
  assert.equal(await status('If-Match', '"b"'), 412);
  assert.equal(await status('If-Match', '"a"'), 200);
  assert.equal(await status('If-Unmodified-Since', 'Wed, 10 Jun 2020 10:00:00 GMT'), 412);
  assert.equal(bench.asked.length, 4);
  assert.equal(await status(), 200, 'what is stored is still there');
  assert.equal(bench.asked.length, 4);
});

test('RFC 9111 4.3.5: a HEAD freshens what is stored, or makes it stale', async () => {
  let tag = '"a"';
  await using bench = await openBench((request, response) => {
    response.sendDate = false;
    response.writeHead(200, { 'Cache-Control': 'max-age=10', ETag: tag, Test: request.method ?? '' });
    response.end(request.method === 'HEAD' ? undefined : 'x');
  });
  await textOf(await bench.ask('/'));
  bench.clock.advance(20_000);
  await bench.ask('/', { method: 'HEAD' });
  const answer = await bench.ask('/');
  assert.deepEqual([await textOf(answer), fieldOf(answer, 'test')], ['x', 'HEAD']);
  assert.equal(bench.asked.length, 2);
  tag = '"b"';
  bench.clock.advance(20_000);
  await bench.ask('/', { method: 'HEAD' });
  await textOf(await bench.ask('/'));
  assert.deepEqual(
    bench.asked.map(({ method }) => method),
    ['GET', 'HEAD', 'HEAD', 'GET'],
  );
});

test('RFC 9111 3.1: every end-to-end field is stored and served, those of the connection are not', async () => {
  const kept = {
    'Content-Foo': '1',
    'Content-Range': 'x',
    'Content-MD5': 'y',
    'Set-Cookie': 'a=1',
    TEST: '2',
  };
  await using bench = await openBench((_, response) => {
    const hop = { Connection: 'a, b', A: '1', B: '2', 'Proxy-Authenticate': 'x', Upgrade: 'y' };
    response.writeHead(200, { ...fresh, ...kept, ...hop }).end('x');
  });
  await textOf(await bench.ask('/'));
  const answer = await bench.ask('/');
  for (const [name, value] of Object.entries(kept)) assert.equal(fieldOf(answer, name.toLowerCase()), value);
  for (const name of ['connection', 'a', 'b', 'proxy-authenticate', 'upgrade']) {
    assert.equal(fieldOf(answer, name), undefined, name);
  }
  assert.equal(bench.asked.length, 1);
});

test('RFC 9111 5.2.2.4, 5.2.2.7: fields that no-cache or private name do not come from the store', async () => {
  await using bench = await openBench((_, response) => {
    const control = 'max-age=60, no-cache="A", private="b"';
    response.writeHead(200, { 'Cache-Control': control, A: '1', B: '2', C: '3' }).end('x');
  });
  const first = await bench.ask('/');
  await textOf(first);
  assert.deepEqual([fieldOf(first, 'a'), fieldOf(first, 'b')], ['1', '2']);
  const answer = await bench.ask('/');
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => fieldOf(answer, name)),
    [undefined, undefined, '3'],
  );
  assert.equal(bench.asked.length, 1);
});
