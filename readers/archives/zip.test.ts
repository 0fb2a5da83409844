import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedZip } from '../testing/stored-zip.ts';
import { zipDirectoryOfEnds, zipEntries } from './zip.ts';

test('the end of a large zip archive gives the names and sizes of all members', async () => {
  const content = Buffer.alloc(5000);
  const whole = storedZip({ 'a/one.txt': content, 'a/two.txt': content, 'b/six.txt': content });
  const ends = (head: number, tail: number) =>
    zipDirectoryOfEnds(Buffer.concat([whole.subarray(0, head), whole.subarray(-tail)]), head, whole.length);
  const members: unknown[] = [];
  for await (const { name, size } of zipEntries(ends(100, 1000) ?? new Uint8Array(), 1e6))
    members.push([name, size]);
  assert.deepEqual(members, [
    ['a/one.txt', 5000],
    ['a/two.txt', 5000],
    ['b/six.txt', 5000],
  ]);
  assert.equal(ends(100, 60), undefined);
  assert.equal(zipDirectoryOfEnds(Buffer.alloc(200), 100, 1000), undefined);
});
