import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AuditEntry, FederatedAnswer } from '../../broker/index.ts';
import { freePort, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere } from '../commands/command-here.ts';

interface Ready {
  readonly registry: string;
  readonly administration: string;
}

test('the tokens and the audit of a Registry are those of its data folder, while it serves and while it does not', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  const own = ['--data', 'reg'];
  const names = async (group: string) =>
    (await jsonHere<readonly { readonly name: string }[]>([group, 'token', 'list', ...own], here)).map(
      ({ name }) => name,
    );
  {
    await using served = await startServer<Ready>(['registry', 'serve', '--port', '0', ...own], here);
    const { registry, administration } = served.ready;
    const page = await (await fetch(administration)).text();
    const [, command = ''] = /<code>garner ([^<]*NAME[^<]*)<\/code>/.exec(page) ?? [];
    assert.equal(command, 'registry token add NAME --scope admin');
    const typed = [...command.replace('NAME', 'jo').split(' '), ...own];
    const { token } = await jsonHere<{ readonly token: string }>(typed, here);
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${registry}control/tokens`, { headers })).status, 200);
    await jsonHere(['broker', 'token', 'add', 'mirror', '--scope', 'collect', ...own], here);
    assert.deepEqual(await names('broker'), ['jo', 'mirror']);
    const unknown = await runHere(['registry', 'approve', '0123456789ab', ...own], here);
    assert.deepEqual([unknown.code, /\[REGISTRY_NO_APPLICATION\]/.test(unknown.stderr)], [1, true]);
  }
  await jsonHere(['registry', 'token', 'remove', 'jo', ...own], here);
  await jsonHere(['registry', 'token', 'add', 'jan', ...own], here);
  assert.deepEqual(await names('registry'), ['mirror', 'jan']);
  const entries = await jsonHere<readonly AuditEntry[]>(['broker', 'audit', ...own], here);
  assert.deepEqual(
    entries.map(({ action, outcome }) => `${action} ${outcome}`),
    [
      ...['token add done', 'token remove done'],
      'application approve failed',
      ...['token add done', 'token add done'],
    ],
  );
  assert.deepEqual(await jsonHere(['registry', 'audit', ...own], here), entries);
  for (const line of ['status', 'search tide', 'view add x tide', 'log', 'source list']) {
    const { code, stderr } = await runHere(['broker', ...line.split(' '), ...own], here);
    assert.equal(code, 2, line);
    assert.match(stderr, /reg has the data of a Registry, and of no Broker +\[CLI_USAGE\]/, line);
  }
  assert.deepEqual(await readdir(join(folder.path, 'reg')), ['registry']);
});

test('a search of a Registry fails where no Broker answers, and names each with the reason', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  const port = String(await freePort());
  const allowed = ['--allow-hosts', `127.0.0.1:${port}`];
  await using served = await startServer<Ready>(['registry', 'serve', '--port', '0', ...allowed], here);
  const { registry } = served.ready;
  const named = ['--registry', registry];
  const search = (...more: readonly string[]) => runHere(['search', 'tide', ...named, ...more], here);
  const broker = ['broker', 'serve', '--port', port, '--name', 'Harbour', ...named];
  await using running = await startServer<{ readonly search: string }>(broker, here);
  while (((await (await fetch(`${registry}servers`)).json()) as { readonly total: number }).total === 0)
    await new Promise((resolve) => setImmediate(resolve));
  const none = await search();
  assert.equal(none.code, 0, 'an answer without hits');
  assert.match(none.stdout, /^0 results of 1 of 1 Broker in /);
  process.kill(running.pid, 'SIGKILL');
  const silent = await search();
  assert.equal(silent.code, 12);
  assert.match(silent.stdout, /^0 results of 0 of 1 Broker in .*\n {2}without Harbour \(http:.*\): ./);
  const json = await search('--json');
  assert.equal(json.code, 12);
  assert.match((JSON.parse(json.stdout) as FederatedAnswer).brokers[0]?.error ?? '', /./);
});
