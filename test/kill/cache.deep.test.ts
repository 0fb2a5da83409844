import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { killPlan, logarithmic, pointText, unwatchable } from './by-bytes.ts';
import { CacheScene } from './cache-scene.ts';

/** Bytes since the start: while it opens the data of an earlier process, or while it serves. */
const opening = { min: 500, max: 50_000 };
const serving = { min: 20_000, max: 20_000_000 };
/** One kill in so many happens with a store that is too small, which evicts entries all the time. */
const crowdedPart = 0.3;

test('kill -9 of a cache under load: nothing wrong is served, nothing purged comes back, nothing flushed is lost', async (t) => {
  const reason = unwatchable();
  if (reason !== undefined) return t.skip(reason);
  const { seed, kills, random } = killPlan(10);
  t.diagnostic(`GARNER_TEST_SEED=${seed} GARNER_KILLS=${kills}`);
  const folder = await mkdtemp(join(tmpdir(), 'garner-kill-cache-'));
  const scene = await CacheScene.open(folder, random);
  const points: string[] = [];
  let kept = 0;
  let judgements = 0;
  try {
    for (let kill = 0; kill < kills; kill++) {
      const crowded = kill >= kills * (1 - crowdedPart);
      if (crowded) scene.expectNothing();
      scene.start(crowded ? '3MB' : '1GB', { fastLane: kill % 2 === 1 });
      const isServing = random.next() < 5 / 6;
      if (isServing) {
        await scene.ready();
        kept = Math.max(kept, scene.flushed);
        await scene.judge();
        judgements++;
      }
      const { min, max } = isServing ? serving : opening;
      const bytes = logarithmic(random, min, max);
      const point = { bytes, how: 'outside', count: Math.floor(random.next() * 8) } as const;
      points.push(pointText(point));
      await scene.workUntilKilled(point);
    }
    scene.expectNothing();
    scene.start('1GB');
    await scene.ready();
    await scene.judge();
    assert.equal(await scene.stop(), '0');
    const found = scene.flushed;
    scene.start('1GB');
    await scene.ready();
    await scene.judge();
    assert.ok(found > 0, 'nothing was stored');
    if (kills >= 10) assert.ok(kept > 0, 'nothing was ever confirmed to be on disk before a kill');
  } catch (error) {
    const where = `GARNER_TEST_SEED=${seed}, kills: ${points.join(', ')}`;
    throw new Error(`${where}: ${(error as Error).message}\n${scene.cache.errors}`, { cause: error });
  } finally {
    await scene[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
  t.diagnostic(`killed at these bytes (+ write calls): ${points.join(', ')}`);
  t.diagnostic(`${judgements} judgements, at most ${kept} objects on disk; ${JSON.stringify(scene.done)}`);
});
