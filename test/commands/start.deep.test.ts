import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, search, startPlain, startServer, temporaryFolder, type UpReady } from './command.ts';
import { jsonHere as jsonOf } from './command-here.ts';

// How commands start, continue with existing data, and stop.

async function listening(
  server: HttpServer | TcpServer,
): Promise<AsyncDisposable & { readonly port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function page(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `<!doctype html><title>${name}</title><p>${text}</p>`);
}

test('a signal while a command starts ends it', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  let asked = () => {};
  // A site and a peer that accept a connection and send nothing.
  await using site = await listening(createServer(() => asked()));
  await using peer = await listening(
    createTcpServer((socket) => {
      // Read the connection to see its end.
      socket.on('error', () => {}).resume();
      asked();
    }),
  );
  for (const [args, signal, code] of [
    [['up', `http://127.0.0.1:${site.port}/`, '--port', '0'], 'SIGTERM', 130],
    [['up', `http://127.0.0.1:${site.port}/`, '--port', '0'], 'SIGINT', 130],
    [['gatherer', 'run', '--root', `http://127.0.0.1:${site.port}/`], 'SIGTERM', 130],
    [['gatherer', 'serve', '--root', `http://127.0.0.1:${site.port}/`, '--port', '0'], 'SIGTERM', 0],
    [['broker', 'collect', '--collect', `ws://127.0.0.1:${peer.port}`], 'SIGTERM', 130],
    [['broker', 'serve', '--collect', `ws://127.0.0.1:${peer.port}`, '--port', '0'], 'SIGINT', 0],
  ] as const) {
    const waiting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const child = startPlain([...args, '--data', `data${signal}${args[1].slice(0, 3)}`], {
      cwd: folder.path,
    });
    await waiting;
    const started = performance.now();
    const ended = await child.stop(signal);
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
    assert.ok(performance.now() - started < 10_000, `${args.join(' ')} took too long`);
  }
});

test('a site is replaced only when both its stores are free', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await page(join(cwd, 'zoo'), 'okapi.html', 'Okapis live in forests.');
  await page(join(cwd, 'garden'), 'fern.html', 'Ferns grow in shade.');
  const options = ['--port', '0', '--site-port', '0', '--data', 'data'];
  {
    await using up = await startServer<UpReady>(['up', 'zoo', ...options], { cwd });
    assert.equal(up.ready.objects, 1);
  }
  const identity = () => readFile(join(cwd, 'data/gatherer/identity.json'), 'utf8');
  const before = await identity();
  {
    await using broker = await startServer(['broker', 'serve', '--data', 'data', '--port', '0'], { cwd });
    const refused = await runCommand(['up', 'garden', ...options], { cwd });
    assert.equal(refused.code, 11, refused.stderr);
    assert.match(
      refused.stderr,
      new RegExp(`data/broker is in use by process ${broker.pid} \\(broker at http:`),
    );
  }
  assert.equal(await identity(), before, 'the Gatherer was forgotten');
  type Status = { objects: number; roots: string[] };
  const status = await jsonOf<Status>(['gatherer', 'status', '--data', 'data'], { cwd });
  assert.deepEqual([status.objects, status.roots], [1, [join(cwd, 'zoo')]]);
  const found = await jsonOf<{ total: number }>(['broker', 'search', 'okapi', '--data', 'data'], { cwd });
  assert.equal(found.total, 1, 'the Broker forgot');

  // The remains of a killed replacement are no obstacle.
  await page(join(cwd, 'data/broker.replaced'), 'left', '');
  await using up = await startServer<UpReady>(['up', 'garden', ...options], { cwd });
  assert.equal((await search(up.ready.search, 'fern')).total, 1);
  assert.equal((await search(up.ready.search, 'okapi')).total, 0);
  assert.notEqual(await identity(), before);
  for (const role of ['gatherer', 'broker'])
    assert.equal(existsSync(join(cwd, `data/${role}.replaced`)), false);
});

test('summaries keep their level of text until it is set again', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await page(join(cwd, 'zoo'), 'okapi.html', 'Okapis live in forests.');
  type Report = { changed: number; unchanged: number; bytesRead: number };
  const run = (...more: string[]) =>
    jsonOf<Report>(['gatherer', 'run', '--root', 'zoo', '--base-url', 'http://zoo.example/', ...more], {
      cwd,
    });
  const show = () => jsonOf<{ soif: string }>(['gatherer', 'show', 'http://zoo.example/okapi.html'], { cwd });
  await run('--text', 'selected');
  assert.match((await show()).soif, /^Partial-Text\{/m);
  {
    await using server = await startServer<{ soif: string }>(['gatherer', 'serve', '--port', '0'], { cwd });
    const report = await jsonOf<Report>(['gatherer', 'run'], { cwd });
    assert.deepEqual([report.changed, report.unchanged, report.bytesRead], [0, 1, 0]);
    assert.match(await (await fetch(server.ready.soif)).text(), /^Partial-Text\{/m);
  }
  assert.equal((await run()).changed, 0);
  assert.equal((await run('--text', 'full')).changed, 1);
  assert.match((await show()).soif, /^Full-Text\{/m);
  assert.equal((await run()).changed, 0);
});

test('without --json a server logs sentences, with --json JSON, on any output', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await page(join(cwd, 'zoo'), 'okapi.html', 'Okapis live in forests.');
  const args = ['gatherer', 'serve', '--root', 'zoo', '--data', 'data', '--port', '0'];
  const plain = startPlain(args, { cwd });
  await plain.saidOnError(/1 added/);
  const said = await plain.stop();
  assert.match(said.stdout, /^ {2}collect {3}ws:\S+\n {2}stream {4}http:\S+\n$/);
  assert.match(said.stderr, /^\d{4}-\d\d-\d\dT[\d:.]+Z 1 summary \(1 added\), \S+ B read in \S+ s$/m);
  assert.doesNotMatch(said.stderr, /^\{/m);

  await using server = await startServer<{ collect: string }>(args, { cwd });
  assert.match(server.ready.collect, /^ws:/);
  await jsonOf(['gatherer', 'run', '--data', 'data'], { cwd });
  const { stderr } = await server.stop();
  const messages = stderr
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  assert.ok(messages.includes('run'), messages.join());
});
