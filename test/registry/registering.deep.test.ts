import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DescribedServer, ServerEntry } from '../../registry/index.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere } from '../commands/command-here.ts';
import { script, upOnTerminal } from './terminal.ts';

type Ready = Readonly<Record<string, string>>;

const json = async <Value>(url: string) => (await (await fetch(url)).json()) as Value;

const serversOf = async (registry: string) =>
  (await json<{ readonly servers: readonly ServerEntry[] }>(`${registry}servers`)).servers;

/** The milliseconds until the list is as wanted. */
async function until(registry: string, holds: (servers: readonly ServerEntry[]) => boolean): Promise<number> {
  const started = performance.now();
  for (;;) {
    const servers = await serversOf(registry);
    if (holds(servers)) return performance.now() - started;
    assert.ok(performance.now() - started < 20_000, JSON.stringify(servers));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const registryIn = (cwd: string) =>
  startServer<Ready>(['registry', 'serve', '--port', '0', '--name', 'The university'], { cwd });

async function writeSite(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let page = 0; page < 6; page++)
    await writeFile(
      join(folder, `${page}.html`),
      `<title>Tide table ${page}</title><p>The harbour master prints tide table ${page} for ships at the quay.</p>`,
    );
}

const secret = 'a-long-secret-of-the-office';

test('every kind of server lists itself within two seconds with what it counted, and nothing that is private', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await writeSite(join(cwd, 'site'));
  await using registry = await registryIn(join(cwd));
  const at = registry.ready.registry as string;
  const own = ['--port', '0', '--registry', at, '--renewal', '1s'];
  const servers: Server<Ready>[] = [];
  const begin = async (args: readonly string[]) => {
    const before = (await serversOf(at)).length;
    const server = await startServer<Ready>([...args, ...own], { cwd });
    servers.push(server);
    const ms = await until(at, (listed) => listed.length > before);
    assert.ok(ms < 2000, `${args.join(' ')} was listed after ${ms} ms`);
    return server;
  };
  try {
    const gatherer = await begin([
      ...['gatherer', 'serve', '--root', 'site', '--base-url', 'https://tides.example/'],
      ...['--wire-tokens', secret],
    ]);
    const source = gatherer.ready.collect as string;
    await begin([
      ...['broker', 'serve', '--collect', source, '--wire-token', secret, '--name', 'Harbour'],
      ...['--administrator', 'The office', '--location', 'Bremen'],
    ]);
    const parent = `127.0.0.1:${await freePort()}`;
    await begin(['cache', 'serve', '--proxy', '--parent', parent, '--data', 'cache']);
    await begin(['registry', 'serve', '--data', 'second']);
    await until(at, (listed) => listed.some(({ name, types }) => name === 'Harbour' && types.length > 0));

    const listed = await jsonHere<readonly ServerEntry[]>(['registry', 'list', '--registry', at]);
    assert.deepEqual(listed.map(({ type }) => type).toSorted(), ['BROKER', 'CACHE', 'GATHERER', 'REGISTRY']);
    const broker = listed.find(({ type }) => type === 'BROKER');
    assert.deepEqual(
      [broker?.state, broker?.objects, broker?.backlog, broker?.links.live, broker?.types[0]?.value],
      ['live', 6, 0, 1, 'HTML'],
    );
    assert.match(broker?.software ?? '', /^garner\/\d/);
    assert.match(broker?.topic ?? '', /harbour/);
    assert.ok((broker?.bytes ?? 0) > 500 && (broker?.age ?? -1) >= 0);

    // The paper's four, of which the last two are not typed.
    const describe = ['registry', 'describe', broker?.id ?? '', '--registry', at];
    const { stdout } = await runHere(describe);
    for (const line of [/Administrator +The office/, /Location +Bremen/, /Software-Version +garner\/\d/])
      assert.match(stdout, line);
    assert.match(stdout, /Object-Types +HTML 6/);

    // The object itself is sound SOIF, and its own attributes are found.
    const soif = await (await fetch(`${at}objects/${broker?.id}`)).text();
    assert.match(soif, /^@BROKER \{ http:\/\/127/);
    await writeFile(join(cwd, 'broker.soif'), soif);
    assert.deepEqual(
      await jsonHere<{ faults: number; warnings: number }>(['soif', 'check', 'broker.soif'], { cwd }).then(
        ({ faults, warnings }) => [faults, warnings],
      ),
      [0, 0],
    );
    const found = await json<{ readonly total: number }>(
      `${at}search?q=${encodeURIComponent('Type: broker AND Topic: tide AND Index-Engine: flexsearch')}`,
    );
    assert.equal(found.total, 1);

    const all = await Promise.all(listed.map(({ id }) => json<DescribedServer>(`${at}servers/${id}`)));
    const said = JSON.stringify(all);
    for (const hidden of [cwd, secret, 'file:']) assert.ok(!said.includes(hidden), `${hidden} in ${said}`);
    const parents = all.find(({ type }) => type === 'CACHE')?.parents;
    assert.deepEqual(parents, [{ state: 'late', url: `http://${parent}/` }]);
    assert.deepEqual(all.find(({ type }) => type === 'GATHERER')?.roots, ['https://tides.example/']);
    const links = all.find(({ type }) => type === 'BROKER')?.collectsFrom;
    assert.deepEqual(
      links?.map(({ state, url }) => [state, url]),
      [['live', source.replace('ws:', 'http:')]],
    );

    await writeFile(
      join(cwd, 'site', 'new.html'),
      '<title>A lock</title><p>The lock opens at high water.</p>',
    );
    await until(at, (now) => now.some(({ type, objects }) => type === 'BROKER' && objects === 7));

    process.kill(gatherer.pid, 'SIGKILL');
    const ms = await until(at, (now) =>
      now.some(({ type, links }) => type === 'BROKER' && links.broken === 1),
    );
    assert.ok(ms < 2000, `the broken link showed after ${ms} ms`);
  } finally {
    for (const server of servers) await server.stop();
  }
  assert.deepEqual(
    (await serversOf(at)).filter(({ type }) => type !== 'GATHERER'),
    [],
  );
});

/** Reports every connection that the process opens. */
const watching = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    "import{subscribe}from'node:diagnostics_channel';subscribe('net.client.socket',()=>process._rawDebug('CONNECTS'))",
  )}`,
};

test('without server.registry no server opens a connection', async () => {
  await using folder = await temporaryFolder();
  await using registry = await registryIn(folder.path);
  const at = registry.ready.registry as string;
  await writeSite(join(folder.path, 'site'));
  const connects = async (args: readonly string[], wanted: boolean) => {
    const server = await startServer<Ready>([...args, '--port', '0'], { cwd: folder.path, env: watching });
    if (wanted) await until(at, (listed) => listed.length > 0);
    const { stderr } = await server.stop();
    return stderr.includes('CONNECTS');
  };
  assert.equal(await connects(['broker', 'serve', '--data', 'listed', '--registry', at], true), true);
  assert.equal(await connects(['broker', 'serve'], false), false);
  assert.equal(await connects(['gatherer', 'serve', '--root', 'site'], false), false);
  assert.equal(await connects(['cache', 'serve', '--proxy', '--data', 'cache'], false), false);
  assert.equal(await connects(['registry', 'serve', '--data', 'second'], false), false);
});

test('garner up asks on a terminal before it registers, and elsewhere registers where the file says so', {
  skip: existsSync(script) ? false : 'SKIPPED: there is no script(1)',
}, async () => {
  await using folder = await temporaryFolder();
  await using registry = await registryIn(folder.path);
  const at = registry.ready.registry as string;
  await writeSite(join(folder.path, 'site'));
  await writeFile(join(folder.path, 'garner.yaml'), `server.registry: ["${at}"]\n`);
  for (const [typed, expected] of [
    ['\n', 0],
    ['y\n', 2],
  ] as const) {
    const up = upOnTerminal(['up', 'site', '--port', '0'], { cwd: folder.path });
    await up.said(/register with http:\S+\? \[n\] /);
    up.type(typed);
    await up.said(/Ctrl-C stops/);
    if (expected > 0) await until(at, (listed) => listed.length === expected);
    assert.equal((await serversOf(at)).length, expected);
    await up.stop();
  }
  await using up = await startServer<Ready>(['up', 'site', '--port', '0'], { cwd: folder.path });
  assert.match(up.ready.search ?? '', /^http/);
  await until(at, (listed) => listed.length === 2);
});

test('a Broker that was empty is listed with its objects before its first renewal', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await mkdir(join(cwd, 'site'));
  await using registry = await registryIn(cwd);
  const at = registry.ready.registry as string;
  const gathering = ['gatherer', 'serve', '--root', 'site', '--base-url', 'https://tides.example/'];
  await using gatherer = await startServer<Ready>([...gathering, '--port', '0'], { cwd });
  const collecting = ['broker', 'serve', '--collect', gatherer.ready.collect as string];
  await using _broker = await startServer<Ready>([...collecting, '--port', '0', '--registry', at], { cwd });
  await until(at, ([broker]) => broker?.links.live === 1 && broker.objects === 0);
  await writeFile(join(cwd, 'site', 'page.html'), '<title>Tide table</title><p>High water at the quay.</p>');
  await until(at, ([broker]) => broker?.objects === 1 && broker.backlog === 0);
});
