import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runGarner, runProbe } from './child.ts';

test('a benchmark finds the programs that it runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-child-'));
  try {
    const { said } = await runGarner<unknown>(['config'], folder);
    assert.equal(typeof said, 'object');
    await assert.rejects(runProbe('no-such-probe', [], folder), /there is no probe no-such-probe/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
