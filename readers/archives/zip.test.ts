import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipDirectoryOfEnds, zipEntries } from './zip.ts';

/** A zip of stored entries of so many bytes each. */
function stored(names: readonly string[], bytes: number): Buffer {
  const heads = names.map((name, at) => {
    const head = Buffer.alloc(30 + name.length);
    head.write('PK\x03\x04', 'latin1');
    head.writeUInt32LE(bytes, 18);
    head.writeUInt32LE(bytes, 22);
    head.writeUInt16LE(name.length, 26);
    head.write(name, 30);
    const entry = Buffer.concat([
      Buffer.from('PK\x01\x02\0\0', 'latin1'),
      head.subarray(4, 30),
      Buffer.alloc(14),
    ]);
    entry.writeUInt32LE(at * (head.length + bytes), 42);
    return {
      local: Buffer.concat([head, Buffer.alloc(bytes)]),
      entry: Buffer.concat([entry, Buffer.from(name)]),
    };
  });
  const contents = Buffer.concat(heads.map(({ local }) => local));
  const directory = Buffer.concat(heads.map(({ entry }) => entry));
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(contents.length, 16);
  return Buffer.concat([contents, directory, end]);
}

test('the end of a large zip archive gives the names and sizes of all members', async () => {
  const whole = stored(['a/one.txt', 'a/two.txt', 'b/six.txt'], 5000);
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
