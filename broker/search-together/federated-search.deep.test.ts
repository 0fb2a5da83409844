import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../kernel/index.ts';
import type { SearchAnswer } from '../searching/index.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import { type FederatedAnswer, searchFederated } from './federated-search.ts';
import { type Answers, answersOf, fetchOf } from './testing/brokers-in-memory.ts';
import { answerOf02, statisticsOf02 } from './testing/released-answers.ts';

const one = 'http://one.example/';
const two = 'http://two.example/';
const liar = 'http://liar.example/';

type Search = Parameters<typeof searchFederated>[1];

async function search(
  brokers: Readonly<Record<string, Answers>>,
  parameters: Partial<Search['parameters']>,
  objects = 40,
): Promise<FederatedAnswer> {
  return searchFederated(
    {
      brokers: () => Object.keys(brokers).map((url) => ({ url, name: new URL(url).hostname, objects })),
      ...{ fetch: fetchOf(brokers), clock: systemClock, deadlineMs: 30_000 },
    },
    {
      parameters: { q: 'tide', limit: 10, offset: 0, sources: [], types: [], fold: true, ...parameters },
      ...{ max: 16, deadlineMs: 30_000, signal: new AbortController().signal },
    },
  );
}

const oidsOf = ({ hits }: { readonly hits: readonly { readonly oid: string }[] }) =>
  hits.map(({ oid }) => oid);

/** Queries of every shape that ranks in its own way. */
const queries = [
  ...['tide', 'harbour tide', 'harbour tide pilot', 'harbour AND (tide OR pilot)', 'tide -pilot', 'rare'],
  ...['"harbour tide"', 'harb*', 'harbuor~2', '#errors best harbuor', '#part arbou', '/^harb.*r$/'],
  ...['Title: harbour', 'Title: rare OR rare', 'harbour tide harbour pilot harbour rare', 'Type: HTML'],
  ...['harbour NEAR tide', 'the harbour of the tide', 'nothing', 'the', 'Hafen', 'rare absent'],
];

/** Two Brokers with forty objects each, and one with all of them. */
async function openBrokers(path: string) {
  const kept: AsyncDisposable[] = [];
  const keep = <Kept extends AsyncDisposable>(one: Kept): Kept => {
    kept.unshift(one);
    return one;
  };
  const sources = [
    keep(await Source.open(join(path, 'a'))),
    keep(await Source.open(join(path, 'b'))),
  ] as const;
  // Newer objects rank a little higher: these are of one moment.
  const updatedAt = now();
  const fill = async (source: Source, at: number) => {
    await source.folder.store.apply(
      Array.from({ length: 40 }, (_, n) => {
        const number = n * 2 + at;
        const some = ['harbour', 'tide', 'buoy', 'chart'].filter((_, bit) => (n * 7) & (1 << bit));
        const words = [...(n < 5 ? ['harbour', 'tide', ...Array(number + 1).fill('pilot')] : some)];
        if (n === 30) words.unshift('rare', 'pilot', 'harbour', 'tide');
        // Texts of one length have the same average in each Broker.
        const text = [...words, ...Array(24 - words.length).fill('sea')].join(' ');
        const title = n % 11 === 6 ? 'harbour harbour' : n === 30 ? 'rare pilot' : `Page ${number}`;
        return source.put(`page-${number}`, text, updatedAt, [
          ['Title', title],
          ['Language', n % 9 === 8 ? 'de' : 'en'],
        ]);
      }),
    );
  };
  const urls = sources.map(({ url }) => url);
  const open = async (name: string, of: readonly string[]) => {
    const opened = keep(await OpenBroker.open(join(path, name), of));
    opened.broker.start();
    await opened.fresh();
    return opened;
  };
  // Equal hits come in the order in which they arrived: those of the first source arrive first.
  await fill(sources[0], 0);
  const all = await open('all', urls);
  await fill(sources[1], 1);
  await all.fresh();
  return {
    sources,
    first: await open('first', urls.slice(0, 1)),
    second: await open('second', urls.slice(1)),
    all,
    [Symbol.asyncDispose]: async () => {
      for (const one of kept) await one[Symbol.asyncDispose]();
    },
  };
}

test('a federated search has the order of one Broker with all objects, and no liar changes it', async () => {
  await using folder = await scratch();
  await using opened = await openBrokers(folder.path);
  const { first, second, all } = opened;
  const honest = { [one]: answersOf(first), [two]: answersOf(second) };
  for (const q of queries) {
    const merged = await search(honest, { q });
    assert.deepEqual(
      merged.brokers.map(({ error }) => error),
      [null, null],
      q,
    );
  }
  const plain = await search(honest, { q: 'harbour tide pilot' });
  const whole = await all.broker.queries.search({
    ...{ q: 'harbour tide pilot', limit: 10, offset: 0, sources: [], types: [] },
  });
  assert.equal(plain.hits.length, 10);
  assert.deepEqual(oidsOf(plain), oidsOf(whole));
  for (const options of [{ errors: 2 }, { part: true }, { case: true }, { errors: 'best' as const }])
    assert.deepEqual(
      (await search(honest, { q: 'harbour', options })).brokers.map(({ error }) => error),
      [null, null],
      JSON.stringify(options),
    );

  type Lie = (answer: SearchAnswer) => unknown;
  const lying =
    (inText: (text: string) => string, inAnswer: Lie = (answer) => answer): Answers =>
    async (path) => {
      const answer = await answersOf(first)(path);
      return path.startsWith('/statistics')
        ? { text: inText((answer as { readonly text: string }).text) }
        : inAnswer(answer as SearchAnswer);
    };
  const scored =
    (score: number): Lie =>
    (answer) => ({
      ...answer,
      hits: answer.hits.map((hit) => ({ ...hit, score })),
    });
  const junk = Array.from({ length: 200 }, (_, n) => ['all', `${'junk'.repeat(8)}${n}`, 40, 40]);
  const same = (text: string) => text;
  const liars: readonly (readonly [Answers, RegExp | undefined])[] = [
    [lying((text) => text.replace(/^\[\d+/, '[9000000000000000')), /reports 9000000000000000 objects/],
    [
      lying((text) => text.replace(/\["all","tide",\d+/, '["all","tide",9000000000000000')),
      /reports 9000000/,
    ],
    [lying((text) => text.replace(/(\["all","tide",\d+),\d+/, '$1,9000000000000000')), /occurrences/],
    [lying(same, scored(1e9)), /score of 1000000000, and at most/],
    [lying(same, scored(60)), /score of 60, and at most/],
    [lying(same, (answer) => ({ ...answer, total: 9e15 })), /reports 9000000000000000 objects/],
    // Terms of one Broker alone do not displace those that several report.
    [lying((text) => JSON.stringify([...JSON.parse(text), ...junk])), undefined],
  ];
  for (const [answers, why] of liars) {
    const found = await search({ ...honest, [liar]: answers }, { q: 'harbour tide pilot' });
    const [, , lied] = found.brokers;
    if (why === undefined) assert.equal(lied?.error, null);
    else assert.match(lied?.error ?? '', why);
    assert.deepEqual(found.coverage, { answered: why === undefined ? 3 : 2, asked: 3 });
    assert.deepEqual(oidsOf(found), oidsOf(plain), String(why));
  }
});

test('a page of two Gatherers in two Brokers is one hit that names both', async () => {
  await using folder = await scratch();
  await using a = await Source.open(join(folder.path, 'a'));
  await using b = await Source.open(join(folder.path, 'b'));
  const md5 = createHash('md5').update('the same bytes').digest('hex');
  for (const source of [a, b])
    await source.folder.store.apply([
      source.put('same', 'tide tables of the coast', now(), [
        ['MD5', source === a ? md5 : md5.toUpperCase()],
      ]),
      source.put('other', `tide ${source === a ? 'here' : 'there'}`),
    ]);
  await using first = await OpenBroker.open(join(folder.path, 'first'), [a.url]);
  await using second = await OpenBroker.open(join(folder.path, 'second'), [b.url]);
  await using third = await OpenBroker.open(join(folder.path, 'third'), [b.url]);
  for (const opened of [first, second, third]) {
    opened.broker.start();
    await opened.fresh();
  }
  const three = 'http://three.example/';
  const brokers = { [one]: answersOf(first), [two]: answersOf(second), [three]: answersOf(third) };
  const found = await search(brokers, {});
  const [same, ...others] = found.hits.filter((hit) => hit.md5 === md5);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [same?.broker, ...(same?.alsoAt ?? []).map((at) => [at.broker, at.oid])],
    [one, [two, b.oid('same')], [three, b.oid('same')]],
  );
  assert.equal(found.hits.length, 3);
  const theirs = found.hits.find(({ oid }) => oid === b.oid('other'));
  assert.deepEqual([theirs?.broker, ...(theirs?.alsoAt ?? []).map(({ broker }) => broker)], [two, three]);
  const apart = await search(brokers, { fold: false });
  assert.equal(apart.hits.length, 4);
  // The last hit of a page names them too.
  const place = found.hits.findIndex((hit) => hit.md5 === md5);
  const last = (await search(brokers, { limit: place + 1 })).hits.at(-1);
  assert.deepEqual(last?.alsoAt, same?.alsoAt);
  // A page that begins behind it does not show it again.
  assert.deepEqual(oidsOf(await search(brokers, { offset: 1 })), oidsOf(found).slice(1));
});

test('an answer of version 0.2 is merged with those of today', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await source.folder.store.apply([source.put('harbour', 'the tide of the harbour')]);
  await using opened = await OpenBroker.open(join(folder.path, 'broker'), [source.url]);
  opened.broker.start();
  await opened.fresh();
  const old: Answers = async (path) => (path.startsWith('/statistics') ? statisticsOf02 : answerOf02);
  const found = await search({ [one]: answersOf(opened), [two]: old }, { q: 'harbour tide', limit: 3 });
  assert.deepEqual(
    found.brokers.map(({ error }) => error),
    [null, null],
  );
  assert.equal(found.total, 5);
  assert.deepEqual(new Set(oidsOf(found)), new Set([source.oid('harbour'), ...oidsOf(answerOf02)]));
  assert.equal(
    answerOf02.hits.some((hit) => 'md5' in hit),
    false,
  );
});
