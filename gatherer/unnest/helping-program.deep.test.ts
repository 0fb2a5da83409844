import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { UnnestBudget } from './budget.ts';
import { isMember } from './member.ts';
import { unnest } from './unnest.ts';

let folder = '';
const { TMPDIR } = process.env;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-helping-'));
  await mkdir(join(folder, 'tmp'));
  process.env.TMPDIR = join(folder, 'tmp');
});
after(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await rm(folder, { recursive: true });
});

const archive = Buffer.from("7z\xbc\xaf'\x1c and what follows", 'latin1');

/** The refusal of a 7z file when this script is bsdtar. */
async function refusal(script: string, signal?: AbortSignal) {
  const path = join(folder, 'bsdtar');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  const environment = { path: folder, ...(signal && { signal }) };
  for await (const found of unnest('Archive', archive, 'a.7z', new UnnestBudget(1000), environment))
    if (!isMember(found)) return found.error;
  return undefined;
}

test('the archive has no name while its reader works: after a kill of the thread, no file is left', async () => {
  const error = await refusal(`ls '${folder}/tmp' >&2; cat /dev/fd/0 >&2; exit 1`);
  assert.equal(error?.code, 'UNNEST_BROKEN');
  // The listing before it is empty.
  assert.match(error?.message ?? '', /its reader says: 7z.* and what follows/);
  assert.deepEqual(await readdir(join(folder, 'tmp')), []);
});

test('a fault of the machine is no fault of the document, and is tried again', async () => {
  const killed = await refusal('kill -9 $$');
  assert.deepEqual([killed?.code, killed?.retry], ['UNNEST_TROUBLE', 'later']);
  process.env.TMPDIR = join(folder, 'nowhere');
  const full = await refusal('exit 0');
  process.env.TMPDIR = join(folder, 'tmp');
  assert.deepEqual([full?.code, full?.retry], ['UNNEST_TROUBLE', 'later']);
  assert.doesNotMatch(full?.message ?? '', /garner-unnest-/);
});

test('the hint names the program', async () => {
  const environment = { path: '' };
  for await (const found of unnest('Archive', archive, 'a.7z', new UnnestBudget(1000), environment)) {
    assert.ok(!isMember(found));
    assert.equal(found.error.code, 'UNNEST_TOOL');
    assert.doesNotMatch(found.error.hint, /7zip/);
  }
});
