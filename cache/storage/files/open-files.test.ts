import assert from 'node:assert/strict';
import { constants, fstatSync, write } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { inFolder } from '../../testing/storage.ts';
import { OpenFiles } from './open-files.ts';

const writeAt = promisify(write);
const flags = constants.O_RDWR | constants.O_CREAT;

test('no more files stay open than are allowed, and none is closed under its user', () =>
  inFolder(async (folder) => {
    const files = new OpenFiles(3);
    const descriptors = new Map<string, number>();
    const paths = Array.from({ length: 10 }, (_, at) => join(folder, String(at)));
    const first = paths[0] as string;
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = files.use(first, flags, async (descriptor) => {
      await waiting;
      await writeAt(descriptor, Buffer.from('slow'), 0, 4, 0);
    });
    for (const path of paths.slice(1))
      await files.use(path, flags, async (descriptor) => {
        descriptors.set(path, descriptor);
        await writeAt(descriptor, Buffer.from(path), 0, path.length, 0);
      });
    assert.ok(new Set(descriptors.values()).size <= 3, 'descriptors are given back and used again');
    const closing = files.close(first);
    goOn();
    await Promise.all([slow, closing]);
    assert.equal(await readFile(first, 'utf8'), 'slow');
    for (const path of paths.slice(1)) assert.equal(await readFile(path, 'utf8'), path);
    await files.closeAll();
    for (const descriptor of descriptors.values())
      assert.throws(() => fstatSync(descriptor), { code: 'EBADF' });
  }));

test('a file that could not be opened is tried again', () =>
  inFolder(async (folder) => {
    const files = new OpenFiles();
    const path = join(folder, 'x');
    await assert.rejects(
      files.use(path, constants.O_RDWR, async () => {}),
      { code: 'ENOENT' },
    );
    await files.use(
      path,
      flags,
      async (descriptor) => void (await writeAt(descriptor, Buffer.from('y'), 0, 1, 0)),
    );
    await files.use(path, constants.O_RDWR, async (descriptor) =>
      assert.equal(fstatSync(descriptor).size, 1),
    );
    await files.closeAll();
  }));
