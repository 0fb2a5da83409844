import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { allInside, knownWords, made, missing, unnested } from '../testing/sample-archives.ts';
import { UnnestBudget } from './budget.ts';
import { isMember } from './member.ts';
import { unnest } from './unnest.ts';

const mebibyte = 1024 * 1024;

interface ZipSample {
  readonly name: string;
  readonly packed: Uint8Array;
  readonly size: number;
  readonly crc: number;
  /** Offset of its local header in the archive; its own place when absent. */
  readonly at?: number;
}

/** A zip archive with the given directory, also with false values. */
function zipOf(samples: readonly ZipSample[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let length = 0;
  for (const sample of samples) {
    const name = Buffer.from(sample.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(sample.crc, 10);
    fields.writeUInt32LE(sample.packed.length, 14);
    fields.writeUInt32LE(sample.size, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    fields.copy(entry, 6);
    entry.writeUInt32LE(sample.at ?? length, 42);
    directory.push(entry, name);
    if (sample.at !== undefined) continue;
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, sample.packed]);
    parts.push(local);
    length += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(samples.length, 8);
  end.writeUInt16LE(samples.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(length, 16);
  return Buffer.concat([...parts, central, end]);
}

function zipSample(name: string, content: Uint8Array): ZipSample {
  return { name, packed: deflateRawSync(content), size: content.length, crc: crc32(content) };
}

async function tarOf(entries: readonly (readonly [header: object, content?: Uint8Array])[]): Promise<Buffer> {
  const archive = pack();
  for (const [header, content] of entries)
    archive.entry({ name: 'x', ...header }, content ?? new Uint8Array(0), () => {});
  archive.finalize();
  const parts: Uint8Array[] = [];
  for await (const part of archive as AsyncIterable<unknown> as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}

const readme = Buffer.from(knownWords);

test('a bomb inside an archive is refused by its ratio, and its siblings come', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * mebibyte), { level: 9 });
  const archive = await tarOf([
    [{ name: 'before' }, readme],
    [{ name: 'bomb.gz' }, bomb],
    [{ name: 'README' }, readme],
  ]);
  const found = await allInside(archive, 'a.tar');
  assert.deepEqual(
    found.map(({ path, code }) => [path, code]),
    [
      ['before', ''],
      ['bomb.gz', ''],
      ['bomb.gz!bomb.gz', 'UNNEST_RATIO'],
      ['README', ''],
    ],
  );
});

test('a zip bomb: members that unpack to too much are refused one by one, the small one comes', async () => {
  const bomb = zipSample('zeros', Buffer.alloc(60 * mebibyte));
  const names = Array.from({ length: 16 }, (_, index) => ({ ...bomb, name: `zeros${index}` }));
  const inner = zipOf([...names, zipSample('README', readme)]);
  const { members, refused } = await unnested('PCCompressed', inner, 'bomb.zip', new UnnestBudget(42_000));
  assert.deepEqual(
    members.map(({ path }) => path),
    ['README'],
  );
  assert.equal(refused.length, 16);
  assert.ok(refused.every(({ error }) => error.code === 'UNNEST_RATIO'));
});

test('a zip of zips of zips: the whole of it stays within the budget of the document', async () => {
  let layer = zipOf(
    Array.from({ length: 10 }, (_, index) => zipSample(`z${index}`, Buffer.alloc(4 * mebibyte))),
  );
  for (let depth = 0; depth < 3; depth++) {
    const inner = layer;
    layer = zipOf(Array.from({ length: 10 }, (_, index) => zipSample(`n${index}.zip`, inner)));
  }
  const found = await allInside(layer, 'nest.zip');
  const bytes = found.reduce((sum, { bytes: { length } }) => sum + length, 0);
  assert.ok(bytes <= 16 * mebibyte + 200 * layer.length, String(bytes));
  assert.ok(found.some(({ code }) => code === 'UNNEST_RATIO'));
});

test('members laid over one another are taken once', async () => {
  const first = zipSample('first', Buffer.alloc(mebibyte));
  const archive = zipOf([first, { ...first, name: 'second', at: 0 }, { ...first, name: 'third', at: 0 }]);
  const { members, refused } = await unnested('PCCompressed', archive, 'overlap.zip');
  assert.deepEqual(
    members.map(({ path }) => path),
    ['first'],
  );
  assert.deepEqual(
    refused.map(({ path, error }) => [path, error.code]),
    [
      ['second', 'UNNEST_PATH'],
      ['third', 'UNNEST_PATH'],
    ],
  );
});

test('a member with a false size or checksum is refused', async () => {
  const honest = zipSample('honest', readme);
  const large = zipSample('large', Buffer.alloc(mebibyte));
  const { members, refused } = await unnested(
    'PCCompressed',
    zipOf([{ ...large, size: 100 }, { ...honest, crc: 1 }, honest]),
    'lies.zip',
  );
  assert.deepEqual(
    members.map(({ path }) => path),
    ['honest'],
  );
  assert.deepEqual(
    refused.map(({ error }) => error.code),
    ['UNNEST_BROKEN', 'UNNEST_BROKEN'],
  );
});

test('ten thousand wrappers around one document end at the max depth', async () => {
  let nest: Buffer = readme;
  for (let depth = 0; depth < 10_000; depth++) nest = gzipSync(nest, { level: 0 });
  const found = await allInside(nest, 'deep.gz');
  assert.deepEqual([found.length, found.at(-1)?.code, found.at(-1)?.depth], [17, 'UNNEST_DEPTH', 16]);
});

test('a file that contains itself ends at the max depth', async () => {
  // Instead of a quine: its decoder would return the same document again.
  let budget = new UnnestBudget(1000);
  let layers = 0;
  let ended = '';
  for (const same = gzipSync(readme); ended === ''; layers++) {
    for await (const found of unnest('GNUCompressed', same, 'quine.gz', budget)) {
      if (isMember(found)) budget = budget.deeper(found);
      else ended = found.error.code;
    }
  }
  assert.deepEqual([layers, ended], [17, 'UNNEST_DEPTH']);
});

test('names: climbing or absolute ones, links and devices are refused, the others come', async () => {
  const archive = await tarOf([
    [{ name: '../../etc/passwd' }, readme],
    [{ name: '/etc/passwd' }, readme],
    [{ name: 'C:\\windows\\x' }, readme],
    [{ name: 'a/../../b' }, readme],
    [{ name: 'link', type: 'symlink', linkname: '/etc/passwd' }],
    [{ name: 'hard', type: 'link', linkname: '../x' }],
    [{ name: 'zero', type: 'character-device', devmajor: 1, devminor: 5 }],
    [{ name: 'pipe', type: 'fifo' }],
    [{ name: './docs//./README' }, readme],
    [{ name: 'a\\b' }, readme],
  ]);
  const { members, refused } = await unnested('Tar', archive, 'tricks.tar');
  assert.deepEqual(
    members.map(({ path }) => path),
    ['docs/README', 'a/b'],
  );
  assert.deepEqual(
    refused.map(({ error }) => error.code),
    new Array(8).fill('UNNEST_PATH'),
  );
  const zip = zipOf(['../x', '/x', 'a\0b', 'README'].map((name) => zipSample(name, readme)));
  const inZip = await unnested('PCCompressed', zip, 'tricks.zip');
  assert.deepEqual([inZip.members.length, inZip.refused.length], [1, 3]);
});

test('too many members end an archive; its own siblings still come', async () => {
  const many = zipOf(Array.from({ length: 50 }, (_, index) => zipSample(`m${index}`, readme)));
  const archive = await tarOf([
    [{ name: 'many.zip' }, many],
    [{ name: 'README' }, readme],
  ]);
  const found = await allInside(archive, 'a.tar', new UnnestBudget(archive.length, { maxMembers: 21 }));
  assert.equal(found.filter(({ path, code }) => path.startsWith('many.zip!') && code === '').length, 15);
  assert.deepEqual(
    found.slice(-2).map(({ path, code }) => [path, code]),
    [
      ['many.zip!many.zip', 'UNNEST_COUNT'],
      ['README', ''],
    ],
  );
});

test('a too large member is skipped, those after it come', async () => {
  const archive = await tarOf([
    [{ name: 'large' }, Buffer.alloc(3 * mebibyte)],
    [{ name: 'README' }, readme],
  ]);
  const budget = () => new UnnestBudget(archive.length, { maxMemberBytes: mebibyte });
  for (const [bytes, name] of [
    [archive, 'a.tar'],
    [gzipSync(archive), 'a.tgz'],
    [zipOf([zipSample('large', Buffer.alloc(3 * mebibyte)), zipSample('README', readme)]), 'a.zip'],
  ] as const) {
    const { members, refused } = await unnested('Tar', bytes, name, budget());
    assert.deepEqual(
      members.map(({ path }) => path),
      ['README'],
      name,
    );
    assert.deepEqual(
      refused.map(({ path, error }) => [path, error.code]),
      [['large', 'UNNEST_SIZE']],
      name,
    );
  }
});

test('a sparse file is not read, the others come', async (t) => {
  const reason = missing(['tar']);
  if (reason !== undefined) return t.skip(reason);
  for (const format of ['gnu', 'pax']) {
    const archive = made(`truncate -s 4G s; echo x >> s; tar -S --format=${format} -cf out s t/README`);
    assert.ok(archive.length < 20_000);
    const { members, refused } = await unnested('Tar', archive, 'sparse.tar');
    assert.deepEqual(
      members.map(({ path }) => path),
      ['t/README'],
      format,
    );
    assert.deepEqual(
      refused.map(({ path, error }) => [path, error.code]),
      [['s', 'UNNEST_FORMAT']],
      format,
    );
  }
});

test('an encrypted member is refused by name', async (t) => {
  const reason = missing(['zip']);
  if (reason !== undefined) return t.skip(reason);
  const { members, refused } = await unnested(
    'PCCompressed',
    made('zip -qr -P x x.zip t/README; mv x.zip out'),
    'a.zip',
  );
  assert.deepEqual(
    [members.length, refused.map(({ path, error }) => [path, error.code])],
    [0, [['t/README', 'UNNEST_FORMAT']]],
  );
});

test('a bomb for bsdtar ends at the budget too', async (t) => {
  const reason = missing(['7z', 'bsdtar']);
  if (reason !== undefined) return t.skip(reason);
  const bomb = made('truncate -s 300M zeros; 7z a -bd -mx=1 x.7z zeros t/README; mv x.7z out');
  assert.ok(bomb.length < 200_000);
  const budget = new UnnestBudget(bomb.length, { maxMemberBytes: 400 * mebibyte });
  const { members, refused } = await unnested('Archive', bomb, 'bomb.7z', budget);
  assert.ok(members.every(({ path }) => path !== 'zeros'));
  assert.ok(refused.some(({ error }) => error.code === 'UNNEST_RATIO'));
});
