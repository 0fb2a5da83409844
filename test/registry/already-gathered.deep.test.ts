import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import type { ServerEntry } from '../../registry/index.ts';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere } from '../commands/command-here.ts';
import { until } from '../kill/server-process.ts';
import { register } from './registered.ts';

test('a new Gatherer and a new source are noted when a registered server covers them, and run all the same', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'index.html'), '<title>Harbour</title><p>tide');
  await using registry = await startServer<{ readonly registry: string }>(
    ['registry', 'serve', '--port', '0'],
    {
      cwd: folder.path,
    },
  );
  const at = registry.ready.registry;
  await using client = new HttpClient({ userAgent: 'test', allowHosts: [at], delayMs: 0 });
  await register(at, client, {
    ...{ type: 'GATHERER', name: 'Gatherer of the harbour', url: 'http://harbour.example:8500/' },
    attributes: [['Roots', 'https://harbour.example/']],
  });
  await register(at, client, {
    ...{ type: 'BROKER', name: 'Broker of the harbour', url: 'https://search.example/' },
    attributes: [['Collects-From', 'live http://harbour.example:8500/']],
  });
  const gather = (...more: readonly string[]) =>
    runHere(['gatherer', 'run', '--root', '.', '--base-url', 'https://harbour.example/docs/', ...more], {
      cwd: folder.path,
    });
  const run = await gather('--registry', at);
  assert.equal(run.code, 0);
  assert.match(
    run.stderr,
    /Gatherer of the harbour gathers https:\/\/harbour\.example\/ already \(live, renewed \d+ s ago\)/,
  );
  assert.match(run.stderr, /garner broker serve --collect 'ws:\/\/harbour\.example:8500\/'/);
  assert.doesNotMatch((await gather()).stderr, /already/);
  const added = await runHere(
    ['broker', 'source', 'add', 'ws://harbour.example:8500', '--paused', '--registry', at],
    { cwd: folder.path },
  );
  assert.equal(added.code, 0);
  assert.match(added.stderr, /Broker of the harbour collects from http:\/\/harbour\.example:8500\/ already/);
  // Two Gatherers of one folder, at different addresses, and one of another folder.
  const serve = (name: string, root: string) =>
    startServer<{ readonly collect: string }>(
      [
        ...['gatherer', 'serve', '--port', '0', '--data', name, '--name', name, '--root', root],
        ...['--base-url', `https://${name}.example/`, '--registry', at],
      ],
      { cwd: folder.path },
    );
  await mkdir(join(folder.path, 'other'));
  await writeFile(join(folder.path, 'other', 'index.html'), '<title>Tower</title><p>bells');
  await mkdir(join(folder.path, 'same'));
  await writeFile(join(folder.path, 'same', 'index.html'), '<title>Harbour</title><p>tide');
  await using _original = await serve('original', 'same');
  await using _other = await serve('another', 'other');
  await using mirror = await serve('mirror', 'same');
  await until(
    'three counted Gatherers',
    () => jsonHere<readonly ServerEntry[]>(['registry', 'list', '--registry', at], { cwd: folder.path }),
    (servers) => servers.filter(({ objects }) => objects === 1).length === 3,
  );
  const source = ['broker', 'source', 'add', mirror.ready.collect, '--paused', '--registry', at];
  const { stderr } = await runHere(source, { cwd: folder.path });
  assert.match(stderr, /gatherer original has about 100 % of its contents in common/);
  assert.equal(stderr.match(/in common/g)?.length, 1);
  const silent = await gather('--registry', 'http://127.0.0.1:1');
  assert.equal(silent.code, 0);
  assert.match(silent.stderr, /was not asked who gathers/);
});
