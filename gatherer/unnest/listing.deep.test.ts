import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBlob, knownWords, made, missing } from '../testing/sample-archives.ts';
import { listMembers } from './listing.ts';

const archives: readonly (readonly [name: string, programs: readonly string[], command: string])[] = [
  ['a.tar', ['tar'], 'tar cf out t'],
  ['a.tar.xz', ['tar', 'xz'], 'tar cJf out t'],
  ['a.zip', ['zip'], 'zip -qry x.zip t; mv x.zip out'],
  ['locked.zip', ['zip'], 'zip -qry -P x x.zip t; mv x.zip out'],
  ['a.7z', ['7z', 'bsdtar'], '7z a -bd x.7z t; mv x.7z out'],
  ['a.cpio', ['cpio'], 'find t | cpio -o -H newc > out'],
];

for (const [name, programs, command] of archives)
  test(`${name}: names and sizes without opening a member`, async (t) => {
    const reason = missing(programs);
    if (reason !== undefined) return t.skip(reason);
    const listing = await listMembers('Archive', made(command), name);
    assert.equal(listing?.complete, true);
    const sizes = new Map(listing?.members.map(({ path, size }) => [path, size]));
    assert.equal(sizes.get('t/README'), knownWords.length);
    assert.equal(sizes.get('t/sub/blob'), knownBlob.length);
  });

test('a listing is limited, and reports that the limit was reached', async (t) => {
  const reason = missing(['tar']);
  if (reason !== undefined) return t.skip(reason);
  const bytes = made('for n in $(seq 50); do echo $n > t/$n; done; tar cf out t');
  const listing = await listMembers('Tar', bytes, 'a.tar', { maxListed: 10 });
  assert.deepEqual([listing?.members.length, listing?.complete, listing?.error], [10, false, undefined]);
});

test('a damaged archive gives the names before the damage, and the error', async (t) => {
  const reason = missing(['tar']);
  if (reason !== undefined) return t.skip(reason);
  const bytes = made('tar cf out t/README t/sub/blob').subarray(0, 5000);
  const listing = await listMembers('Tar', bytes, 'a.tar');
  assert.deepEqual(
    [listing?.members.map(({ path }) => path), listing?.complete, listing?.error?.code],
    [['t/README', 't/sub/blob'], false, 'UNNEST_BROKEN'],
  );
});

test('one compressed document is listed by its name, and other documents not at all', async (t) => {
  const reason = missing(['gzip']);
  if (reason !== undefined) return t.skip(reason);
  const listing = await listMembers('GNUCompressed', made('gzip -c t/README > out'), 'README.gz');
  assert.deepEqual([listing?.members, listing?.complete], [[{ path: 'README' }], true]);
  assert.equal(await listMembers('Archive', Buffer.from('nothing'), 'a.dmg'), undefined);
});

test('without bsdtar a 7z archive is not listed, and the error names bsdtar', async () => {
  const bytes = Buffer.from("7z\xbc\xaf'\x1c\0\x04", 'latin1');
  const listing = await listMembers('Archive', bytes, 'a.7z', { maxListed: 10 }, { path: '' });
  assert.deepEqual([listing?.complete, listing?.error?.code], [false, 'UNNEST_TOOL']);
});
