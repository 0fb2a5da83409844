import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from '../../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { summedStatistics } from '../../searching/collection-statistics.ts';
import { SegmentedEngine } from './segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const oidNamed = (name: string) => oidOf(gatherer, `http://example.org/${name}`);
const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor';

async function withEngine<Result>(
  pages: Readonly<Record<string, string>>,
  use: (engine: SegmentedEngine) => Promise<Result>,
  feedback = true,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-explanation-'));
  try {
    await using database = await openDatabase(folder);
    const objects = new Map<Oid, SummaryObject>(
      Object.entries(pages).map(([name, text]) => [
        oidNamed(name),
        summaryObject(`http://example.org/${name}`, [
          ['Title', name],
          ['Full-Text', text],
        ]),
      ]),
    );
    const objectOf = async (oid: Oid) => objects.get(oid);
    await using engine = await SegmentedEngine.open({ database, objectOf, feedback });
    await engine.apply(
      [...objects].map(([oid, object]) => ({ kind: 'put', oid, source: 's', object })),
      1,
    );
    return await use(engine);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const queryOf = (text: string) => parseQuery(text).query;
const names = Array.from({ length: 24 }, (_, n) => `page${n}`);
const vocabulary = [
  'apple',
  'pear',
  'plum',
  'quince',
  'fig',
  'date',
  'lime',
  'kiwi',
  'grape',
  'melon',
  'cherry',
];

const groups = [
  'pl*',
  'appel~2',
  'cherri~1',
  '"plum qu*"',
  '/m[aeiou]lon|lime/',
  '(#part rap)',
  'Title: page1*',
];

test('the parts of every explanation add up to the score and the rank that the search gives', async () => {
  const text = fc
    .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 40 })
    .map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: names.length, maxLength: names.length }),
      fc.uniqueArray(fc.constantFrom(...vocabulary, ...groups), { minLength: 1, maxLength: 10 }),
      fc.constantFrom(' ', ' OR '),
      async (texts, words, joint) => {
        const pages = Object.fromEntries(names.map((name, n) => [name, texts[n] as string]));
        await withEngine(pages, async (engine) => {
          const query = queryOf(words.join(joint));
          const { hits, total } = await engine.search({ query, limit: 100, offset: 0 });
          for (const [place, { oid, score }] of hits.entries()) {
            const explained = await engine.ranker.explain({ query, oid });
            assert.ok(explained);
            assert.deepEqual([explained.rank, explained.total, explained.oid], [place + 1, total, oid]);
            const added = [...explained.terms, ...explained.feedback].reduce(
              (sum, term) => sum + term.score,
              0,
            );
            assert.ok(
              Math.abs(added + explained.nearness + explained.likeness - score) < 1e-9,
              `${added} of ${score}`,
            );
          }
          const missed = names.map(oidNamed).find((oid) => !hits.some((hit) => hit.oid === oid));
          if (missed !== undefined)
            assert.equal((await engine.ranker.explain({ query, oid: missed }))?.rank, undefined);
        });
      },
    ),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 10) },
  );
});

test('a prefix, a word with errors and an expression rank like one word with many forms', async () => {
  const shared = Array.from({ length: 6 }, (_, n) => [`other${n}`, `${filler} ${vocabulary[n]}`]);
  const held = {
    ...Object.fromEntries(shared),
    once: `installing ${filler} ${filler} ${filler}`,
    often: `installer installed installing ${filler}`,
    near: `colors of a window ${filler}`,
    same: `colour of a window ${filler}`,
  };
  await withEngine(held, async (engine) => {
    const order = async (text: string) => {
      const { hits } = await engine.search({ query: queryOf(text), limit: 100, offset: 0 });
      return hits.map(({ oid }) => Object.keys(held).find((name) => oidNamed(name) === oid));
    };
    for (const text of ['inst*', 'instal~1', '(#part nstal)', '/inst[a-z]+/', '(#case inst*)'])
      assert.deepEqual(await order(text), ['often', 'once'], text);
    assert.deepEqual(await order('colour~1'), ['same', 'near']);
    assert.deepEqual((await order('lorem OR inst*')).slice(0, 2), ['often', 'once'], 'the rarer weighs more');
    const query = queryOf('wind* colour~1');
    const explained = await engine.ranker.explain({ query, oid: oidNamed('near') });
    const groups = explained?.terms
      .filter(({ field }) => field === 'all')
      .map(({ term, group }) => [term, group]);
    assert.deepEqual(groups, [
      ['wind*', { terms: 1, found: ['window'] }],
      ['colour~1', { terms: 2, found: ['color'] }],
    ]);
    const { terms } = await engine.ranker.statistics(queryOf('inst*'));
    assert.deepEqual(terms[0], { field: 'all', term: 'inst*', objects: 2, occurrences: 4 });
  });
});

test('an object that is not indexed has no explanation', async () => {
  await withEngine({ one: 'apple' }, async (engine) => {
    const query = queryOf('apple');
    assert.equal(await engine.ranker.explain({ query, oid: oidNamed('two') }), undefined);
  });
});

const topic = 'kettle spout whistle boil steam lid handle';
const shared = 'copper enamel hob thermostat';
const kettles = Object.fromEntries(
  Array.from({ length: 6 }, (_, n) => [`kettle${n}`, `${topic} ${shared} ${filler}`]),
);
const others = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [`other${n}`, `${filler} page ${n} ${vocabulary[n % 11]}`]),
);
// Equal by the words of the query. Only one of them has the terms that the best have in common.
const pages = {
  ...others,
  ...kettles,
  apart: `steam lid railway coal smoke engines ${filler}`,
  near: `steam lid copper enamel hob thermostat ${filler}`,
};
const anyOf = (words: string) => queryOf(words.split(' ').join(' OR '));

async function places(engine: SegmentedEngine, words: string) {
  const { hits } = await engine.search({ query: anyOf(words), limit: 100, offset: 0 });
  const place = (name: string) => hits.findIndex(({ oid }) => oid === oidNamed(name));
  return { near: place('near'), apart: place('apart') };
}

test('for a long query an object ranks higher by terms shared with the best', async () => {
  const long = await withEngine(pages, (engine) => places(engine, topic));
  assert.ok(long.near < long.apart, JSON.stringify(long));
  const without = await withEngine(pages, (engine) => places(engine, topic), false);
  assert.ok(without.apart < without.near, JSON.stringify(without));
  const explained = await withEngine(pages, (engine) =>
    engine.ranker.explain({ query: anyOf(topic), oid: oidNamed('near') }),
  );
  assert.ok(explained?.feedback.some(({ term }) => term === 'copper'));
});

test('a short query is answered by its words alone', async () => {
  const [short, plain] = [true, false].map((feedback) =>
    withEngine(
      pages,
      async (engine) => (await engine.search({ query: anyOf('steam lid'), limit: 9, offset: 0 })).hits,
      feedback,
    ),
  );
  assert.deepEqual(await short, await plain);
});

test('with the sums of their statistics two indexes give the same text nearly the same score', async () => {
  const rare = { ...others, one: `kettle ${filler}` };
  const common = { ...others, ...kettles, one: `kettle ${filler}` };
  const query = queryOf('kettle');
  const scoreIn = (held: typeof rare, statistics?: Awaited<ReturnType<typeof counted>>) =>
    withEngine(held, async (engine) => {
      const { hits } = await engine.search({
        ...{ query, limit: 100, offset: 0 },
        ...(statistics && { statistics }),
      });
      return hits.find(({ oid }) => oid === oidNamed('one'))?.score ?? assert.fail();
    });
  const counted = (held: Readonly<Record<string, string>>) =>
    withEngine(held, (engine) => engine.ranker.statistics(query));
  const [inRare, inCommon] = [await counted(rare), await counted(common)];
  const sums = summedStatistics([inRare, inCommon]);
  assert.equal(sums.objects, 21 + 27);
  const whole = sums.terms.find(({ field }) => field === 'all');
  assert.deepEqual([whole?.objects, whole?.occurrences], [8, 8]);
  const alone = (await scoreIn(rare)) / (await scoreIn(common));
  assert.ok(alone > 1.5, `${alone}`);
  const together = (await scoreIn(rare, sums)) / (await scoreIn(common, sums));
  assert.ok(Math.abs(together - 1) < 0.1, `${together}`);
});
