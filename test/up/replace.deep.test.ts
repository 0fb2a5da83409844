import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  freePort,
  runCommand,
  search,
  startPlain,
  startServer,
  temporaryFolder,
  type UpReady,
} from '../commands/command.ts';
import { jsonHere as jsonOf } from '../commands/command-here.ts';

// A data folder changes to another site only after that has been gathered: until then nothing of the old site is
// lost.

async function page(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `<!doctype html><title>${name}</title><p>${text}</p>`);
}

/** A web server; `answer` is undefined for a page that never comes. */
async function site(answer: (path: string) => string | undefined) {
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = createServer(({ url = '' }, response) => {
    if (url === '/robots.txt' || url.includes('sitemap')) return response.writeHead(404).end();
    const html = answer(url);
    if (html === undefined) return asked();
    return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    isAsked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const options = ['--data', 'data', '--site-port', '0'];

async function zooGathered(cwd: string): Promise<void> {
  await page(join(cwd, 'zoo'), 'okapi.html', 'Okapis live in forests.');
  await page(join(cwd, 'garden'), 'fern.html', 'Ferns grow in shade.');
  await using up = await startServer<UpReady>(['up', 'zoo', ...options, '--port', '0'], { cwd });
  assert.equal(up.ready.objects, 1);
}

async function zooIsThere(cwd: string): Promise<void> {
  const status = await jsonOf<{ objects: number; roots: string[] }>(
    ['gatherer', 'status', '--data', 'data'],
    { cwd },
  );
  assert.deepEqual([status.objects, status.roots], [1, [join(cwd, 'zoo')]]);
  const found = await jsonOf<{ total: number }>(['broker', 'search', 'okapi', '--data', 'data'], { cwd });
  assert.equal(found.total, 1);
  for (const role of ['gatherer', 'broker'])
    for (const end of ['before', 'replaced'])
      assert.equal(existsSync(join(cwd, `data/${role}.${end}`)), false, `${role}.${end}`);
}

test('an up that cannot start leaves the data of another site as it was', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await zooGathered(cwd);
  await using busy = await site(() => '');
  const port = String(busy.port);
  const closed = `http://127.0.0.1:${await freePort()}/`;
  const noModule = join(cwd, 'module.yaml');
  await writeFile(noModule, 'gatherer:\n  summarisers: [{ type: Text, module: ./absent.js }]\n');
  for (const [args, code, said] of [
    [['garden', ...options, '--port', port], 1, /HTTP_PORT_IN_USE[\s\S]*--port/],
    [
      ['garden', '--data', 'data', '--port', '0', '--site-port', port],
      1,
      /CLI_SITE_PORT[\s\S]*--site-port 0 for any free port/,
    ],
    [['garden', ...options, '--port', '0', '--config', noModule], 2, /MODULE_ABSENT/],
    [['garden', ...options, '--port', '0', '--gatherd-port', port], 1, /./],
    [[closed, ...options, '--port', '0'], 12, /FETCH_/],
  ] as const) {
    const ended = await runCommand(['up', ...args], { cwd });
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, said);
    assert.doesNotMatch(ended.stderr, /is replaced by/);
    await zooIsThere(cwd);
  }
});

test('a server that cannot open its port leaves no record of its site', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await page(join(cwd, 'garden'), 'fern.html', 'Ferns grow in shade.');
  await page(join(cwd, 'zoo'), 'okapi.html', 'Okapis live in forests.');
  await using busy = await site(() => '');
  const port = String(busy.port);
  const record = join(cwd, 'data/gatherer/site.json');
  for (const args of [
    ['up', `http://127.0.0.1:${busy.port}/`, ...options, '--port', port],
    ['gatherer', 'serve', '--root', 'zoo', '--data', 'data', '--port', port],
  ]) {
    const ended = await runCommand(args, { cwd });
    assert.match(ended.stderr, /HTTP_PORT_IN_USE/);
    assert.doesNotMatch(ended.stderr, /still holds/);
    assert.equal(existsSync(record), false, args.join(' '));
  }
  const up = startPlain(['up', 'garden', ...options, '--port', '0'], { cwd });
  await up.said(/Ctrl-C stops/);
  assert.doesNotMatch((await up.stop()).stderr, /held|holds/);
  const before = readFileSync(record);
  await runCommand(['gatherer', 'serve', '--root', 'zoo', '--data', 'data', '--port', port], { cwd });
  assert.deepEqual(readFileSync(record), before, 'and one that there is stays');
});

test('a kill before the new site is recorded loses nothing of the old one', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await zooGathered(cwd);
  await using busy = await site(() => '');
  const identity = () => readFileSync(join(cwd, 'data/gatherer/identity.json'), 'utf8');
  const before = identity();
  // What such a kill leaves: the old data moved away, and new data that no site is recorded for.
  const failed = ['up', 'garden', '--data', 'other', '--site-port', '0', '--port', String(busy.port)];
  assert.equal((await runCommand(failed, { cwd })).code, 1);
  for (const role of ['gatherer', 'broker']) {
    await rename(join(cwd, `data/${role}`), join(cwd, `data/${role}.before`));
    await rename(join(cwd, `other/${role}`), join(cwd, `data/${role}`));
  }
  {
    await using up = await startServer<UpReady>(['up', 'zoo', ...options, '--port', '0'], { cwd });
    assert.equal((await search(up.ready.search, 'okapi')).total, 1);
  }
  await zooIsThere(cwd);
  assert.equal(identity(), before, 'the zoo was gathered again instead');
});

test('an interrupted first run keeps its gathered pages, and leaves the old data when there are none', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await zooGathered(cwd);
  const up = (port: number) =>
    startPlain(['up', `http://127.0.0.1:${port}/`, ...options, '--port', '0', '--delay', '0s'], { cwd });
  {
    await using silent = await site(() => undefined);
    const child = up(silent.port);
    await silent.isAsked;
    const { stderr } = await child.stop();
    assert.match(stderr, /data still holds \S*zoo/);
    await zooIsThere(cwd);
  }
  // Each page leads to the next, and the last never comes.
  const next = (path: string) => Number(path.slice(1)) + 1;
  await using half = await site((path) =>
    next(path) < 40 ? `<a href="/${next(path)}">on</a> Gnu ${next(path)}` : undefined,
  );
  const child = up(half.port);
  await half.isAsked;
  const { stderr } = await child.stop();
  assert.match(stderr, /data held \S*zoo, now replaced by http:/);
  assert.equal(existsSync(join(cwd, 'data/gatherer.before')), false);
  const status = await jsonOf<{ objects: number }>(['gatherer', 'status', '--data', 'data'], { cwd });
  assert.ok(status.objects > 0);
});

test('after a kill in the first run the old data comes back, unless the new site is requested again', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await zooGathered(cwd);
  await using silent = await site(() => undefined);
  const args = ['up', `http://127.0.0.1:${silent.port}/`, ...options, '--port', '0'];
  const child = startPlain(args, { cwd });
  await silent.isAsked;
  const locked = await runCommand(['up', 'zoo', ...options, '--port', '0'], { cwd });
  assert.equal(locked.code, 11, 'it was brought back under a running up');
  await child.stop('SIGKILL');
  {
    await using again = await startServer<UpReady>(['up', 'zoo', ...options, '--port', '0'], { cwd });
    assert.equal((await search(again.ready.search, 'okapi')).total, 1);
  }
  await zooIsThere(cwd);

  let isSilent = true;
  await using slow = await site((path) => (isSilent ? undefined : `Gnus at ${path}`));
  const other = ['up', `http://127.0.0.1:${slow.port}/`, ...options, '--port', '0', '--delay', '0s'];
  const killed = startPlain(other, { cwd });
  await slow.isAsked;
  await killed.stop('SIGKILL');
  isSilent = false;
  await using up = await startServer<UpReady>(other, { cwd });
  assert.equal((await search(up.ready.search, 'gnus')).total, 1);
  assert.equal((await search(up.ready.search, 'okapi')).total, 0);
  assert.equal(existsSync(join(cwd, 'data/gatherer.before')), false);
});
