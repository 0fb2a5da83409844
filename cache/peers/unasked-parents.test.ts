import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pass, sibling, url, World } from '../testing/router-world.ts';

test('a parent without an alternative gets requests without a query after sixteen answers', async () => {
  const world = new World({}, 250);
  world.peer('p', {}, ['miss', 10]);
  for (let n = 0; n < 16; n++)
    assert.deepEqual(await world.get(), ['p first-parent-miss', 'origin', '10 ms']);
  for (let n = 0; n < 3; n++) assert.deepEqual(await world.get(), ['p only-parent', 'origin', '0 ms']);
  assert.equal(world.asked.length, 16);
  const beside = world.peer('s', sibling, ['hit', 10]);
  assert.deepEqual(await world.get(), ['s icp-hit', 'p next-parent', 'origin', '10 ms']);
  const reload = { fields: ['Cache-Control', 'no-cache'] };
  assert.deepEqual(await world.get(url, reload), ['p only-parent', 'origin', '0 ms'], 'no sibling is asked');
  world.set.remove(beside);
  const mute = world.peer('m', { icpPort: 0 });
  assert.deepEqual(await world.get(), ['p only-parent', 'm default', 'origin', '0 ms']);
  world.set.remove(mute);
  world.peer('q', {}, ['miss', 10]);
  assert.equal((await world.get()).at(-1), '10 ms', 'which of two is nearer has to be asked');
});

test('a parent that does not fetch for us, or answers later than the origin, goes on being asked', async () => {
  for (const reply of ['denied', 'miss-no-fetch', 'error'] as const) {
    const world = new World({}, 250);
    world.peer('p', {}, [reply, 10]);
    for (let n = 0; n < 20; n++) assert.deepEqual(await world.get(), ['origin', '10 ms'], reply);
  }
  const world = new World({}, 250);
  world.peer('far', {}, ['miss', 300]);
  for (let n = 0; n < 20; n++) {
    assert.deepEqual(await world.get(), ['far first-parent-miss', 'origin', '300 ms']);
    assert.equal(world.asked.length, n + 1);
  }
});

test('a parent that was not asked and is slow is asked after 50 ms, and given up when it is silent', async () => {
  const world = new World({}, 250);
  const parent = world.peer('p', {}, ['miss', 10]);
  world.originMs = 10;
  await world.get();
  const route = { to: 'parent', host: 'p', port: 3128, because: 'only-parent' } as const;
  let givenUp = 0;
  const watch = () => world.router.watch(route, { url, fields: [] }, () => givenUp++);
  const quick = watch();
  assert.ok(quick);
  await pass(world, 40);
  quick();
  await pass(world, 500);
  assert.deepEqual(world.asked, ['p'], 'a quick answer takes no question');
  watch();
  await pass(world, 60);
  assert.deepEqual(world.asked, ['p', 'p']);
  await pass(world, 500);
  assert.equal(givenUp, 0, 'it answered');
  world.answers.delete('p');
  watch();
  // 50 ms until the question, 150 until the origin is tried, 10 until that answers.
  await pass(world, 200);
  assert.equal(givenUp, 0);
  await pass(world, 30);
  assert.equal(givenUp, 1);
  assert.equal(parent.expected, false);
  assert.deepEqual(await world.get(), ['origin', '0 ms'], 'it is not waited for until it answers');
  assert.equal(
    world.router.watch({ ...route, because: 'default' }, { url, fields: [] }, () => {}),
    undefined,
  );
});

test('a parent that gets requests without a question is asked beside one of them every ten seconds', async () => {
  const world = new World({}, 250);
  world.peer('p', {}, ['miss', 10]);
  for (let n = 0; n < 16; n++) await world.get();
  const route = { to: 'parent', host: 'p', port: 3128, because: 'only-parent' } as const;
  world.router.watch(route, { url, fields: [] }, () => {})?.();
  assert.equal(world.asked.length, 16);
  world.clock.advance(10_000);
  world.router.watch(route, { url, fields: [] }, () => {})?.();
  assert.equal(world.asked.length, 17);
  world.answers.set('p', { reply: 'miss-no-fetch', afterMs: 10 });
  await pass(world, 20);
  world.clock.advance(10_000);
  world.router.watch(route, { url, fields: [] }, () => {})?.();
  await pass(world, 20);
  assert.deepEqual(await world.get(), ['origin', '10 ms'], 'it has changed its mind');
});
