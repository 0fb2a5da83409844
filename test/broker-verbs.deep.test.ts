import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { search, startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf } from './commands/command-here.ts';

const limit = { timeout: 120_000 };

interface GathererReady {
  readonly collect: string;
}
interface BrokerReady {
  readonly search: string;
}
interface Searches {
  readonly searches: number;
  readonly withoutHits: number;
  readonly queries: readonly { readonly query: string }[];
}
interface ListedSource {
  readonly url: string;
  readonly intervalSeconds: number | null;
}
interface GathererStatus {
  readonly serverId: string;
  readonly objects: number;
  readonly lsn: number;
}

test('searches, duplicates and source set are verbs of a Broker, served or not', limit, async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  await writeFile(join(folder.path, 'site/a.txt'), 'the harbour has moorings\n');
  await writeFile(join(folder.path, 'garner.yaml'), 'broker.search-log: counts\n');
  const root = ['--root', 'site', '--base-url', 'https://harbour.example/'];
  const gathering = (data: string) =>
    startServer<GathererReady>(['gatherer', 'serve', ...root, '--data', data, '--port', '0'], here);
  // Two Gatherers of one site: each page has two summaries.
  await using one = await gathering('one');
  await using two = await gathering('two');
  for (const data of ['one', 'two']) await jsonOf(['gatherer', 'run', '--data', data], here);
  const sources = [one, two].flatMap(({ ready }) => ['--collect', ready.collect]);
  await using broker = await startServer<BrokerReady>(
    ['broker', 'serve', ...sources, '--data', 'b', '--port', '0'],
    here,
  );
  const garner = <Value>(...args: readonly string[]) =>
    jsonOf<Value>(['broker', ...args, '--data', 'b'], here);
  await garner('collect');

  await search(broker.ready.search, 'harbour');
  await search(broker.ready.search, 'volcano');

  const duplicates = async () =>
    (await garner<{ readonly urls: readonly { readonly url: string }[] }>('duplicates')).urls.map(
      ({ url }) => url,
    );
  assert.deepEqual(await duplicates(), ['https://harbour.example/a.txt']);
  await garner('duplicates', '--delete');
  assert.deepEqual(await duplicates(), []);

  const address = one.ready.collect;
  const interval = async () =>
    (await garner<ListedSource[]>('source', 'list')).find(({ url }) => url.startsWith(address))
      ?.intervalSeconds;
  await garner('source', 'set', address, '--interval', '2h');
  assert.equal(await interval(), 7200);

  // A query counts after a pause in typing.
  while ((await garner<Searches>('searches', '--without-hits')).withoutHits === 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await broker.stop();
  const { queries, withoutHits } = await garner<Searches>('searches', '--without-hits');
  assert.deepEqual([queries.map(({ query }) => query), withoutHits], [['volcano'], 1]);
});

test(
  'a data folder that was copied while it was not served is the same Gatherer elsewhere',
  limit,
  async () => {
    await using folder = await temporaryFolder();
    const here = { cwd: folder.path };
    await mkdir(join(folder.path, 'site'));
    for (const name of ['a', 'b'])
      await writeFile(join(folder.path, 'site', `${name}.txt`), `Text of ${name}.\n`);
    await jsonOf(['gatherer', 'run', '--root', 'site', '--data', 'data'], here);
    await cp(join(folder.path, 'data'), join(folder.path, 'backup'), { recursive: true });
    const statusOf = async (data: string) => {
      const { serverId, objects, lsn } = await jsonOf<GathererStatus>(
        ['gatherer', 'status', '--data', data],
        here,
      );
      return { serverId, objects, lsn };
    };
    const status = await statusOf('data');
    assert.equal(status.objects, 2);
    assert.deepEqual(await statusOf('backup'), status);
    const run = await jsonOf<{ readonly unchanged: number }>(['gatherer', 'run', '--data', 'backup'], here);
    assert.equal(run.unchanged, 2);
  },
);

test('a Broker without permission to check links or documents reports it', limit, async () => {
  await using folder = await temporaryFolder();
  const off = ['--no-broker-tables', '--no-broker-link-checks'];
  await using broker = await startServer<BrokerReady>(
    ['broker', 'serve', '--data', 'b', '--port', '0', ...off],
    { cwd: folder.path },
  );
  const oid = 'A'.repeat(43);
  for (const [method, path] of [
    ['GET', `/objects/${oid}/table`],
    ['POST', `/objects/${oid}/check`],
  ] as const) {
    const response = await fetch(new URL(path, broker.ready.search), { method });
    const { error } = (await response.json()) as { readonly error: { readonly code: string } };
    assert.equal(error.code, 'BROKER_NO_CHECKS', path);
  }
});
