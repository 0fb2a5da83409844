import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { scratch } from '../../testing/run-memory.ts';
import { readLsLr } from './ls-lr.ts';

const listed = (text: string) =>
  [...readLsLr(text)].map(({ path, entry }) => `${path.join('/')} ${entry.size} ${entry.listed}`);

test('output of ls -lR of a real tree: files only, any name, any style of date', () => {
  using home = scratch('ls');
  mkdirSync(join(home.path, 'a b/deep:'), { recursive: true });
  for (const name of ['x', 'a b/ leading', 'a b/tail:', 'a b/deep:/total 5', 'a b/-rw'])
    writeFileSync(join(home.path, name), name);
  symlinkSync('x', join(home.path, 'link'));
  const run = (...args: string[]) =>
    execFileSync('ls', ['-lR', ...args], {
      cwd: home.path,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      encoding: 'latin1',
    });
  for (const args of [[], ['--full-time'], ['--time-style=long-iso'], ['--time-style=+%Y-%m-%d %H:%M']]) {
    const names = [...readLsLr(run(...args))].map(({ path }) => path.join('/'));
    if (args[0] !== '--full-time')
      assert.deepEqual(
        names.sort(),
        ['a b/ leading', 'a b/-rw', 'a b/deep:/total 5', 'a b/tail:', 'x'],
        args.join(),
      );
  }
});

test('old listings: a root path, DOS line ends, devices, paths that lead upwards', () => {
  const text = [
    'total 12',
    'drwxr-xr-x  2 root  wheel     512 Jan  1  1994 pub',
    '-rw-r--r--  1 root  wheel    1024 Nov 21 10:20 README',
    'crw-r--r--  1 root  wheel   1,  3 Nov 21 10:20 null',
    'lrwxr-xr-x  1 root  wheel       3 Nov 21 10:20 p -> pub',
    '',
    './pub:',
    'total 1',
    '-rw-r--r--  1 ftp   ftp        7 Feb 29  1996 x.tar.Z',
    '',
    './pub/../../etc:',
    '-rw-r--r--  1 ftp   ftp        7 Feb 29  1996 passwd',
    '',
    '/abs/dir:',
    '-rw-r--r--  1 ftp   ftp        8 Feb 29  1996 y',
  ].join('\r\n');
  assert.deepEqual(listed(text), [
    'README 1024 Nov 21 10:20',
    'pub/x.tar.Z 7 Feb 29 1996',
    'abs/dir/y 8 Feb 29 1996',
  ]);
});

test('any text gives paths that stay below the root', () => {
  const line = fc.constantFrom(
    './a:',
    '../b:',
    '',
    'total 3',
    '-rw-r--r-- 1 a b 3 Nov 21 10:20 x',
    '-rw-r--r-- 1 a b 3 Nov 21 10:20 ..',
    'd:',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
      for (const { path } of readLsLr(lines.join('\n')))
        for (const name of path)
          assert.ok(name !== '..' && name !== '.' && name !== '' && !name.includes('/'));
    }),
  );
  assert.deepEqual(listed(`${'x'.repeat(1_000_000)}\n`), []);
});
