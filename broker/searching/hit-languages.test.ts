import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReferenceEngine } from '../engines/reference/reference-engine.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import { Synonyms } from './synonyms.ts';

const german: readonly (readonly [string, string])[] = [['Language', 'de']];

test('words are found, shown, corrected and widened in the language of each object', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await source.folder.store.apply([
    source.put('eins', 'Viele Häuser\nund Verschlüsselungen', now(), german),
    source.put('two', 'one house, many houses'),
    source.put('drei', 'Ein Gebäude aus Holz', now(), german),
  ]);
  const synonyms = new Synonyms(['Schloss, Gebäude']);
  await using opened = await OpenBroker.open(join(folder.path, 'broker'), [source.url], { synonyms });
  opened.broker.start();
  await opened.fresh();
  const search = (q: string) =>
    opened.broker.queries.search({ q, limit: 10, offset: 0, sources: [], types: [] });
  const pages = async (q: string) => (await search(q)).hits.map(({ url }) => url.split('/').at(-1));

  const found = await search('haus #lines 2');
  assert.equal(found.total, 1);
  const [hit] = found.hits;
  assert.deepEqual(
    hit?.matches.map(([from, to]) => hit.snippet.slice(from, to)),
    ['Häuser'],
  );
  assert.deepEqual(hit?.attributes, ['Full-Text']);
  assert.deepEqual(
    hit?.lines.map(({ text }) => text),
    ['Viele Häuser'],
  );
  assert.deepEqual(await pages('house'), ['two']);
  // In German this is a form of "Page", which is in all titles here.
  assert.deepEqual(
    (await search('pagen')).hits.map(({ titleMatches }) => titleMatches),
    [[[0, 4]], [[0, 4]]],
  );

  assert.deepEqual(await pages('schlosses'), ['drei'], 'synonyms');
  const corrected = await search('verschlüsslungen');
  assert.deepEqual([corrected.corrected, corrected.hits.length], ['verschlusselungen', 1], 'an unknown word');
  const widened = await search('haus aus garten');
  assert.ok(widened.relaxed);
  assert.deepEqual(
    widened.hits.map(({ url }) => url.split('/').at(-1)),
    ['eins'],
    'a stop word of German finds nothing by itself',
  );
});

test('an object without a named language is described in the one that it was found in', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await source.folder.store.apply([source.put('kurz', 'Häuser')]);
  const engine = new ReferenceEngine('de');
  await using opened = await OpenBroker.open(join(folder.path, 'broker'), [source.url], { engine });
  opened.broker.start();
  await opened.fresh();
  const parameters = { q: 'haus #lines 1', limit: 10, offset: 0, sources: [], types: [] };
  const [hit] = (await opened.broker.queries.search(parameters)).hits;
  assert.deepEqual([hit?.matches, hit?.attributes], [[[0, 6]], ['Full-Text']]);
  assert.deepEqual(
    hit?.lines.map(({ text }) => text),
    ['Häuser'],
  );
});
