import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { titleQueries, twoWordQueries } from './title-queries.ts';

const titles = [
  'The Apache HTTP Server and its Modules',
  'git-merge-base: Find as good common ancestors as possible',
  'Chapter 19. Server Configuration',
  'short one',
  'Überschrift mit vielen Wörtern darin',
];

test('queries have one, two and three words in turn, which are adjacent in a title', () => {
  const queries = titleQueries(titles, 9, seededRandom(1));
  assert.deepEqual(
    queries.map(({ length }) => length),
    [1, 2, 3, 1, 2, 3, 1, 2, 3],
  );
  const plain = titles.map((title) =>
    title
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => /^[a-z]{3,}$/.test(word) && word !== 'and')
      .join(' '),
  );
  for (const words of queries) {
    assert.ok(
      plain.some((title) => title.includes(words.join(' '))),
      words.join(' '),
    );
    assert.ok(!words.includes('and'));
  }
  assert.equal(new Set(queries.map(String)).size, 9);
});

test('the same seed makes the same queries, another one others', () => {
  const drawn = (seed: number) => titleQueries(titles, 12, seededRandom(seed));
  assert.deepEqual(drawn(7), drawn(7));
  assert.notDeepEqual(drawn(7), drawn(8));
});

test('queries of two words are distinct, and refused when the titles hold too few words', () => {
  const queries = twoWordQueries(titles, 50, seededRandom(3));
  assert.equal(new Set(queries).size, 50);
  for (const query of queries) assert.equal(new Set(query.split(' ')).size, 2);
  assert.throws(() => twoWordQueries(['one two'], 5, seededRandom(3)), TypeError);
  assert.throws(() => titleQueries(['too short'], 1, seededRandom(3)), TypeError);
});
