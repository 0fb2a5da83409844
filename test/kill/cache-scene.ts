import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import type { Random } from '../../kernel/index.ts';
import { ask, type Received } from '../cache/kit/raw-client.ts';
import { contentOf, pathOf, tagsOf, VersionedOrigin, versionOf } from '../cache/kit/versioned-origin.ts';
import { type KillPoint, killAt } from './by-bytes.ts';
import { ServerProcess } from './server-process.ts';

/** Objects of the site. */
const objects = 48;
const clients = 6;
const stuckMs = 60_000;

type Line = readonly [string, string];

/** A target of a purge, and its objects. */
interface Purging {
  readonly target: Readonly<Record<string, unknown>>;
  readonly numbers: readonly number[];
}

const all = Array.from({ length: objects }, (_, number) => number);

/**
 * A cache in front of a changing origin, several clients that fetch, change and purge, and a record of what the cache
 * has confirmed: the oldest version of each object that may still be served, and the objects that must be found after
 * a restart.
 */
export class CacheScene implements AsyncDisposable {
  readonly cache: ServerProcess;
  readonly origin: VersionedOrigin;
  readonly done: Record<string, number> = {};
  readonly #random: Random;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: clients });
  /** The oldest version that may be served now. */
  readonly #oldest = new Map<number, number>();
  /** Number of requests that may make the cache forget an object. */
  readonly #touched = new Map<number, number>();
  /** Purges and changes in flight. */
  readonly #touching = new Map<number, number>();
  /** Seen stored, with the count of touches at that time. */
  #stored = new Map<number, number>();
  /** On disk, as the cache has confirmed. */
  readonly #flushed = new Set<number>();
  #port = 0;

  private constructor(folder: string, origin: VersionedOrigin, random: Random) {
    this.cache = new ServerProcess('cache', folder);
    this.origin = origin;
    this.#random = random;
  }

  static async open(folder: string, random: Random): Promise<CacheScene> {
    // Answers in flight while their object changes.
    const slowMs = () => (random.next() < 0.2 ? 1 + random.next() * 20 : 0);
    return new CacheScene(folder, await VersionedOrigin.open({ slowMs }), random);
  }

  get flushed(): number {
    return this.#flushed.size;
  }

  start(disk: string, { fastLane = false } = {}): void {
    const lane = fastLane ? [] : ['--no-fast-lane'];
    const ports = ['--port', '0', '--admin-port', '0'];
    this.cache.start(['--origin', this.origin.url, ...ports, '--disk', disk, ...lane]);
  }

  async ready(): Promise<void> {
    const { cache } = await this.cache.ready();
    this.#port = Number(new URL(String(cache)).port);
  }

  /** Work until the process has come to `point` and is dead. */
  async workUntilKilled(point: KillPoint): Promise<void> {
    const { child } = this.cache;
    const signal = AbortSignal.timeout(stuckMs);
    const killed = killAt(child, point, { signal });
    // The first failure stops all clients.
    const over = new AbortController();
    const works = Array.from({ length: clients }, () => this.#work(over.signal));
    const faults = Promise.all(works).catch((fault: unknown) => {
      child.kill('SIGKILL');
      throw fault;
    });
    // Checked when the process is dead.
    faults.catch(() => undefined);
    await killed.finally(() => over.abort());
    await faults;
    this.#forgetUnflushed();
  }

  /** Stop as an operator does: all that is stored is found again. */
  async stop(): Promise<string | undefined> {
    for (const [number, touched] of this.#stored)
      if (touched === (this.#touched.get(number) ?? 0)) this.#flushed.add(number);
    const how = await this.cache.kill('SIGTERM');
    this.#forgetUnflushed();
    return how;
  }

  /** A store that is too small may lose any object. */
  expectNothing(): void {
    this.#flushed.clear();
    this.#stored.clear();
  }

  /** After a restart: all flushed objects are found without a fetch, and every answer is correct. */
  async judge(): Promise<void> {
    await Promise.all(
      [...this.#flushed].map(async (number) => {
        const received = await this.#get(number, [['Cache-Control', 'only-if-cached']]);
        assert.equal(received?.status, 200, `object ${number} was flushed and is lost`);
      }),
    );
    await Promise.all(all.map((number) => this.#get(number, [])));
    await this.#purge({ target: { tag: 'nothing-has-it' }, numbers: [] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cache.kill();
    this.#agent.destroy();
    await this.origin[Symbol.asyncDispose]();
  }

  #forgetUnflushed(): void {
    this.#agent.destroy();
    this.#stored = new Map();
    this.#touching.clear();
  }

  #pick(): number {
    // Some are requested far more often than others.
    return Math.floor(objects * this.#random.next() ** 2);
  }

  /** One client: sends requests and orders until the cache is dead. */
  async #work(over: AbortSignal): Promise<void> {
    await this.#whileAlive(over, () => this.ready());
    while (!over.aborted && this.cache.isRunning) {
      const number = this.#pick();
      const kind = this.#random.next();
      await this.#whileAlive(over, async () => {
        if (kind < 0.7) await this.#get(number, []);
        else if (kind < 0.77) await this.#get(number, [['Cache-Control', 'no-cache']]);
        else if (kind < 0.84) await this.#getPart(number);
        else if (kind < 0.9) await this.#put(number);
        else if (kind < 0.95) await this.#purge({ target: { url: pathOf(number) }, numbers: [number] });
        else if (kind < 0.97) await this.#purge(this.#someMany(number));
        else await this.#purge({ target: { tag: 'nothing-has-it' }, numbers: [] });
      });
    }
  }

  #someMany(number: number): Purging {
    if (this.#random.next() < 0.5) {
      const tag = tagsOf(number)[1] ?? '';
      return { target: { tag }, numbers: all.filter((other) => tagsOf(other).includes(tag)) };
    }
    const prefix = pathOf(number).replace(/\d+$/, '');
    return { target: { prefix }, numbers: all.filter((other) => pathOf(other).startsWith(prefix)) };
  }

  /** Connection errors come from the kill; any other error is a fault. */
  async #whileAlive(over: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      if (!(await this.cache.isDying(over))) throw error;
    }
  }

  #count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
  }

  async #get(number: number, fields: readonly Line[]): Promise<Received | undefined> {
    const renewed = fields.some(([, value]) => value === 'no-cache');
    const oldest = renewed ? this.origin.version(number) : (this.#oldest.get(number) ?? 0);
    const touched = this.#touched.get(number) ?? 0;
    const isQuiet = (this.#touching.get(number) ?? 0) === 0;
    const received = await ask(this.#port, pathOf(number), { fields, agent: this.#agent });
    if (received.status === 0) return undefined;
    this.#count(renewed ? 'renewed' : 'asked');
    if (received.status !== 200) {
      if (received.status === 504) return received;
      assert.fail(`object ${number} was answered with ${received.status}: ${received.body.slice(0, 300)}`);
    }
    const content = this.#expected(number, received, oldest);
    const body = Buffer.from(received.body, 'latin1');
    const due = received.isCut ? content.subarray(0, body.length) : content;
    assert.ok(body.equals(due), `object ${number} differs from the origin: ${body.length} bytes`);
    const isStored = /; (hit|stored)/.test(received.line('cache-status') ?? '');
    if (isStored && !received.isCut && isQuiet && touched === (this.#touched.get(number) ?? 0))
      this.#stored.set(number, touched);
    return received;
  }

  async #getPart(number: number): Promise<void> {
    const oldest = this.#oldest.get(number) ?? 0;
    const [first, last] = [10, 10 + Math.floor(this.#random.next() * 100_000)];
    const fields: Line[] = [['Range', `bytes=${first}-${last}`]];
    const received = await ask(this.#port, pathOf(number), { fields, agent: this.#agent });
    if (received.status === 0 || received.status === 416) return;
    this.#count('parts');
    const content = this.#expected(number, received, oldest);
    const due = received.status === 206 ? content.subarray(first, last + 1) : content;
    const body = Buffer.from(received.body, 'latin1');
    assert.ok(
      body.equals(received.isCut ? due.subarray(0, body.length) : due),
      `a part of object ${number} differs from the origin`,
    );
  }

  /** The content of the version that an answer names, if that version may be served. */
  #expected(number: number, received: Received, oldest: number): Buffer {
    const claimed = versionOf(received.line('etag'));
    assert.equal(claimed?.number, number, `object ${number} was answered with ${received.line('etag')}`);
    const { version } = claimed;
    assert.ok(
      version >= oldest && version <= this.origin.version(number),
      `version ${version} of object ${number} came, ${oldest} to ${this.origin.version(number)} may be: ${received.line('cache-status')}`,
    );
    return contentOf(claimed);
  }

  #begin(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.#touched.set(number, (this.#touched.get(number) ?? 0) + 1);
      this.#touching.set(number, (this.#touching.get(number) ?? 0) + 1);
      this.#flushed.delete(number);
      this.#stored.delete(number);
    }
  }

  #end(numbers: readonly number[]): void {
    for (const number of numbers) this.#touching.set(number, (this.#touching.get(number) ?? 0) - 1);
  }

  #confirm(number: number, version: number): void {
    this.#oldest.set(number, Math.max(version, this.#oldest.get(number) ?? 0));
  }

  /** A change through the cache: after its answer, older versions may not be served. */
  async #put(number: number): Promise<void> {
    this.#begin([number]);
    const received = await ask(this.#port, pathOf(number), {
      method: 'PUT',
      body: 'new',
      agent: this.#agent,
    });
    const version = received.line('x-version');
    if (received.status !== 200 || version === undefined) return;
    this.#confirm(number, Number(version));
    this.#end([number]);
    this.#count('changed');
  }

  /**
   * A change that the cache does not see, then a purge; its answer also confirms that everything stored before is on
   * disk.
   */
  async #purge({ target, numbers }: Purging): Promise<void> {
    const soft = this.#random.next() < 0.3;
    const versions = new Map(numbers.map((number) => [number, this.origin.change(number)]));
    this.#begin(numbers);
    const before = [...this.#stored];
    await this.cache.ask('/purge', 'POST', { ...target, soft });
    for (const [number, version] of versions) this.#confirm(number, version);
    this.#end(numbers);
    for (const [number, touched] of before)
      if (touched === (this.#touched.get(number) ?? 0)) this.#flushed.add(number);
    this.#count(numbers.length === 0 ? 'flushed' : 'purged');
  }
}
