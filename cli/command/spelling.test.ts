import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verbs } from '../verbs/verbs.ts';
import { spelledOut, spelling } from './spelling.ts';
import { wordsOf } from './verb.ts';

test('a program is named as the person can type it here', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-spelling-'));
  try {
    const at = (...parts: string[]) => join(folder, ...parts);
    for (const path of ['checkout/dist/cli', 'bin', 'other', 'project/node_modules/.bin', 'project/sub'])
      await mkdir(at(path), { recursive: true });
    const programs = at('checkout/dist/cli');
    await writeFile(join(programs, 'garner.js'), '');
    await symlink(join(programs, 'garner.js'), at('bin/garner'));
    await symlink(join(programs, 'garner.js'), at('project/node_modules/.bin/garner'));
    await writeFile(at('other/garner'), '');
    const typed = (cwd: string, path: readonly string[], env: Record<string, string> = {}) =>
      spelling({
        env: { PATH: path.map((part) => at(part)).join(':'), ...env },
        cwd: at(cwd),
        packageFolder: at('checkout'),
        programs,
      })('garner');
    const byPath = `node ${join(programs, 'garner.js')}`;
    const underNpm = { npm_lifecycle_event: 'start' };
    assert.equal(typed('other', ['bin']), 'garner', 'npm link put it on PATH');
    assert.equal(typed('checkout', ['bin']), 'garner');
    assert.equal(typed('checkout', []), 'npx garner', 'a clone');
    assert.equal(typed('checkout/dist', [], underNpm), 'npx garner', 'npm start in a clone');
    assert.equal(typed('checkout', ['other', 'bin']), 'npx garner', 'the shell finds another program first');
    assert.equal(typed('other', []), byPath, 'npx would ask the registry');
    assert.equal(typed('project/sub', []), 'npx garner', 'a project that depends on it');
    assert.equal(typed('project', ['project/node_modules/.bin'], underNpm), 'npx garner', "npm's own PATH");
    assert.equal(typed('other', ['project/node_modules/.bin'], underNpm), byPath);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('commands in a sentence are spelled out, other words are left', () => {
  const spell = (name: string) => `npx ${name}`;
  assert.equal(
    spelledOut('run garner up, (garner gatherer why URL) or garner config', spell),
    'run npx garner up, (npx garner gatherer why URL) or npx garner config',
  );
  for (const text of ['npx garner up', 'garner is small', 'node dist/cli/garner.js up', './garner-data up'])
    assert.equal(spelledOut(text, spell), text);
});

test('commands of every verb are spelled out', () => {
  for (const verb of [...verbs.map((verb) => wordsOf(verb).join(' ')), 'completion', 'help'])
    assert.equal(
      spelledOut(`see garner ${verb}`, () => 'npx garner'),
      `see npx garner ${verb}`,
    );
});
