import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentMap } from './recent-map.ts';

test('the least recently used values are dropped, by their sizes', () => {
  const map = new RecentMap<string, number>(10);
  map.set('a', 1, 4);
  map.set('b', 2, 4);
  assert.equal(map.get('a'), 1);
  map.set('c', 3, 4);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3]);
  assert.deepEqual([map.count, map.size], [2, 8]);
  map.set('d', 4, 10);
  assert.deepEqual([map.count, map.size, map.get('d')], [1, 10, 4]);
});

test('a value replaces the last one of its key, and one that is too large is not stored', () => {
  const map = new RecentMap<number, string>(2);
  map.set(1, 'one');
  map.set(1, 'uno', 2);
  assert.deepEqual([map.get(1), map.count, map.size], ['uno', 1, 2]);
  map.set(1, 'far too large', 3);
  assert.deepEqual([map.get(1), map.count, map.size], [undefined, 0, 0]);
  map.set(2, 'two');
  map.delete(2);
  map.delete(2);
  map.set(3, 'three');
  map.clear();
  assert.deepEqual([map.count, map.size], [0, 0]);
});
