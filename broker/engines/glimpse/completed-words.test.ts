import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import type { IndexChange } from '../model/search-engine.ts';
import { GlimpseEngine } from './glimpse-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

function page(number: number, text: string): IndexChange {
  const url = `http://example.org/${number}`;
  const object = summaryObject(url, [['Full-Text', text]]);
  return { kind: 'put', oid: oidOf(gatherer, url), source: 's', object };
}

test('completions are found by the beginnings of words, not by their stems, and read few entries', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-completed-'));
  const stored = await openDatabase(join(folder, 'index'));
  let entries = 0;
  const database: typeof stored = {
    ...stored,
    entries: async function* (range) {
      for await (const entry of stored.entries(range)) {
        entries++;
        yield entry;
      }
    },
  };
  try {
    await using engine = await GlimpseEngine.open({ database, bodiesOf: async () => [] });
    const filler = Array.from({ length: 400 }, (_, n) =>
      page(n, Array.from({ length: 20 }, (_, m) => `${'bdfhk'[m % 5]}word${n * 20 + m}`).join(' ')),
    );
    const texts = ['generalizations ponies', 'ponies happily', 'ponies generalizing', 'gone ponytail'];
    await engine.apply([...filler, ...texts.map((text, n) => page(1_000 + n, text))], 1);
    await engine.apply([{ kind: 'remove', oid: page(1_003, '').oid }], 2);
    await engine.settled();
    assert.deepEqual(await engine.complete('generaliz', 5), ['generalizations', 'generalizing']);
    const before = entries;
    assert.deepEqual(await engine.complete('Ponie', 5), ['ponies']);
    assert.deepEqual(await engine.complete('pony', 5), [], 'words of deleted objects are not offered');
    assert.deepEqual(await engine.complete('happy', 5), []);
    assert.deepEqual(await engine.complete('h', 1), ['happily']);
    // A lookup reads one value; the vocabulary has more than a hundred.
    assert.ok(entries - before <= 8, `${entries - before} entries`);
  } finally {
    await stored[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
});
