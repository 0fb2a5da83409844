import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { elementId, SetFingerprint } from '../../awareness/index.ts';
import { Views } from '../../broker/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { compileQuery, parseQuery } from '../../query/index.ts';
import { decodeObject } from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { killPlan } from './by-bytes.ts';

const meant: Readonly<Record<string, string>> = { foxes: 'fox', dens: 'fox den' };

test('a Broker killed while its views follow has complete views afterwards, which equal their queries', async (t) => {
  const { seed: first, kills, random } = killPlan(5);
  t.diagnostic(`GARNER_TEST_SEED=${first} GARNER_KILLS=${kills}`);
  const folder = await mkdtemp(join(tmpdir(), 'garner-kill-views-'));
  const writer = fileURLToPath(new URL('./views-writer.js', import.meta.url));
  try {
    for (let seed = 1; seed <= kills; seed++) {
      const child = spawn(process.execPath, [writer, folder, String(seed)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let left = 1 + Math.floor(random.next() * 25);
      for await (const _ of createInterface(child.stdout)) if (--left === 0) break;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      assert.equal((await exited)[1], 'SIGKILL');
      await audit(folder, seed + 2);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function audit(folder: string, count: number): Promise<void> {
  const clock = new ManualClock(0);
  const random = seededRandom(1);
  await using store = await ObjectStore.open(await openDatabase(join(folder, 'store')), { clock, random });
  await using database = await openDatabase(join(folder, 'views'));
  await using views = await Views.open({ store, database, clock, random });
  await using all = await store.snapshot();
  assert.equal(views.size, count);
  assert.ok(store.count > 0);
  for (const { name } of await views.list(100)) {
    const holds = compileQuery(parseQuery(meant[name] ?? 'owl OR "fox den"').query);
    await using snapshot = await views.source(name).snapshot({ sketch: true });
    const { epoch, fingerprint } = snapshot.state;
    const truth = new SetFingerprint();
    for await (const { oid, digest } of all.scan()) {
      const object = await all.get(oid);
      assert.ok(object !== undefined);
      const isMember = (await snapshot.get(oid)) !== undefined;
      assert.equal(isMember, holds(decodeObject(object.body)), `${name}: ${oid}`);
      if (isMember) truth.add(elementId(epoch, oid, digest));
    }
    assert.equal(snapshot.state.count, truth.count, name);
    assert.deepEqual(fingerprint, truth.digest(), name);
  }
}
