import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError, seededRandom } from '../../../kernel/index.ts';
import { parseQuery } from '../../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { engineErrors } from '../errors.ts';
import type { IndexChange } from '../model/search-engine.ts';
import { SegmentedEngine } from '../segmented/segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const maxObjectsRead = 25;

/** An engine with some pages that counts its reads of objects. */
async function counting() {
  const folder = await mkdtemp(join(tmpdir(), 'garner-leaves-'));
  const database = await openDatabase(join(folder, 'index'));
  const objects = new Map<Oid, SummaryObject>();
  let read = 0;
  const objectOf = async (oid: Oid) => {
    read++;
    return objects.get(oid);
  };
  const engine = await SegmentedEngine.open({ database, objectOf, maxObjectsRead, feedback: false });
  const changes = Array.from({ length: 60 }, (_, number): IndexChange => {
    const url = `http://example.org/${number}`;
    const object = summaryObject(url, [
      ['Title', number % 2 === 0 ? 'Installing the server' : 'Colours of a window'],
      ['File-Size', number * 1000],
      ['Last-Modification-Time', Date.UTC(2020, number % 24) / 1000],
      ['Keywords', 'alpha'],
      ['Description', 'omega'],
      ['Full-Text', `the reverse proxy of host${number} balances what McDonald installed`],
    ]);
    const oid = oidOf(gatherer, url);
    objects.set(oid, object);
    return { kind: 'put', oid, source: 's', object };
  });
  await engine.apply(changes.slice(0, 40), 1);
  await engine.apply(changes.slice(40), 2);
  return {
    /** How many objects match a query, and how many were read for it. */
    ask: async (text: string) => {
      read = 0;
      const { total } = await engine.search({ query: parseQuery(text).query, limit: 0, offset: 0 });
      return { total, read };
    },
    /** The same, partially where necessary. */
    askPart: async (text: string) => {
      read = 0;
      const { query } = parseQuery(text);
      const { total, partial } = await engine.search({ query, limit: 0, offset: 0, partial: true });
      return { total, partial, read };
    },
    objectsRead: () => read,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

test('the index answers these without reading any object', async () => {
  await using scene = await counting();
  const totals: Readonly<Record<string, number>> = {
    'inst*': 60,
    'Title: inst*': 30,
    'host1*': 11,
    '"reverse prox*"': 60,
    '"proxy rever*"': 0,
    'colors~1': 30,
    'servre~2': 30,
    'colors~best': 30,
    '#part onald': 60,
    '"reverse proxi~1"': 60,
    'reverse NEAR/3 host7': 1,
    'reverse NEAR/0 host7': 0,
    '(server OR window) NEAR/2 (inst* OR colour)': 60,
    // Each is in an attribute of its own.
    'alpha NEAR/5 omega': 0,
    'File-Size: >50k': 9,
    'File-Size: 10k..12k': 3,
    'Last-Modification-Time: 2021-01..2021-06': 12,
    'Last-Modification-Time: <2020-03': 6,
    'URL: exam*': 60,
  };
  for (const [text, total] of Object.entries(totals))
    assert.deepEqual(await scene.ask(text), { total, read: 0 }, text);
});

test('only objects whose indexed words do not decide are read', async () => {
  await using scene = await counting();
  // Stems are indexed: these objects have the term, and only their texts show its form.
  assert.deepEqual(await scene.ask('host7 installe*'), { total: 1, read: 1 });
  assert.deepEqual(await scene.ask('(#case McDonald) host7'), { total: 1, read: 1 });
  assert.deepEqual(await scene.ask('/host5[0-3]/'), { total: 4, read: 4 });
  await assert.rejects(scene.ask('/balan[cz]es/'), (error) =>
    isGarnerError(error, engineErrors.ENGINE_QUERY_TOO_WIDE),
  );
  assert.equal(scene.objectsRead(), 0, 'nothing is read where too much would have to be read');
});

test('where too much would have to be read, a part is read and reported, if allowed', async () => {
  await using scene = await counting();
  const part = async (text: string) => {
    const { read, ...answer } = await scene.askPart(text);
    assert.equal(read, answer.partial === undefined ? 0 : maxObjectsRead);
    return answer;
  };
  const partial = [{ part: '/balan[cz]es/', read: 25, of: 60 }];
  assert.deepEqual(await part('/balan[cz]es/'), { total: 25, partial });
  // Objects that may contain it are left out.
  assert.deepEqual(await part('NOT /balan[cz]es/'), { total: 0, partial });
  assert.deepEqual(await part('NOT NOT /balan[cz]es/'), { total: 25, partial });
  assert.deepEqual(await part('Title: server OR /balan[cz]es/'), { total: 30 + 13, partial });
  const none = [{ part: '/balan[cz]e\\b/', read: 25, of: 60 }];
  assert.deepEqual(await part('NOT /balan[cz]e\\b/'), { total: 25, partial: none });
  assert.deepEqual(await part('inst*'), { total: 60, partial: undefined });
});

const garbageQueries = Number(process.env.GARNER_TEST_QUERIES ?? 3_000);

test(`${garbageQueries} garbage queries neither crash nor read more than the bound`, async () => {
  await using scene = await counting();
  const random = seededRandom(20_260_102);
  const tokens = [
    ...['inst*', 'reverse', '"', '(', ')', 'AND', 'OR', 'NOT', '-', 'NEAR/2', 'NEAR', '~2', 'colour~best'],
    ...[
      'Title:',
      'File-Size:',
      'MD5:',
      '>10k',
      '..',
      '2020-01..',
      '/bal.*s/',
      '/[/',
      '#case',
      '#part',
      '#errors',
    ],
    ...['ho*', 'host1~3', '*', '\u0000', '\ud800', '東京', '#lines', '9', 'Embed<1>-Title:', "'"],
  ];
  for (let count = 0; count < garbageQueries; count++) {
    const text = Array.from(
      { length: 1 + Math.floor(random.next() * 7) },
      () => tokens[Math.floor(random.next() * tokens.length)],
    ).join(random.next() < 0.8 ? ' ' : '');
    try {
      await scene.ask(text);
    } catch (error) {
      assert.ok(isGarnerError(error, engineErrors.ENGINE_QUERY_TOO_WIDE), `${text}: ${error}`);
    }
    // A query with the best number of errors is tried with each number.
    const tries = text.includes('best') ? 10 : 1;
    assert.ok(scene.objectsRead() <= tries * maxObjectsRead, text);
  }
});
