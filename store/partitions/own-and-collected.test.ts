import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change, Epoch, PublishedObject, Withdrawal } from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import type { StoreOperation } from '../changes/index.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { ObjectStore } from '../objects/object-store.ts';
import { keys } from '../rows/index.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const url = 'http://example.org/';
const oid = oidOf(publisher, url);
const signature = new Uint8Array(64);
const sources = ['one', 'two', 'three'];
const marker = { epoch: Buffer.alloc(12, 1).toString('base64url') as Epoch, lsn: 1 };

/** What the publisher has signed at a time: a content, or that it withdraws the object. */
type Statement = 'a' | 'b' | 'withdrawn';

function objectOf(content: string, updatedAt: number): PublishedObject {
  const summary = summaryObject(url, [
    ['Title', content],
    ['Time-to-Live', 1_000_000],
  ]);
  const [digest, body] = [digestOf(summary), encodeObject(summary)];
  return { oid, digest, body, updatedAt, publisher, signature };
}

const digestFor = (content: string) => objectOf(content, 0).digest;
const withdrawalAt = (updatedAt: number): Withdrawal => ({ publisher, updatedAt, signature });

/** A store, and what it must hold after all that it was sent. */
class World implements AsyncDisposable {
  readonly #path: string;
  readonly #history: readonly Statement[];
  store!: ObjectStore;
  database!: Database;
  /** The time of the version that each source offers. */
  readonly #offers = new Map<string, number>();
  /** The last version while the publisher itself has published it here, and not withdrawn it. */
  #own: number | undefined;
  #withdrawnAt = 0;
  #wasKnown = false;

  private constructor(path: string, history: readonly Statement[]) {
    this.#path = path;
    this.#history = history;
  }

  static async open(history: readonly Statement[]): Promise<World> {
    const world = new World(await mkdtemp(join(tmpdir(), 'garner-own-')), history);
    world.database = await openDatabase(join(world.#path, 'db'));
    world.store = await ObjectStore.open(world.database, {
      clock: new ManualClock(),
      random: seededRandom(1),
    });
    return world;
  }

  #said(at: number): Statement {
    return this.#history[at - 1] as Statement;
  }

  /** A source passes on a statement; it skips those between it and its last one. */
  async pass(source: string, at: number): Promise<void> {
    const before = this.#offers.get(source) ?? 0;
    const said = this.#said(at);
    if (at <= before) return;
    const object = objectOf(said, at);
    let change: Change = { kind: 'put', lsn: 1, object };
    if (said === 'withdrawn') change = { kind: 'delete', lsn: 1, oid, withdrawal: withdrawalAt(at) };
    else if (before > 0 && this.#said(before) === said)
      change = { kind: 'refresh', lsn: 1, refresh: { oid, publisher, updatedAt: at, signature } };
    await (await this.store.replica(source)).apply([change], marker);
    if (said !== 'withdrawn') this.#offers.set(source, at);
    else {
      this.#offers.delete(source);
      this.#noteWithdrawal(at);
    }
  }

  /** A source leaves the object out, or is removed itself. */
  async leave(source: string, isRemoved: boolean): Promise<void> {
    this.#offers.delete(source);
    if (isRemoved) return this.store.dropPartition(source);
    await (await this.store.replica(source)).apply([{ kind: 'delete', lsn: 1, oid }], marker);
  }

  /** The publisher sends a statement itself, perhaps an old one. */
  async publish(at: number): Promise<void> {
    const held = await this.store.describe(oid);
    const said = this.#said(at);
    const isNewer = at > Math.max(held?.updatedAt ?? 0, this.#withdrawnAt);
    let operation: StoreOperation = {
      ...{ kind: 'put', url, ttlSeconds: 1_000_000, object: objectOf(said, at) },
    };
    if (said === 'withdrawn') operation = { kind: 'delete', oid, withdrawal: withdrawalAt(at) };
    else if (held !== undefined && Buffer.compare(held.digest, digestFor(said)) === 0)
      operation = { kind: 'refresh', oid, updatedAt: at, signature, digest: held.digest };
    await this.store.apply([operation], { ifNewer: true });
    if (said === 'withdrawn') this.#noteWithdrawal(at);
    else if (isNewer) this.#own = at;
  }

  /** The publisher refreshes a content that is not the one held here. */
  async refreshOther(at: number): Promise<void> {
    const before = await this.store.describe(oid);
    const other = before && Buffer.compare(before.digest, digestFor('a')) === 0 ? 'b' : 'a';
    const digest = digestFor(other);
    const operation = { kind: 'refresh', oid, updatedAt: at, signature, digest } as const;
    await this.store.apply([operation], { ifNewer: true });
    assert.deepEqual(await this.store.describe(oid), before);
  }

  /** The effect of another round: each source's copy learns what it lacks. */
  async again(): Promise<void> {
    for (const [source, at] of this.#offers) {
      const copy = await this.store.replica(source);
      const [digest] = await copy.digests([oid]);
      if (digest === undefined)
        await copy.apply([{ kind: 'put', lsn: 1, object: objectOf(this.#said(at), at) }], marker);
    }
  }

  /** Note what a step has left, before any copy learns what it lacks. */
  async look(): Promise<void> {
    const held = await this.store.describe(oid);
    if (this.#own !== undefined && this.#own <= this.#withdrawnAt) this.#own = undefined;
    if (held === undefined) {
      assert.equal(this.#own, undefined, 'what was published here is lost');
      return;
    }
    this.#wasKnown = true;
    if (this.#own !== undefined) {
      assert.ok(held.updatedAt >= this.#own);
      this.#own = held.updatedAt;
    }
  }

  async check(): Promise<void> {
    const { store } = this;
    await this.again();
    await this.look();
    const held = await store.describe(oid);
    const offered = [...this.#offers.values()].filter((at) => at > this.#withdrawnAt);
    const newest = Math.max(0, this.#own ?? 0, ...offered);
    if (held === undefined) assert.equal(newest, 0, `version ${newest} is lost`);
    else {
      assert.ok(held.updatedAt >= newest, `version ${held.updatedAt}, and ${newest} is known`);
      assert.ok(held.updatedAt > this.#withdrawnAt, `version ${held.updatedAt} was withdrawn`);
      assert.deepEqual(held.digest, Buffer.from(digestFor(this.#said(held.updatedAt))));
      assert.ok(this.#offers.size > 0 || this.#own !== undefined, 'nobody offers it');
    }
    if (this.#wasKnown) assert.equal(await store.withdrawnAt(oid), this.#withdrawnAt);
    for (const [source, at] of this.#offers) {
      const [digest] = await (await store.replica(source)).digests([oid]);
      assert.deepEqual(digest, Buffer.from(digestFor(this.#said(at))), 'the copy is that of its source');
    }
  }

  #noteWithdrawal(at: number): void {
    // Of an object that was never here nothing is stored.
    if (this.#wasKnown) this.#withdrawnAt = Math.max(this.#withdrawnAt, at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await rm(this.#path, { recursive: true, force: true });
  }
}

const source = fc.constantFrom(...sources);
const at = fc.integer({ min: 1, max: 12 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), source, at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('publish' as const), at }) },
  fc.record({ do: fc.constant('refresh other' as const), at }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rounds' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), source, isRemoved: fc.boolean() }) },
);

test('published here and collected in any order, the newest signed statement holds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Statement>('a', 'b', 'a', 'b', 'withdrawn'), { minLength: 12, maxLength: 12 }),
      fc.array(step, { minLength: 3, maxLength: 30 }),
      async (history, steps) => {
        await using world = await World.open(history);
        for (const one of steps) {
          if (one.do === 'pass') await world.pass(one.source, one.at);
          else if (one.do === 'publish') await world.publish(one.at);
          else if (one.do === 'leave') await world.leave(one.source, one.isRemoved);
          else if (one.do === 'refresh other') await world.refreshOther(one.at);
          else await world.check();
          await world.look();
        }
        // A copy may lack an object until its next round, but no row may contradict another.
        assert.deepEqual((await world.store.check({})).sample, []);
        await world.check();
        // In the end all have heard everything.
        for (const name of sources) await world.pass(name, history.length);
        await world.publish(history.length);
        await world.check();
        const held = await world.store.describe(oid);
        const isWithdrawn = history.at(-1) === 'withdrawn';
        assert.equal(held?.updatedAt, isWithdrawn ? undefined : history.length);
        assert.deepEqual((await world.store.check({})).sample, []);
      },
    ),
    {
      numRuns: Number(process.env.GARNER_TEST_RUNS ?? 60),
      // A refresh of other content than the one that is held.
      examples: [
        [
          ['a', 'b', 'a', ...Array<Statement>(9).fill('b')],
          [
            { do: 'pass', source: 'one', at: 1 },
            { do: 'pass', source: 'two', at: 2 },
            { do: 'pass', source: 'one', at: 3 },
          ],
        ],
      ],
    },
  );
});

test('an object that was published here expires, and is unblocked, as such', async () => {
  await using world = await World.open(['a']);
  const { store } = world;
  await world.pass('one', 1);
  await store.apply([{ kind: 'put', url, ttlSeconds: 1_000_000, object: objectOf('b', 2) }], {
    ifNewer: true,
  });
  assert.deepEqual((await store.describe(oid))?.partitions, [0, 1]);
  await store.unlearn([oid]);
  assert.deepEqual((await store.describe(oid))?.partitions, [0]);
  await world.again();
  assert.deepEqual((await store.describe(oid))?.partitions, [0, 1]);
  assert.deepEqual((await store.pathsOf([oid]))[0]?.path, []);
  assert.equal(await store.expire(), 1);
  assert.equal(await world.database.get(keys.partition(0)), undefined, 'the store itself is no source');
  assert.deepEqual([store.count, (await store.check({})).sample], [0, []]);
});

test('a withdrawal is kept where the same step has deleted the object', async () => {
  await using world = await World.open(['a']);
  const { store } = world;
  await world.pass('one', 1);
  const copy = await store.replica('one');
  const bare: Change = { kind: 'delete', lsn: 1, oid };
  await copy.apply([bare, { ...bare, withdrawal: withdrawalAt(5) }], marker);
  assert.deepEqual([await store.withdrawnAt(oid), store.withdrawals], [5, 1]);
  assert.deepEqual((await store.check({})).sample, []);
});
