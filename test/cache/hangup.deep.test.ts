import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readHolder } from '../../store/index.ts';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { certificateIn, fingerprint, noCertificates } from '../localhost-certificate.ts';

const garner = fileURLToPath(new URL('../../cli/garner.js', import.meta.url));
const noTerminal = existsSync('/usr/bin/script') ? false : 'SKIPPED: no /usr/bin/script';

for (const json of [false, true])
  test(`a cache whose terminal is closed ends as if asked to, ${json ? 'with' : 'without'} --json`, {
    skip: noTerminal,
    timeout: 60_000,
  }, async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    const command = `'${process.execPath}' '${garner}' cache serve --proxy --port 0 --data '${data}'${json ? ' --json' : ''}`;
    const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const piece of terminal.stdout.setEncoding('utf8')) {
      said += piece as string;
      if (/status +http|"admin":"http/.test(said)) break;
    }
    const holder = await readHolder(join(data, 'cache'));
    assert.ok(holder, said);
    const gone = once(terminal, 'exit');
    terminal.kill('SIGKILL');
    await gone;
    // A process that ends without closing leaves the folder locked.
    const until = performance.now() + 20_000;
    while ((await readHolder(join(data, 'cache'))) !== undefined && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await readHolder(join(data, 'cache')), undefined);
  });

test('without a terminal SIGHUP makes a cache read its certificate again, and a bad one changes nothing', {
  skip: noCertificates ?? false,
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder();
  const { cert: certPath, key: keyPath } = certificateIn(folder.path);
  const firstKey = await readFile(keyPath);
  await using server = await startServer<{ readonly tls: string; readonly cache: string }>([
    ...['cache', 'serve', '--proxy', '--port', '0', '--tls-port', '0', '--data', join(folder.path, 'data')],
    ...['--tls-certificate', certPath, '--tls-key', keyPath],
  ]);
  const { tls } = server.ready;
  const before = await fingerprint(tls);
  // A new certificate with the old key is a renewal in progress.
  certificateIn(folder.path);
  const secondKey = await readFile(keyPath);
  await writeFile(keyPath, firstKey);
  const { where, err } = await server.hangUp('cache fault');
  assert.equal(where, 'certificate (the old one stays in use)');
  assert.match(JSON.stringify(err), /no key for that certificate/);
  assert.equal(await fingerprint(tls), before);
  await writeFile(keyPath, secondKey);
  await server.hangUp('certificate');
  const after = await fingerprint(tls);
  assert.notEqual(after, before);
  await writeFile(certPath, 'nothing');
  assert.match(JSON.stringify(await server.hangUp('cache fault')), /holds no certificate/);
  assert.equal(await fingerprint(tls), after);
});
