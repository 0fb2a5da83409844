import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBlob, knownWords, made, missing, unnested } from '../testing/sample-archives.ts';

const samples: readonly (readonly [name: string, programs: readonly string[], command: string])[] = [
  ['a.tar', ['tar'], 'tar cf out t'],
  ['a.tgz', ['tar', 'gzip'], 'tar czf out t'],
  ['a.tar.bz2', ['tar', 'bzip2'], 'tar cjf out t'],
  ['a.tar.xz', ['tar', 'xz'], 'tar cJf out t'],
  ['a.tar.zst', ['tar', 'zstd'], 'tar --zstd -cf out t'],
  ['a.zip', ['zip'], 'zip -qr x.zip t/README t/sub; mv x.zip out'],
  ['a.cpio', ['cpio'], 'find t | cpio -o -H newc > out'],
  ['a.ar', ['ar'], 'ar rc out t/README t/sub/blob'],
  ['a.shar', ['shar'], 'shar t/README t/sub/blob > out'],
  ['a.uu', ['uuencode'], '(uuencode t/README README; uuencode t/sub/blob blob) > out'],
  ['a.7z', ['7z', 'bsdtar'], '7z a -bd x.7z t; mv x.7z out'],
];

const typeOf = (name: string) => (name.endsWith('.shar') ? 'ShellArchive' : 'Archive');

for (const [name, programs, command] of samples)
  test(`${name} cut at every sixteenth: whole members before the cut, and one refusal of the rest`, async (t) => {
    const reason = missing(programs);
    if (reason !== undefined) return t.skip(reason);
    const whole = made(command);
    const all = await unnested(typeOf(name), whole, name);
    let max = 0;
    for (let sixteenth = 1; sixteenth < 16; sixteenth++) {
      const bytes = whole.subarray(0, Math.floor((whole.length * sixteenth) / 16));
      const { members, refused } = await unnested(typeOf(name), bytes, name);
      for (const { path, bytes: content, kind } of members) {
        const wanted = /README$/.test(path) ? Buffer.from(knownWords) : Buffer.from(knownBlob);
        // A cut compressed tar whose first header is lost is one content, and says that it is cut.
        if (kind === 'member') assert.ok(wanted.equals(content), `${path} at ${sixteenth}/16`);
      }
      // The end of a tar is zeros, which may be missing, and a shell archive has no mark between two files.
      const lost = members.length < all.members.length && !name.endsWith('.shar');
      if (lost)
        assert.ok(
          refused.some(({ error }) => error.code === 'UNNEST_BROKEN'),
          `${sixteenth}/16`,
        );
      assert.ok(members.length >= max, `fewer members at ${sixteenth}/16 than before`);
      max = members.length;
    }
  });

test('one compressed document cut short gives its beginning, and says so', async (t) => {
  const reason = missing(['gzip']);
  if (reason !== undefined) return t.skip(reason);
  const whole = made('gzip -c t/sub/blob > out');
  const { members, refused } = await unnested(
    'GNUCompressed',
    whole.subarray(0, whole.length / 2),
    'blob.gz',
  );
  assert.deepEqual(refused, []);
  const [member] = members;
  assert.equal(member?.cut?.code, 'UNNEST_BROKEN');
  assert.match(member?.cut?.message ?? '', /blob\.gz could not be unpacked: it ends early/);
  const { length } = member?.bytes ?? [];
  assert.ok(length !== undefined && length > 100 && length < knownBlob.length, String(length));
  assert.ok(Buffer.from(knownBlob.subarray(0, length)).equals(member?.bytes ?? new Uint8Array(0)));
});
