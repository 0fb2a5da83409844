import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkReader } from './chunk-reader.ts';
import { tarEntries } from './tar.ts';

interface Block {
  readonly name: string;
  readonly type?: string;
  readonly content?: string;
  /** The header's size, where it is not the content's length. */
  readonly size?: number | Uint8Array;
  readonly magic?: string;
  readonly prefix?: string;
}

function tarOf(...blocks: readonly Block[]): Buffer {
  const parts = blocks.flatMap(
    ({ name, type = '0', content = '', size, magic = 'ustar\x0000', prefix = '' }) => {
      const header = Buffer.alloc(512);
      header.write(name, 0, 'latin1');
      header.write('0000644\0', 100);
      if (typeof size === 'object') header.set(size, 124);
      else header.write(`${(size ?? Buffer.byteLength(content)).toString(8).padStart(11, '0')}\0`, 124);
      header.write('00000001750\0', 136);
      header.write('        ', 148);
      header.write(type, 156);
      header.write(magic, 257, 'latin1');
      header.write(prefix, 345);
      const sum = header.reduce((total: number, byte: number) => total + byte, 0);
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      const body = Buffer.from(content);
      return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
    },
  );
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

async function entries(bytes: Buffer): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  for await (const entry of tarEntries(new ChunkReader([bytes])))
    if (entry.folder !== true)
      found.push([entry.name, entry.fault ?? entry.unread ?? Buffer.from(await entry.read(1000)).toString()]);
  return found;
}

const pax = (...records: string[]) =>
  records
    .map((record) => {
      let length = record.length + 3;
      while (Buffer.byteLength(`${length} ${record}\n`) !== length) length++;
      return `${length} ${record}\n`;
    })
    .join('');

test('a folder or link that claims a size has no content, and what follows it is read', async () => {
  assert.deepEqual(
    await entries(
      tarOf(
        { name: 'folder/', type: '5', size: 400 },
        { name: 'link', type: '2', size: 99 },
        { name: 'old/', size: 0 },
        { name: 'README', content: 'words' },
      ),
    ),
    [
      ['link', 'a symbolic link'],
      ['README', 'words'],
    ],
  );
});

test('long names: the prefix of ustar, GNU’s notes, pax for one entry and for all', async () => {
  const long = 'long/'.repeat(60);
  assert.deepEqual(
    await entries(
      tarOf(
        { name: 'a', prefix: 'b/c', content: '1' },
        { name: 'gnu', prefix: 'not a name', magic: 'ustar  \0', content: '2' },
        { name: '././@LongLink', type: 'K', content: `${long}\0` },
        { name: '././@LongLink', type: 'L', content: `${long}x\0` },
        { name: 'cut', content: '3' },
        { name: 'note', type: 'g', content: pax('path=everywhere') },
        { name: 'note', type: 'x', content: pax('mtime=1.5', 'path=grüße') },
        { name: 'cut', content: '4' },
        { name: 'cut', content: '5' },
      ),
    ),
    [
      ['b/c/a', '1'],
      ['gnu', '2'],
      [`${long}x`, '3'],
      ['grüße', '4'],
      ['everywhere', '5'],
    ],
  );
});

test('numbers of base 256, names in Latin-1, version 7, a label, a multi-volume part', async () => {
  const size = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
  assert.deepEqual(
    await entries(
      tarOf(
        { name: 'label', type: 'V' },
        { name: 'gr\xfc\xdfe', content: 'hello', size, magic: '' },
        { name: 'part', type: 'M', content: 'rest' },
      ),
    ),
    [
      ['grüße', 'hello'],
      ['part', 'it is of the unknown kind "M"'],
    ],
  );
});

test('entries that are not read are passed over, whatever the sizes of the pieces', async () => {
  const bytes = tarOf(
    { name: 'a', content: 'x'.repeat(700) },
    { name: 'b', content: 'y'.repeat(512) },
    { name: 'c', content: 'z' },
  );
  for (const piece of [1, 7, 511, 512, 513, 5000]) {
    const pieces = function* () {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
    };
    const names: string[] = [];
    for await (const entry of tarEntries(new ChunkReader(pieces()))) {
      names.push(entry.name);
      if (entry.name === 'b') assert.equal((await entry.read(600)).length, 512);
    }
    assert.deepEqual(names, ['a', 'b', 'c'], String(piece));
  }
});

test('a damaged entry ends the archive with an error; a wrong size costs no memory', async () => {
  const bytes = tarOf({ name: 'a', content: '1' }, { name: 'b', content: '2' });
  bytes[1024 + 3] = 0x41;
  await assert.rejects(entries(bytes), /header of a tar entry is malformed/);
  const lie = tarOf({
    name: 'lie',
    size: Buffer.from([0x80, 0, 0, 0, 0, 0x0f, 255, 255, 255, 255, 255, 255]),
  });
  await assert.rejects(entries(lie), /more than 1000 bytes/);
  const negative = tarOf({ name: 'n', size: Buffer.alloc(12, 0xff) });
  assert.deepEqual(await entries(negative), [['n', '']]);
});
