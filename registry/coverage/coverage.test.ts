import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Oid } from '../../soif/index.ts';
import { Coverage } from './coverage.ts';

const gathers = (...roots: readonly string[]) => ({ roots, collectsFrom: [] });

test('an address finds who gathers it, a part of it, or its host, and who collects from it', () => {
  const coverage = new Coverage();
  const [whole, part, other, collects] = ['whole', 'part', 'other', 'collects'] as unknown as [
    Oid,
    Oid,
    Oid,
    Oid,
  ];
  coverage.put(whole, gathers('http://a.example/'));
  coverage.put(part, gathers('https://b.example/', 'https://a.example/docs/manual/index.html'));
  coverage.put(other, gathers('https://a.example/people'));
  coverage.put(collects, {
    ...{ roots: [], collectsFrom: [{ url: 'ws://a.example:8500/' }, { url: 'ws://c.example/' }] },
  });
  const of = (address: string) => coverage.of(address).map(({ id, relation }) => [id, relation]);
  assert.deepEqual(of('https://a.example/docs'), [
    [whole, 'covers'],
    [part, 'below'],
    [other, 'same host'],
  ]);
  // `/peoples` is not below `/people`.
  assert.deepEqual(of('https://a.example/peoples/').at(-1), [other, 'same host']);
  assert.deepEqual(of('ws://a.example:8500'), [[collects, 'collects']]);
  assert.deepEqual(of('ws://a.example:8501'), []);
  assert.deepEqual(of('ws://c.example/other'), []);
  assert.deepEqual(of('no address'), []);
  coverage.put(whole, gathers('https://d.example/'));
  coverage.delete(part);
  assert.deepEqual(of('https://a.example/docs'), [[other, 'same host']]);
  assert.deepEqual(of('https://d.example/x'), [[whole, 'covers']]);
});
