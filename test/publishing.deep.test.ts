import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AuditEntry, SearchAnswer } from '../broker/index.ts';
import { runCommand, startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere } from './commands/command-here.ts';

const soif = (names: readonly string[], host = 'harbour.example') =>
  names
    .map((name) => `@FILE { https://${host}/${name}\nTitle{${name.length}}:\t${name}\nType{4}:\tNote\n}\n`)
    .join('');

test('a site without a Gatherer publishes to a Broker, from which another one collects', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'notes.soif'), soif(['lighthouse', 'breakwater', 'slipway']));
  await writeFile(join(cwd, 'slipway.soif'), soif(['slipway']));
  await writeFile(join(cwd, 'outside.soif'), soif(['lighthouse'], 'other.example'));
  type Made = { readonly token: string };
  const add = ['broker', 'token', 'add', 'harbour-office', '--scope', 'write'];
  const { token } = await jsonHere<Made>(add, { cwd });
  const settings = ['--publishers', 'https://harbour.example/ harbour-office', '--publication-rate', '1'];
  const serve = ['broker', 'serve', '--port', '0', ...settings];
  const started = () => startServer<{ readonly search: string }>(serve, { cwd });
  const publish = (to: string, args: readonly string[], value = token) =>
    runCommand(['publish', ...args, '--to', to, '--token-env', 'OFFICE'], { cwd, env: { OFFICE: value } });
  const found = async (at: string) => {
    const answer = (await (await fetch(`${at}search?q=Type:Note`)).json()) as SearchAnswer;
    return answer.hits.map(({ title }) => title).sort();
  };
  const shown = async (at: string, titles: readonly string[]) => {
    // The index follows the store.
    while ((await found(at)).join() !== titles.join()) await new Promise((resolve) => setImmediate(resolve));
  };
  const collected = async (at: string) => {
    const own = { cwd };
    await jsonHere(['broker', 'collect', '--data', 'b', '--collect', at.replace('http', 'ws')], own);
    const list = ['broker', 'search', '--data', 'b', 'Type:Note'];
    const { hits } = await jsonHere<SearchAnswer>(list, own);
    return hits.map(({ title }) => title).sort();
  };

  {
    await using broker = await started();
    const { search } = broker.ready;
    const { code, stdout } = await publish(search, ['notes.soif']);
    assert.deepEqual([code, stdout.trim()], [0, `3 summaries sent to ${search}`]);
    await shown(search, ['breakwater', 'lighthouse', 'slipway']);
    assert.deepEqual(await collected(search), ['breakwater', 'lighthouse', 'slipway']);
    const outside = await publish(search, ['outside.soif']);
    assert.equal(outside.code, 1);
    assert.match(outside.stderr, /outside the URL prefixes of publisher harbour-office/);
    assert.equal((await publish(search, ['notes.soif'], 'a-wrong-token')).code, 1);
    const audit = await jsonHere<readonly AuditEntry[]>(['broker', 'audit'], { cwd });
    assert.deepEqual(
      audit
        .filter(({ action }) => action === 'publish')
        .map(({ who, outcome, note }) => [who, outcome, note.slice(0, 19)]),
      [
        ['nobody', 'refused', 'HTTP_TOKEN_NEEDED: '],
        ['harbour-office', 'refused', 'PUBLICATION_REFUSED'],
      ],
    );
    // One client may send what it gets in ten seconds at once.
    const post = async () => (await fetch(`${search}publish`, { method: 'POST', body: 'no SOIF' })).status;
    assert.ok((await Promise.all(Array.from({ length: 20 }, post))).includes(429));
  }
  await using broker = await started();
  const { search } = broker.ready;
  await shown(search, ['breakwater', 'lighthouse', 'slipway']);
  assert.equal((await publish(search, ['slipway.soif', '--withdraw'])).code, 0);
  await shown(search, ['breakwater', 'lighthouse']);
  assert.deepEqual(await collected(search), ['breakwater', 'lighthouse']);
});
