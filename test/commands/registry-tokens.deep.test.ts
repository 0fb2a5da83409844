import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './command.ts';
import { runHere, serveHere } from './command-here.ts';

test('a token is made only where its server has data, or in the default folder before the first start', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const add = (group: string, ...more: string[]) => runHere([group, 'token', 'add', 'x', ...more], { cwd });
  const broker = join(cwd, 'physics', 'broker');
  await mkdir(broker, { recursive: true });
  const wrong: readonly (readonly [string, ...string[]])[] = [
    ['broker', '--data', 'nowhere'],
    ['registry', '--data', 'nowhere'],
    ['registry', '--data', 'physics'],
    ['registry'],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = await add(...args);
    assert.deepEqual([code, stdout], [10, ''], args.join(' '));
    assert.match(stderr, /\[STORE_MISSING\][\s\S]*--data/, args.join(' '));
  }
  assert.deepEqual(await readdir(cwd), ['physics'], 'no folder is made');
  assert.deepEqual(await readdir(join(cwd, 'physics')), ['broker']);
  const early = await add('broker');
  assert.equal(early.code, 0, early.stderr);
  assert.match(early.stderr, /this token is for the Broker that you start with --data garner-data/);
  assert.doesNotMatch((await runHere(['broker', 'token', 'add', 'y'], { cwd })).stderr, /that you start/);
});

test('a wrong option of a verb of a Registry is refused with exit code 2, the reason and what to write', async () => {
  await using folder = await temporaryFolder();
  const data = ['--data', folder.path];
  const at = ['--registry', 'http://127.0.0.1:8502'];
  const address = (text: string) => ['registry', 'list', '--registry', text];
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['search', 'x', ...at, '--brokers', '0'], /--brokers takes a whole number from 1 to 64/],
    [['search', 'x', ...at, '--brokers', 'abc'], /--brokers takes a whole number from 1 to 64/],
    [['search', ...at], /garner search QUERY --registry http:\/\/127\.0\.0\.1:8502/],
    [
      ['registry', 'register', 'http://a.example/', '--type', 'brokr', '--name', 'a', ...data],
      /--type is one of gatherer, broker, .*garner registry register --help/s,
    ],
    [address('127.0.0.1:8502'), /http:\/\/ or https:\/\/ is missing/],
    [address('ws://127.0.0.1:8502'), /ws:\/\/ in place of http:\/\//],
    [address('http://127.0.0.1:99999'), /a port is at most 65535, not 99999/],
  ];
  for (const [argv, said] of cases) {
    const { code, stderr } = await runHere(argv, { cwd: folder.path });
    assert.equal(code, 2, `${argv.join(' ')}: ${stderr}`);
    assert.match(stderr, said);
  }
});

test('a Registry of the settings is listed and described, and its deadline is a time', async () => {
  await using folder = await temporaryFolder();
  const serve = ['registry', 'serve', '--port', '0', '--data', join(folder.path, 'r')];
  await using registry = await serveHere<{ readonly registry: string }>(serve);
  const url = registry.ready.registry;
  const place = { cwd: folder.path, env: { GARNER_SERVER_REGISTRY: url } };
  const list = await runHere(['registry', 'list'], place);
  assert.deepEqual([list.code, list.stdout], [0, 'no server is registered\n'], list.stderr);
  const late = await runHere(['search', 'x', '--registry', url, '--deadline', '500h'], place);
  assert.equal(late.code, 2, late.stderr);
  assert.match(late.stderr, /registry\.deadline/);
  assert.doesNotMatch(late.stderr, /openapi/);
});
