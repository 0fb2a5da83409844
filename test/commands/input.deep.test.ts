import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, startPlain, temporaryFolder } from './command.ts';

test('a second Ctrl-C ends a command that waits for a pipe', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const child = startPlain(['soif', 'check', 'pipe'], { cwd });
    // Resolves when the command has opened the other end, which then stays silent.
    await using _writer = await open(join(cwd, 'pipe'), 'w');
    await Promise.all([
      child.stop(signal),
      child.saidOnError(/stops at once/).then(() => child.stop(signal)),
    ]);
  }
});

test('try refuses a pipe, and uses the argument after -- as its file', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const refused = await runCommand(['gatherer', 'try', 'pipe'], { cwd });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /pipe is not a regular file.*\[CLI_INPUT_UNREADABLE\]/);
  await writeFile(join(cwd, '-note'), 'Okapis live in forests.');
  const tried = await runCommand(['gatherer', 'try', '--as', 'x.txt', '--', '-note'], { cwd });
  assert.equal(tried.code, 0, tried.stderr);
  assert.match(tried.stdout, /recognise +Text/);
});

test('an import that finds nothing in the given notation is an error', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'a.soif'), '@FILE { http://a.example/\nTitle{5}:\thello\n}\n');
  const annotate = (...as: string[]) =>
    runCommand(['gatherer', 'annotate', '--import', 'a.soif', ...as], { cwd });
  const wrong = await annotate('--as', 'bibtex');
  assert.equal(wrong.code, 2, wrong.stderr);
  assert.match(wrong.stderr, /\[CLI_IMPORT_EMPTY\]\n {2}try {3}.*omit --as/);
});

test('config and doctor report named things that are missing', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const rules = '  rules: [{ pipe: { Title: no-such-program } }]\n';
  await writeFile(join(cwd, 'garner.yaml'), `gatherer:\n${rules}  roots: [mbox:/nowhere/box]\n`);
  const shown = await runCommand(['config'], { cwd });
  assert.equal(shown.code, 2);
  assert.match(shown.stderr, /^warning: .*\/nowhere\/box is not there.*\(garner\.yaml:3\)\n/);
  assert.match(shown.stderr, /\[PROGRAM_ABSENT\]\n {2}at {4}garner\.yaml:2\n/);
  const ill = await runCommand(['doctor', '--data', 'new'], { cwd });
  assert.equal(ill.code, 1);
  assert.match(
    ill.stdout,
    /✗ the program no-such-program cannot be started \(garner\.yaml:2\)\n {4}install it/,
  );
  assert.match(ill.stdout, /✗ .*\/nowhere\/box is not there.*\(garner\.yaml:3\)\n/);
  assert.doesNotMatch(ill.stdout, /configuration is valid/);
  await writeFile(join(cwd, 'garner.yaml'), 'gatherer: { threads: 1 }\n');
  assert.match((await runCommand(['doctor', '--data', 'new'], { cwd })).stdout, /configuration is valid/);
});

test('a Gatherer without a root names the setting and the command with the data folder', async () => {
  await using folder = await temporaryFolder();
  const { code, stderr } = await runCommand(['gatherer', 'serve', '--data', 'd'], { cwd: folder.path });
  assert.equal(code, 2);
  assert.match(stderr, /\[GATHERER_NOTHING\]\n/);
  assert.match(stderr, /gatherer\.roots of garner\.yaml .*\/etc\/garner\/garner\.yaml/);
  assert.ok(stderr.includes(`gatherer run --root FOLDER|URL --data ${join(folder.path, 'd')}`), stderr);
});
