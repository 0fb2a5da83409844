import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pass, sibling, url, World } from '../testing/router-world.ts';
import { CacheDigest } from './digest.ts';

test('RFC 2187 5: a sibling that has it gets the request, before parents that took longer', async () => {
  const world = new World();
  world.peer('p', {}, ['hit', 50]);
  world.peer('s', sibling, ['hit', 20]);
  assert.deepEqual(await world.get(), ['s icp-hit', 'p next-parent', 'origin', '20 ms']);
});

test('when all miss, the first parent that said so gets the request, the others after it, then the origin', async () => {
  const world = new World();
  world.peer('far', {}, ['miss', 90]);
  world.peer('near', {}, ['miss', 30]);
  world.peer('s', sibling, ['miss', 10]);
  assert.deepEqual(await world.get(), ['near first-parent-miss', 'far next-parent', 'origin', '90 ms']);
});

test('when only siblings miss, or no peer answers, the request goes to the origin', async () => {
  const world = new World();
  world.peer('s', sibling, ['miss', 10]);
  assert.deepEqual(await world.get(), ['origin', '10 ms']);
  world.peer('dead', sibling);
  assert.deepEqual(await world.get(), ['origin', '2000 ms']);
});

test('a dead parent costs the time-out once; when it answers again it is waited for again', async () => {
  const world = new World();
  world.peer('dead');
  world.peer('s', sibling, ['miss', 10]);
  assert.deepEqual((await world.get()).at(-1), '2000 ms');
  for (let n = 0; n < 30; n++) assert.deepEqual(await world.get(), ['origin', '10 ms']);
  world.clock.advance(12_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(world.set.at('dead', 3128)?.status().state, 'dead');
  const before = world.asked.filter((name) => name === 'dead').length;
  world.answers.set('dead', { reply: 'miss', afterMs: 40 });
  await world.get();
  await world.get();
  assert.equal(
    world.asked.filter((name) => name === 'dead').length,
    before + 1,
    'asked once, the answer being late',
  );
  world.clock.advance(100);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await world.get(), ['dead first-parent-miss', 'origin', '40 ms']);
});

test('the origin in the race: when it answers before any hit it is asked itself', async () => {
  const world = new World();
  world.peer('p', {}, ['hit', 50]);
  world.originMs = 30;
  assert.deepEqual(await world.get(), ['origin', 'p next-parent', '30 ms']);
  // Its answer comes late, and says that it is worth waiting for the next time.
  world.clock.advance(20);
  await new Promise((resolve) => setImmediate(resolve));
  world.originMs = 80;
  assert.deepEqual(await world.get(), ['p icp-hit', 'origin', '50 ms']);
});

test('a parent that dies costs no more than the origin takes in the race, and that once', async () => {
  const world = new World();
  world.peer('p', {}, ['miss', 10]);
  world.originMs = 250;
  assert.deepEqual(await world.get(), ['p first-parent-miss', 'origin', '10 ms']);
  world.answers.delete('p');
  assert.deepEqual(await world.get(), ['origin', 'p next-parent', '250 ms']);
  for (let n = 0; n < 3; n++) assert.deepEqual(await world.get(), ['origin', '0 ms']);
  world.answers.set('p', { reply: 'miss', afterMs: 20 });
  await world.get();
  world.clock.advance(20);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await world.get(), ['p first-parent-miss', 'origin', '20 ms']);
});

test('a parent bound to a domain gets its URLs without a question, and no others', async () => {
  const world = new World();
  world.peer('edu', { domains: ['.edu'] });
  world.peer('p', {}, ['miss', 10]);
  assert.deepEqual(await world.get('http://www.mit.edu/'), ['edu domain', 'origin', '0 ms']);
  assert.deepEqual(world.asked, []);
  assert.deepEqual(await world.get(), ['p first-parent-miss', 'origin', '10 ms']);
});

test('requests that no cache can answer cause no queries: other methods, stop texts, Authorization, local domains', async () => {
  const world = new World({ localDomains: ['intra.example'] });
  world.peer('p', {}, ['miss', 10]);
  assert.deepEqual(await world.get(url, { method: 'POST' }), ['origin', '0 ms']);
  assert.deepEqual(await world.get(`${url}/cgi-bin/x`), ['origin', '0 ms']);
  assert.deepEqual(await world.get(url, { fields: ['Authorization', 'Basic x'] }), ['origin', '0 ms']);
  assert.deepEqual(await world.get('http://a.intra.example:8080/'), ['origin', '0 ms']);
  assert.deepEqual(world.asked, []);
});

test('where origins cannot be reached, everything goes through a parent and never to the origin', async () => {
  const world = new World({ neverDirect: true });
  const parent = world.peer('p');
  world.peer('s', sibling, ['miss', 10]);
  assert.deepEqual(await world.get(url, { method: 'POST' }), ['p next-parent', '0 ms']);
  assert.deepEqual(await world.get(), ['p next-parent', '2000 ms'], 'though it does not answer questions');
  parent.fetched('failed', 0);
  assert.deepEqual(await world.get(), ['p next-parent', '10 ms'], 'though it failed: there is nobody else');
});

test('a client that reloads is not sent to a sibling', async () => {
  const world = new World();
  world.peer('s', sibling, ['hit', 10]);
  for (const fields of [
    ['Cache-Control', 'no-cache'],
    ['cache-control', 'x, max-age=0'],
    ['Pragma', 'no-cache'],
  ])
    assert.deepEqual(await world.get(url, { fields }), ['origin', '0 ms'], fields.join());
  assert.deepEqual(await world.get(url, { fields: ['Cache-Control', 'max-age=01'] }), [
    's icp-hit',
    'origin',
    '10 ms',
  ]);
});

test('a peer with a digest is searched there and not queried; its parent role stays', async () => {
  const world = new World();
  const beside = world.peer('s', sibling, ['hit', 10]);
  beside.digest = CacheDigest.empty(100);
  assert.deepEqual(await world.get(), ['origin', '0 ms']);
  beside.digest.add(url);
  assert.deepEqual(await world.get(), ['s digest-hit', 'origin', '0 ms']);
  const above = world.peer('p');
  above.digest = CacheDigest.empty(100);
  assert.deepEqual(await world.get(), ['s digest-hit', 'p default', 'origin', '0 ms']);
  beside.digest = CacheDigest.empty(100);
  assert.deepEqual(await world.get(), ['p default', 'origin', '0 ms']);
  assert.deepEqual(world.asked, []);
});

test('parents that share by hash each get their own URLs; the others come after, for when it fails', async () => {
  for (const hash of ['rendezvous', 'carp'] as const) {
    const world = new World();
    for (const name of ['a', 'b', 'c', 'd']) world.peer(name, { hash });
    const firsts = new Map<string, number>();
    for (let n = 0; n < 400; n++) {
      const [first = '', second = '', third = '', last] = await world.get(`${url}/${n}`);
      assert.equal(new Set([first, second, third]).size, 3);
      assert.equal(last, 'origin');
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }
    assert.equal(firsts.size, 4);
    for (const [name, count] of firsts)
      assert.ok(count > 50 && name.endsWith(hash === 'carp' ? 'carp' : 'hash'));
  }
});

test('CARP: a parent that is taken out and put back, and one that is down, leave the others their URLs', async () => {
  const world = new World();
  for (const name of ['a', 'b', 'c']) world.peer(name, { hash: 'carp' });
  const firsts = async () => {
    const all: string[] = [];
    for (let n = 0; n < 60; n++) all.push((await world.get(`${url}/${n}`))[0] ?? '');
    return all;
  };
  const before = await firsts();
  const last = world.set.at('c', 3128);
  assert.ok(last);
  last.fetched('failed', 0);
  const down = await firsts();
  for (const [n, first] of before.entries()) if (first !== 'c carp') assert.equal(down[n], first);
  assert.ok(!down.includes('c carp'));
  world.set.remove(last);
  world.peer('c', { hash: 'carp' });
  assert.deepEqual(await firsts(), before);
});

test('a peer that fails over HTTP is left out until it is reached again', async () => {
  const world = new World();
  const parent = world.peer('p', { icpPort: 0 });
  assert.deepEqual(await world.get(), ['p default', 'origin', '0 ms']);
  world.router.outcome({ to: 'parent', host: 'p', port: 3128, because: 'default' }, 'failed');
  assert.deepEqual(world.failed, ['p']);
  assert.equal(parent.status().state, 'down');
  assert.deepEqual(await world.get(), ['origin', '0 ms']);
  parent.reached();
  assert.deepEqual(await world.get(), ['p default', 'origin', '0 ms']);
});

test('a request whose client leaves is not waited for, and leaves nothing behind', async () => {
  const world = new World();
  world.peer('dead');
  const left = new AbortController();
  const going = world.router.routes({
    method: 'GET',
    url,
    fields: [],
    fromCache: false,
    signal: left.signal,
  });
  left.abort(new Error('gone'));
  await assert.rejects(going, /gone/);
  world.clock.advance(2000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(world.rounds.running, 0);
});

test('rounds are bounded: beyond 4096 at once a miss is resolved without questions', async () => {
  const world = new World();
  world.peer('dead');
  const { signal } = new AbortController();
  const request = { method: 'GET', url, fields: [], fromCache: false, signal };
  const waiting = Array.from({ length: 4096 }, () => world.router.routes(request));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(world.rounds.running, 4096);
  assert.deepEqual(await world.router.routes(request), [{ to: 'origin' }]);
  assert.equal(world.asked.length, 4096);
  world.clock.advance(2000);
  await Promise.all(waiting);
  assert.equal(world.rounds.running, 0);
});

test('RFC 6298 2: the origin is tried after 150 ms where peers answer at once, and later where they take longer', async () => {
  for (const [usualMs, originFrom, originTo] of [
    [10, 160, 170],
    [90, 190, 240],
    [200, 260, 260],
  ] as const) {
    const world = new World({}, 250);
    world.peer('p', {}, ['miss', usualMs]);
    world.peer('s', sibling, ['miss', usualMs]);
    for (let n = 0; n < 30; n++) await world.get();
    world.originMs = 10;
    world.answers.clear();
    const took = Number.parseInt((await world.get()).at(-1) ?? '', 10);
    assert.ok(took >= originFrom && took <= originTo, `${usualMs} ms: the origin after ${took}`);
  }
});

test('where the origin takes no part, silent peers are waited for five times as long as they ever took', async () => {
  const world = new World({ neverDirect: true }, 250);
  world.peer('p', {}, ['miss', 20]);
  world.peer('q', {}, ['miss', 10]);
  for (let n = 0; n < 30; n++) await world.get();
  world.answers.delete('q');
  assert.deepEqual(await world.get(), ['p first-parent-miss', 'q next-parent', '750 ms']);
  assert.deepEqual(await world.get(), ['p first-parent-miss', 'q next-parent', '20 ms']);
});

test('a lame parent is used for its hits; its misses go to others for ten seconds', async () => {
  const world = new World();
  world.peer('p', {}, ['miss', 10]);
  world.peer('d', { icpPort: 0 });
  assert.deepEqual(await world.get(), ['p first-parent-miss', 'd default', 'origin', '10 ms']);
  for (const host of ['p', 'd'])
    world.router.outcome({ to: 'parent', host, port: 3128, because: 'default' }, 'lame');
  assert.deepEqual(await world.get(), ['origin', 'd default', '10 ms']);
  assert.equal(world.set.at('p', 3128)?.status().state, 'up');
  assert.equal(world.set.at('p', 3128)?.status().lame, 1);
  assert.deepEqual(world.failed, []);
  world.answers.set('p', { reply: 'hit', afterMs: 10 });
  assert.deepEqual(await world.get(), ['p icp-hit', 'origin', 'd default', '10 ms']);
  world.answers.set('p', { reply: 'miss', afterMs: 10 });
  world.clock.advance(10_000);
  assert.deepEqual(await world.get(), ['p first-parent-miss', 'd default', 'origin', '10 ms']);
  const behind = new World({ neverDirect: true });
  behind.peer('only', { icpPort: 0 });
  behind.router.outcome({ to: 'parent', host: 'only', port: 3128, because: 'default' }, 'lame');
  assert.deepEqual(await behind.get(), ['only default', '0 ms'], 'there is no better one');
});

test('a request with content goes to no sibling: one without the object would have read the content', async () => {
  const world = new World();
  world.peer('s', sibling, ['hit', 10]);
  world.peer('p', {}, ['hit', 10]);
  assert.deepEqual(await world.get(url, { hasContent: true }), ['origin', '0 ms']);
  assert.deepEqual(world.asked, []);
});

test('the client is watched only while a peer is waited for', async () => {
  const world = new World({}, 250);
  let looked = 0;
  const get = async () => {
    const { signal } = new AbortController();
    const going = world.router.routes({
      ...{ method: 'GET', url, fields: [], fromCache: false },
      get signal() {
        looked++;
        return signal;
      },
    });
    await pass(world, 20);
    await going;
  };
  await get();
  assert.equal(looked, 0, 'there are no peers');
  world.peer('p', {}, ['miss', 10]);
  for (let n = 0; n < 16; n++) await get();
  assert.equal(looked, 16);
  await get();
  assert.equal(looked, 16, 'it is not asked');
});
