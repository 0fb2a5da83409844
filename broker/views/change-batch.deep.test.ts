import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import { type LogPlace, nextChanges } from './change-batch.ts';
import { placeIn, placeText } from './view-requests.ts';
import { Views } from './views.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const urlOf = (n: number) => `http://example.org/${n}`;
const oidAt = (n: number) => oidOf(publisher, urlOf(n));

function putting(n: number, title: string, updatedAt: number): StoreOperation {
  const object = summaryObject(urlOf(n), [['Title', title]]);
  const provenance = { digest: digestOf(object), updatedAt, publisher, signature: new Uint8Array(64) };
  return {
    kind: 'put',
    object: { oid: oidAt(n), body: encodeObject(object), ...provenance },
    url: urlOf(n),
    ttlSeconds: 1_000_000,
  };
}

const secondsOfForgetting = 1000;

/** A client that knows a view only by its batches, a few changes at a time. */
class Client {
  readonly titles = new Map<string, string>();
  #new = new Map<string, string>();
  #deleted = new Set<string>();
  #place: LogPlace | undefined;

  /** Resolves to whether it is up to date now. */
  async ask(views: Views, max: number): Promise<boolean> {
    await using snapshot = await views.source('foxes').snapshot();
    const { changes, isComplete, isFull, more, place } = await nextChanges(snapshot, this.#place, max);
    if (isFull) [this.#new, this.#deleted] = [new Map(), new Set()];
    // As a client stores it between two requests.
    this.#place = placeIn({ query: { since: placeText(place) } });
    assert.deepEqual(this.#place, place);
    for (const { kind, oid, title = '' } of changes) {
      if (kind === 'delete') {
        this.#new.delete(oid);
        this.#deleted.add(oid);
      } else this.#new.set(oid, title);
    }
    if (more) return false;
    if (!isComplete) this.titles.clear();
    for (const oid of this.#deleted) this.titles.delete(oid);
    for (const [oid, title] of this.#new) this.titles.set(oid, title);
    [this.#new, this.#deleted] = [new Map(), new Set()];
    return true;
  }
}

const step = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    n: fc.nat(4),
    title: fc.constantFrom('red fox', 'fox', 'hen'),
  }),
  // The same again, later: only its place in the log changes.
  fc.record({ do: fc.constant('refresh' as const), n: fc.nat(4) }),
  fc.record({ do: fc.constant('delete' as const), n: fc.nat(4) }),
  fc.record({ do: fc.constant('forget' as const) }),
  fc.record({ do: fc.constant('ask' as const), max: fc.integer({ min: 1, max: 3 }) }),
);

test("a client that reads small batches ends with the view's state, whatever happens between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const path = await mkdtemp(join(tmpdir(), 'garner-telling-'));
      const clock = new ManualClock(5_000_000);
      const random = seededRandom(1);
      const store = await ObjectStore.open(await openDatabase(join(path, 'store')), { clock, random });
      const database = await openDatabase(join(path, 'views'));
      const views = await Views.open({ store, database, clock, random });
      try {
        await views.add([{ name: 'foxes', query: 'fox' }]);
        const titles = new Map<number, string>();
        const client = new Client();
        let seconds = 5000;
        for (const one of steps) {
          seconds += 1;
          clock.advance(1000);
          if (one.do === 'put' || one.do === 'refresh') {
            const title = one.do === 'put' ? one.title : titles.get(one.n);
            if (title === undefined) continue;
            titles.set(one.n, title);
            await store.apply([putting(one.n, title, seconds)]);
          } else if (one.do === 'delete') {
            titles.delete(one.n);
            await store.apply([{ kind: 'delete', oid: oidAt(one.n) }]);
          } else if (one.do === 'forget') {
            await views.upToDate();
            seconds += secondsOfForgetting;
            clock.advance(secondsOfForgetting * 1000);
            await store.forgetTombstones(secondsOfForgetting);
          } else {
            await views.upToDate();
            await client.ask(views, one.max);
          }
        }
        await views.upToDate();
        for (let left = 40; !(await client.ask(views, 1)); left--) assert.ok(left > 0);
        const foxes = [...titles].filter(([, title]) => title.includes('fox'));
        const expected = foxes.map(([n, title]) => [oidAt(n), title] as const);
        assert.deepEqual([...client.titles].toSorted(), expected.toSorted());
      } finally {
        await views[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
        await rm(path, { recursive: true, force: true });
      }
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 25) },
  );
});
