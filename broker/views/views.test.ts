import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError, ManualClock, seededRandom } from '../../kernel/index.ts';
import { matches, parseQuery } from '../../query/index.ts';
import {
  decodeObject,
  digestOf,
  encodeObject,
  oidOf,
  type ServerId,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import type { ViewDefinition } from './view-table.ts';
import { maxUnindexed, Views } from './views.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;

const urlOf = (n: number) => `http://example.org/${n}`;

function putting(n: number, words: readonly string[], updatedAt: number): StoreOperation {
  const object = summaryObject(urlOf(n), [
    ['Title', words.join(' ')],
    ['Type', n % 2 === 0 ? 'HTML' : 'PDF'],
  ]);
  const oid = oidOf(publisher, urlOf(n));
  const provenance = { digest: digestOf(object), updatedAt, publisher, signature: new Uint8Array(64) };
  return {
    kind: 'put',
    object: { oid, body: encodeObject(object), ...provenance },
    url: urlOf(n),
    ttlSeconds: 1000,
  };
}

/** A store with views that can be closed and reopened. */
class World implements AsyncDisposable {
  readonly clock = new ManualClock(5_000_000);
  readonly path: string;
  store!: ObjectStore;
  views!: Views;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<World> {
    const world = new World(await mkdtemp(join(tmpdir(), 'garner-views-')));
    await world.#open();
    return world;
  }

  async #open(): Promise<void> {
    const { clock } = this;
    const random = seededRandom(1);
    this.store = await ObjectStore.open(await openDatabase(join(this.path, 'store')), { clock, random });
    const database = await openDatabase(join(this.path, 'views'));
    this.views = await Views.open({ store: this.store, database, clock, random });
    this.#closeViews = () => database[Symbol.asyncDispose]();
  }

  #closeViews: () => PromiseLike<void> = async () => undefined;

  async #close(): Promise<void> {
    await this.views[Symbol.asyncDispose]();
    await this.#closeViews();
    await this.store[Symbol.asyncDispose]();
  }

  async reopen(): Promise<void> {
    await this.#close();
    await this.#open();
  }

  /** URLs of a view's objects, as its own source lists them. */
  async members(name: string): Promise<string[]> {
    await using snapshot = await this.views.source(name).snapshot();
    const urls: string[] = [];
    for await (const { oid } of snapshot.scan()) {
      const object = await snapshot.get(oid);
      assert.ok(object !== undefined);
      urls.push(decodeObject(object.body).url);
    }
    return urls.sort();
  }

  async urls(holds: (object: ReturnType<typeof decodeObject>) => boolean): Promise<string[]> {
    await using snapshot = await this.store.snapshot();
    const urls: string[] = [];
    for await (const { oid } of snapshot.scan()) {
      const object = await snapshot.get(oid);
      assert.ok(object !== undefined);
      const decoded = decodeObject(object.body);
      if (holds(decoded)) urls.push(decoded.url);
    }
    return urls.sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await rm(this.path, { recursive: true, force: true });
  }
}

const queries = ['fox', 'fox den', '"fox den"', 'fox OR owl', '-fox', 'type: html', 'Title: (owl den)', '*'];
const names = ['a', 'b', 'c', 'd'];

const step = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    n: fc.nat(7),
    words: fc.array(fc.constantFrom('fox', 'den', 'owl', 'hen'), { maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('delete' as const), n: fc.nat(7) }),
  fc.record({
    do: fc.constant('define' as const),
    name: fc.constantFrom(...names),
    query: fc.constantFrom(...queries),
    over: fc.option(fc.constantFrom(...names), { nil: undefined }),
    named: fc.option(fc.constantFrom(...names), { nil: undefined }),
  }),
  fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 600) }),
  fc.record({ do: fc.constant('reopen' as const) }),
  fc.record({ do: fc.constant('look' as const) }),
);

test('after any history, a view has the objects that its query finds, within the views that it uses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      await using world = await World.make();
      const defined = new Map<string, { readonly query: string; readonly within: readonly string[] }>();
      const holds = (name: string, object: ReturnType<typeof decodeObject>): boolean => {
        const { query, within } = defined.get(name) ?? { query: 'NOT *', within: [] };
        return matches(object, parseQuery(query).query) && within.every((other) => holds(other, object));
      };
      const look = async () => {
        for (const name of defined.keys())
          assert.deepEqual(await world.members(name), await world.urls((object) => holds(name, object)));
      };
      for (const one of steps) {
        const seconds = Math.floor(world.clock.now() / 1000);
        if (one.do === 'put') await world.store.apply([putting(one.n, one.words, seconds)]);
        else if (one.do === 'delete')
          await world.store.apply([{ kind: 'delete', oid: oidOf(publisher, urlOf(one.n)) }]);
        else if (one.do === 'define') {
          const { name, query, over, named } = one;
          const within = [over, named].filter((other) => other !== undefined);
          const definition: ViewDefinition = {
            name,
            query: named === undefined ? query : `(${query}) AND view: ${named}`,
            ...(over !== undefined && { over }),
          };
          const isPossible = !defined.has(name) && within.every((other) => defined.has(other));
          if (isPossible) {
            await world.views.add([definition]);
            defined.set(name, { query, within });
          } else await world.views.add([definition]).catch((error) => assert.ok(isGarnerError(error)));
        } else if (one.do === 'remove') {
          const isUsed = [...defined.values()].some(({ within }) => within.includes(one.name));
          const isPossible = defined.has(one.name) && !isUsed;
          const removed = await world.views.remove(one.name).then(
            () => true,
            () => false,
          );
          assert.equal(removed, isPossible);
          if (removed) defined.delete(one.name);
        } else if (one.do === 'pass') {
          world.clock.advance(one.seconds * 1000);
          await world.store.expire();
        } else if (one.do === 'reopen') await world.reopen();
        else await look();
      }
      await look();
    }),
    { numRuns: 40 },
  );
});

const refused = (code: string) => (error: unknown) => isGarnerError(error) && error.code === code;

test('an unusable definition is refused, with all of its batch', async () => {
  await using world = await World.make();
  const { views } = world;
  await views.add([{ name: 'foxes', query: 'fox' }]);
  await views.add([{ name: 'foxes', query: 'fox' }]);
  for (const [definition, code] of [
    [{ name: 'Foxes!', query: 'fox' }, 'VIEW_NAME'],
    [{ name: 'foxes', query: 'fox den' }, 'VIEW_EXISTS'],
    [{ name: 'x', query: '' }, 'VIEW_QUERY'],
    [{ name: 'x', query: '(fox' }, 'VIEW_QUERY'],
    [{ name: 'x', query: 'view: nobody' }, 'VIEW_UNKNOWN'],
    [{ name: 'x', query: 'fox', over: 'nobody' }, 'VIEW_UNKNOWN'],
    [{ name: 'x', query: 'fox', description: 'x'.repeat(2000) }, 'VIEW_QUERY'],
  ] as const)
    await assert.rejects(views.add([{ name: 'good', query: 'owl' }, definition]), refused(code));
  assert.equal(views.size, 1);
  await assert.rejects(views.add([1, 2].map(() => ({ name: 'y', query: 'owl' }))), refused('VIEW_EXISTS'));
  await views.add([{ name: 'dens', query: 'den', over: 'foxes' }]);
  await assert.rejects(views.remove('foxes'), refused('VIEW_IN_USE'));
  await assert.rejects(views.remove('nobody'), refused('VIEW_UNKNOWN'));
  const some = Array.from({ length: maxUnindexed }, (_, n) => ({ name: `not-${n}`, query: '-fox' }));
  await views.add(some);
  await assert.rejects(views.add([{ name: 'more', query: '-owl' }]), refused('VIEW_UNINDEXED'));
  await views.add([{ name: 'more', query: 'owl -fox' }]);
});

test('a view may not compare with an age, which is another time tomorrow, and may have a word such as 30d', async () => {
  await using world = await World.make();
  const { views } = world;
  for (const query of ['Update-Time: <30d', 'fox AND Update-Time: >1y', 'File-Size: 1d..2d'])
    await assert.rejects(views.add([{ name: 'new', query }]), refused('VIEW_QUERY'), query);
  await views.add([{ name: 'old', query: '30d' }]);
});

test('a search within a view is not relaxed out of it', async () => {
  await using world = await World.make();
  await world.views.add([{ name: 'foxes', query: 'fox OR vixen' }]);
  const { query, notes } = world.views.resolve(parseQuery('view: foxes owl'));
  assert.deepEqual(notes, []);
  const title = (text: string) => summaryObject('x', [['Title', text]]);
  assert.ok(matches(title('vixen and owl'), query));
  assert.ok(!matches(title('owl'), query));
  const restricted = world.views.resolve(parseQuery('Author: (view: foxes OR ada)')).query;
  assert.ok(matches(title('a fox'), restricted), 'the attribute does not apply to the view');
  assert.match(world.views.resolve(parseQuery('view: dens')).notes.join(), /no view is called dens/);
});

test('views are listed in the order of their names, some at a time', async () => {
  await using world = await World.make();
  await world.views.add(['c', 'a', 'b'].map((name) => ({ name, query: name })));
  const listed = async (after?: string) => (await world.views.list(2, after)).map(({ name }) => name);
  assert.deepEqual(await listed(), ['a', 'b']);
  assert.deepEqual(await listed('b'), ['c']);
  assert.deepEqual(await listed('c'), []);
});
