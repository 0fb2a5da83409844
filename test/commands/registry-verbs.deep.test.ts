import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { verbs } from '../../cli/index.ts';
import { HttpClient } from '../../fetch/index.ts';
import type { ListedServer } from '../../registry/index.ts';
import { shellWords } from '../manual-pages.ts';
import { register } from '../registry/registered.ts';
import { temporaryFolder } from './command.ts';
import { jsonHere, runHere, serveHere } from './command-here.ts';

interface Federated {
  readonly total: number;
  readonly omitted: readonly { readonly why: string }[];
}

/** The servers that a Registry lists, once there are so many. */
async function listedBy(registry: string, count: number): Promise<readonly ListedServer[]> {
  for (const started = Date.now(); ; ) {
    const servers = await jsonHere<readonly ListedServer[]>(['registry', 'list', '--registry', registry]);
    if (servers.length === count) return servers;
    assert.ok(Date.now() - started < 20_000, JSON.stringify(servers));
  }
}

test('a list without a match says so, an unknown type names the types, and each id can be described', async () => {
  await using folder = await temporaryFolder();
  const serve = ['registry', 'serve', '--port', '0', '--data', folder.path];
  await using registry = await serveHere<{ readonly registry: string }>(serve);
  const at = ['--registry', registry.ready.registry];
  const list = (...more: string[]) => runHere(['registry', 'list', ...at, ...more]);
  assert.equal((await list()).stdout, 'no server is registered\n');
  await using client = new HttpClient({
    ...{ userAgent: 'test', allowHosts: [registry.ready.registry], delayMs: 0 },
  });
  for (const name of ['harbour', 'tower'])
    await register(registry.ready.registry, client, {
      ...{ type: 'BROKER', name, url: `https://${name}.example/`, attributes: [] },
    });
  await listedBy(registry.ready.registry, 2);
  for (const filter of [
    ['--type', 'cache'],
    ['--state', 'late'],
    ['--prefix', 'ftp:'],
    ['--query', 'moon'],
  ])
    assert.deepEqual(await list(...filter), {
      ...{ code: 0, stdout: 'no server matches the filters\n', stderr: '' },
    });
  const { stdout } = await list('--type', 'Broker');
  const ids = [...stdout.matchAll(/ {2}id (\S+) {2}/g)].map(([, id]) => id as string);
  assert.equal(ids.length, 2);
  for (const id of ids) {
    const described = await runHere(['registry', 'describe', ...at, '--', id]);
    assert.match(described.stdout, /^ +lease +renewed every 10m, removed after 1h without$/m);
    assert.match(described.stdout, new RegExp(`^ +id +${id}$`, 'm'));
  }
  for (const type of ['squirrel', 'oai']) {
    const { code, stderr } = await list('--type', type);
    assert.equal(code, 2);
    assert.match(stderr, /--type is one of gatherer, broker, cache, .*oai-repository, not "/);
  }
  const broken = await list('--state', 'broken');
  assert.match(broken.stderr, /--state is one of live, late, not "broken"/);
  const help = (await list('--help')).stdout;
  assert.match(help.replace(/\s+/g, ' '), /only the topology has broken ones/);
});

test('a federated search names the setting that allows a private address, which may be a URL', async () => {
  await using folder = await temporaryFolder();
  const serve = (name: string, ...more: string[]) =>
    serveHere<{ readonly registry: string }>([
      ...['registry', 'serve', '--port', '0', '--data', join(folder.path, name), ...more],
    ]);
  const site = join(folder.path, 'site');
  await mkdir(site);
  await writeFile(join(site, 'tide.html'), '<title>The tide</title>The moon makes the tide.');
  const data = ['--data', join(folder.path, 'data')];
  const gatherer = ['gatherer', 'serve', '--root', site, '--port', '0', ...data];
  await using source = await serveHere<{ readonly collect: string }>(gatherer);
  const broker = ['broker', 'serve', '--collect', source.ready.collect, '--port', '0', ...data];
  await using searched = await serveHere<{ readonly search: string }>(broker);
  const url = searched.ready.search;
  await using refusing = await serve('refusing');
  await using allowing = await serve('allowing', '--allow-hosts', url);
  const registries = [refusing.ready.registry, allowing.ready.registry];
  await using client = new HttpClient({ userAgent: 'test', allowHosts: registries, delayMs: 0 });
  for (const at of registries) {
    await register(at, client, { type: 'BROKER', name: 'Harbour', url });
    await listedBy(at, 1);
  }
  const ask = async (at: string) => {
    const { stdout, stderr } = await runHere(['search', 'tide', '--registry', at, '--json']);
    assert.equal(stderr, '');
    return JSON.parse(stdout) as Federated;
  };
  const refused = await ask(refusing.ready.registry);
  assert.match(refused.omitted[0]?.why ?? '', /not on the list of allowed hosts \(registry\.allow-hosts\)/);
  for (const started = Date.now(); ; ) {
    const found = await ask(allowing.ready.registry);
    assert.deepEqual(found.omitted, []);
    if (found.total === 1) break;
    assert.ok(Date.now() - started < 20_000, JSON.stringify(found));
  }
});

test('the key of an absent server is answered with the folder or the role to name', async () => {
  await using folder = await temporaryFolder();
  const key = (...more: string[]) => runHere(['registry', 'key', 'show', ...more], { cwd: folder.path });
  await mkdir(join(folder.path, 'empty'));
  for (const data of ['nowhere', 'empty'])
    for (const role of [[], ['--role', 'broker']]) {
      const { code, stderr } = await key('--data', data, ...role);
      assert.equal(code, 10);
      assert.match(stderr, /name the data folder of a server with --data; a server makes its key/);
    }
  await mkdir(join(folder.path, 'site'));
  const run = await runHere(['gatherer', 'run', '--root', 'site', '--data', 'one'], { cwd: folder.path });
  assert.equal(run.code, 0, run.stderr);
  assert.match((await key('--data', 'one')).stdout, /role {2}gatherer/);
  assert.match((await key('--data', 'one', '--role', 'cache')).stderr, /--role gatherer: the data folder/);
});

test('each verb of a Registry has examples, which work', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const data = join(cwd, 'garner-data');
  await mkdir(join(cwd, 'site'));
  const gather = ['gatherer', 'run', '--root', 'site', '--data', 'tides'];
  assert.equal((await runHere(gather, { cwd })).code, 0);
  const token = 'an-admin-token-for-the-test';
  const serve = ['registry', 'serve', '--port', '0', '--data', data, '--admin-tokens', token];
  await using registry = await serveHere<{ readonly registry: string }>([
    ...[...serve, '--client-applications', '200'],
  ]);
  const url = registry.ready.registry;
  const env = { GARNER_REGISTRY_TOKEN: token, GARNER_SERVER_REGISTRY: url };
  await using client = new HttpClient({ userAgent: 'test', allowHosts: [url], delayMs: 0 });
  await register(url, client, { type: 'BROKER', name: 'Harbour', url: 'https://harbour.example/' });
  const [listed] = await listedBy(url, 1);
  let count = 0;
  const held = async () => {
    const body = JSON.stringify({ url: `https://tower${count}.example/`, type: 'broker', name: 'Tower' });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}applications`, { method: 'POST', headers, body });
    return ((await answer.json()) as { readonly id: string }).id;
  };
  for (const { command, examples = [] } of verbs) {
    if (!/^(?:registry|search) /.test(command) || command === 'registry serve') continue;
    assert.ok(examples.length > 0, `${command} has no example`);
    for (const [line] of examples) {
      const real = line
        .replaceAll('https://registry.example.org', url)
        .replaceAll('http://harvest.example.org/', `http://harvest${count}.example/`)
        .replaceAll('4pvY85gSqojgWmjpKW3lQw', listed?.serverId ?? '');
      const argv = shellWords(
        line.includes('4f2a90c1d7b3') ? real.replace('4f2a90c1d7b3', await held()) : real,
      );
      const { code, stderr } = await runHere(argv, { cwd, env });
      // The listed Broker does not exist, so that no search has an answer.
      assert.equal(code, command.startsWith('search ') ? 12 : 0, `garner ${real}\n${stderr}`);
      count++;
    }
  }
  assert.ok(count >= 14, `only ${count} examples ran`);
});
