import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrokerCheck } from '../broker/index.ts';
import { openDatabase } from '../store/index.ts';
import { startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from './commands/command-here.ts';

interface GathererReady {
  readonly collect: string;
}
interface BrokerReady {
  readonly search: string;
}

test('garner broker check finds damage and repairs it, and lost objects are collected again', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  for (let n = 0; n < 5; n++) await writeFile(join(folder.path, 'site', `${n}.txt`), `harbour number${n}\n`);
  await using gatherer = await startServer<GathererReady>(
    [...['gatherer', 'serve', '--root', 'site', '--base-url', 'https://harbour.example/'], '--port', '0'],
    here,
  );
  const collect = async () => runCommand(['broker', 'collect', '--collect', gatherer.ready.collect], here);
  const check = async (...more: readonly string[]) => {
    const { code, stdout } = await runCommand(['broker', 'check', '--json', ...more], here);
    return { code, found: JSON.parse(stdout) as BrokerCheck };
  };
  // The first run of the Gatherer may still be in progress.
  for (let objects = 0; objects < 5; ) {
    await collect();
    ({ objects } = await jsonOf<{ objects: number }>(['broker', 'status'], here));
  }
  const whole = await check();
  assert.deepEqual([whole.code, whole.found.ok, whole.found.store?.faults], [0, true, 0]);
  assert.deepEqual(
    [whole.found.index?.indexed, whole.found.index?.missing, whole.found.index?.ghosts],
    [5, 0, 0],
  );

  const data = join(folder.path, 'garner-data/broker');
  {
    await using store = await openDatabase(join(data, 'store'));
    for await (const key of store.keys({ gte: Buffer.from('b'), lt: Buffer.from('c'), limit: 1 }))
      await store.batch([{ type: 'del', key }]);
    // The index has an object too many, and one too few.
    await using index = await openDatabase(join(data, 'index'));
    for await (const [key, value] of index.entries({
      gte: Buffer.from('o'),
      lt: Buffer.from('p'),
      limit: 1,
    })) {
      const other = Buffer.from(key);
      other[5] = (other[5] as number) ^ 1;
      await index.batch([
        { type: 'del', key },
        { type: 'put', key: other, value },
      ]);
    }
  }
  const damaged = await check();
  assert.equal(damaged.code, 1);
  assert.deepEqual(damaged.found.store?.kinds, { object: 1 });
  assert.deepEqual([damaged.found.index?.missing, damaged.found.index?.ghosts], [1, 1]);
  const report = await runCommand(['broker', 'check'], here);
  assert.match(report.stdout, /object \S+ has no summary/);
  assert.match(report.stdout, /--repair repairs/);

  const mended = await check('--repair');
  assert.deepEqual([mended.code, mended.found.ok, mended.found.reindexed], [0, true, true]);
  // An engine that was tried once: its index is not in use.
  await mkdir(join(data, 'index-glimpse'));
  await writeFile(join(data, 'index-glimpse', '000005.ldb'), 'nothing of a table');
  const unused = await check();
  assert.deepEqual([unused.code, unused.found.damagedFiles], [0, []]);
  await collect();
  // With a server, the check goes through its control door.
  await using broker = await startServer<BrokerReady>(['broker', 'serve', '--port', '0'], here);
  const again = await check();
  assert.deepEqual([again.code, again.found.store?.objects, again.found.index?.indexed], [0, 5, 5]);
  assert.match(broker.ready.search, /^http/);
});
