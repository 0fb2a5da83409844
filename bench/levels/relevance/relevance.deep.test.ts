import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageFolder } from '../../harness/machine.ts';
import { qualityOf } from '../quality.ts';
import { type JudgedCollection, readCollection, shortened } from './collection.ts';
import { rankingSystems } from './systems.ts';

const folder = join(packageFolder(), '../shared/data/ir');

async function ndcg(system: string, collection: JudgedCollection): Promise<number> {
  const { rank } = rankingSystems.find(({ name }) => name === system) ?? assert.fail(system);
  return qualityOf(await rank(collection, 1000), collection.queries).ndcg10;
}

for (const name of ['cranfield', 'cisi']) {
  const path = join(folder, name);
  const skip = existsSync(path) ? false : `SKIPPED: ${path} is not here`;
  test(`ranking on ${name} is ahead of BM25, with long queries and with three words`, { skip }, async (t) => {
    const whole = readCollection(path);
    for (const [collection, atLeast] of [
      [whole, 1.1],
      [shortened(whole), 1.05],
    ] as const) {
      const [own, reference] = [await ndcg('garner', collection), await ndcg('bm25', collection)];
      t.diagnostic(`${collection.name}: ${own.toFixed(4)}, BM25 ${reference.toFixed(4)}`);
      assert.ok(own >= atLeast * reference, `${own} against ${reference}`);
    }
  });
}

test('a query is cut to its three rarest words among those that three documents have, in their order', () => {
  const documents = ['red apple pie', 'red apple tart', 'red apple pie cream', 'red pie unique'].map(
    (text, id) => ({ id: `${id}`, title: '', text }),
  );
  const queries = [{ text: 'the unique pie of a red and ripe apple', relevant: new Set([0]) }];
  const { queries: cut } = shortened({ name: 'fruit', documents, queries });
  assert.deepEqual(
    cut.map(({ text }) => text),
    ['pie red apple'],
  );
});
