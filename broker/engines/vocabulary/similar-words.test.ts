import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import type { IndexChange } from '../model/search-engine.ts';
import { SegmentedEngine } from '../segmented/segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

function page(number: number, text: string, language: string): IndexChange {
  const url = `http://example.org/${number}`;
  const object = summaryObject(url, [
    ['Full-Text', text],
    ['Language', language],
  ]);
  return { kind: 'put', oid: oidOf(gatherer, url), source: 's', object };
}

/** The suggested words, in an index of these texts in two segments. */
async function meantIn(
  languages: readonly string[],
  texts: readonly string[],
  ...words: readonly string[]
): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-similar-'));
  const database = await openDatabase(join(folder, 'index'));
  try {
    await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    const half = Math.ceil(texts.length / 2);
    const pages = texts.map((text, number) =>
      page(number, text, languages[number % languages.length] as string),
    );
    await engine.apply(pages.slice(0, half), 1);
    await engine.apply(pages.slice(half), 2);
    const found: string[][] = [];
    for (const word of words)
      found.push((await engine.lookUp(word, 3)).similar.map(({ word: other }) => other));
    return found;
  } finally {
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
}

const meant = (texts: readonly string[], ...words: readonly string[]) => meantIn(['en'], texts, ...words);

const plain = [
  'asyncio tasks wait',
  'asyncio sockets',
  'vacuum reclaims space',
  'Währung und Größe',
  'почта идёт',
];

test('one letter more, less, other or swapped, at any place, leads back to the word', async () => {
  for (const word of ['asyncio', 'vacuum', 'sockets', 'почта']) {
    const wrong = [...word].flatMap((letter, at) => {
      const [head, tail] = [word.slice(0, at), word.slice(at + 1)];
      const other = word > 'z' ? 'ю' : 'q';
      const swapped = tail === '' || tail[0] === letter ? [] : [head + tail[0] + letter + tail.slice(1)];
      return [head + tail, head + other + tail, head + letter + other + tail, ...swapped];
    });
    // Without its ending it is the same word to the index.
    const long = wrong.filter((one) => one.length >= 5 && one !== 'socket');
    const found = await meant(plain, ...long);
    for (const [index, words] of found.entries())
      assert.equal(words[0], word, `${long[index]}: ${words.join(' ')}`);
  }
});

test('two wrong letters of a long word are recognised after its beginning; a short one keeps its letters', async () => {
  assert.deepEqual(await meant(plain, 'vacuumm', 'reclaym', 'wait', 'wai', 'zzzzzz', '12345'), [
    ...[['vacuum'], ['reclaims'], [], [], [], []],
  ]);
});

test('the word of more objects comes first; a word of the index and a short one are not corrected', async () => {
  const texts = [
    ...Array.from({ length: 40 }, () => 'proxy balance'),
    ...Array.from({ length: 4 }, () => 'prose'),
    'proxe',
    'valance core',
  ];
  assert.deepEqual(await meant(texts, 'proxx', 'proxe', 'prose', 'valance', 'cors'), [
    ...[['proxy', 'proxe'], [], [], [], []],
  ]);
});

test('a suggestion is a word of the index as written, and finds something', async () => {
  // "ables" has the stem of "able" and occurs nowhere.
  assert.deepEqual(await meant(['he is able'], 'ables', 'xables', 'abled'), [[], [], []]);
});

test('words count in the language of the objects that contain them', async () => {
  const texts = Array.from({ length: 48 }, (_, number) =>
    number % 2 === 0 ? 'Verschlüsselungen' : 'Häuser',
  );
  const words = ['verschlusslungen', 'verschlusselung', 'werschlusselungen'];
  for (const languages of [['de'], ['de', 'en'], ['de', 'en', 'fr', 'it', 'nl', 'sv']])
    assert.deepEqual(await meantIn(languages, texts, ...words), [
      ...[['verschlusselungen'], [], ['verschlusselungen']],
    ]);
});

test('deleted objects do not count, before their segment is merged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-similar-'));
  const database = await openDatabase(join(folder, 'index'));
  try {
    await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    const pages = Array.from({ length: 30 }, (_, n) => page(n, n < 20 ? 'proxy' : 'prosy', 'en'));
    await engine.apply(pages, 1);
    assert.deepEqual((await engine.lookUp('proky', 3)).similar, [
      { word: 'proxy', objects: 20, edits: 1 },
      { word: 'prosy', objects: 10, edits: 1 },
    ]);
    await engine.apply(
      pages.slice(0, 20).map(({ oid }) => ({ kind: 'remove', oid })),
      2,
    );
    assert.deepEqual(await engine.lookUp('proxy', 3), {
      objects: 0,
      similar: [{ word: 'prosy', objects: 10, edits: 1 }],
    });
  } finally {
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
});
