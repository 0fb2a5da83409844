import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Random, seededRandom } from '../../kernel/index.ts';
import { compileQuery, normalisePrefix, printQuery, type QueryNode, scanWords } from '../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../soif/index.ts';
import type {
  EngineAnswer,
  IndexChange,
  SearchEngine,
  SearchRequest,
} from '../engines/model/search-engine.ts';
import { ReferenceEngine } from '../engines/reference/reference-engine.ts';
import { everything, pick, randomObject, randomQuery, sources, types } from './random-searches.ts';
import { compareLists } from './result-conformance.ts';

/** The place of an engine under test. */
export interface EngineFixture extends AsyncDisposable {
  open(objectOf: (oid: Oid) => Promise<SummaryObject | undefined>): Promise<SearchEngine>;
  /** Wait for background work of the engine. */
  settled?(engine: SearchEngine): Promise<void>;
}

const inOrder = (counts: ReadonlyMap<string, number>) => [...counts].sort();

/** An engine beside the changes that it got, and the reference engine with the same changes. */
class Trial {
  readonly truth = new Map<Oid, SummaryObject>();
  readonly reference = new ReferenceEngine();
  readonly random: Random;
  lsn = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  readonly objectOf = async (oid: Oid) => this.truth.get(oid);

  /** Random puts, replacements and removals, some of the same object twice. */
  changes(count: number, space: number): IndexChange[] {
    return Array.from({ length: count }, () => {
      const url = `http://example.org/${Math.floor(this.random.next() * space)}/Page.html`;
      const oid = oidOf('AAAAAAAAAAAAAAAAAAAAAA' as ServerId, url);
      if (this.random.next() < 0.25) return { kind: 'remove', oid };
      return { kind: 'put', oid, object: randomObject(this.random, url), source: pick(this.random, sources) };
    });
  }

  async apply(engine: SearchEngine, changes: readonly IndexChange[]): Promise<void> {
    this.lsn += Math.max(1, changes.length);
    for (const change of changes) {
      if (change.kind === 'put') this.truth.set(change.oid, change.object);
      else this.truth.delete(change.oid);
    }
    await engine.apply(changes, this.lsn);
    await this.reference.apply(changes, this.lsn);
  }

  async compare(engine: SearchEngine, queries: number): Promise<void> {
    assert.equal(engine.lsn, this.lsn);
    assert.equal(engine.count, this.truth.size);
    assert.deepEqual(inOrder(engine.languages), inOrder(this.reference.languages));
    for (let index = 0; index < queries; index++) {
      const query = randomQuery(this.random, 3);
      const filters = {
        ...(this.random.next() < 0.2 ? { sources: [pick(this.random, sources), 'unknown'] } : {}),
        ...(this.random.next() < 0.2 ? { types: [pick(this.random, types), 'Text'] } : {}),
      };
      await this.compareOne(engine, { query, ...filters, ...everything });
      if (engine.facetAttributes !== undefined) await compareLists(engine, this, { query, ...filters });
    }
  }

  async compareOne(engine: SearchEngine, request: SearchRequest): Promise<EngineAnswer> {
    const shown = `${printQuery(request.query)} ${JSON.stringify({ sources: request.sources, types: request.types })}`;
    const [answer, expected] = [await engine.search(request), await this.reference.search(request)];
    const oids = (from: EngineAnswer) => from.hits.map(({ oid }) => oid).sort();
    assert.deepEqual(oids(answer), oids(expected), shown);
    assert.equal(answer.total, expected.total, shown);
    assert.deepEqual(answer.facets, expected.facets, shown);
    assert.ok(
      answer.hits.every(({ score }, at) => at === 0 || score <= (answer.hits[at - 1]?.score ?? 0)),
      `scores rise: ${shown}`,
    );
    return answer;
  }
}

/**
 * Register the tests that every engine passes: its matches are always those of the evaluator in `query`.
 * `durable` engines are also reopened.
 */
export function engineConformance(
  name: string,
  { durable }: { readonly durable: boolean },
  factory: () => Promise<EngineFixture>,
): void {
  const seed = Number(process.env.GARNER_TEST_SEED ?? 20_260_101);
  const rounds = Number(process.env.GARNER_TEST_ROUNDS ?? 9);
  // Every state of a store is compared with fewer queries than in the long suite: the queries take nearly all the time.
  const queries = Number(process.env.GARNER_TEST_QUERIES ?? 6);

  test(`${name}: an empty engine answers`, async () => {
    await using fixture = await factory();
    const trial = new Trial(seed);
    await using engine = await fixture.open(trial.objectOf);
    assert.equal(engine.lsn, 0);
    await trial.compare(engine, 30);
    assert.deepEqual(await engine.complete('a', 5), []);
  });

  test(`${name}: random stores and queries agree with reading every object (seed ${seed})`, async () => {
    await using fixture = await factory();
    const trial = new Trial(seed);
    await using engine = await fixture.open(trial.objectOf);
    for (let round = 0; round < rounds; round++) {
      await trial.apply(engine, trial.changes(round % 3 === 0 ? 60 : 1 + (round % 4), 150));
      await trial.compare(engine, queries);
    }
    await fixture.settled?.(engine);
    await trial.compare(engine, 4 * queries);
  });

  if (durable) {
    test(`${name}: indexed objects are there after reopening (seed ${seed})`, async () => {
      await using fixture = await factory();
      const trial = new Trial(seed + 1);
      const inByteOrder = (a: Oid, b: Oid) =>
        Buffer.compare(Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url'));
      for (let round = 0; round < rounds; round++) {
        await using engine = await fixture.open(trial.objectOf);
        await trial.compare(engine, Math.ceil(queries / 3));
        for (let batch = 0; batch < 3; batch++) await trial.apply(engine, trial.changes(1 + round * 2, 60));
        if (round % 2 === 0) await fixture.settled?.(engine);
        await trial.compare(engine, Math.ceil(queries / 3));
        assert.deepEqual(await oidsOf(engine), [...trial.truth.keys()].sort(inByteOrder));
      }
    });
  }

  test(`${name}: searches that run while changes come see one moment`, async () => {
    await using fixture = await factory();
    const trial = new Trial(seed + 2);
    await using engine = await fixture.open(trial.objectOf);
    const oid = oidOf('AAAAAAAAAAAAAAAAAAAAAA' as ServerId, 'http://example.org/');
    const put = (word: string): IndexChange => ({
      ...{ kind: 'put', oid, source: 'elsewhere' },
      object: summaryObject('http://example.org/', [['Title', `apache ${word}`]]),
    });
    await trial.apply(engine, [put('even')]);
    let running = true;
    const searching = (async () => {
      let searches = 0;
      const query: QueryNode = {
        kind: 'or',
        operands: [
          { kind: 'word', word: 'even' },
          { kind: 'word', word: 'odd' },
        ],
      };
      while (running || searches === 0) {
        assert.equal((await engine.search({ query, ...everything })).total, 1);
        searches++;
        // A search that reads nothing does not yield to the event loop, and no change would ever be done.
        await setImmediate();
      }
      return searches;
    })();
    for (let change = 0; change < 60; change++)
      await trial.apply(engine, [put(change % 2 === 0 ? 'odd' : 'even')]);
    running = false;
    assert.ok((await searching) > 0);
    await trial.compare(engine, 20);
  });

  test(`${name}: pages are parts of one order`, async () => {
    await using fixture = await factory();
    const trial = new Trial(seed + 3);
    await using engine = await fixture.open(trial.objectOf);
    await trial.apply(engine, trial.changes(300, 200));
    const query: QueryNode = {
      kind: 'or',
      operands: ['apache', 'the', 'run'].map((word) => ({ kind: 'word', word })),
    };
    const all = await trial.compareOne(engine, { query, ...everything });
    for (const limit of [1, 7, 50, 1_000]) {
      const paged: Oid[] = [];
      for (let offset = 0; offset < all.total + limit; offset += limit) {
        const page = await engine.search({ query, limit, offset });
        assert.equal(page.total, all.total);
        assert.ok(page.hits.length <= limit);
        paged.push(...page.hits.map(({ oid }) => oid));
      }
      assert.deepEqual(
        paged,
        all.hits.map(({ oid }) => oid),
        `pages of ${limit}`,
      );
    }
    assert.deepEqual((await engine.search({ query, limit: 0, offset: 0 })).hits, []);
    assert.deepEqual(
      [...(await engine.matches({ query }))],
      all.hits.map(({ oid }) => oid),
      'every match at once',
    );
  });

  test(`${name}: completions are words of the objects, most frequent first`, async () => {
    await using fixture = await factory();
    const trial = new Trial(seed + 4);
    await using engine = await fixture.open(trial.objectOf);
    await trial.apply(engine, trial.changes(100, 80));
    await trial.apply(engine, trial.changes(40, 80));
    for (const prefix of ['b', 'Balanc', 'pro', 'caf', 'Zü', '東', 'absent', '', '!!']) {
      const found = await engine.complete(prefix, 4);
      assert.ok(found.length <= 4);
      for (const word of found) {
        assert.ok(word.startsWith(normalisePrefix(prefix)), `${word} does not begin with ${prefix}`);
        assert.ok(holdsWord(trial, word), `no object holds ${word}`);
      }
    }
    assert.deepEqual(
      new Set(await engine.complete('balanc', 9)),
      new Set(['balance', 'balancer', 'balancing']),
    );
    assert.equal((await engine.complete('balanc', 1)).length, 1);
  });

  test(`${name}: clearing removes everything, and the engine can be filled again`, async () => {
    await using fixture = await factory();
    const trial = new Trial(seed + 5);
    await using engine = await fixture.open(trial.objectOf);
    for (let round = 0; round < 8; round++) await trial.apply(engine, trial.changes(20, 50));
    await engine.clear();
    assert.equal(engine.lsn, 0);
    assert.equal(engine.count, 0);
    assert.equal((await engine.search({ query: { kind: 'all' }, ...everything })).total, 0);
    trial.truth.clear();
    await trial.reference.clear();
    trial.lsn = 0;
    await trial.apply(engine, trial.changes(50, 50));
    await trial.compare(engine, 2 * queries);
  });
}

/** The objects that a durable engine lists. */
async function oidsOf(engine: SearchEngine): Promise<Oid[]> {
  assert.ok(engine.oids !== undefined);
  const found: Oid[] = [];
  for await (const oid of engine.oids()) found.push(oid);
  return found;
}

function holdsWord(trial: Trial, word: string): boolean {
  const matches = compileQuery({ kind: 'word', word });
  const decoder = new TextDecoder();
  return [...trial.truth.values()].some(
    (object) =>
      matches(object) &&
      object.attributes.some(({ value }) => {
        let found = false;
        scanWords(decoder.decode(value), (written) => {
          found ||= written === word;
          return found;
        });
        return found;
      }),
  );
}
