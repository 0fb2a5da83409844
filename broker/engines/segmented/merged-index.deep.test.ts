import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Random, seededRandom } from '../../../kernel/index.ts';
import { parseQuery, termOf, typedTerm, wordsOf } from '../../../query/index.ts';
import { oidOf, type ServerId, type SummaryObject, summaryObject } from '../../../soif/index.ts';
import { type Database, openDatabase } from '../../../store/index.ts';
import { dyingAfter } from '../../testing/segmented-engine.ts';
import { allField, titleField } from '../index-database/index-fields.ts';
import type { IndexChange } from '../model/search-engine.ts';
import { PostingCache } from '../postings/posting-cache.ts';
import { type CachedPart, cachedBytes, PostingReader } from '../postings/posting-reader.ts';
import { valueEnd } from '../vocabulary/term-numbers.ts';
import { SegmentedEngine } from './segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const objectOf = async () => undefined;
const rounds = Number(process.env.GARNER_TEST_ROUNDS ?? 30);

async function scratch(): Promise<AsyncDisposable & { readonly database: Database }> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-merged-'));
  const database = await openDatabase(join(folder, 'index'));
  return {
    database,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const url = (number: number) => `http://example.org/${number}`;

/** Texts with words that all, some or few of them have, so that there are lists of every length. */
function pageOf(random: Random, number: number, length: number): SummaryObject {
  const word = () => `w${Math.floor(400 ** random.next())}`;
  const text = Array.from({ length }, word).join(' ');
  return summaryObject(url(number), [
    ['Title', `common ${word()} ${word()}`],
    ['Full-Text', text],
  ]);
}

/** A random batch, and the index's objects after it. */
function randomBatch(random: Random, held: Map<number, SummaryObject>): IndexChange[] {
  return Array.from({ length: 1 + Math.floor(random.next() * 6) }, (): IndexChange => {
    const number = Math.floor(random.next() * 40);
    const oid = oidOf(gatherer, url(number));
    if (random.next() < 0.3) {
      held.delete(number);
      return { kind: 'remove', oid };
    }
    const object = pageOf(random, number, 120);
    held.set(number, object);
    return { kind: 'put', oid, object, source: 's' };
  });
}

/** Everything that an index answers, as text: every term with its places, and some queries. */
async function answersOf(engine: SegmentedEngine): Promise<string[]> {
  const lines: string[] = [`${engine.count} objects`];
  const ask = async (text: string) => {
    const { hits } = await engine.search({ query: parseQuery(text).query, limit: 1000, offset: 0 });
    lines.push(`${text}: ${hits.map(({ oid }) => oid).sort()}`);
  };
  for (let number = 1; number <= 400; number += 37) {
    await ask(`w${number}`);
    await ask(`"w1 w${number}"`);
    await ask(`Title: w${number}`);
  }
  for (const text of ['common', '"w1 w2"', '"w1 w1"', '"w2 w1 w1"', 'w1 -w2', '*']) await ask(text);
  lines.push(`completions: ${await engine.complete('w3', 500)}`.split(',').sort().join());
  return lines;
}

test('killed at any point of changes and merges, the index equals one built from scratch', async () => {
  const random = seededRandom(20_260_701);
  for (let round = 0; round < rounds; round++) {
    await using scene = await scratch();
    const held = new Map<number, SummaryObject>();
    const after: Map<number, SummaryObject>[] = [new Map()];
    const doomed = await SegmentedEngine.open({
      database: dyingAfter(scene.database, 1 + Math.floor(random.next() * 60)),
      objectOf,
    });
    try {
      for (let lsn = 1; lsn <= 24; lsn++) {
        const batch = randomBatch(random, held);
        after.push(new Map(held));
        await doomed.apply(batch, lsn);
        if (random.next() < 0.5) await doomed.settled();
      }
    } catch (error) {
      assert.match(String(error), /killed/);
    }
    await doomed[Symbol.asyncDispose]();
    await using engine = await SegmentedEngine.open({ database: scene.database, objectOf });
    await engine.settled();
    await using fresh = await scratch();
    await using scratchEngine = await SegmentedEngine.open({ database: fresh.database, objectOf });
    const objects = [...(after[engine.lsn] as Map<number, SummaryObject>)];
    await scratchEngine.apply(
      objects.map(([number, object]) => ({
        ...{ kind: 'put', oid: oidOf(gatherer, url(number)), object, source: 's' },
      })),
      1,
    );
    assert.deepEqual(
      await answersOf(engine),
      await answersOf(scratchEngine),
      `round ${round}, LSN ${engine.lsn}`,
    );
    assert.equal(engine.layout.garbage, 0);
  }
});

test('terms come in order from any start, each once, however many segments have them', async () => {
  await using scene = await scratch();
  const random = seededRandom(7);
  const terms = new Set<string>();
  const titles = new Set<string>();
  await using engine = await SegmentedEngine.open({ database: scene.database, objectOf });
  for (let lsn = 1; lsn <= 9; lsn++) {
    const object = summaryObject(url(lsn), [
      ['Title', `Ärger 東京 ${lsn}`],
      ['Full-Text', Array.from({ length: 2000 }, () => `x${Math.floor(5000 * random.next())}`).join(' ')],
    ]);
    for (const { value, name } of object.attributes)
      for (const word of wordsOf(Buffer.from(value).toString()))
        for (const term of [termOf(word), typedTerm(word)]) {
          if (term === undefined) continue;
          terms.add(term);
          if (name === 'Title') titles.add(term);
        }
    await engine.apply([{ kind: 'put', oid: oidOf(gatherer, url(lsn)), object, source: 's' }], lsn);
  }
  await engine.settled();
  assert.ok(engine.layout.segments.length > 1);
  const reader = new PostingReader(
    scene.database,
    { segments: engine.layout.segments, positions: true },
    new PostingCache<CachedPart>(1_000_000, cachedBytes),
  );
  const listed = async (field: number, from: string) => {
    const found: string[] = [];
    for await (const some of reader.terms(field, from)) found.push(...some);
    return found;
  };
  const inOrder = (all: Iterable<string>) =>
    [...all].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  // A term between an object's two values separates them.
  const all = inOrder(terms.add(valueEnd));
  assert.ok(all.length > 4000);
  assert.deepEqual(await listed(allField, ''), all);
  assert.deepEqual(await listed(titleField, ''), inOrder(titles));
  for (const from of ['x3', 'x', 'x4999', 'y', 'arger', '京'])
    assert.deepEqual(
      await listed(allField, from),
      all.filter((term) => Buffer.compare(Buffer.from(term), Buffer.from(from)) >= 0),
    );
});
