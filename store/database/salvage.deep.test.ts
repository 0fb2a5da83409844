import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { openDatabase } from './database.ts';

test('while a process salvages a database, another that opens it is refused and disturbs nothing', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-salvage-'));
  await (await openDatabase(path))[Symbol.asyncDispose]();
  await rm(join(path, 'CURRENT'));
  const fresh = `${path}.mending`;
  await mkdir(fresh);
  await link(join(path, 'LOCK'), join(fresh, 'LOCK'));
  const module = JSON.stringify(new URL('./database.js', import.meta.url));
  const script = `const { openDatabase } = await import(${module});
    await openDatabase(${JSON.stringify(fresh)}); console.log('open'); setInterval(() => {}, 1e6);`;
  const salvaging = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(salvaging.stdout, 'data');
    await assert.rejects(openDatabase(path), (error) => isGarnerError(error, storeErrors.STORE_LOCKED));
    assert.ok((await readdir(fresh)).includes('CURRENT'));
  } finally {
    salvaging.kill();
    await once(salvaging, 'exit');
    for (const folder of [path, fresh]) await rm(folder, { recursive: true });
  }
});
