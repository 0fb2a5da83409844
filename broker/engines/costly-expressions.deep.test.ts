import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError, seededRandom } from '../../kernel/index.ts';
import { matchedLines, matchersOf, parseQuery, queryErrors } from '../../query/index.ts';
import { encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { type Database, openDatabase } from '../../store/index.ts';
import { GlimpseEngine } from './glimpse/glimpse-engine.ts';
import type { IndexChange, SearchEngine } from './model/search-engine.ts';
import { SegmentedEngine } from './segmented/segmented-engine.ts';

const random = seededRandom(5);
const text = Array.from({ length: 60_000 }, () => (random.next() < 0.5 ? 'a' : 'b')).join('');
const objects = new Map(
  Array.from({ length: 8 }, (_, n) => {
    const url = `http://example.org/${n}`;
    const oid = oidOf('AAAAAAAAAAAAAAAAAAAAAA' as ServerId, url);
    return [oid, summaryObject(url, [['Full-Text', n === 0 ? `${text} harbour` : text]])] as const;
  }),
);
const objectOf = async (oid: Oid) => objects.get(oid);
const bodyOf = (oid: Oid) => {
  const object = objects.get(oid);
  return object === undefined ? undefined : encodeObject(object);
};
const engines: Readonly<Record<string, (database: Database) => Promise<SearchEngine>>> = {
  flexsearch: (database) => SegmentedEngine.open({ database, objectOf }),
  // These objects are large enough to be read in other threads.
  glimpse: (database) => GlimpseEngine.open({ database, bodiesOf: async (oids) => oids.map(bodyOf) }),
};
// Each state of the last 300 characters is different, and no word of the index can narrow the search.
const thrashing = '/[ab]*a[ab]{300}[xy]/';

for (const [name, open] of Object.entries(engines))
  test(`${name}: an expression that keeps building new states is given up with a hint`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'garner-costly-'));
    const database = await openDatabase(join(folder, 'index'));
    try {
      await using engine = await open(database);
      const puts = [...objects].map(
        ([oid, object]): IndexChange => ({ kind: 'put', oid, object, source: 's' }),
      );
      await engine.apply(puts, 1);
      const ask = (text: string) => engine.search({ query: parseQuery(text).query, limit: 10, offset: 0 });
      await assert.rejects(ask(thrashing), (error) => isGarnerError(error, queryErrors.QUERY_COSTLY));
      assert.equal((await ask('/harb.ur/')).total, 1, 'the next query has a budget of its own');
    } finally {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    }
  });

test('marking of matches ends early where an expression costs too much, and does not fail', () => {
  const { query } = parseQuery(`${thrashing} OR harbour`);
  const object = summaryObject('http://x.org/', [
    ['Title', 'harbour'],
    ['Full-Text', text],
  ]);
  assert.deepEqual(
    matchedLines(object, query, 5).map(({ attribute }) => attribute),
    ['Title'],
  );
  const [marker] = matchersOf([{ kind: 'regex', pattern: thrashing.slice(1, -1) }]);
  assert.equal(marker?.matcher.test(text), false);
});
