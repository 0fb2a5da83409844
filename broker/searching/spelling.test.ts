import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../query/index.ts';
import type { WordKnowledge } from '../engines/model/search-engine.ts';
import { correctedQuery } from './spelling.ts';

const known: Readonly<Record<string, string>> = { asincio: 'asyncio', takss: 'tasks', grosse: 'größe' };

async function corrected(q: string) {
  const lookedUp: string[] = [];
  const lookUp = async (word: string): Promise<WordKnowledge> => {
    lookedUp.push(word);
    const other = known[word];
    return { objects: 0, similar: other === undefined ? [] : [{ word: other, objects: 3, edits: 1 }] };
  };
  return { text: await correctedQuery(q, parseQuery(q).query, { lookUp }), lookedUp };
}

test('only the words change; operators, quotes, names and negated words stay', async () => {
  const text = async (q: string) => (await corrected(q)).text;
  assert.equal(await text('Asincio AND (takss OR "a  takss!")'), 'asyncio AND (tasks OR "a  tasks!")');
  assert.equal(await text('Große'), 'größe');
  assert.equal(await text('Title: asincio'), 'Title: asyncio');
  assert.equal(await text('asincio: takss'), 'asincio: tasks');
  assert.equal(await text('view: takss OR takss'), 'view: takss OR tasks');
  for (const q of ['tasks', 'NOT asincio', 'Type: asincio', '', '*', '!!'])
    assert.equal(await text(q), undefined, q);
});

test('few words are looked up, each once, without stop words', async () => {
  const words = Array.from({ length: 50 }, (_, index) => `word${index}`);
  assert.equal((await corrected(words.join(' '))).lookedUp.length, 8);
  assert.deepEqual((await corrected('the takss of takss')).lookedUp, ['takss']);
});

test('an engine without a vocabulary corrects nothing', async () => {
  assert.equal(await correctedQuery('asincio', parseQuery('asincio').query, {}), undefined);
});
