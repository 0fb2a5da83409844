import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { assertHolds, assertSurvives, installedFile, summarised } from '../../testing/summarise-sample.ts';
import { summariseFont } from './font.ts';

// Expected values are those of fc-scan (fontconfig 2.14) and of the files' own text.
const dejavu = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf';

test('TrueType', async (t) => {
  const bytes = installedFile(t, dejavu, 'fonts-dejavu-core');
  if (bytes === undefined) return;
  const found = await summarised(summariseFont, bytes, 'DejaVuSansMono.ttf');
  assertHolds(found, {
    Title: 'DejaVu Sans Mono',
    Format: 'TrueType',
    'Font-Family': 'DejaVu Sans Mono',
    'Font-Style': 'Book',
    'PostScript-Name': 'DejaVuSansMono',
    'Font-Weight': '400',
    'Fixed-Pitch': 'yes',
    Version: 'Version 2.37',
    Publisher: 'DejaVu fonts team',
    Glyphs: '3377',
  });
  assert.match(found.get('Scripts') ?? '', /^Latin, Greek, Cyrillic, /);
  assert.match(found.get('Copyright') ?? '', /^Copyright \(c\) 2003 by Bitstream/);
  await assertSurvives(summariseFont, [bytes], 'x.ttf');
});

test('WOFF compresses each table separately; a collection names its faces', async (t) => {
  const bytes = installedFile(t, dejavu, 'fonts-dejavu-core');
  if (bytes === undefined) return;
  const font = Buffer.from(bytes);
  const woff = packed(font);
  assertHolds(await summarised(summariseFont, woff, 'x.woff'), {
    Title: 'DejaVu Sans Mono',
    Format: 'WOFF',
    Glyphs: '3377',
  });
  // A collection of the font with itself: a header, then the font, whose offsets count from the file's beginning.
  const header = Buffer.alloc(20);
  header.write('ttcf\0\x01\0\0');
  header.writeUInt32BE(2, 8);
  header.writeUInt32BE(20, 12);
  header.writeUInt32BE(20, 16);
  const moved = Buffer.from(font);
  for (let table = 0; table < moved.readUInt16BE(4); table++)
    moved.writeUInt32BE(moved.readUInt32BE(20 + table * 16) + 20, 20 + table * 16);
  assertHolds(await summarised(summariseFont, Buffer.concat([header, moved]), 'x.ttc'), {
    Format: 'TrueType collection',
    Faces: 'DejaVu Sans Mono\nDejaVu Sans Mono',
    Glyphs: '3377',
  });
  await assertSurvives(summariseFont, [woff], 'x.woff');
});

function packed(font: Buffer): Buffer {
  const count = font.readUInt16BE(4);
  const directory = Buffer.alloc(44 + count * 20);
  directory.write('wOFF');
  directory.writeUInt16BE(count, 12);
  const bodies: Buffer[] = [];
  let at = directory.length;
  for (let table = 0; table < count; table++) {
    const entry = 12 + table * 16;
    const [offset, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)];
    const body = deflateSync(font.subarray(offset, offset + length));
    font.copy(directory, 44 + table * 20, entry, entry + 4);
    directory.writeUInt32BE(at, 48 + table * 20);
    directory.writeUInt32BE(body.length, 52 + table * 20);
    directory.writeUInt32BE(length, 56 + table * 20);
    bodies.push(body);
    at += body.length;
  }
  return Buffer.concat([directory, ...bodies]);
}

test('OpenType, Type 1 and Adobe metrics of one font agree', async (t) => {
  const otf = installedFile(t, '/usr/share/fonts/opentype/urw-base35/C059-BdIta.otf', 'fonts-urw-base35');
  const type1 = installedFile(t, '/usr/share/fonts/type1/urw-base35/C059-BdIta.t1', 'fonts-urw-base35');
  const afm = installedFile(t, '/usr/share/fonts/type1/urw-base35/C059-BdIta.afm', 'fonts-urw-base35');
  if (otf === undefined || type1 === undefined || afm === undefined) return;
  assertHolds(await summarised(summariseFont, otf, 'x.otf'), {
    Format: 'OpenType',
    'Font-Family': 'C059',
    'Font-Style': 'Bold Italic',
    'PostScript-Name': 'C059-BdIta',
    Glyphs: '855',
  });
  assertHolds(await summarised(summariseFont, type1, 'x.t1'), {
    Title: 'C059 Bold Italic',
    Format: 'Type 1 (PFA)',
    'Font-Family': 'C059',
    Version: '1.00',
    Copyright: 'Copyright (URW)++,Copyright 2014 by (URW)++ Design & Development',
    Encoding: 'StandardEncoding',
  });
  assertHolds(await summarised(summariseFont, afm, 'x.afm'), {
    Title: 'C059 Bold Italic',
    Format: 'Adobe font metrics',
    'PostScript-Name': 'C059-BdIta',
    Glyphs: '855',
  });
  await assertSurvives(summariseFont, [otf, type1.subarray(0, 20_000), afm.subarray(0, 20_000)], 'x');
});

test('bitmap fonts of X, compiled and as text', async (t) => {
  const bdf = `STARTFONT 2.1
FONT -Misc-Fixed-Medium-R-Normal--13-120-75-75-C-80-ISO8859-1
SIZE 13 75 75
STARTPROPERTIES 5
FAMILY_NAME "Fixed"
WEIGHT_NAME "Medium"
SLANT "I"
COPYRIGHT "Public domain ""font"""
PIXEL_SIZE 13
ENDPROPERTIES
CHARS 2
STARTCHAR A
ENDCHAR
`;
  assertHolds(await summarised(summariseFont, bdf, 'x.bdf'), {
    Format: 'BDF',
    'Font-Family': 'Fixed',
    'Font-Style': 'Medium Italic',
    Copyright: 'Public domain "font"',
    Glyphs: '2',
    'Pixel-Size': '13',
  });
  const pcf = installedFile(t, '/usr/share/fonts/X11/misc/8x13B-ISO8859-14.pcf.gz', 'xfonts-base');
  if (pcf === undefined) return;
  assertHolds(await summarised(summariseFont, pcf, '8x13B-ISO8859-14.pcf.gz'), {
    Title: '-Misc-Fixed-Bold-R-Normal--13-120-75-75-C-80-ISO8859-14',
    Format: 'PCF',
    'Font-Family': 'Fixed',
    'Font-Style': 'Bold',
    'Fixed-Pitch': 'yes',
    Copyright: 'Public domain font. Share and enjoy.',
    'Pixel-Size': '13',
    Encoding: 'ISO8859-14',
  });
  await assertSurvives(summariseFont, [pcf, Buffer.from(bdf)], 'x.pcf.gz');
});

test('other content is refused', () => {
  for (const bytes of ['', 'abcd', 'wOF2', 'ttcf\0\0\0\0\0\0\0\0'])
    assert.throws(
      () =>
        summariseFont(
          { url: 'http://h/x', name: 'x', bytes: Buffer.from(bytes), type: 'Font', mediaType: 'font/*' },
          { text: 'full', maxTextBytes: 1000, maxDocumentBytes: 1000 },
        ),
      RangeError,
    );
});
