import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrokerCheck } from '../../broker/index.ts';
import type { GathererCheck } from '../../gatherer/index.ts';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from '../commands/command-here.ts';

const documents = 20;

/** Flip a bit in the middle of the largest log of a database. */
async function flipLog(database: string, part = 0.5): Promise<string> {
  let [name, size] = ['', 0];
  for (const file of (await readdir(database)).filter((one) => one.endsWith('.log'))) {
    const { length } = await readFile(join(database, file));
    if (length >= size) [name, size] = [file, length];
  }
  const bytes = await readFile(join(database, name));
  const at = Math.floor(bytes.length * part);
  bytes[at] = (bytes[at] as number) ^ 4;
  await writeFile(join(database, name), bytes);
  return name;
}

/** A gathered and annotated folder, and a Broker that has collected it; nothing runs. */
async function site() {
  const folder = await temporaryFolder();
  const here = { cwd: folder.path };
  const root = join(folder.path, 'site');
  await mkdir(root);
  for (let n = 0; n < documents; n++) await writeFile(join(root, `${n}.txt`), `harbour number${n}\n`);
  const run = (...words: readonly string[]) => runCommand(words, here);
  const first = await run('gatherer', 'run', '--root', 'site', '--base-url', 'https://harbour.example/');
  assert.equal(first.code, 0, first.stderr);
  const annotated = await run(
    'gatherer',
    'annotate',
    'https://harbour.example/3.txt',
    '--set',
    'Title=Old quay',
  );
  assert.equal(annotated.code, 0, annotated.stderr);
  const data = (name: string) => join(folder.path, 'garner-data', name);
  const collect = async () => {
    await using gatherer = await startServer<{ readonly collect: string }>(
      ['gatherer', 'serve', '--port', '0'],
      here,
    );
    for (let objects = -1; objects !== documents - 1; ) {
      const { code, stderr } = await run('broker', 'collect', '--collect', gatherer.ready.collect);
      assert.equal(code, 0, stderr);
      ({ objects } = await jsonOf<{ objects: number }>(['broker', 'status'], here));
    }
  };
  const check = async <Check>(role: string, ...more: readonly string[]) => {
    const { code, stdout, stderr } = await run(role, 'check', '--json', ...more);
    assert.ok(stdout !== '', stderr);
    return { code, found: JSON.parse(stdout) as Check };
  };
  return {
    ...{ folder, here, root, data, run, collect, check },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('case a03: a bit flipped in the log of a Gatherer is noticed, and costs neither identity nor annotations', async () => {
  await using world = await site();
  const { root, data, run, check, collect } = world;
  // The deletion of a document may be in the lost batch, and then the document would come back.
  await rm(join(root, '7.txt'));
  await writeFile(join(root, '8.txt'), 'harbour changed\n');
  assert.equal((await run('gatherer', 'run')).code, 0);
  const identity = await readFile(join(data('gatherer'), 'identity.json'), 'utf8');
  await collect();
  const sound = join(data('gatherer'), '..', 'sound');
  await cp(data('gatherer'), sound, { recursive: true });
  for (const part of [0.1, 0.5, 0.9]) {
    await rm(data('gatherer'), { recursive: true });
    await cp(sound, data('gatherer'), { recursive: true });
    const log = await flipLog(join(data('gatherer'), 'store'), part);
    const status = await run('gatherer', 'status');
    assert.equal(status.code, 1);
    assert.match(status.stderr, new RegExp(`${log}[^]*STORE_DAMAGED[^]*gatherer check --repair`));
    assert.doesNotMatch(status.stderr, /remove|delete/);
    const found = await check<GathererCheck>('gatherer');
    assert.deepEqual([found.code, found.found.damagedFiles, found.found.store], [1, [`store/${log}`], null]);
    if (part === 0.5) {
      const repaired = await run('gatherer', 'repair');
      assert.equal(repaired.code, 1 - 1, repaired.stdout + repaired.stderr);
      assert.match(repaired.stdout, /repaired +store: \d+ rows could be read/);
    }
    const again = await run('gatherer', 'run');
    assert.equal(again.code, 0, again.stderr);
    if (part !== 0.5) assert.match(again.stderr, /STORE_DAMAGED/);
    assert.match(again.stdout, new RegExp(`${documents - 1} summaries`));
    const after = await check<GathererCheck>('gatherer');
    assert.deepEqual([after.code, after.found.store?.objects], [0, documents - 1]);
    assert.equal(await readFile(join(data('gatherer'), 'identity.json'), 'utf8'), identity);
    const shown = await run('gatherer', 'show', 'https://harbour.example/3.txt');
    assert.match(shown.stdout, /Title\{\d+\}:\s+Old quay/);
  }
  // The Broker had collected before the damage, and ends equal.
  await collect();
  const broker = await check<BrokerCheck>('broker');
  assert.deepEqual([broker.code, broker.found.store?.objects], [0, documents - 1]);
});

test('case a04: a bit flipped in the logs of a Broker, or a cut, is found and mended', async () => {
  await using world = await site();
  const { root, data, run, check, collect } = world;
  await rm(join(root, '7.txt'));
  assert.equal((await run('gatherer', 'run')).code, 0);
  await collect();
  const identity = await readFile(join(data('broker'), 'identity.json'), 'utf8');
  const sound = join(data('broker'), '..', 'sound');
  await cp(data('broker'), sound, { recursive: true });
  const restore = async () => {
    await rm(data('broker'), { recursive: true });
    await cp(sound, data('broker'), { recursive: true });
  };
  for (const name of ['store', 'table']) {
    await restore();
    const log = await flipLog(join(data('broker'), name));
    const found = await check<BrokerCheck>('broker');
    assert.deepEqual([found.code, found.found.damagedFiles], [1, [`${name}/${log}`]]);
    const refused = await run('broker', 'status');
    assert.match(refused.stderr, /STORE_DAMAGED/);
    const repaired = await check<BrokerCheck>('broker', '--repair');
    assert.equal(repaired.code, 0, JSON.stringify(repaired.found));
    assert.deepEqual(
      repaired.found.mended.map((one) => one.name),
      [name],
    );
    await collect();
    const after = await check<BrokerCheck>('broker');
    assert.deepEqual([after.code, after.found.store?.objects], [0, documents - 1]);
  }
  await restore();
  const table = join(data('broker'), 'table');
  for (const file of await readdir(table))
    if (file.endsWith('.log'))
      await truncate(join(table, file), Math.floor((await readFile(join(table, file))).length * 0.6));
  const cut = await check<BrokerCheck>('broker');
  assert.deepEqual([cut.code, cut.found.ok], [1, false]);
  assert.match(cut.found.damagedFiles.join(), /table/);
  assert.equal((await run('broker', 'repair')).code, 0);
  await collect();
  assert.equal((await check<BrokerCheck>('broker')).code, 0);
  assert.equal(await readFile(join(data('broker'), 'identity.json'), 'utf8'), identity);
});
