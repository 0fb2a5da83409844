import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere } from '../commands/command-here.ts';

// A Broker and a Registry publish in their own names too: what a token sends, and approved servers.

type Ready = Readonly<Record<string, string>>;
interface Shown {
  readonly serverId: string;
  readonly key: string;
}

const json = async <Value>(url: string) => (await (await fetch(url)).json()) as Value;

/** Look until the search has so many hits: the index follows the store. */
async function until(search: string, total: number): Promise<void> {
  const started = performance.now();
  while ((await json<{ total: number }>(`${search}search?q=Type:Note`)).total !== total) {
    assert.ok(performance.now() - started < 20_000, `${total} hits`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a Broker changes and revokes its own key, and keeps what tokens published before', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const soif = (name: string) =>
    `@FILE { https://harbour.example/${name}\nTitle{${name.length}}:\t${name}\nType{4}:\tNote\n}\n`;
  for (const name of ['pier', 'quay', 'slip']) await writeFile(join(cwd, `${name}.soif`), soif(name));
  const add = ['broker', 'token', 'add', 'harbour-office', '--scope', 'write'];
  const { token } = await jsonHere<{ readonly token: string }>(add, { cwd });
  const serve = ['broker', 'serve', '--port', '0', '--publishers', 'https://harbour.example/ harbour-office'];
  const started = () => startServer<Ready>(serve, { cwd });
  const publish = async (to: string, ...args: readonly string[]) => {
    const place = { cwd, env: { OFFICE: token } };
    const { code, stderr } = await runCommand(
      ['publish', ...args, '--to', to, '--token-env', 'OFFICE'],
      place,
    );
    assert.equal(code, 0, stderr);
  };
  const key = (action: string) => jsonHere<Shown>(['registry', 'key', action, '--role', 'broker'], { cwd });
  {
    await using broker = await started();
    await publish(broker.ready.search as string, 'pier.soif', 'quay.soif');
  }
  await key('rotate');
  {
    // Of what was published with the old key, nothing comes with the links to the new one.
    await using broker = await started();
    await publish(broker.ready.search as string, 'pier.soif', '--withdraw');
    await until(broker.ready.search as string, 1);
  }
  await key('revoke');
  await using broker = await started();
  await publish(broker.ready.search as string, 'slip.soif');
  await until(broker.ready.search as string, 2);
});

test('a Registry changes and revokes its own key, and keeps the servers that it has approved', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const started = () => startServer<Ready>(['registry', 'serve', '--port', '0'], { cwd });
  const approve = (url: string) =>
    jsonHere(['registry', 'register', url, '--type', 'broker', '--name', 'Harbour'], { cwd });
  const key = (action: string) => jsonHere<Shown>(['registry', 'key', action, '--role', 'registry'], { cwd });
  const listed = async (at: string) =>
    (await json<{ servers: readonly { url: string }[] }>(`${at}servers`)).servers
      .map(({ url }) => url)
      .sort();
  const [first, second] = ['http://first.example/', 'http://second.example/'];
  {
    await using registry = await started();
    await approve(first);
    assert.deepEqual(await listed(registry.ready.registry as string), [first]);
  }
  const rotated = await key('rotate');
  {
    // Its renewals bring no links.
    await using registry = await started();
    const known = await json<Shown>(`${registry.ready.registry}keys/${rotated.serverId}`);
    assert.equal(known.key, rotated.key);
  }
  await key('revoke');
  await using registry = await started();
  await approve(second);
  assert.deepEqual(await listed(registry.ready.registry as string), [first, second]);
});
