import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseQuery } from '../../query/index.ts';
import { oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { type Database, openDatabase } from '../../store/index.ts';
import type { SearchEngine } from '../search-engine.ts';
import { FlexsearchEngine } from './flexsearch-engine.ts';
import { GlimpseEngine } from './glimpse/index.ts';
import { stateKey } from './index-keys.ts';

const engines: Readonly<Record<string, (database: Database) => Promise<SearchEngine>>> = {
  flexsearch: (database) => FlexsearchEngine.open({ database, objectOf: async () => undefined }),
  glimpse: (database) => GlimpseEngine.open({ database, bodiesOf: async () => [] }),
};
const query = { query: parseQuery('harbour').query, limit: 5, offset: 0 };

for (const [name, open] of Object.entries(engines))
  test(`${name}: an index that has lost its state begins empty, without what else is left`, async () => {
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
