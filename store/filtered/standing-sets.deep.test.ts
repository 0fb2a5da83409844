import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bytesOfHandle,
  type Change,
  elementId,
  handleOf,
  SetFingerprint,
  type SourceState,
  summarise,
} from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  attributeText,
  decodeObject,
  digestOf,
  encodeObject,
  type Oid,
  oidOf,
  type ServerId,
  summaryObject,
} from '../../soif/index.ts';
import type { StoreOperation } from '../changes/store-step.ts';
import { type Database, openDatabase, type Write } from '../database/database.ts';
import { ObjectStore } from '../objects/object-store.ts';
import type { StandingSets } from './standing-sets.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;

function putting(n: number, content: string, updatedAt: number): StoreOperation & { kind: 'put' } {
  const url = `http://example.org/${n}`;
  const object = summaryObject(url, [['Title', content]]);
  const oid = oidOf(publisher, url);
  const signature = new Uint8Array(64);
  const provenance = { digest: digestOf(object), updatedAt, publisher, signature };
  return { kind: 'put', object: { oid, body: encodeObject(object), ...provenance }, url, ttlSeconds: 1000 };
}

/** The same content, summarised a second later. */
function later({ object, ...put }: StoreOperation & { kind: 'put' }): StoreOperation {
  return { ...put, object: { ...object, updatedAt: object.updatedAt + 1 } };
}

/** A database whose process dies at some batch: it is not written, and none after it. */
class MortalDatabase {
  left = Number.POSITIVE_INFINITY;
  readonly database: Database;

  constructor(database: Database) {
    this.database = {
      ...database,
      batch: async (writes: readonly Write[], options) => {
        if (this.left <= 0) throw new Error('the process is dead');
        this.left--;
        await database.batch(writes, options);
      },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  }
}

/** A store with sets, each of the objects whose title holds a letter; the definitions outlive the process. */
class World implements AsyncDisposable {
  readonly path: string;
  readonly clock = new ManualClock(5_000_000);
  /** How often the sets have followed the store in part. */
  crashes = 0;
  /** Letter of each set by its number. */
  readonly defined = new Map<number, string>();
  mortal!: MortalDatabase;
  store!: ObjectStore;
  sets!: StandingSets;
  judged = 0;

  constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<World> {
    const world = new World(await mkdtemp(join(tmpdir(), 'garner-standing-')));
    await world.open();
    return world;
  }

  async open(): Promise<void> {
    this.mortal = new MortalDatabase(await openDatabase(join(this.path, 'db')));
    this.store = await ObjectStore.open(this.mortal.database, {
      clock: this.clock,
      random: seededRandom(1),
      journalElements: 3,
    });
    const setsOf = (body: Uint8Array) => {
      this.judged++;
      const title = attributeText(decodeObject(body), 'Title') ?? '';
      return [...this.defined].filter(([, letter]) => title.includes(letter)).map(([number]) => number);
    };
    this.sets = await this.store.standing(setsOf, this.defined.keys());
  }

  async define(letter: string): Promise<number> {
    const number = this.sets.newNumber();
    this.defined.set(number, letter);
    await this.sets.add([number]);
    return number;
  }

  async drop(number: number): Promise<void> {
    this.defined.delete(number);
    await this.sets.remove(number);
  }

  /** Die, now or after some more batches, while the sets follow the store; then start again. */
  async crash(batches: number): Promise<void> {
    this.crashes++;
    this.mortal.left = batches;
    await this.sets.follow().catch(() => undefined);
    this.mortal.left = 0;
    await this.store[Symbol.asyncDispose]().catch(() => undefined);
    await this.mortal.database[Symbol.asyncDispose]();
    await this.open();
  }

  /** The content of a set: its definition applied to every object. */
  async truth(letter: string): Promise<Map<Oid, string>> {
    await using snapshot = await this.store.snapshot();
    const found = new Map<Oid, string>();
    for await (const { oid, digest } of snapshot.scan()) {
      const object = await snapshot.get(oid);
      assert.ok(object !== undefined);
      const title = attributeText(decodeObject(object.body), 'Title') ?? '';
      if (title.includes(letter)) found.set(oid, Buffer.from(digest).toString('hex'));
    }
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await rm(this.path, { recursive: true, force: true });
  }
}

/** A client that knows a set by its log alone. */
class Follower {
  #state: SourceState | undefined;
  #crashes = 0;
  readonly objects = new Map<Oid, string>();
  readonly events = new Map<Oid, string>();

  async learn({ sets, crashes }: World, number: number): Promise<void> {
    // Where the sets followed only in part meanwhile, a known object may have left and entered again.
    const mayHaveLeft = crashes !== this.#crashes;
    this.#crashes = crashes;
    await using snapshot = await sets.source(number).snapshot({ sketch: number % 2 === 0 });
    const { state } = snapshot;
    const since = this.#state?.epoch === state.epoch ? this.#state.lsn : 0;
    if (since < state.horizon || since === 0) {
      this.objects.clear();
      this.events.clear();
    }
    for await (const change of snapshot.changesSince(since)) this.#apply(change, state);
    for await (const event of snapshot.events({ known: since })) {
      if (event.kind === 'delete') this.events.delete(event.oid);
      else {
        const isKnown = this.events.has(event.oid);
        if (!isKnown || !mayHaveLeft) assert.equal(event.kind, isKnown ? 'change' : 'insert');
        this.events.set(event.oid, Buffer.from(event.object.digest).toString('hex'));
      }
    }
    this.#state = state;
    const fingerprint = new SetFingerprint();
    for (const [oid, digest] of this.objects)
      fingerprint.add(elementId(state.epoch, oid, Buffer.from(digest, 'hex')));
    assert.deepEqual(fingerprint.digest(), state.fingerprint);
    assert.equal(this.objects.size, state.count);
    const summary = await snapshot.summary();
    if (summary === undefined) return;
    const elements = [...this.objects].map(([oid, digest]) => ({
      handle: bytesOfHandle(handleOf(oid)),
      element: elementId(state.epoch, oid, Buffer.from(digest, 'hex')),
    }));
    async function* all() {
      yield elements;
    }
    const expected = await summarise(all(), summary.sketch.length);
    assert.deepEqual(summary.sketch, expected.summary.sketch);
  }

  #apply(change: Change, { lsn }: SourceState): void {
    assert.ok(change.lsn <= lsn);
    if (change.kind === 'put') this.objects.set(change.object.oid, hex(change.object.digest));
    else if (change.kind === 'delete') this.objects.delete(change.oid);
    else assert.ok(this.objects.has(change.refresh.oid));
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const letters = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  fc.record({ do: fc.constant('put' as const), n: fc.nat(5), text: fc.subarray(['a', 'b', 'c', 'd']) }),
  fc.record({ do: fc.constant('delete' as const), n: fc.nat(5) }),
  // More than one step takes, some of it written again unchanged before the sets follow.
  fc.record({ do: fc.constant('load' as const), text: letters, again: fc.nat(40) }),
  fc.record({ do: fc.constant('define' as const), letter: letters }),
  fc.record({ do: fc.constant('drop' as const), which: fc.nat(3) }),
  fc.record({ do: fc.constant('crash' as const), batches: fc.nat(3) }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 600) }),
  fc.record({ do: fc.constant('forget' as const) }),
  fc.record({ do: fc.constant('look' as const) }),
);

test('after any history, each set matches its definition, and its log shows how', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await using world = await World.make();
      const followers = new Map<number, Follower>();
      const look = async () => {
        for (const [number, letter] of world.defined) {
          const follower = followers.get(number) ?? new Follower();
          followers.set(number, follower);
          await follower.learn(world, number);
          const truth = await world.truth(letter);
          assert.deepEqual(new Map([...follower.objects].toSorted()), new Map([...truth].toSorted()));
          assert.deepEqual(new Map([...follower.events].toSorted()), new Map([...truth].toSorted()));
        }
      };
      for (const one of steps) {
        const seconds = Math.floor(world.clock.now() / 1000);
        if (one.do === 'put') await world.store.apply([putting(one.n, one.text.join(' '), seconds)]);
        else if (one.do === 'delete')
          await world.store.apply([{ kind: 'delete', oid: oidOf(publisher, `http://example.org/${one.n}`) }]);
        else if (one.do === 'load') {
          const load = Array.from({ length: 40 }, (_, n) => putting(n, one.text, seconds));
          await world.store.apply(load);
          await world.store.apply(load.slice(0, one.again).map(later));
        } else if (one.do === 'define') await world.define(one.letter);
        else if (one.do === 'drop') {
          const number = [...world.defined.keys()][one.which];
          if (number !== undefined) await world.drop(number);
        } else if (one.do === 'crash') await world.crash(one.batches);
        else if (one.do === 'pass') {
          world.clock.advance(one.seconds * 1000);
          await world.store.expire();
        } else if (one.do === 'forget') await world.store.forgetTombstones(0);
        else await look();
      }
      await look();
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 30) },
  );
});

test('an object is judged once for all sets, and unaffected sets are not written', async () => {
  await using world = await World.make();
  const numbers: number[] = [];
  for (const letter of ['a', 'b', 'c']) numbers.push(await world.define(letter));
  await world.sets.follow();
  const heard: number[] = [];
  for (const number of numbers) world.sets.source(number).onChange(() => heard.push(number));
  world.judged = 0;
  await world.store.apply([putting(1, 'a b', 5000)]);
  await world.sets.follow();
  assert.equal(world.judged, 1);
  assert.deepEqual(heard, numbers.slice(0, 2));
  const states = await world.sets.states(numbers);
  assert.deepEqual(
    states.map(({ lsn, count }) => [lsn, count]),
    [
      [1, 1],
      [1, 1],
      [0, 0],
    ],
  );
});

test('a set that is made later is filled from the present objects, the others are not touched', async () => {
  await using world = await World.make();
  const first = await world.define('a');
  await world.store.apply(Array.from({ length: 200 }, (_, n) => putting(n, n % 2 === 0 ? 'a' : 'b', 5000)));
  await world.sets.follow();
  const second = await world.define('b');
  assert.equal(world.sets.isFilled(second), false);
  const before = (await world.sets.states([first]))[0];
  await world.sets.follow();
  assert.equal(world.sets.isFilled(second), true);
  const [after, filled] = await world.sets.states([first, second]);
  assert.deepEqual(after, before);
  assert.equal(filled?.count, 100);
});

test('a deletion that the store has forgotten before the sets followed it is found all the same', async () => {
  await using world = await World.make();
  const number = await world.define('a');
  await world.store.apply([putting(1, 'a', 5000), putting(2, 'a', 5000)]);
  await world.sets.follow();
  await world.store.apply([{ kind: 'delete', oid: oidOf(publisher, 'http://example.org/1') }]);
  world.clock.advance(1000);
  await world.store.forgetTombstones(0);
  await world.crash(0);
  await world.sets.follow();
  assert.equal((await world.sets.states([number]))[0]?.count, 1);
});

test('a search for members without an object lets the store go on in between', async () => {
  await using world = await World.make();
  const number = await world.define('a');
  const puts = Array.from({ length: 60 }, (_, n) => putting(n, 'a', 5000));
  await world.store.apply(puts);
  await world.sets.follow();
  await world.store.apply(puts.map(({ object }) => ({ kind: 'delete', oid: object.oid })));
  world.clock.advance(1000);
  await world.store.forgetTombstones(0);
  await world.crash(0);
  const heard: number[] = [];
  world.sets.source(number).onChange((lsn) => heard.push(lsn));
  await world.sets.follow();
  assert.equal((await world.sets.states([number]))[0]?.count, 0);
  assert.ok(heard.length > 1, 'it was done in several steps');
});
