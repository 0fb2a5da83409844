import assert from 'node:assert/strict';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataOwnerWarning, ownerWarning } from './data-owner.ts';

test('only root is warned, and only of a data folder that belongs to another user', () => {
  const line = 'garner gatherer status';
  const warned = (euid: number | undefined, uid: number, name?: string) =>
    ownerWarning(euid, { path: '/var/lib/garner', owner: { uid, gid: uid, name }, line });
  assert.equal(
    warned(0, 110, 'garner'),
    'warning: /var/lib/garner is owned by garner, and new files in it will belong to root; ' +
      'run this as garner: runuser -u garner -- garner gatherer status …',
  );
  assert.match(warned(0, 61_234) ?? '', /is owned by user 61234, .*; run this as user 61234$/);
  for (const [euid, uid] of [
    [0, 0],
    [110, 110],
    [110, 0],
    [undefined, 110],
  ] as const)
    assert.equal(warned(euid, uid, 'garner'), undefined);
});

test('the owner of a data folder is the one that the system names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-owner-'));
  try {
    assert.equal(await dataOwnerWarning(folder, 'garner up'), undefined);
    assert.equal(await dataOwnerWarning(join(folder, 'none'), 'garner up'), undefined);
    // Only root may give a folder away, and only root is warned.
    if (process.geteuid?.() !== 0) return;
    await chown(folder, 1, 1);
    const daemon = /is owned by daemon, .* runuser -u daemon -- garner up …$/;
    assert.match((await dataOwnerWarning(folder, 'garner up')) ?? '', daemon);
  } finally {
    await rm(folder, { recursive: true });
  }
});
