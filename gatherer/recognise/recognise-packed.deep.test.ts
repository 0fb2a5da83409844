import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findProgram } from '../programs/find-program.ts';
import { contentOf } from './content-signatures.ts';
import { recognise } from './recognise.ts';

const typeOf = (bytes: Uint8Array) => recognise({ url: 'http://site.example/x', name: 'x', bytes }).type;
const text = (content: string) => Buffer.from(content, 'latin1');

/** The bytes that shell commands write to `out`, beside a file `t`; undefined if a program is not installed. */
function made(commands: string, programs: readonly string[]): Uint8Array | undefined {
  if (programs.some((program) => findProgram(program) === undefined)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'garner-packed-'));
  try {
    const script = `printf 'a text of words\\n' > t; ${commands}`;
    execFileSync('/bin/sh', ['-e', '-c', script], { cwd: folder, stdio: 'pipe' });
    return readFileSync(join(folder, 'out'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const [type, commands, programs] of [
  ['Uuencoded', 'uuencode -m t t > out', ['uuencode']],
  ['ShellArchive', 'shar t > out 2>/dev/null', ['shar']],
  ['Archive', 'echo t | cpio -o -H newc > out', ['cpio']],
  ['Archive', 'echo t | cpio -o -H odc > out', ['cpio']],
  ['GNUCompressed', 'lzip -c t > out', ['lzip']],
  ['Archive', 'bsdtar --format=iso9660 -cf out t', ['bsdtar']],
  ['Tar', 'tar --format=v7 -cf out t', ['tar']],
  ['Tar', 'tar --format=gnu -cf out t', ['tar']],
  ['PCCompressed', 'zip -q x.zip t; mv x.zip out', ['zip']],
  [
    'MSWord',
    "mkdir word; cp t word/document.xml; cp t '[Content_Types].xml'; zip -qr x.zip '[Content_Types].xml' word; mv x.zip out",
    ['zip'],
  ],
  [
    'MSExcel',
    "mkdir xl; cp t xl/workbook.xml; cp t '[Content_Types].xml'; zip -qr x.zip *; mv x.zip out",
    ['zip'],
  ],
  [
    'MSPowerPoint',
    "mkdir ppt; cp t ppt/presentation.xml; cp t '[Content_Types].xml'; zip -qr x.zip *; mv x.zip out",
    ['zip'],
  ],
  [
    'EPUB',
    'mkdir META-INF; cp t mimetype; cp t META-INF/container.xml; zip -qr x.zip *; mv x.zip out',
    ['zip'],
  ],
  [
    'OpenDocument',
    'mkdir META-INF; cp t mimetype; cp t content.xml; cp t META-INF/manifest.xml; zip -qr x.zip *; mv x.zip out',
    ['zip'],
  ],
] as const)
  test(`${type} is recognised by its bytes: ${commands.slice(0, 60)}`, (t) => {
    const bytes = made(commands, programs);
    if (bytes === undefined) return t.skip(`SKIPPED: install ${programs.join(', ')}`);
    assert.equal(typeOf(bytes), type);
    // Cut short it is something else or nothing, and no error.
    for (let length = 0; length < Math.min(bytes.length, 600); length += 7)
      contentOf(bytes.subarray(0, length));
    contentOf(bytes.subarray(0, bytes.length - 5));
  });

test('packed forms by their first bytes, and texts that only speak of them', () => {
  assert.equal(typeOf(text('\xed\xab\xee\xdb\x03\0')), 'Archive');
  assert.equal(typeOf(text('MSCF\0\0\0\0\x2c')), 'Archive');
  assert.equal(typeOf(text('\x19\x6e-lh5-\x2b\0\0\0')), 'PCCompressed');
  assert.equal(typeOf(text('(This file must be converted with BinHex 4.0)\n\n:#%"cG(0')), 'MacCompressed');
  for (const spoken of [
    '070701 is the mark of a cpio archive',
    'LZIP is a format',
    'MSCF stands at the beginning',
    'Files begin with\n(This file must be converted with BinHex 4.0)\nas you see.',
    'begin-base64 is the first word',
  ])
    assert.equal(typeOf(text(spoken)), 'Text', spoken);
});
