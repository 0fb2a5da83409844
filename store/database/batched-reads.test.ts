import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchedReads } from './batched-reads.ts';

test('reads of one turn are one access to the database, each with its own values', async () => {
  const looks: number[] = [];
  const failing = Buffer.from('failing');
  const reads = new BatchedReads({
    getMany: async (keys) => {
      looks.push(keys.length);
      if (keys.includes(failing)) throw new Error('a bad disk');
      return keys.map((key) => (key.length > 0 ? Buffer.from(key) : undefined));
    },
  });
  const key = (text: string) => Buffer.from(text);
  const [first, second, third] = await Promise.all([
    reads.getMany([key('a'), key('')]),
    reads.getMany([]),
    reads.getMany([key('b')]),
  ]);
  assert.deepEqual(first?.map(String), ['a', 'undefined']);
  assert.deepEqual([second, third.map(String)], [[], ['b']]);
  assert.deepEqual(looks, [3]);
  await assert.rejects(Promise.all([reads.getMany([key('c')]), reads.getMany([failing])]), /a bad disk/);
  const many = Array.from({ length: 300 }, () => reads.getMany([key('d')]));
  assert.equal((await Promise.all(many)).length, 300);
  assert.deepEqual(looks.slice(2), [256, 44]);
});
