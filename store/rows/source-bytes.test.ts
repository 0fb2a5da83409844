import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Oid, ServerId } from '../../soif/index.ts';
import { openDatabase } from '../database/index.ts';
import { keys } from './object-keys.ts';
import { encodeMeta, type ObjectMeta } from './object-meta.ts';
import { SourceBytes } from './source-bytes.ts';

const meta: ObjectMeta = {
  ...{ lsn: 1, contentLsn: 1, updatedAt: 1, ttlSeconds: 1, countedFrom: 1, withdrawnAt: 0, bodyBytes: 7 },
  ...{ digest: new Uint8Array(32), signature: new Uint8Array(64), url: 'http://www.example.org/' },
  ...{ publisher: 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId, partitions: [3] },
};

test('the bytes of a source are counted again after a count that failed', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-source-bytes-'));
  {
    await using database = await openDatabase(path);
    await database.batch([{ type: 'put', key: keys.meta('A'.repeat(43) as Oid), value: encodeMeta(meta) }]);
    let fails = true;
    const bytes = new SourceBytes({
      ...database,
      snapshot: () => {
        if (fails) throw new Error('too many open files');
        return database.snapshot();
      },
    });
    await assert.rejects(
      bytes.of(3, (work) => work()),
      /too many open files/,
    );
    fails = false;
    assert.equal(await bytes.of(3, (work) => work()), 7);
  }
  await rm(path, { recursive: true });
});
