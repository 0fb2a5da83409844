import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, runCommand, type Server, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere } from '../commands/command-here.ts';

type Ready = Readonly<Record<string, string>>;

interface Shown {
  readonly serverId: string;
  readonly key: string;
  readonly links: readonly { readonly key: string; readonly next: string; readonly isRevoked: boolean }[];
}

const json = async <Value>(url: string) => (await (await fetch(url)).json()) as Value;

const writePage = (folder: string, page: number) =>
  writeFile(
    join(folder, `${page}.html`),
    `<title>Tide table ${page}</title><p>The harbour master prints tide table ${page}.</p>`,
  );

/** Ask until it holds; the milliseconds that it took. */
async function until<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<number> {
  const started = performance.now();
  for (;;) {
    const value = await ask();
    if (holds(value)) return performance.now() - started;
    assert.ok(performance.now() - started < 20_000, JSON.stringify(value));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a Gatherer changes its key and revokes the old one, and its Broker follows it, by the Registry too', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const site = join(cwd, 'site');
  await mkdir(site);
  for (let page = 0; page < 6; page++) await writePage(site, page);
  await using registry = await startServer<Ready>(['registry', 'serve', '--port', '0'], { cwd });
  const at = registry.ready.registry as string;
  const own = ['--registry', at, '--renewal', '1s'];
  const port = String(await freePort());
  const gather = (on: string) =>
    startServer<Ready>(
      [
        ...['gatherer', 'serve', '--root', 'site', '--base-url', 'https://tides.example/', '--port', on],
        ...own,
      ],
      { cwd },
    );
  const key = (action: string) => jsonHere<Shown>(['registry', 'key', action, '--role', 'gatherer'], { cwd });
  let gatherer: Server<Ready> = await gather(port);
  const collect = gatherer.ready.collect as string;
  await using broker = await startServer<Ready>(
    ['broker', 'serve', '--collect', collect, '--port', '0', '--name', 'Harbour', ...own],
    { cwd },
  );
  const search = broker.ready.search as string;
  const held = async () => (await json<{ total: number }>(`${search}search?q=tide`)).total;
  try {
    await until(held, (total) => total === 6);
    const first = await key('show');
    assert.deepEqual(first.links, []);
    const locked = await runHere(['registry', 'key', 'rotate', '--role', 'gatherer'], { cwd });
    assert.deepEqual([locked.code, /STORE_LOCKED/.test(locked.stderr)], [11, true]);

    // Rotate: the old key signs the new one. Objects of either key are found.
    await gatherer.stop();
    const second = await key('rotate');
    assert.deepEqual([second.serverId, second.links[0]?.key], [first.serverId, first.key]);
    await writePage(site, 6);
    gatherer = await gather(port);
    // The Broker does not wait for its next attempt.
    await runHere(['broker', 'collect'], { cwd });
    await until(held, (total) => total === 7);
    const listed = () => json<Shown>(`${at}keys/${first.serverId}`);
    await until(listed, (entry) => entry.key === second.key);

    // Revoke, and come back where the Broker cannot reach it: it hears of that by the Registry alone.
    await gatherer.stop();
    const revoked = await key('revoke');
    assert.deepEqual(
      [revoked.key, revoked.links.map(({ isRevoked }) => isRevoked)],
      [second.key, [false, true]],
    );
    gatherer = await gather('0');
    await until(listed, ({ links }) => links.length === 2);
    // Six of the seven were signed by the first key alone.
    const ms = await until(held, (total) => total === 1);
    assert.ok(ms < 4000, `the objects were dropped after ${ms} ms`);
    await gatherer.stop();
    gatherer = await gather(port);
    // The Broker does not wait for its next attempt.
    await runHere(['broker', 'collect'], { cwd });
    await until(held, (total) => total === 7);

    await gatherer.stop();
    const again = await runCommand(['registry', 'key', 'revoke', '--role', 'gatherer'], { cwd });
    assert.deepEqual([again.code, /STORE_NO_OLD_KEY/.test(again.stderr)], [2, true]);
    const { stdout } = await runHere(['registry', 'key', 'show', '--role', 'gatherer'], { cwd });
    assert.match(stdout, /revokes all keys before it/);
  } finally {
    await gatherer.stop().catch(() => undefined);
  }
});
