import assert from 'node:assert/strict';
import { constants, fstatSync, readdirSync, readlinkSync, write } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { inFolder } from '../../testing/storage.ts';
import { OpenFiles } from './open-files.ts';

const writeAt = promisify(write);
const flags = constants.O_RDWR | constants.O_CREAT;
/** Max turns of the event loop until a close that nobody awaits has ended. */
const maxTurns = 100_000;

/** Paths of a folder that this process has open, sorted. Descriptor numbers say nothing: other tests reuse them. */
function openIn(folder: string): string[] {
  const paths = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The descriptor that listed the others is closed.
      return '';
    }
  });
  return paths.filter((path) => path.startsWith(`${folder}/`)).sort();
}

test('no more files stay open than are allowed, and none is closed under its user', () =>
  inFolder(async (folder) => {
    const files = new OpenFiles(3);
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
    for (const [at, path] of paths.slice(1).entries()) {
      await files.use(path, flags, async (descriptor) => {
        await writeAt(descriptor, Buffer.from(path), 0, path.length, 0);
      });
      // The file in use and the two used last.
      const expected = [first, ...paths.slice(Math.max(1, at), at + 2)];
      for (let turn = 0; openIn(folder).length > expected.length && turn < maxTurns; turn++)
        await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(openIn(folder), expected);
    }
    const closing = files.close(first);
    assert.ok(openIn(folder).includes(first), 'its user still has it');
    goOn();
    await Promise.all([slow, closing]);
    assert.equal(await readFile(first, 'utf8'), 'slow');
    for (const path of paths.slice(1)) assert.equal(await readFile(path, 'utf8'), path);
    assert.deepEqual(openIn(folder), paths.slice(-2));
    await files.closeAll();
    assert.deepEqual(openIn(folder), []);
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
