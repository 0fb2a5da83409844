import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CacheReport, Explanation } from '../../cache/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere, serveHere } from '../commands/command-here.ts';

/** From now on every new file of a store's contents refuses writes. */
async function fill(objects: string): Promise<void> {
  for (let number = 1; number < 40; number++) {
    const folder = join(objects, 'contents', number.toString(16).padStart(2, '0'));
    await mkdir(folder, { recursive: true });
    await symlink('/dev/full', join(folder, String(number)));
  }
}

test('a full disk is reported by status, page and metrics with its start time, and why explains its effect', async () => {
  await using folder = await temporaryFolder();
  const origin = createServer((_, response) => {
    response.setHeader('cache-control', 'max-age=600');
    response.end(Buffer.alloc(400_000));
  });
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const data = ['--data', join(folder.path, 'data')];
  try {
    await using served = await serveHere<{ readonly cache: string; readonly admin: string }>([
      ...['cache', 'serve', '--port', '0', '--origin', url, '--largest', '500KB', ...data],
    ]);
    const ask = async (path: string) => (await fetch(new URL(path, served.ready.cache))).arrayBuffer();
    const why = (path: string) => jsonHere<Explanation>(['cache', 'why', path, ...data]);
    const began = Date.now() / 1000;
    assert.equal((await jsonHere<CacheReport>(['cache', 'status', ...data])).store.trouble, null);
    await fill(join(folder.path, 'data/cache/objects'));
    // Other writes succeed, and end the fault within about a second.
    const inTrouble = async <Result>(read: () => Promise<Result>, isMet: (result: Result) => boolean) => {
      for (let turn = 0; turn < 30; turn++) {
        assert.equal((await ask(`/a${turn}`)).byteLength, 400_000);
        const result = await read();
        if (isMet(result)) return result;
      }
      return read();
    };
    const { store } = await inTrouble(
      () => jsonHere<CacheReport>(['cache', 'status', ...data]),
      (report) => report.store.trouble?.state === 'full',
    );
    const { trouble } = store;
    assert.deepEqual(
      [trouble?.reason, trouble?.what, trouble?.state],
      ['ENOSPC', 'the disk is full', 'full'],
    );
    assert.ok(trouble && trouble.since >= began - 1 && trouble.since <= Date.now() / 1000);
    const refusing =
      /^ {2}trouble {3}new responses are not stored since \S+: the disk is full.*\n {12}free some space there/m;
    const says = (pattern: RegExp) => (text: string) => pattern.test(text);
    const said = async (...args: readonly string[]) => (await runHere([...args, ...data])).stdout;
    assert.match(await inTrouble(() => said('cache', 'status'), says(refusing)), refusing);
    assert.match(await inTrouble(() => said('cache', 'why', '/a0'), says(refusing)), refusing);
    const of = async (path: string, accept = '*/*') =>
      (await fetch(new URL(path, served.ready.admin), { headers: { accept } })).text();
    const metric = /^garner_cache_store_trouble 1$/m;
    assert.match(await inTrouble(() => of('/metrics'), says(metric)), metric);
    const shown = /New responses are not stored since/;
    assert.match(await inTrouble(() => of('/status', 'text/html'), says(shown)), shown);
    const refused = await inTrouble(
      async () => [await ask('/b'), await why('/b')] as const,
      ([, { recent }]) => recent[0]?.storedBy?.name === 'store-trouble',
    );
    assert.deepEqual(refused[1].entries, []);
    assert.equal(refused[1].recent[0]?.storedBy?.name, 'store-trouble');
  } finally {
    origin.closeAllConnections();
    origin.close();
  }
});

test('a response above the size limit is reported as too large', async () => {
  await using folder = await temporaryFolder();
  const origin = createServer((_, response) => {
    response.setHeader('cache-control', 'max-age=600');
    response.setHeader('content-length', 3000);
    response.end(Buffer.alloc(3000));
  });
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const data = ['--data', join(folder.path, 'data')];
  try {
    await using served = await serveHere<{ readonly cache: string }>([
      ...['cache', 'serve', '--port', '0', '--origin', url, '--largest', '2KB', ...data],
    ]);
    await (await fetch(served.ready.cache)).arrayBuffer();
    const { recent } = await jsonHere<Explanation>(['cache', 'why', '/', ...data]);
    assert.equal(recent[0]?.storedBy?.name, 'too-large');
  } finally {
    origin.closeAllConnections();
    origin.close();
  }
});
