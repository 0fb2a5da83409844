import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, startServer, temporaryFolder, untilFound } from '../commands/command.ts';

const noProc = process.platform === 'linux' ? false : 'the limit of open files is read from /proc';

test('case a05: descriptors that run out are an error of their own, and doctor checks the limit', {
  skip: noProc,
}, async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'site'));
  await writeFile(join(folder.path, 'site', 'a.txt'), 'harbour\n');
  const serve = ['--port', '0'];
  const gather = ['--root', 'site', '--base-url', 'https://harbour.example/'];
  const tried: readonly (readonly [number, readonly string[]])[] = [
    [20, ['--help']],
    [40, ['broker', 'serve', ...serve]],
    [64, ['up', 'site', ...serve]],
    [64, ['broker', 'serve', ...serve, '--json']],
    [75, ['gatherer', 'run', ...gather]],
    [75, ['cache', 'serve', '--proxy', ...serve]],
    [75, ['registry', 'serve', ...serve]],
    [90, ['up', 'site', ...serve]],
  ];
  for (const [maxFiles, args] of tried) {
    const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path, maxFiles });
    const shown = `${maxFiles} ${args.join(' ')}: ${stdout}${stderr}`;
    assert.equal(code, 1, shown);
    for (const part of [`may open ${maxFiles}`, 'CLI_OUT_OF_FILES', 'ulimit -n'])
      assert.ok(stderr.includes(part), shown);
    assert.ok(stderr.trimEnd().split('\n').length <= 3, shown);
    assert.doesNotMatch(stderr, /CLI_USAGE|PROGRAMMER|\n +at /);
  }
  const doctor = await runCommand(['doctor'], { cwd: folder.path, maxFiles: 150 });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /✗ a command of this shell may have 150 files open.*\n.*ulimit -n/);
});

test('case a05: a server without a free descriptor logs CLI_OUT_OF_FILES and goes on', {
  skip: noProc,
}, async () => {
  await using folder = await temporaryFolder();
  const site = join(folder.path, 'site');
  await mkdir(site);
  await writeFile(join(site, 'a.txt'), 'harbour\n');
  await using server = await startServer<{ readonly search: string }>(
    ['up', 'site', '--port', '0', '--site-port', '0'],
    { cwd: folder.path, maxFiles: 300 },
  );
  const { port } = new URL(server.ready.search);
  const sockets: Socket[] = [];
  // Without a descriptor it accepts a connection and closes it at once.
  await new Promise<void>((resolve) => {
    for (let n = 0; n < 400; n++) {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /search HTTP/1.1\r\n'));
      socket.on('error', () => undefined).once('close', () => resolve());
      sockets.push(socket);
    }
  });
  const logged = server.logged(
    ({ err }) => (err as { code?: string } | undefined)?.code === 'CLI_OUT_OF_FILES',
  );
  await mkdir(join(site, 'new'));
  await writeFile(join(site, 'new', 'b.txt'), 'lighthouse\n');
  const line = await logged;
  assert.match(JSON.stringify(line), /this process may open 300/);
  for (const socket of sockets) socket.destroy();
  await untilFound(server.ready.search, 'lighthouse', ({ total }) => total === 1);
});
