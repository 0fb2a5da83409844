import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AuditEntry } from '../../broker/index.ts';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere } from '../commands/command-here.ts';

interface Ready {
  readonly registry: string;
  readonly administration: string;
}

test('the tokens and the audit of a Registry are those of its data folder, while it serves and while it does not', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  const own = ['--data', 'reg'];
  const made = await jsonHere<{ readonly token: string }>(
    ['registry', 'token', 'add', 'early', '--scope', 'admin', ...own],
    here,
  );
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
    for (const one of [token, made.token]) {
      const answer = await fetch(`${registry}control/tokens`, {
        headers: { authorization: `Bearer ${one}` },
      });
      assert.equal(answer.status, 200);
    }
    await jsonHere(['broker', 'token', 'add', 'mirror', '--scope', 'collect', ...own], here);
    assert.deepEqual(await names('broker'), ['early', 'jo', 'mirror']);
    const unknown = await runHere(['registry', 'approve', '0123456789ab', ...own], here);
    assert.deepEqual([unknown.code, /\[REGISTRY_NO_APPLICATION\]/.test(unknown.stderr)], [1, true]);
  }
  await jsonHere(['registry', 'token', 'remove', 'jo', ...own], here);
  assert.deepEqual(await names('registry'), ['early', 'mirror']);
  const entries = await jsonHere<readonly AuditEntry[]>(['broker', 'audit', ...own], here);
  assert.deepEqual(
    entries.map(({ action, outcome }) => `${action} ${outcome}`),
    [
      'token remove done',
      'application approve failed',
      ...['token add done', 'token add done', 'token add done'],
    ],
  );
  assert.deepEqual(await jsonHere(['registry', 'audit', ...own], here), entries);
  for (const line of ['status', 'search tide', 'view add x tide', 'log', 'source add ws://127.0.0.1:1']) {
    const { code, stderr } = await runHere(['broker', ...line.split(' '), ...own], here);
    assert.equal(code, 2, line);
    assert.match(stderr, /reg has the data of a Registry, and of no Broker +\[CLI_USAGE\]/, line);
  }
  assert.deepEqual(await readdir(join(folder.path, 'reg')), ['registry']);
});
