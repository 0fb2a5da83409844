import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { allInside, knownBlob, knownWords, made, missing, unnested } from '../testing/sample-archives.ts';
import { UnnestBudget } from './budget.ts';
import { unnest } from './unnest.ts';

// A file name, the programs that make it, and the command that writes it as `out`; each must contain README and
// sub/blob.
const archives: readonly (readonly [name: string, programs: readonly string[], command: string])[] = [
  ['a.tar', ['tar'], 'tar cf out t'],
  ['v7.tar', ['tar'], 'tar --format=v7 -cf out t'],
  ['ustar.tar', ['tar'], 'tar --format=ustar -cf out t'],
  ['pax.tar', ['tar'], 'tar --format=pax -cf out t'],
  ['a.tgz', ['tar', 'gzip'], 'tar czf out t'],
  ['a.tar.bz2', ['tar', 'bzip2'], 'tar cjf out t'],
  ['a.tar.xz', ['tar', 'xz'], 'tar cJf out t'],
  ['a.tar.zst', ['tar', 'zstd'], 'tar --zstd -cf out t'],
  ['a.tar.lz', ['tar', 'lzip'], 'tar --lzip -cf out t'],
  ['a.tar.Z', ['tar', 'compress'], 'tar cf x t; compress -c x > out'],
  ['hidden.gz', ['tar', 'gzip'], 'tar czf out t'],
  ['a.zip', ['zip'], 'zip -qry out t; mv out.zip out'],
  ['stored.zip', ['zip'], 'zip -q0ry out t; mv out.zip out'],
  ['bzip2.zip', ['zip'], 'zip -qry -Z bzip2 out t; mv out.zip out'],
  ['piped.zip', ['zip'], 'zip -qr - t/README t/sub | cat > out'],
  ['zip64.zip', ['zip'], 'zip -qry -fz out t; mv out.zip out'],
  ['lzma.zip', ['7z'], '7z a -bd -tzip -mm=LZMA x.zip t; mv x.zip out'],
  ['a.7z', ['7z', 'bsdtar'], '7z a -bd x.7z t; mv x.7z out'],
  ['a.iso', ['bsdtar'], 'bsdtar --format=iso9660 -cf out t'],
  ['newc.cpio', ['cpio'], 'find t | cpio -o -H newc > out'],
  ['crc.cpio', ['cpio'], 'find t | cpio -o -H crc > out'],
  ['odc.cpio', ['cpio'], 'find t | cpio -o -H odc > out'],
  ['bin.cpio', ['cpio'], 'find t | cpio -o -H bin > out'],
  ['newc.cpio.gz', ['cpio', 'gzip'], 'find t | cpio -o -H newc | gzip > out'],
  ['a.shar', ['shar'], 'shar t/README t/sub/blob > out'],
  ['packed.shar', ['shar'], 'shar --gzip t/README t/sub/blob > out'],
  ['vanilla.shar', ['shar'], 'shar -V t/README t/sub/blob > out'],
];

for (const [name, programs, command] of archives)
  test(`${name}: a member of known bytes is unpacked unchanged`, async (t) => {
    const reason = missing(programs);
    if (reason !== undefined) return t.skip(reason);
    const found = await allInside(made(command), name);
    const readme = found.find(({ path }) => /(?:^|[/!])README$/i.test(path));
    const blob = found.find(({ path }) => /(?:^|[/!])blob$/i.test(path));
    assert.equal(Buffer.from(readme?.bytes ?? []).toString(), knownWords);
    assert.deepEqual(Buffer.from(blob?.bytes ?? []), Buffer.from(knownBlob));
    const refused = found.filter(({ code }) => code !== '');
    assert.ok(
      refused.every(({ path, code }) => path === 't/link' && code === 'UNNEST_PATH'),
      JSON.stringify(refused.map(({ path, code }) => [path, code])),
    );
  });

// Wrappers of one document: its name is the wrapper's name without the ending, or the name in the wrapper.
const wrappers: readonly (readonly [
  name: string,
  content: string,
  programs: readonly string[],
  command: string,
])[] = [
  ['notes.txt.gz', 'notes.txt', ['gzip'], 'gzip -c t/README > out'],
  ['notes.bz2', 'notes', ['bzip2'], 'bzip2 -c t/README > out'],
  ['notes.xz', 'notes', ['xz'], 'xz -c t/README > out'],
  ['notes.lz', 'notes', ['lzip'], 'lzip -c t/README > out'],
  ['notes.zst', 'notes', ['zstd'], 'zstd -qc t/README > out'],
  ['notes.Z', 'notes', ['compress'], 'compress -fc t/README > out'],
  ['notes.uu', 'READ.me', ['uuencode'], 'uuencode t/README READ.me > out'],
  ['base64.uu', 'READ.me', ['uuencode'], 'uuencode -m t/README READ.me > out'],
  ['notes.hqx', 'README', ['binhex'], 'cd t; binhex -d README > ../out'],
];

for (const [name, content, programs, command] of wrappers)
  test(`${name} holds one document, called ${content}`, async (t) => {
    const reason = missing(programs);
    if (reason !== undefined) return t.skip(reason);
    const found = await unnested('GNUCompressed', made(command), name);
    assert.deepEqual(found.refused, []);
    assert.deepEqual(
      found.members.map(({ path, bytes, kind }) => [path, Buffer.from(bytes).toString(), kind]),
      [[content, knownWords, 'content']],
    );
  });

test('the figure’s tar.Z: README, a tar, a compressed file', async (t) => {
  const reason = missing(['tar', 'compress']);
  if (reason !== undefined) return t.skip(reason);
  const found = await allInside(made('tar cf x t/README; compress -c x > out'), 'essence.tar.Z');
  assert.deepEqual(
    found.map(({ path, depth }) => [path, depth]),
    [['t/README', 0]],
  );
});

for (const compression of ['gzip', 'xz', 'zstd', 'none'])
  test(`a Debian package compressed by ${compression}: control and data are its members`, async (t) => {
    const reason = missing(['dpkg-deb']);
    if (reason !== undefined) return t.skip(reason);
    const control =
      'Package: known\\nVersion: 1\\nArchitecture: all\\nMaintainer: A <a@b.c>\\nDescription: known\\n';
    const bytes = made(
      `mkdir -p p/DEBIAN p/usr/share/doc/known; printf '${control}' > p/DEBIAN/control;
       gzip -9nc t/README > p/usr/share/doc/known/README.gz; dpkg-deb -Z${compression} -b p x.deb; mv x.deb out`,
    );
    const found = await allInside(bytes, 'known_1_all.deb');
    const paths = found.map(({ path }) =>
      path.replace(/\.tar\.\w+!/, '.tar!').replace(/\.tar\.\w+$/, '.tar'),
    );
    assert.deepEqual(paths, [
      'debian-binary',
      'control.tar',
      'control.tar!control',
      'data.tar',
      'data.tar!usr/share/doc/known/README.gz',
      'data.tar!usr/share/doc/known/README.gz!README',
    ]);
    assert.equal(Buffer.from(found.at(-1)?.bytes ?? []).toString(), knownWords);
  });

for (const payload of ['w9.gzdio', 'w9.bzdio', 'w6.xzdio', 'w6.lzdio', 'w3.zstdio', 'w.ufdio'])
  test(`an rpm package with a payload of ${payload}`, async (t) => {
    const reason = missing(['rpmbuild', 'cpio']);
    if (reason !== undefined) return t.skip(reason);
    const spec = `Name: known\nVersion: 1\nRelease: 2\nSummary: A known summary\nLicense: MIT\nBuildArch: noarch
%description\nKnown.\n%install\nmkdir -p %{buildroot}/usr/share/doc/known
cp $SAMPLE/README %{buildroot}/usr/share/doc/known/\n%files\n/usr/share/doc/known\n`;
    const bytes = made(
      `cat > x.spec <<'END'\n${spec}END\nexport SAMPLE=$PWD/t; rpmbuild -bb --define "_topdir $PWD/r" \
       --define "_binary_payload ${payload}" x.spec; mv r/RPMS/noarch/*.rpm out`,
    );
    const { members, refused } = await unnested('Archive', bytes, 'known-1-2.noarch.rpm');
    assert.deepEqual(refused, []);
    assert.deepEqual(
      members.map((member) => [member.path, Buffer.from(member.bytes).toString()]),
      [['usr/share/doc/known/README', knownWords]],
    );
  });

test('ar: long names in the ways of System V and BSD, symbol tables passed over', async (t) => {
  const reason = missing(['ar']);
  if (reason !== undefined) return t.skip(reason);
  const name = 'a-name-of-more-than-sixteen-characters.txt';
  const { members } = await unnested(
    'Archive',
    made(`cp t/README ${name}; ar rc out ${name} t/README`),
    'x.ar',
  );
  assert.deepEqual(
    members.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
    [
      [name, knownWords],
      ['README', knownWords],
    ],
  );
  const header = (field: string, size: number) =>
    `${field.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'644'.padEnd(8)}${String(size).padEnd(10)}\`\n`;
  const bsd = Buffer.from(
    `!<arch>\n${header('__.SYMDEF', 4)}....${header('#1/20', 22)}a name with spaces\0\0hi`,
    'latin1',
  );
  const found = await unnested('Archive', bsd, 'x.ar');
  assert.deepEqual(
    found.members.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
    [['a name with spaces', 'hi']],
  );
});

test('names beyond ASCII, from tools that declare UTF-8 and tools that do not', async (t) => {
  const reason = missing(['tar', 'zip', '7z', 'cpio', 'bsdtar']);
  if (reason !== undefined) return t.skip(reason);
  const name = 'grüße-λ.txt';
  for (const [file, command] of [
    ['a.tar', `tar cf out "${name}"`],
    ['a.zip', `zip -q x.zip "${name}"; mv x.zip out`],
    ['c.zip', `LC_ALL=C zip -q x.zip "${name}"; mv x.zip out`],
    ['7.zip', `7z a -bd -tzip x.zip "${name}"; mv x.zip out`],
    ['a.7z', `7z a -bd x.7z "${name}"; mv x.7z out`],
    ['a.cpio', `ls *.txt | cpio -o -H newc > out`],
  ] as const) {
    const { members } = await unnested('Archive', made(`cp t/README "${name}"; ${command}`), file);
    assert.deepEqual(
      members.map(({ path }) => path),
      [name],
      file,
    );
  }
});

test('a message: attachments and messages in it', async () => {
  const message = `Subject: outer\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r
Content-Type: text/plain\r\n\r\nIts text.\r\n--b\r\nContent-Type: image/png\r
Content-Disposition: attachment; filename="../x/README"\r\nContent-Transfer-Encoding: base64\r\n\r
${Buffer.from(knownWords).toString('base64')}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nIts own.\r
--b--\r\n`;
  const { members, refused } = await unnested('Mail', Buffer.from(message), 'm.eml');
  assert.deepEqual(refused, []);
  assert.deepEqual(
    members.map(({ path }) => path),
    ['README', 'part-3.eml'],
  );
  assert.equal(Buffer.from(members[0]?.bytes ?? []).toString(), knownWords);
  assert.match(Buffer.from(members[1]?.bytes ?? []).toString(), /^Subject: inner/);
});

test('rar: a stored member', async (t) => {
  const reason = missing(['bsdtar']);
  if (reason !== undefined) return t.skip(reason);
  // No free program writes rar, so the blocks of version 2.9 are put together here: sum, kind, flags, size, fields.
  const block = (kind: number, flags: number, fields: Buffer) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(kind, 0);
    head.writeUInt16LE(flags, 1);
    head.writeUInt16LE(7 + fields.length, 3);
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(crc32(Buffer.concat([head, fields])) & 0xffff, 0);
    return Buffer.concat([sum, head, fields]);
  };
  const content = Buffer.from(knownWords);
  const fields = Buffer.alloc(25);
  fields.writeUInt32LE(content.length, 0);
  fields.writeUInt32LE(content.length, 4);
  fields.writeUInt8(3, 8);
  fields.writeUInt32LE(crc32(content), 9);
  fields.writeUInt32LE(0x2e214c6f, 13);
  fields.writeUInt8(20, 17);
  fields.writeUInt8(0x30, 18);
  fields.writeUInt16LE(6, 19);
  fields.writeUInt32LE(0o100644, 21);
  const bytes = Buffer.concat([
    Buffer.from('Rar!\x1a\x07\0', 'latin1'),
    block(0x73, 0, Buffer.alloc(6)),
    block(0x74, 0x8000, Buffer.concat([fields, Buffer.from('README')])),
    content,
    block(0x7b, 0x4000, Buffer.alloc(0)),
  ]);
  const { members, refused } = await unnested('Archive', bytes, 'a.rar');
  assert.deepEqual(refused, []);
  assert.deepEqual(
    members.map((member) => [member.path, Buffer.from(member.bytes).toString()]),
    [['README', knownWords]],
  );
});

test('a format whose program is missing is refused with its name', async () => {
  const bytes = Buffer.from("7z\xbc\xaf'\x1c\0\x04", 'latin1');
  const budget = new UnnestBudget(bytes.length);
  for await (const found of unnest('Archive', bytes, 'a.7z', budget, { path: '' })) {
    assert.ok('error' in found);
    assert.equal(found.error.code, 'UNNEST_TOOL');
    assert.match(found.error.hint, /libarchive-tools/);
    return;
  }
  assert.fail('nothing was said');
});

test('a document that is no wrapper is refused as such', async () => {
  const { members, refused } = await unnested('PCCompressed', Buffer.from('<html>not found</html>'), 'a.zip');
  assert.deepEqual([members.length, refused[0]?.error.code], [0, 'UNNEST_FORMAT']);
});
