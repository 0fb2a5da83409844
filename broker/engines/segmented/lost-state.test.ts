import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../../kernel/index.ts';
import { parseQuery } from '../../../query/index.ts';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { type Database, openDatabase } from '../../../store/index.ts';
import { engineErrors } from '../errors.ts';
import { GlimpseEngine } from '../glimpse/glimpse-engine.ts';
import { stateKey } from '../index-database/index-keys.ts';
import { demandDocnos } from '../index-database/index-state.ts';
import type { SearchEngine } from '../model/search-engine.ts';
import { SegmentedEngine } from './segmented-engine.ts';

const engines: Readonly<Record<string, (database: Database) => Promise<SearchEngine>>> = {
  flexsearch: (database) => SegmentedEngine.open({ database, objectOf: async () => undefined }),
  glimpse: (database) => GlimpseEngine.open({ database, bodiesOf: async () => [] }),
};
const query = { query: parseQuery('harbour').query, limit: 5, offset: 0 };

for (const [name, open] of Object.entries(engines))
  test(`${name}: an index that has lost its state restarts empty, without its leftovers`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'garner-state-'));
    const database = await openDatabase(join(folder, 'index'));
    try {
      const oid = oidOf('AAAAAAAAAAAAAAAAAAAAAA' as ServerId, 'http://example.org/');
      const object = summaryObject('http://example.org/', [['Title', 'harbour']]);
      {
        await using engine = await open(database);
        await engine.apply([{ kind: 'put', oid, object, source: 's' }], 1);
        assert.equal((await engine.search(query)).total, 1);
      }
      await database.batch([{ type: 'del', key: stateKey }]);
      await using engine = await open(database);
      assert.equal(engine.count, 0);
      assert.equal((await engine.search(query)).total, 0);
      for await (const named of engine.oids?.() ?? []) assert.fail(`${named} is there`);
    } finally {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    }
  });

for (const [name, open] of Object.entries(engines))
  test(`${name}: an index whose docnos are nearly all of deleted objects is refilled at the next start`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'garner-state-'));
    const database = await openDatabase(join(folder, 'index'));
    try {
      const given = async (nextDocno: number) => {
        const state = JSON.parse(Buffer.from((await database.get(stateKey)) ?? []).toString());
        const value = Buffer.from(JSON.stringify({ ...state, nextDocno }));
        await database.batch([{ type: 'put', key: stateKey, value }]);
        await using engine = await open(database);
        return [engine.lsn, engine.count];
      };
      {
        await using engine = await open(database);
        const object = summaryObject('http://example.org/', [['Title', 'harbour']]);
        const oid = oidOf('AAAAAAAAAAAAAAAAAAAAAA' as ServerId, 'http://example.org/');
        await engine.apply([{ kind: 'put', oid, object, source: 's' }], 1);
      }
      assert.deepEqual(await given(2 ** 24), [1, 1]);
      assert.deepEqual(await given(2 ** 24 + 65), [0, 0]);
    } finally {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    }
  });

test('running out of docnos counts as damage, so that a serving index is restarted', () => {
  demandDocnos({ nextDocno: 2 ** 28, count: 0 });
  demandDocnos({ nextDocno: 2 ** 28 + 640, count: 10 });
  assert.throws(
    () => demandDocnos({ nextDocno: 2 ** 28 + 641, count: 10 }),
    (error) => isGarnerError(error, engineErrors.ENGINE_DAMAGED),
  );
});
