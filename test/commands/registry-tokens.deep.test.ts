import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './command.ts';
import { runHere } from './command-here.ts';

test('a token is made only where its server has data, or in the default folder before the first start', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const add = (group: string, ...more: string[]) => runHere([group, 'token', 'add', 'x', ...more], { cwd });
  const broker = join(cwd, 'physics', 'broker');
  await mkdir(broker, { recursive: true });
  const wrong: readonly (readonly [string, ...string[]])[] = [
    ['broker', '--data', 'nowhere'],
    ['registry', '--data', 'nowhere'],
    ['registry', '--data', 'physics'],
    ['registry'],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = await add(...args);
    assert.deepEqual([code, stdout], [10, ''], args.join(' '));
    assert.match(stderr, /\[STORE_MISSING\][\s\S]*--data/, args.join(' '));
  }
  assert.deepEqual(await readdir(cwd), ['physics'], 'no folder is made');
  assert.deepEqual(await readdir(join(cwd, 'physics')), ['broker']);
  const early = await add('broker');
  assert.equal(early.code, 0, early.stderr);
  assert.match(early.stderr, /this token is for the Broker that you start with --data garner-data/);
  assert.doesNotMatch((await runHere(['broker', 'token', 'add', 'y'], { cwd })).stderr, /that you start/);
});
