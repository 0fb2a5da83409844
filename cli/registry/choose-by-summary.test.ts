import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SegmentedEngine } from '../../broker/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import { BrokerSummary } from '../broker/serving/broker-summary.ts';
import { chooseBySummary } from './choose-by-summary.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

const put = (name: string, at: number, language: string, text: string) => {
  const url = `http://${name}.example/${at}`;
  const object = summaryObject(url, [
    ['Language', language],
    ['Full-Text', text],
  ]);
  return { kind: 'put', oid: oidOf(gatherer, url), object, source: 's' } as const;
};

const sentences: Readonly<Record<string, readonly [language: string, ...texts: string[]]>> = {
  hafen: ['de', 'Die Häuser am Hafen sind alt', 'Gezeiten und Schiffe im Hafen', 'Der Leuchtturm der Stadt'],
  minato: ['ja', '港の潮の満ち引き', '灯台と船の歴史', '東京の古い家'],
  harbour: ['en', 'The houses at the harbour are old', 'Tides and ships', 'The lighthouse of the town'],
  kitchen: ['en', 'A recipe for bread', 'The oven of the kitchen', 'Flour and yeast'],
};

async function withEngine(use: (engine: SegmentedEngine) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-summary-'));
  try {
    await using database = await openDatabase(folder);
    await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    await use(engine);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const options = { bytes: () => 1000, everyMs: 60_000 };

test('a Broker in German, one in Japanese and one in English are chosen for queries in their language', async () => {
  const summaries = new Map<string, string>();
  for (const [name, [language, ...texts]] of Object.entries(sentences))
    await withEngine(async (engine) => {
      await engine.apply(
        texts.map((text, at) => put(name, at, language, text)),
        1,
      );
      await using summary = new BrokerSummary({ ...options, engine });
      summaries.set(name, await summary.text());
    });
  const choose = chooseBySummary(({ url }) => summaries.get(url) ?? '');
  const brokers = [
    ...Object.keys(sentences).map((url) => ({ url, name: url, objects: 3 })),
    { url: 'silent', name: 'silent', objects: 1000 },
    { url: 'broken', name: 'broken', objects: 1000 },
  ];
  summaries.set('broken', '1 objects=1000 bytes=1 words=1\n5 haus');
  const first = async (query: string) => (await choose(query, brokers, 1)).chosen[0]?.url;
  for (const query of ['Haus am Hafen', 'Gezeiten der Stadt', 'hafens', 'das Schiff'])
    assert.equal(await first(query), 'hafen', query);
  for (const query of ['港', '潮の満ち引き', '灯台の歴史', '東京 船'])
    if (query.length > 1) assert.equal(await first(query), 'minato', query);
  for (const query of ['house at a harbour', 'tide', 'the ship'])
    assert.equal(await first(query), 'harbour', query);
  assert.equal(await first('recipes for breads'), 'kitchen');
  // The others follow: those that nobody knows, then those without a word of the query.
  const { chosen, omitted } = await choose('tide', brokers, 3);
  assert.deepEqual(
    chosen.map(({ url }) => url),
    ['harbour', 'silent', 'broken'],
  );
  assert.deepEqual(
    omitted.map(({ why }) => why),
    Array.from({ length: 3 }, () => 'its content summary has no word of the query'),
  );
  assert.deepEqual(await choose('tide', brokers, 6), { chosen: brokers, omitted: [] });
});

test('a summary is read from the index once for each change of it, not more often than allowed', async () => {
  await withEngine(async (engine) => {
    let readings = 0;
    const counted = {
      get lsn() {
        return engine.lsn;
      },
      get count() {
        return engine.count;
      },
      get languages() {
        return engine.languages;
      },
      vocabulary: () => {
        readings++;
        return engine.vocabulary();
      },
    };
    const clock = new ManualClock();
    await engine.apply([put('harbour', 1, 'en', 'The tide')], 1);
    await using summary = new BrokerSummary({ ...options, engine: counted, clock });
    const first = await summary.text();
    assert.match(first, /\n0 tide$/);
    const text = async () => {
      await summary.text();
      await summary.settled();
      return summary.text();
    };
    clock.advance(600_000);
    assert.deepEqual([await text(), readings], [first, 1]);
    await engine.apply([put('harbour', 2, 'en', 'The lighthouse')], 2);
    const second = await text();
    assert.deepEqual([/lighthous/.test(second), readings], [true, 2]);
    await engine.apply([put('harbour', 3, 'en', 'The mooring')], 3);
    assert.deepEqual([await text(), readings], [second, 2]);
    clock.advance(60_000);
    assert.deepEqual([/moor/.test(await text()), readings], [true, 3]);
  });
});
