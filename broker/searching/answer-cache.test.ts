import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnswerCache, type AnswerMoment } from './answer-cache.ts';
import type { SearchAnswer, SearchParameters, SourceSummary } from './search-answer.ts';

const parametersOf = (q: string): SearchParameters => ({ q, limit: 10, offset: 0, sources: [], types: [] });

const answerOf = (q: string, total: number, sources: readonly SourceSummary[] = []): SearchAnswer => ({
  ...{ query: q, understood: q, notes: [], total, tookMs: 5, relaxed: false, hits: [] },
  ...{ facets: { source: [], type: [], more: [] }, sources, suggestion: null, rebuilding: null },
  ...{ entries: total, corrected: null, cursor: null },
});

/** A world of one number, which every answer contains. */
class World {
  lsn = 0;
  sources: readonly SourceSummary[] = [];
  searches = 0;
  /** Runs during a search. */
  meanwhile: () => void = () => undefined;
  readonly cache: AnswerCache;

  constructor(maxCharacters?: number) {
    const moment = (): AnswerMoment => ({ index: String(this.lsn), sources: this.sources });
    const search = async ({ q }: SearchParameters) => {
      this.searches++;
      const answer = answerOf(q, this.lsn, this.sources);
      await Promise.resolve();
      this.meanwhile();
      return answer;
    };
    this.cache = new AnswerCache({ search, moment, ...(maxCharacters && { maxCharacters }) });
  }
}

test('a repeated query gets the same answer without a search while nothing has changed', async () => {
  const world = new World();
  const { tookMs: _, ...first } = await world.cache.search(parametersOf('x'));
  const { tookMs, ...second } = await world.cache.search(parametersOf('x'));
  assert.deepEqual(second, first);
  assert.ok(tookMs < 5);
  assert.equal(world.searches, 1);
  await world.cache.search({ ...parametersOf('x'), offset: 10 });
  assert.equal(world.searches, 2);
});

test('the JSON text is that of the answer, whatever it contains', async () => {
  for (const q of ['x', '"tookMs":5', 'a "tookMs":5,"b', '\\"tookMs":']) {
    const world = new World();
    for (let time = 0; time < 2; time++) {
      const { json, jsonText = '' } = await world.cache.response(parametersOf(q));
      assert.deepEqual(JSON.parse(jsonText), json);
    }
    assert.equal(world.searches, 1);
  }
});

test('a change of the index or of a source forgets every answer', async () => {
  const world = new World();
  await world.cache.search(parametersOf('x'));
  world.lsn++;
  assert.equal((await world.cache.search(parametersOf('x'))).total, 1);
  world.sources = [{ id: 'a', name: 'A', state: 'down', error: 'gone' }];
  assert.deepEqual((await world.cache.search(parametersOf('x'))).sources, world.sources);
  assert.equal(world.searches, 3);
});

test('an answer is not cached when something changed during it', async () => {
  const world = new World();
  world.meanwhile = () => world.lsn++;
  await world.cache.search(parametersOf('x'));
  world.meanwhile = () => undefined;
  assert.equal((await world.cache.search(parametersOf('x'))).total, 1);
  assert.equal(world.searches, 2);
});

test('an answer is not cached when another query has seen a later moment', async () => {
  const world = new World();
  const early = world.cache.search(parametersOf('x'));
  world.lsn++;
  const late = world.cache.search(parametersOf('y'));
  assert.deepEqual([(await early).total, (await late).total], [0, 1]);
  assert.equal((await world.cache.search(parametersOf('x'))).total, 1);
});

test('an answer made while a source was disconnected is not used after its return', async () => {
  const away: readonly SourceSummary[] = [{ id: 'a', name: 'A', state: 'down' }];
  const flapping = new AnswerCache({
    search: async ({ q }) => answerOf(q, 0, away),
    moment: () => ({ index: '1', sources: [] }),
  });
  await flapping.search(parametersOf('x'));
  assert.equal(flapping.size.answers, 0);
});

test('the cache is bounded; the least recently used answers are dropped', async () => {
  const one = 2 * JSON.stringify(answerOf('a', 0)).length;
  const world = new World(3 * one);
  for (const q of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) {
    await world.cache.search(parametersOf(q));
    await world.cache.search(parametersOf('a'));
    assert.ok(world.cache.size.characters <= 3 * one);
  }
  assert.ok(world.cache.size.answers > 1);
  const before = world.searches;
  await world.cache.search(parametersOf('a'));
  assert.equal(world.searches, before);
  await world.cache.search(parametersOf('b'));
  assert.equal(world.searches, before + 1);
});

test('a query too long for the cache, or with statistics of other Brokers, is searched each time', async () => {
  const world = new World();
  const statistics = { objects: 1, terms: {} } as unknown as NonNullable<SearchParameters['statistics']>;
  for (let time = 0; time < 2; time++) {
    await world.cache.search(parametersOf('long '.repeat(300)));
    await world.cache.search({ ...parametersOf('x'), statistics });
  }
  assert.equal(world.searches, 4);
  assert.equal(world.cache.size.answers, 0);
});

test('after any history an answer is that of the moment', async () => {
  const step = fc.record({
    change: fc.boolean(),
    during: fc.boolean(),
    q: fc.constantFrom('a', 'b', 'c'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = new World(2000);
      for (const { change, during, q } of steps) {
        if (change) world.lsn++;
        world.meanwhile = during ? () => world.lsn++ : () => undefined;
        const lsn = world.lsn;
        const { total, query } = await world.cache.search(parametersOf(q));
        assert.deepEqual([total, query], [lsn, q]);
      }
    }),
  );
});
