import assert from 'node:assert/strict';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { WritePace, writeAll } from './write-all.ts';

test('buffers are written one after another, few or many, small or large', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-write-'));
  try {
    for (const sizes of [[], [0], [3], [0, 1, 0, 2], Array(1500).fill(7), [70_000, 1, 200_000], [65_536]]) {
      const buffers = sizes.map((size: number, at) => Buffer.alloc(size, at));
      const handle = await open(join(folder, 'file'), 'w+');
      await writeAll(handle.fd, buffers, 5);
      const written = await handle.readFile();
      await handle.close();
      const whole = Buffer.concat(buffers);
      assert.ok(written.subarray(5).equals(whole), `${sizes.length} buffers`);
      assert.equal(written.length, whole.length === 0 ? 0 : whole.length + 5);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('what the system refuses rejects, also when no thread was asked', async () => {
  await assert.rejects(writeAll(-1, [Buffer.from('a')], 0));
  const full = await open('/dev/full', 'w');
  await assert.rejects(writeAll(full.fd, [Buffer.from('a')], 0), { code: 'ENOSPC' });
  await full.close();
});

test('after a slow write threads do the next ones, twice as many when it is slow again, few after many quick ones', () => {
  const pace = new WritePace();
  const left = () => {
    let count = 0;
    while (pace.leaves()) count += 1;
    return count;
  };
  pace.took(1);
  assert.equal(left(), 0);
  const counts: number[] = [];
  for (let count = 0; count < 10; count++) {
    pace.took(50);
    counts.push(left());
  }
  assert.deepEqual(counts, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 64_000, 64_000]);
  for (let count = 0; count < 500; count++) pace.took(0.01);
  pace.took(50);
  assert.equal(left(), 500);
});
