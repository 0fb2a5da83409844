import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../fetch/index.ts';
import { publicationOf, publish } from '../publication/index.ts';
import { ContentFingerprint } from '../registry/coverage/content-fingerprint.ts';
import { descriptionObject, type ServerType } from '../registry/descriptions/index.ts';
import { identityFrom, newIdentitySecret, type Oid, summaryObject } from '../soif/index.ts';
import { startServer, temporaryFolder } from './commands/command.ts';
import { runHere } from './commands/command-here.ts';

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
  const register = async (type: ServerType, url: string, places: Readonly<Record<string, string>>) => {
    const updatedAt = Math.floor(Date.now() / 1000);
    const { attributes } = descriptionObject(
      {
        ...{ type, url, name: `${type} of the harbour`, software: 'garner/0.2.0', description: '' },
        ...{ administrator: '', location: '', objects: undefined, refreshSeconds: 60, ttlSeconds: 300 },
      },
      updatedAt,
    );
    const facts = attributes.map(({ name, value }) => [name, value] as const);
    const object = summaryObject(url, [...facts, ...Object.entries(places)], type);
    await publish(at, publicationOf(identityFrom(newIdentitySecret()), object, { updatedAt }), client);
  };
  await register('GATHERER', 'http://harbour.example:8500/', { Roots: 'https://harbour.example/' });
  await register('BROKER', 'https://search.example/', {
    'Collects-From': 'live http://harbour.example:8500/',
  });
  const contents = (from: number, to: number) => {
    const fingerprint = new ContentFingerprint();
    for (let page = from; page < to; page++) fingerprint.put(`${page}` as Oid, `page ${page}`);
    return `${fingerprint}`;
  };
  await register('BROKER', 'https://twin.example/', { 'Content-Fingerprint': contents(0, 60) });
  await register('BROKER', 'https://stranger.example/', { 'Content-Fingerprint': contents(60, 120) });
  await register('GATHERER', 'https://mirror.example/', { 'Content-Fingerprint': contents(10, 70) });
  const gather = (...more: readonly string[]) =>
    runHere(['gatherer', 'run', '--root', '.', '--base-url', 'https://harbour.example/docs/', ...more], {
      cwd: folder.path,
    });
  const run = await gather('--registry', at);
  assert.equal(run.code, 0);
  assert.match(
    run.stderr,
    /GATHERER of the harbour gathers https:\/\/harbour\.example\/ already \(live, renewed \d+ s ago\)/,
  );
  assert.match(run.stderr, /garner broker serve --collect ws:\/\/harbour\.example:8500\//);
  assert.doesNotMatch((await gather()).stderr, /already/);
  const added = await runHere(
    ['broker', 'source', 'add', 'ws://harbour.example:8500', '--paused', '--registry', at],
    { cwd: folder.path },
  );
  assert.equal(added.code, 0);
  assert.match(added.stderr, /BROKER of the harbour collects from ws:\/\/harbour\.example:8500\/ already/);
  const mirror = ['broker', 'source', 'add', 'wss://mirror.example', '--paused', '--registry', at];
  const { stderr } = await runHere(mirror, { cwd: folder.path });
  assert.match(stderr, /BROKER of the harbour has about 71 % of its contents in common/);
  assert.equal(stderr.match(/in common/g)?.length, 1);
  const silent = await gather('--registry', 'http://127.0.0.1:1');
  assert.equal(silent.code, 0);
  assert.match(silent.stderr, /was not asked who gathers/);
});
