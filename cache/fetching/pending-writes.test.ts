import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { fieldOf, openBench, textOf } from '../testing/object-cache.ts';
import { PendingWrites } from './pending-writes.ts';

test('after the end of an answer its response is stored, also on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-settling-'));
  try {
    await using bench = await openBench(
      (_, response) => response.writeHead(200, { 'Cache-Control': 'max-age=60', ETag: '"e"' }).end('content'),
      { folder },
    );
    for (let at = 0; at < 200; at += 1) {
      assert.equal(await textOf(await bench.ask(`/${at}`)), 'content');
      // Asked with a condition, it would be no part of the fetch that is ending.
      const again = await bench.ask(`/${at}`, { fields: ['If-None-Match', '"e"'] });
      assert.equal(again.status, 304);
      assert.match(fieldOf(again, 'cache-status') ?? '', /; hit/);
    }
    assert.equal(bench.asked.length, 200);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('pending writes to the store are awaited, for max a second', async () => {
  const clock = new ManualClock();
  const settling = new PendingWrites(clock);
  assert.equal(settling.of('a'), undefined);
  const ends: (() => void)[] = [];
  const coming = () =>
    new Promise<void>((resolve) => {
      ends.push(resolve);
    });
  settling.note('a', coming());
  settling.note('a', coming());
  assert.equal(settling.of('b'), undefined);
  let over = false;
  const waited = settling.of('a')?.then(() => {
    over = true;
  });
  ends[0]?.();
  await new Promise(setImmediate);
  assert.equal(over, false);
  ends[1]?.();
  await waited;
  await new Promise(setImmediate);
  assert.equal(settling.of('a'), undefined);
  settling.note('c', coming());
  const impatient = settling.of('c');
  clock.advance(1_000);
  await impatient;
});
