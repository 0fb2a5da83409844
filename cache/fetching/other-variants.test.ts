import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { type Bench, fieldOf, openBench, textOf } from '../testing/object-cache.ts';

/** An origin with one content for every Foo that begins alike, and a tag for each. */
function kinds(request: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  const kind = String(request.headers.foo ?? '').slice(0, 1);
  const fields = {
    'Cache-Control': 'max-age=10',
    Vary: 'Foo',
    ETag: `"${kind}"`,
    'X-Foo': request.headers.foo,
  };
  const known = request.headers['if-none-match']?.split(', ').includes(`"${kind}"`) === true;
  if (known) response.writeHead(304, { ...fields, 'Set-Cookie': 'a=b' }).end();
  else response.writeHead(200, fields).end(`content ${kind}`);
}

const ask = async (bench: Bench, foo: string, fields: readonly string[] = []) => {
  const answer = await bench.ask('/', { fields: ['Foo', foo, ...fields] });
  return { answer, text: await textOf(answer), status: fieldOf(answer, 'cache-status') ?? '' };
};
const conditionsOf = (bench: Bench) => bench.asked.map(({ headers }) => headers['if-none-match']);

test('RFC 9111 4.1: on a miss by Vary the tags of what is stored are asked about, and a 304 selects one', async () => {
  await using bench = await openBench(kinds);
  await ask(bench, 'a1');
  await ask(bench, 'b1');
  const { answer, text, status } = await ask(bench, 'a2');
  assert.equal(text, 'content a');
  assert.equal(answer.status, 200);
  assert.match(status, /fwd=vary-miss; fwd-status=304;.*stored/);
  assert.equal(fieldOf(answer, 'x-foo'), 'a2', 'its head is that of the 304');
  assert.equal(fieldOf(answer, 'set-cookie'), 'a=b');
  assert.deepEqual(conditionsOf(bench), [undefined, '"a"', '"b", "a"']);
  const counts = bench.opened.cache.counts();
  assert.deepEqual([counts.miss, counts.validated], [2, 1]);
});

test('RFC 9111 4.1: what a 304 selected answers the next such request by itself, without its cookie', async () => {
  await using bench = await openBench(kinds);
  await ask(bench, 'a1');
  await ask(bench, 'a2');
  for (const foo of ['a1', 'a2']) {
    const { answer, text, status } = await ask(bench, foo);
    assert.equal(text, 'content a');
    assert.match(status, /hit/);
    assert.equal(fieldOf(answer, 'set-cookie'), undefined);
  }
  assert.equal(bench.asked.length, 2);
});

test('RFC 9111 4.3.4: a 304 applies to its own request: responses stored for others stay as they are', async () => {
  const said = (origin: string | undefined) => ({
    'Cache-Control': 'public, max-age=10',
    Vary: 'Origin',
    ETag: '"same"',
    'Access-Control-Allow-Origin': origin,
  });
  await using bench = await openBench(({ headers }, response) => {
    const known = headers['if-none-match'] !== undefined;
    response.writeHead(known ? 304 : 200, said(headers.origin)).end(known ? undefined : 'font');
  });
  const get = async (origin: string) => {
    const answer = await bench.ask('/', { fields: ['Origin', origin] });
    assert.equal(await textOf(answer), 'font');
    return [
      fieldOf(answer, 'access-control-allow-origin'),
      /hit/.test(fieldOf(answer, 'cache-status') ?? ''),
    ];
  };
  assert.deepEqual(await get('one'), ['one', false]);
  assert.deepEqual(await get('two'), ['two', false], 'asked about the other');
  assert.deepEqual(await get('one'), ['one', true]);
  assert.deepEqual(await get('two'), ['two', true]);
  bench.clock.advance(20_000);
  assert.deepEqual(await get('two'), ['two', false], 'validated');
  assert.deepEqual(await get('one'), ['one', false]);
  assert.deepEqual(bench.asked.map(({ headers }) => headers['if-none-match'] !== undefined).slice(1), [
    true,
    true,
    true,
  ]);
});

test('RFC 9111 3: a 304 for one client only is stored for no other, in any place', async () => {
  for (const control of ['private, max-age=60', 'no-store']) {
    await using bench = await openBench(({ headers }, response) => {
      const fields = { Vary: 'Foo', ETag: '"same"', 'X-User': headers.foo };
      if (headers['if-none-match'] === undefined)
        response.writeHead(200, { ...fields, 'Cache-Control': 'public, max-age=60' }).end('page');
      else response.writeHead(304, { ...fields, 'Cache-Control': control }).end();
    });
    await ask(bench, 'alice');
    const bob = await ask(bench, 'bob', ['Authorization', 'Basic Ym9i']);
    assert.deepEqual([bob.text, fieldOf(bob.answer, 'x-user')], ['page', 'bob']);
    assert.doesNotMatch(bob.status, /stored/);
    const alice = await ask(bench, 'alice');
    assert.match(alice.status, /hit/);
    assert.equal(fieldOf(alice.answer, 'x-user'), 'alice');
  }
});

test('RFC 9111 5.2.2.4: cookies and fields that no-cache names reach no other client by a 304', async () => {
  await using bench = await openBench(({ headers }, response) => {
    const fields = { 'Cache-Control': 'max-age=60, no-cache="x-user"', Vary: 'Foo', ETag: '"same"' };
    if (headers['if-none-match'] !== undefined) response.writeHead(304, fields).end();
    else
      response
        .writeHead(200, { ...fields, 'Set-Cookie': `sid=${headers.foo}`, 'X-User': headers.foo })
        .end('page');
  });
  await ask(bench, 'alice');
  const { answer, text } = await ask(bench, 'bob');
  assert.equal(text, 'page');
  assert.equal(fieldOf(answer, 'set-cookie'), undefined);
  assert.equal(fieldOf(answer, 'x-user'), undefined);
});

test('RFC 9111 4.3.4: after a 304 that names none of them all is fetched without condition', async () => {
  for (const tag of ['"other"', 'W/"a"', undefined]) {
    await using bench = await openBench((request, response) => {
      const fields = { 'Cache-Control': 'max-age=10', Vary: 'Foo' };
      if (request.headers['if-none-match'] !== undefined)
        response.writeHead(304, { ...fields, ...(tag !== undefined && { ETag: tag }) }).end();
      else response.writeHead(200, { ...fields, ETag: '"a"' }).end(`for ${request.headers.foo}`);
    });
    await ask(bench, '1');
    const { text, answer } = await ask(bench, '2');
    assert.equal(text, 'for 2', tag);
    assert.equal(answer.status, 200);
    assert.deepEqual(conditionsOf(bench), [undefined, '"a"', undefined]);
    assert.match((await ask(bench, '2')).status, /hit/);
  }
});

test('RFC 9111 4.3.1: the sixteen latest are asked about', async () => {
  await using bench = await openBench((request, response) => {
    response
      .writeHead(200, { 'Cache-Control': 'max-age=60', Vary: 'Foo', ETag: `"${request.headers.foo}"` })
      .end('x');
  });
  for (let count = 1; count <= 20; count += 1) {
    await ask(bench, String(count));
    bench.clock.advance(1);
  }
  const last = conditionsOf(bench).at(-1)?.split(', ');
  assert.equal(last?.length, 16);
  assert.equal(last?.[0], '"19"');
  assert.ok(!last?.includes('"3"'));
});

/** An origin with one tag for all codings, as of servers that compress behind what made it. */
const compressing = (vary: string) => (request: IncomingMessage, response: ServerResponse) => {
  const coded = request.headers['accept-encoding']?.includes('gzip') === true;
  const fields = { 'Cache-Control': 'max-age=60', Vary: vary, ETag: '"same"' };
  if (request.headers['if-none-match'] === '"same"') response.writeHead(304, fields).end();
  else
    response
      .writeHead(200, { ...fields, ...(coded && { 'Content-Encoding': 'gzip' }) })
      .end(coded ? 'gz' : 'plain');
};

test('RFC 9110 8.8.3.3: what is coded as the client does not accept is not asked about, whatever its tag', async () => {
  await using bench = await openBench(compressing('Foo'));
  const get = async (foo: string, accepted: string) => {
    const fields = accepted === '' ? ['Foo', foo] : ['Foo', foo, 'Accept-Encoding', accepted];
    return textOf(await bench.ask('/', { fields }));
  };
  assert.equal(await get('1', 'gzip'), 'gz');
  assert.equal(await get('2', ''), 'plain');
  assert.equal(await get('3', 'gzip;q=0, br'), 'plain');
  assert.equal(await get('4', 'br, gzip;q=0.5'), 'plain', 'the latest that can be read');
  assert.deepEqual(conditionsOf(bench), [undefined, undefined, '"same"', '"same"']);
});

test('what was stored for another Accept-Encoding is not asked about, on a miss and with what is validated', async () => {
  await using bench = await openBench(compressing('Accept-Encoding, Foo'));
  const get = async (foo: string, accepted?: string) => {
    const fields = accepted === undefined ? ['Foo', foo] : ['Foo', foo, 'Accept-Encoding', accepted];
    return textOf(await bench.ask('/', { fields }));
  };
  assert.equal(await get('1'), 'plain');
  assert.equal(await get('1', 'gzip'), 'gz', 'who cannot read it does not take compression from the others');
  assert.equal(await get('2', 'gzip'), 'gz');
  assert.deepEqual(conditionsOf(bench), [undefined, undefined, '"same"'], 'other fields are asked about');
  bench.clock.advance(61_000);
  assert.equal(await get('1', 'gzip'), 'gz');
  assert.equal(await get('1'), 'plain');
  assert.deepEqual(conditionsOf(bench).slice(3), ['"same"', '"same"']);
});

test('a request with its own conditions or for a part validates no responses of others', async () => {
  await using bench = await openBench(kinds);
  await ask(bench, 'a1');
  await ask(bench, 'a2', ['Range', 'bytes=0-1']);
  await ask(bench, 'a3', ['If-None-Match', '"z"']);
  assert.deepEqual(conditionsOf(bench), [undefined, undefined, '"z"']);
});

test('RFC 9111 4.4: a 304 that a change has overtaken selects nothing', async () => {
  let held: (() => void) | undefined;
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  await using bench = await openBench((request, response) => {
    if (request.method === 'PUT') response.writeHead(204).end();
    else if (request.headers['if-none-match'] === undefined || held !== undefined) {
      const again = held !== undefined;
      response
        .writeHead(200, { 'Cache-Control': 'max-age=60', Vary: 'Foo', ETag: again ? '"new"' : '"a"' })
        .end(again ? 'new' : 'old');
    } else {
      held = () => response.writeHead(304, { ETag: '"a"' }).end();
      reach();
    }
  });
  await ask(bench, '1');
  const waiting = ask(bench, '2');
  await reached;
  await textOf(await bench.ask('/', { method: 'PUT' }));
  held?.();
  assert.equal((await waiting).text, 'new');
});
