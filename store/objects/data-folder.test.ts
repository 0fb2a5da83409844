import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { GarnerError, ManualClock, systemRandom } from '../../kernel/index.ts';
import { newIdentitySecret, successionOf } from '../../soif/index.ts';
import { openDataFolder, readFolderIdentity, readHolder } from './data-folder.ts';

const folder = await mkdtemp(join(tmpdir(), 'garner-data-folder-'));
after(() => rm(folder, { recursive: true, force: true }));

const open = (path: string, create = true) =>
  openDataFolder(path, { role: 'gatherer', create, clock: new ManualClock(), random: systemRandom });

const refused = (code: string, said: RegExp) => (error: unknown) => {
  assert.ok(error instanceof GarnerError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, said);
  assert.match(error.hint, /--data/);
  return true;
};

test('missing folders are made one by one, for this user alone', async () => {
  const path = join(folder, 'a', 'b', 'gatherer');
  await using _opened = await open(path);
  for (const made of [path, join(folder, 'a')]) assert.equal((await stat(made)).mode & 0o777, 0o700);
  // And when they exist.
  await using _again = await open(join(folder, 'a', 'b', 'other'));
});

test('a folder that cannot be opened for lack of room is STORE_FULL, not unreadable, and opens when there is room', async () => {
  const full = (error: unknown) => error instanceof GarnerError && error.code === 'STORE_FULL';
  const path = join(folder, 'full');
  await mkdir(join(path, 'store'), { recursive: true });
  // /dev/full refuses every write with ENOSPC: first the one of LevelDB, then that of the identity.
  for (const name of [join('store', 'MANIFEST-000001'), `identity.json.${process.pid}.new`]) {
    await symlink('/dev/full', join(path, name));
    await assert.rejects(open(path), full, name);
    await rm(join(path, name), { force: true });
  }
  await using _opened = await open(path);
});

test('a place below a file is refused by its name', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'x');
  for (const path of [file, join(file, 'gatherer'), join(file, 'deep', 'gatherer')]) {
    await assert.rejects(open(path), refused('STORE_UNREADABLE', /\/file is a file, not a folder/));
    await assert.rejects(open(path, false), refused('STORE_MISSING', /there is no store/));
  }
});

test('a place where no folder can be made is refused at once', { timeout: 10_000 }, async (t) => {
  if (!(await stat('/proc/self').catch(() => undefined))) return t.skip('SKIPPED: there is no /proc here');
  await assert.rejects(
    open('/proc/garner/data/gatherer'),
    refused('STORE_UNREADABLE', /\/proc\/garner cannot be made/),
  );
  await assert.rejects(open(join(folder, 'x'.repeat(300))), refused('STORE_UNREADABLE', /ENAMETOOLONG/));
});

test('the holder of a folder is reported with its address, and forgotten when it closes', async () => {
  const path = join(folder, 'held');
  const held = await open(path);
  await assert.rejects(
    open(path),
    refused('STORE_LOCKED', new RegExp(`process ${process.pid} \\(gatherer\\)`)),
  );
  await held.announce({ address: 'http://127.0.0.1:4711', token: 'secret' });
  await assert.rejects(open(path), refused('STORE_LOCKED', /\(gatherer at http:\/\/127\.0\.0\.1:4711\)/));
  await held[Symbol.asyncDispose]();
  assert.equal(await readHolder(path), undefined);
});

test("closing leaves another process's report alone", async () => {
  const path = join(folder, 'moved');
  const held = await open(path);
  await writeFile(join(path, 'holder.json'), JSON.stringify({ pid: process.pid + 1, role: 'gatherer' }));
  await held[Symbol.asyncDispose]();
  assert.equal((await readHolder(path))?.pid, process.pid + 1);
});

test('an identity file that is not a file is reported as such', async () => {
  const path = join(folder, 'identity');
  await mkdir(join(path, 'identity.json'), { recursive: true });
  await assert.rejects(
    open(path),
    (error) => error instanceof GarnerError && error.code === 'STORE_IDENTITY',
  );
  assert.deepEqual(await readdir(path), ['identity.json']);
});

test('a new key is that of the same server from the next opening on, and an interrupted change leaves the old one', async () => {
  const path = join(folder, 'keys');
  const change = async (isRevoked: boolean) => {
    await using opened = await open(path);
    return await opened.changeKey(isRevoked);
  };
  const noOldKey = (error: unknown) => error instanceof GarnerError && error.code === 'STORE_NO_OLD_KEY';
  await assert.rejects(change(true), noOldKey);
  const first = await readFolderIdentity(path);
  // What a process that was killed leaves behind.
  await writeFile(join(path, 'identity.json.1.new'), '{"serverId":');
  const second = await change(false);
  assert.equal(second.serverId, first.serverId);
  assert.notDeepEqual(second.publicKey, first.publicKey);
  const third = await change(true);
  await assert.rejects(change(true), noOldKey);
  await using opened = await open(path);
  assert.deepEqual(opened.identity.publicKey, second.publicKey);
  const found = successionOf(first.serverId, opened.identity.succession ?? []);
  assert.deepEqual([found?.valid, found?.revoked], [[third.publicKey], [first.publicKey]]);
  await assert.rejects(open(path), (error) => error instanceof GarnerError && error.code === 'STORE_LOCKED');
});

test('an identity whose links do not lead to its key is refused, and its cure is a backup', async () => {
  const path = join(folder, 'links');
  {
    await using opened = await open(path);
    await opened.changeKey(false);
  }
  const file = join(path, 'identity.json');
  // Without its checksum it is the operator's own.
  const { check: _, ...row } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...row, privateKey: newIdentitySecret().privateKey }));
  await assert.rejects(
    open(path),
    (error) =>
      error instanceof GarnerError && error.code === 'STORE_IDENTITY' && /backup/.test(error.hint ?? ''),
  );
});
