import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { knownBlob, knownWords, made, missing, unnested } from '../testing/sample-archives.ts';
import { UnnestBudget } from './budget.ts';
import { isMember } from './member.ts';
import { unnest } from './unnest.ts';

// One bad member costs itself, and nothing else.

const uuencoded = (name: string, text: string, end = true) => {
  const body = Buffer.from(text);
  const lines: string[] = [];
  for (let at = 0; at < body.length; at += 45) {
    const part = body.subarray(at, at + 45);
    let line = String.fromCharCode(32 + part.length);
    for (let from = 0; from < part.length; from += 3) {
      const word = ((part[from] ?? 0) << 16) | ((part[from + 1] ?? 0) << 8) | (part[from + 2] ?? 0);
      for (const shift of [18, 12, 6, 0]) line += String.fromCharCode(((word >> shift) & 63 || 64) + 32);
    }
    lines.push(line);
  }
  return `begin 644 ${name}\n${lines.join('\n')}\n${end ? '`\nend\n' : ''}`;
};

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const codes = (refused: readonly { readonly path: string; readonly error: { readonly code: string } }[]) =>
  refused.map(({ path, error }) => [path, error.code]);

test('a uuencoded part that lost its end is refused by itself, and swallows none behind it', async () => {
  const text = `${uuencoded('a', 'first words')}\n${uuencoded('b', 'lost words', false)}\n${uuencoded('c', 'last words')}`;
  const { members, refused } = await unnested('Uuencoded', Buffer.from(text), 'three.uu');
  assert.deepEqual(
    members.map(({ path, bytes }) => [path, textOf(bytes)]),
    [
      ['a', 'first words'],
      ['c', 'last words'],
    ],
  );
  assert.deepEqual(codes(refused), [['b', 'UNNEST_BROKEN']]);
});

test('so is one in a shell archive', async () => {
  const shar = `#!/bin/sh
# This is a shell archive.
uudecode << 'SHAR_EOF'
${uuencoded('broken', 'lost words', false)}SHAR_EOF
cat > 'whole' << 'SHAR_EOF'
good words
SHAR_EOF
`;
  const { members, refused } = await unnested('ShellArchive', Buffer.from(shar), 'two.shar');
  assert.deepEqual(
    members.map(({ path, bytes }) => [path, textOf(bytes)]),
    [['whole', 'good words\n']],
  );
  assert.deepEqual(codes(refused), [['broken', 'UNNEST_BROKEN']]);
});

test('attachments of one name are documents of their own', async () => {
  const part = (name: string, text: string) =>
    `--x\nContent-Type: text/plain; name="${name}"\nContent-Disposition: attachment\n\n${text}\n`;
  const mail = `From: a@b\nContent-Type: multipart/mixed; boundary=x\n\n${part('scan.txt', 'one')}${part('scan.txt', 'two')}${part('scan-2.txt', 'three')}${part('.rc', 'four')}${part('.rc', 'five')}--x--\n`;
  const { members } = await unnested('Mail', Buffer.from(mail), 'mail.eml');
  assert.deepEqual(
    members.map(({ path, bytes }) => [path, textOf(bytes)]),
    [
      ['scan.txt', 'one'],
      ['scan-2.txt', 'two'],
      ['scan-2-2.txt', 'three'],
      ['.rc', 'four'],
      ['.rc-2', 'five'],
    ],
  );
});

const localHead = (name: string, packed: Uint8Array, size: number, crc: number) => {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(size, 22);
  head.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([head, Buffer.from(name), packed]);
};

/** A zip of these entries; `flags` and `size` are only in the directory. */
function zip(
  entries: readonly {
    readonly name: string;
    readonly text: string;
    readonly flags?: number;
    readonly size?: number;
    /** The bytes instead of deflated text. */
    readonly packed?: Uint8Array;
    readonly method?: number;
  }[],
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, flags = 0, size, method = 8, ...more } of entries) {
    const content = Buffer.from(text);
    const packed = more.packed ?? deflateRawSync(content);
    const local = localHead(name, packed, content.length, crc32(content));
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    local.copy(entry, 6, 4, 30);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    if (size !== undefined) entry.writeUInt32LE(size, 24);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, Buffer.from(name));
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, central, end]);
}

test('a member too large to be read costs its siblings nothing', async () => {
  const bytes = zip([
    { name: 'film', text: 'x', size: 900 },
    { name: 'film2', text: 'x', size: 900 },
    { name: 'words', text: 'good words '.repeat(20) },
  ]);
  const budget = new UnnestBudget(bytes.length, { maxMemberBytes: 500, maxTotalBytes: 1000 });
  const { members, refused } = await unnested('PCCompressed', bytes, 'a.zip', budget);
  assert.deepEqual(
    members.map(({ path }) => path),
    ['words'],
  );
  assert.ok(refused.every(({ error }) => error.message.includes('more than 500 bytes in one member')));
});

test('a zip directory that cannot be read on leaves the members behind to their own headers', async () => {
  const bytes = zip([
    { name: 'one', text: 'first words' },
    { name: 'two', text: 'words in the middle', flags: 0x40 },
    { name: 'three', text: 'last words' },
  ]);
  const { members, refused } = await unnested('PCCompressed', bytes, 'a.zip');
  assert.deepEqual(
    members.map(({ path, bytes: content }) => [path, textOf(content)]),
    [
      ['one', 'first words'],
      ['two', 'words in the middle'],
      ['three', 'last words'],
    ],
  );
  assert.deepEqual(codes(refused), [['a.zip', 'UNNEST_BROKEN']]);
});

test('a zip cut short says one thing, of the member and of itself', async () => {
  const whole = zip([
    { name: 'one', text: 'first words' },
    { name: 'two', text: 'words '.repeat(10) },
  ]);
  const { members, refused } = await unnested('PCCompressed', whole.subarray(0, 80), 'a.zip');
  assert.deepEqual(
    members.map(({ path }) => path),
    ['one'],
  );
  assert.deepEqual(
    refused.map(({ error }) => error.message),
    ['two could not be unpacked: it ends early.', 'a.zip could not be unpacked: it ends early.'],
  );
});

test('a zip written to a pipe and cut short gives the members before the cut', async (t) => {
  const reason = missing(['zip']);
  if (reason !== undefined) return t.skip(reason);
  // Sizes follow the bytes, because the program could not seek.
  const whole = Buffer.from(made('zip -qr - t/sub t/README | cat > out'));
  const all = await unnested('PCCompressed', whole, 'a.zip');
  assert.equal(all.members.length, 2);
  const blob = whole.indexOf('t/README');
  const { members, refused } = await unnested('PCCompressed', whole.subarray(0, blob + 30), 'a.zip');
  assert.deepEqual(
    members.map(({ path, bytes }) => [path, Buffer.from(knownBlob).equals(bytes)]),
    [['t/sub/blob', true]],
  );
  assert.ok(refused.length > 0 && refused.every(({ error }) => error.message.endsWith('it ends early.')));
  const behind = whole.subarray(0, whole.lastIndexOf('PK\x05\x06', undefined, 'latin1'));
  const rest = await unnested('PCCompressed', behind, 'a.zip');
  assert.deepEqual(
    rest.members.map(({ bytes }) => bytes.length),
    [knownBlob.length, knownWords.length],
  );
});

/** A tar of one file with some of its header written over. */
function tar(change: (header: Buffer) => void, signed = false): Buffer {
  const header = Buffer.alloc(512);
  header.write('r\xe9sum\xe9.txt', 0, 'latin1');
  header.write('0000644\0', 100);
  header.write('00000000003\0', 124);
  header.write('14000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  change(header);
  let sum = 0;
  for (const byte of header) sum += signed ? (byte << 24) >> 24 : byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.from('abc'.padEnd(512, '\0')), Buffer.alloc(1024)]);
}

test('tar: sums of bytes with a sign are sums, and a time that is none costs no member', async () => {
  for (const bytes of [
    tar(() => {}),
    tar(() => {}, true),
    tar((header) => header.write('never at all', 136)),
    tar((header) => header.write('\x80\0\0\0\0\x1f\xff\xff\xff\xff\xff\xff', 136, 'latin1')),
  ]) {
    const { members, refused } = await unnested('Tar', bytes, 'a.tar');
    assert.deepEqual(
      members.map(({ path, bytes: content }) => [path, textOf(content)]),
      [['r\xe9sum\xe9.txt', 'abc']],
    );
    assert.deepEqual(refused, []);
    const { modified } = members[0] ?? {};
    assert.ok(modified === undefined || modified < 2 ** 32, String(modified));
  }
});

test('a document that is one too many leaves nothing open', async () => {
  const budget = new UnnestBudget(1000, { maxMembers: 0 });
  for await (const found of unnest('GNUCompressed', made('gzip -c t/README > out'), 'a.gz', budget))
    assert.equal(!isMember(found) && found.error.code, 'UNNEST_COUNT');
});

test('a member is unpacked no further than it says, and was charged for, however it is packed', async (t) => {
  const reason = missing(['bzip2', 'xz', 'zstd']);
  if (reason !== undefined) return t.skip(reason);
  for (const [method, command] of [
    [12, 'bzip2 -1'],
    [93, 'zstd'],
    [95, 'xz -0'],
  ] as const) {
    const whole = made(`cat t/sub/blob ${'t/sub/blob t/README '.repeat(40)} | ${command} > out`);
    // A reader that continues finds an early end; a reader that stops finds more bytes than declared.
    const packed = whole.subarray(0, whole.length - 8);
    const bytes = zip([
      { name: 'bomb', text: 'x', size: 10, packed, method },
      { name: 'words', text: 'good words' },
    ]);
    const { members, refused } = await unnested('PCCompressed', bytes, 'a.zip');
    assert.deepEqual(
      members.map(({ path }) => path),
      ['words'],
    );
    assert.match(refused[0]?.error.message ?? '', /another size than the archive says/, command);
  }
});
