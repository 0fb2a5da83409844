import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryPlace } from './try-place.ts';

test('a document is tried under the name and the URL that are given, else under those of its file', () => {
  const place = (file: string, as?: string, url?: string) => {
    const { name, url: at } = tryPlace({ file, as, url }, '/home/jo');
    return [name, at];
  };
  assert.deepEqual(place('a b.pdf'), ['a b.pdf', 'file:///home/jo/a%20b.pdf']);
  assert.deepEqual(place('/srv/x', 'y.html'), ['y.html', 'file:///srv/y.html']);
  assert.deepEqual(place('x', undefined, 'https://h/y.txt'), ['x', 'https://h/y.txt']);
  assert.deepEqual(place('file:///srv/%FCber.txt'), ['%FCber.txt', 'file:///srv/%FCber.txt']);
  assert.deepEqual(place('-'), ['standard-input', 'file:///home/jo/standard-input']);
  assert.deepEqual(place('-', 'a.pdf'), ['a.pdf', 'file:///home/jo/a.pdf']);
  assert.deepEqual(place('-', '../../a.pdf'), ['../../a.pdf', 'file:///home/jo/a.pdf']);
  assert.deepEqual(place('-', undefined, 'https://h/d/a%20b.pdf?q'), ['a b.pdf', 'https://h/d/a%20b.pdf?q']);
  assert.deepEqual(place('-', undefined, 'https://h/100%'), ['100%', 'https://h/100%']);
  assert.deepEqual(place('-', undefined, 'https://h/'), ['standard-input', 'https://h/']);
});
