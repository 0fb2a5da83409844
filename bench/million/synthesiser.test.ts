import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { growthOf, Synthesiser } from './synthesiser.ts';

/** Pages of words whose vocabulary grows about as the square root of their number. */
const pages = Array.from({ length: 200 }, (_, page) => {
  const random = seededRandom(page);
  const length = 20 + Math.floor(random.next() * 60);
  const words = Array.from({ length }, (_, at) =>
    at % 9 === 0 ? `rarity${'abcdefghij'[page % 10]}${page}x` : `word${Math.floor(40 * random.next() ** 3)}`,
  );
  const text = words.map((word, at) => (at % 7 === 6 ? `${word}.` : word)).join(' ');
  return { url: `http://x.example/${page}`, title: `Title ${page} of something`, text };
});

const made = (count: number, seed: number) => {
  const synthesiser = new Synthesiser(pages, seededRandom(seed));
  const objects = Array.from({ length: count }, (_, number) => synthesiser.page(number));
  return { synthesiser, objects };
};

const mean = (texts: readonly { readonly text: string }[]) =>
  texts.reduce((sum, { text }) => sum + text.length, 0) / texts.length;

test('the same seed makes the same objects, another one others; no two have one URL', () => {
  const { objects } = made(50, 1);
  assert.deepEqual(objects, made(50, 1).objects);
  assert.notDeepEqual(objects, made(50, 2).objects);
  assert.equal(new Set(objects.map(({ url }) => url)).size, 50);
});

test('objects have the length of the real ones', () => {
  const { objects } = made(2000, 3);
  assert.ok(Math.abs(mean(objects) / mean(pages) - 1) < 0.1, `${mean(objects)} of ${mean(pages)}`);
});

test('the vocabulary keeps growing like that of the real objects', () => {
  const { synthesiser, objects } = made(8000, 4);
  const words = objects.flatMap(({ text }) => text.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? []);
  const { k, beta } = synthesiser.growth;
  const expected = k * words.length ** beta;
  const found = new Set(words).size;
  assert.ok(found / expected > 0.8 && found / expected < 1.2, `${found} words of ${expected}`);
  assert.ok(synthesiser.coined > 100, `${synthesiser.coined}`);
});

test('the growth is fitted for texts with only new words, and for texts with always the same words', () => {
  const fresh = Array.from({ length: 40 }, (_, at) => `a${at} b${at} c${at}`);
  assert.ok(Math.abs(growthOf(fresh).beta - 1) < 1e-9);
  assert.equal(growthOf(fresh.map(() => 'a b c')).beta, 0);
});
