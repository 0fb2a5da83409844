import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type SearchAnswer, search, startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from './commands/command-here.ts';

interface GathererReady {
  readonly collect: string;
}
interface BrokerReady {
  readonly search: string;
}
interface ListedSource {
  readonly url: string;
  readonly state: string;
  readonly kind: string;
  readonly from: string;
  readonly intervalSeconds: number;
}
interface Setting {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
}
interface AuditEntry {
  readonly who: string;
  readonly action: string;
  readonly detail: string;
  readonly outcome: string;
}

test('a Broker is administered from the command line while it serves; orders survive kill -9', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  for (const [name, text] of [
    ['a', 'the harbour has moorings'],
    ['b', 'the harbour is closed'],
  ] as const)
    await writeFile(join(folder.path, 'site', `${name}.txt`), `${text}\n`);
  const root = ['--root', 'site', '--base-url', 'https://harbour.example/'];
  await using gatherer = await startServer<GathererReady>(
    ['gatherer', 'serve', ...root, '--data', 'g', '--port', '0'],
    here,
  );
  const { collect } = gatherer.ready;
  const dead = 'ws://127.0.0.1:9/';
  await writeFile(join(folder.path, 'garner.yaml'), `broker:\n  collect: ["${dead}"]\n`);
  const startBroker = () => startServer<BrokerReady>(['broker', 'serve', '--data', 'b', '--port', '0'], here);
  const garner = <Value>(...args: readonly string[]) =>
    jsonOf<Value>(['broker', ...args, '--data', 'b'], here);
  const fails = async (...args: readonly string[]) => {
    const { code, stderr } = await runCommand(['broker', ...args, '--data', 'b'], here);
    assert.notEqual(code, 0, args.join(' '));
    return stderr;
  };
  const found = async (broker: string) => {
    const { hits }: SearchAnswer = await search(broker, 'harbour');
    return hits.map(({ url }) => url.slice(-5)).sort();
  };

  const first = await startBroker();
  const added = await garner<ListedSource>('source', 'add', collect, '--interval', '1h');
  assert.deepEqual([added.kind, added.intervalSeconds], ['added', 3600]);
  const [round] = await garner<{ readonly learned: number }[]>('source', 'collect', collect);
  assert.notEqual(round, undefined);
  assert.deepEqual(await found(first.ready.search), ['a.txt', 'b.txt']);
  assert.match(await fails('source', 'remove', dead), /garner\.yaml/);
  await garner('source', 'pause', dead);
  await garner('set', 'broker.time-to-live', '14d');
  const look = await garner<{ readonly found: number }>('delete', '--query', 'closed', '--dry-run');
  assert.equal(look.found, 1);
  const shy = await runCommand(['broker', 'delete', '--query', 'closed', '--data', 'b'], here);
  assert.match(shy.stdout, /nothing was deleted; to delete, add --yes --at-most 1/);
  assert.deepEqual(await found(first.ready.search), ['a.txt', 'b.txt']);
  const deletion = ['delete', '--query', 'closed', '--yes', '--reason', 'out of date'];
  assert.equal((await garner<{ readonly deleted: number }>(...deletion)).deleted, 1);
  await garner('source', 'collect', collect);
  assert.deepEqual(await found(first.ready.search), ['a.txt']);
  const token = await garner<{ readonly token: string }>('token', 'add', 'jo', '--scope', 'admin');
  const asked = await fetch(new URL('/control/sources', first.ready.search), {
    headers: { authorization: `Bearer ${token.token}` },
  });
  assert.equal(asked.status, 200);
  const refused = await fetch(new URL('/control/clean', first.ready.search), { method: 'POST' });
  assert.equal(refused.status, 401);
  const lines = await garner<{ readonly event: string }[]>('log', '--event', 'round');
  assert.ok(lines.length > 0 && lines.every(({ event }) => event === 'round'));
  process.kill(first.pid, 'SIGKILL');
  await first.stop();

  // Without a server the same commands open the data folder.
  const sources = await garner<ListedSource[]>('source', 'list');
  assert.deepEqual(
    sources.map(({ url, kind, state }) => [url, kind, state]),
    [
      [dead, 'settings', 'paused'],
      [collect, 'added', 'down'],
    ],
  );
  assert.match(sources[0]?.from ?? '', /^garner\.yaml:2/);
  const [oid] = (await garner<{ readonly blocked: { readonly oid: string }[] }>('blocked')).blocked;
  await garner('unblock', oid?.oid ?? '');
  await using second = await startBroker();
  await garner('source', 'collect', collect);
  assert.deepEqual(await found(second.ready.search), ['a.txt', 'b.txt']);
  const settings = await garner<Setting[]>('set');
  assert.deepEqual(
    settings.filter(({ from }) => from === 'set here').map(({ key, value }) => [key, value]),
    [['broker.time-to-live', 14 * 86_400]],
  );
  await garner('set', 'broker.time-to-live', '--unset');
  await garner('statistics');
  await garner('clean');
  await garner('compact');
  await garner('reindex');
  await garner('token', 'remove', 'jo');
  await garner('source', 'remove', collect, '--forget');
  const audit = await garner<AuditEntry[]>('audit', '--limit', '1000');
  const actions = audit.map(({ action, outcome }) => `${action}: ${outcome}`).reverse();
  assert.deepEqual(actions, [
    ...['source add: done', 'source collect: done', 'source remove: failed', 'source pause: done'],
    ...['set: done', 'delete, dry run: done', 'delete, dry run: done', 'delete: done'],
    ...['source collect: done', 'token add: done', 'POST /control/clean: refused', 'unblock: done'],
    ...['source collect: done', 'set: done', 'clean: done', 'compact: done', 'reindex: done'],
    ...['token remove: done', 'source remove: done'],
  ]);
  assert.ok(audit.every(({ who, outcome }) => who === (outcome === 'refused' ? 'nobody' : 'command line')));
  const kept = await readFile(join(folder.path, 'b/broker/tokens.json'), 'utf8');
  assert.ok(!kept.includes(token.token));
});

test('wrong usage is explained, in the program of a group too', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  for (const [args, said] of [
    [['broker', 'source'], /no command given after broker source/],
    [['broker', 'source', 'ad', 'ws://x'], /did you mean add\?/],
    [['broker', 'source', 'add'], /<source> is missing/],
    [['broker', 'source', 'add', 'push:'], /is not an address to collect from/],
    [['broker', 'source', 'add', 'ws://x', '--interval', 'soon'], /which is not a time/],
    [['broker', 'delete'], /give either object ids or a query/],
    [['broker', 'delete', '--query', '(a', '--yes'], /nothing was deleted/],
    [['broker', 'set', 'broker.interval'], /give a value, or --unset/],
    [['broker', 'set', 'broker.name', 'x'], /cannot be set while the Broker serves/],
    [['broker', 'token', 'add', 'jo', '--scope', 'root'], /the scopes are one or more of/],
  ] as const) {
    const { code, stderr } = await runCommand([...args, '--data', 'b'], here);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, said, args.join(' '));
  }
});
