import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Random } from '../../kernel/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import { killPlan } from '../kill/by-bytes.ts';
import { ServerProcess, until } from '../kill/server-process.ts';
import { ask } from './kit/raw-client.ts';
import { contentOf, pathOf, VersionedOrigin, versionOf } from './kit/versioned-origin.ts';

const run = promisify(execFile);
const numbers = Array.from({ length: 32 }, (_, number) => number);

/** A cache in its own process in front of an origin; every answer is compared with the origin. */
class Watched implements AsyncDisposable {
  readonly process: ServerProcess;
  readonly origin: VersionedOrigin;
  /** Contents that ended early because the rest was damaged. */
  cuts = 0;
  #port = 0;

  private constructor(folder: string, origin: VersionedOrigin) {
    this.process = new ServerProcess('cache', folder);
    this.origin = origin;
  }

  static async open(folder: string): Promise<Watched> {
    return new Watched(folder, await VersionedOrigin.open());
  }

  /** The folder of stored responses. */
  get store(): string {
    return join(this.process.data, 'objects');
  }

  async start(): Promise<void> {
    // Reads come from disk.
    const own = ['--origin', this.origin.url, '--port', '0', '--memory', '0', '--disk', '1GB'];
    this.process.start([...own, '--admin-port', '0']);
    const { cache } = await this.process.ready();
    this.#port = Number(new URL(String(cache)).port);
  }

  async stop(): Promise<void> {
    assert.equal(await this.process.kill('SIGTERM'), '0', this.process.errors);
  }

  /**
   * GET an object until its whole content has arrived; all bytes must be of the present version. Returns
   * Cache-Status.
   */
  async get(number: number): Promise<string> {
    for (let turn = 0; turn < 3; turn++) {
      const received = await ask(this.#port, pathOf(number));
      assert.equal(
        received.status,
        200,
        `object ${number}: ${received.status} ${received.body.slice(0, 200)}`,
      );
      const claimed = versionOf(received.line('etag'));
      const version = this.origin.version(number);
      assert.deepEqual(claimed, { number, version }, received.line('cache-status'));
      const content = contentOf({ number, version });
      const body = Buffer.from(received.body, 'latin1');
      assert.ok(body.equals(received.isCut ? content.subarray(0, body.length) : content), `object ${number}`);
      if (!received.isCut) return received.line('cache-status') ?? '';
      this.cuts++;
    }
    assert.fail(`object ${number} ends early repeatedly`);
  }

  async getAll(): Promise<readonly string[]> {
    const said: string[] = [];
    for (const number of numbers) said.push(await this.get(number));
    return said;
  }

  put(number: number) {
    return ask(this.#port, pathOf(number), { method: 'PUT', body: 'new' });
  }

  purge(target: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.process.ask('/purge', 'POST', target);
  }

  async damaged(): Promise<number> {
    const { store } = (await this.process.ask('/status')) as { store: { damaged: number } };
    return store.damaged;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.kill();
    await this.origin[Symbol.asyncDispose]();
  }
}

async function filesIn(folder: string, wanted: RegExp): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (wanted.test(name) && (await stat(path)).isFile()) paths.push(path);
  }
  return paths.sort();
}

/** Flip one bit in about each `every` bytes of a file. */
async function flipBits(path: string, random: Random, every: number): Promise<void> {
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  for (let flips = Math.ceil(size / every); flips > 0 && size > 0; flips--) {
    const at = Math.floor(random.next() * size);
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, at);
    byte.writeUInt8(byte.readUInt8(0) ^ (1 << Math.floor(random.next() * 8)));
    await file.write(byte, 0, 1, at);
  }
}

const contents = /^(?:segments|contents)\//;
const index = /^(?:journal-|purges\/)/;

test('bits flipped between runs: damaged responses are fetched again and never served, nothing purged comes back', async (t) => {
  const { seed, random } = killPlan(0);
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  await using folder = await temporaryFolder();
  await using cache = await Watched.open(folder.path);
  await cache.start();
  await cache.getAll();
  // Purged responses are still on disk.
  for (const number of [1, 4, 6]) {
    cache.origin.change(number);
    await cache.purge({ url: pathOf(number) });
  }
  for (const number of numbers.filter((number) => number % 5 === 2)) cache.origin.change(number);
  await cache.purge({ tag: 'fifth-2', soft: true });
  await cache.stop();

  for (const path of await filesIn(cache.store, contents)) await flipBits(path, random, 30_000);
  await cache.start();
  const said = await cache.getAll();
  assert.ok((await cache.damaged()) > 0, 'no damage was found');
  assert.ok(
    said.some((status) => status.includes('; hit')),
    'nothing was left',
  );
  await cache.stop();

  for (const path of await filesIn(cache.store, index)) await flipBits(path, random, 2000);
  await cache.start();
  await cache.getAll();
  await cache.stop();

  for (const path of await filesIn(cache.store, /./)) {
    const way = random.next();
    const { size } = await stat(path);
    if (way < 0.3) await rm(path);
    else if (way < 0.6) await truncate(path, Math.floor(random.next() * size));
    else if (way < 0.8) await writeFile(path, random.bytes(Math.min(size, 100_000)));
  }
  await cache.start();
  await cache.getAll();
  assert.ok(
    (await cache.getAll()).every((status) => status.includes('; hit')),
    'it stores no more',
  );
  await cache.stop();
});

test('the checks find bits flipped under a running cache, and the damaged responses are fetched again', async (t) => {
  const { seed, random } = killPlan(0);
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  await using folder = await temporaryFolder();
  await using cache = await Watched.open(folder.path);
  await cache.start();
  await cache.getAll();
  for (let turn = 0; turn < 5; turn++) {
    const getting = cache.getAll();
    for (const path of await filesIn(cache.store, contents)) await flipBits(path, random, 50_000);
    await getting;
    await cache.getAll();
  }
  assert.ok((await cache.damaged()) > 0, 'no damage was found');
  for (const path of await filesIn(cache.store, contents)) await rm(path);
  await cache.getAll();
  assert.ok(
    (await cache.getAll()).every((status) => status.includes('; hit')),
    'it stores no more',
  );
  t.diagnostic(`${await cache.damaged()} damaged, ${cache.cuts} contents ended in the middle`);
});

test('a full disk: the cache keeps serving, and stores again when the disk has room', async () => {
  await using folder = await temporaryFolder();
  await using cache = await Watched.open(folder.path);
  await cache.start();
  const { pid } = cache.process.child;
  // Every write to a file fails from now on, also for root.
  const limit = (bytes: string) => run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  for (const number of numbers.slice(0, 8)) await cache.get(number);
  await limit('1');
  await cache.getAll();
  await cache.getAll();
  for (const number of [1, 20]) {
    assert.equal((await cache.put(number)).status, 200);
    await cache.get(number);
  }
  cache.origin.change(2);
  // It reports that it cannot write this to disk, and applies it as long as it runs.
  await assert.rejects(cache.purge({ url: pathOf(2) }), /CACHE_STORE_FAILED/);
  await cache.get(2);
  await limit('unlimited');
  await until(
    'an object to be stored again',
    () => cache.get(30),
    (status) => status.includes('; hit'),
  );
  await cache.purge({ url: pathOf(3) });
  await limit('1');
  await cache.getAll();
  cache.origin.change(5);
  await assert.rejects(cache.purge({ url: pathOf(5) }), /CACHE_STORE_FAILED/);
  await cache.get(5);
  // It still ends normally, and what it could write is valid.
  await cache.stop();
  await cache.start();
  // It may not know what it could not write.
  await cache.purge({ url: pathOf(5) });
  await cache.getAll();
  assert.ok(
    (await cache.getAll()).every((status) => status.includes('; hit')),
    'it stores no more',
  );
  await cache.stop();
});
