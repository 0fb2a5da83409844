import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  freePort,
  type Server,
  search,
  startServer,
  temporaryFolder,
  untilFound,
} from './commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from './commands/command-here.ts';

interface BrokerReady {
  readonly search: string;
}
interface GathererReady {
  readonly collect: string;
}
interface Shown {
  readonly origin: {
    readonly publisher: { readonly serverId: string; readonly name: string | null };
    readonly path: readonly { readonly serverId: string; readonly name: string | null }[];
  };
}
interface Status {
  readonly serverId: string;
  readonly sources: readonly { readonly objects: number; readonly passedOver: { readonly own: number } }[];
}

test('provider, Gatherer, Broker, Broker with a filter, Broker with a filter: real processes', async (t) => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  const page = (name: string, text: string) =>
    writeFile(join(folder.path, 'site', `${name}.txt`), `${text}\n`);
  await mkdir(join(folder.path, 'site'));
  await page('a', 'the harbour has moorings');
  await page('b', 'the lighthouse of the harbour is closed');
  await page('c', 'the mill stands in the hills');
  const servers: Server<unknown>[] = [];
  t.after(() => Promise.all(servers.map((server) => server.stop())));
  const gatherer = await startServer<GathererReady>(
    [...['gatherer', 'serve', '--root', 'site', '--base-url', 'https://harbour.example/'], '--port', '0'],
    here,
  );
  servers.push(gatherer);
  const ports = { a: await freePort(), b: await freePort(), c: await freePort() };
  const at = (name: keyof typeof ports) => `ws://127.0.0.1:${ports[name]}/`;
  const broker = async (name: keyof typeof ports, sources: readonly string[], query?: string) => {
    const [source] = sources;
    const filters = query === undefined ? [] : [{ source, query }];
    const config = join(folder.path, name);
    await mkdir(config);
    const settings = { broker: { name: `topic ${name}`, collect: sources, filters } };
    await writeFile(join(config, 'garner.yaml'), JSON.stringify(settings));
    const served = await startServer<BrokerReady>(['broker', 'serve', '--port', String(ports[name])], {
      cwd: config,
    });
    servers.push(served);
    return served;
  };
  // The first one also collects from the last: objects that come back must not stay.
  const first = await broker('a', [gatherer.ready.collect, at('c')]);
  const second = await broker('b', [at('a')], 'harbour');
  const third = await broker('c', [at('b')], 'lighthouse OR moorings OR buoys');
  const all = [first, second, third].map(({ ready }) => ready.search);
  const last = third.ready.search;
  await untilFound(last, 'harbour', ({ total, relaxed }) => total === 2 && !relaxed);
  assert.equal((await search(first.ready.search, 'mill')).total, 1);
  assert.equal((await search(second.ready.search, 'mill')).total, 0, 'the filter of the second');

  const [hit] = (await search(last, 'moorings')).hits;
  const shown = await jsonOf<Shown>(['broker', 'show', hit?.oid ?? ''], { cwd: join(folder.path, 'c') });
  const statusOf = async (url: string) => (await (await fetch(new URL('/status', url))).json()) as Status;
  const ids = await Promise.all(all.map(async (url) => (await statusOf(url)).serverId));
  const { path, publisher } = shown.origin;
  assert.deepEqual(
    path.map(({ serverId }) => serverId),
    [publisher.serverId, ids[0], ids[1]],
  );
  assert.equal(path[2]?.name, 'topic b');
  const text = await runCommand(['broker', 'show', hit?.oid ?? ''], { cwd: join(folder.path, 'c') });
  assert.match(text.stdout, /path .* > .* > topic b \(.*\) > this Broker/);

  // A change is searchable at the third; a hint starts each step, not the interval of five minutes.
  const changed = performance.now();
  await page('a', 'the harbour has buoys');
  await untilFound(last, 'buoys', ({ total, relaxed }) => total === 1 && !relaxed);
  t.diagnostic(`a change was searchable at the third after ${Math.round(performance.now() - changed)} ms`);
  // An object that no longer matches the filter of the third leaves it, and only it.
  await page('b', 'the harbour is wide');
  await untilFound(last, 'harbour', ({ total }) => total === 1);
  await untilFound(second.ready.search, 'wide', ({ total }) => total === 1);
  // A deletion takes it away everywhere.
  const deleted = performance.now();
  await rm(join(folder.path, 'site/a.txt'));
  for (const url of all) await untilFound(url, 'buoys', ({ total }) => total === 0);
  t.diagnostic(`a deletion had left all three after ${Math.round(performance.now() - deleted)} ms`);
  await page('d', 'moorings in the harbour');
  await untilFound(last, 'moorings', ({ total, relaxed }) => total === 1 && !relaxed);
  for (const url of all) assert.equal((await search(url, 'buoys')).total, 0, 'it did not come back');
  // A Broker may index a change after the Brokers that it sent the change to.
  await untilFound(first.ready.search, 'moorings', ({ total }) => total === 1);
});
