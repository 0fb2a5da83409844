import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { encoded } from '../../../readers/testing/encoded.ts';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  scratch,
  summarised,
  toolRan,
} from '../../testing/summarise-sample.ts';
import { summariseImage } from './image.ts';

const magick = existsSync('/usr/bin/convert') ? '/usr/bin/convert' : 'convert';

test('size, depth and colour of every format ImageMagick writes', async (t) => {
  const folder = scratch(t);
  if (
    !toolRan(
      t,
      folder,
      magick,
      ['-size', '40x30', '-depth', '8', 'gradient:red-blue', 'a.png'],
      'imagemagick',
    )
  )
    return;
  const formats: readonly (readonly [string, string, string])[] = [
    ['png', 'PNG', '8'],
    ['jpg', 'JPEG', '8'],
    ['webp', 'WebP', '8'],
    ['tiff', 'TIFF', '8'],
    ['bmp', 'BMP', '8'],
    ['ico', 'icon', ''],
    ['ppm', 'PPM', '8'],
    ['pgm', 'PGM', '8'],
    ['pam', 'PAM', '8'],
    ['psd', 'Photoshop', '8'],
    ['jp2', 'JPEG 2000', '8'],
    ['avif', 'AVIF', '8'],
    ['heic', 'HEIC', '8'],
    ['gif', 'GIF 89a', '8'],
    ['xpm', 'XPM', ''],
    ['pbm', 'PBM', '1'],
    ['xbm', 'XBM', '1'],
  ];
  const samples: Uint8Array[] = [];
  for (const [extension, format, depth] of formats) {
    try {
      execFileSync(magick, ['a.png', '-colors', '200', '-depth', '8', `a.${extension}`], {
        cwd: folder,
        stdio: 'ignore',
      });
    } catch {
      t.diagnostic(`SKIPPED: ImageMagick cannot write ${extension} here`);
      continue;
    }
    const bytes = readFileSync(join(folder, `a.${extension}`));
    samples.push(bytes);
    const found = await summarised(summariseImage, bytes, `a.${extension}`);
    assertHolds(found, { Format: format, Dimensions: '40x30', Width: '40', Height: '30' });
    if (depth !== '' && format !== 'GIF 89a') assert.equal(found.get('Bit-Depth'), depth, extension);
  }
  assert.ok(samples.length >= 10);
  await assertSurvives(summariseImage, samples, 'x');
});

test('EXIF, IPTC and XMP as exiftool writes them; XMP before IPTC before EXIF', async (t) => {
  const folder = scratch(t);
  if (!toolRan(t, folder, magick, ['-size', '40x30', 'gradient:red-blue', 'a.jpg'], 'imagemagick')) return;
  const tags = [
    '-Artist=Ann Other',
    '-Copyright=(c) 2020 Ann',
    '-ImageDescription=A hive at dawn',
    '-Make=ACME',
    '-Model=ACME X1',
    '-DateTimeOriginal=2020:05:17 06:30:00',
    '-ModifyDate=2021:02:03 04:05:06',
    '-ExposureTime=1/125',
    '-FNumber=5.6',
    '-ISO=200',
    '-GPSLatitude=51.5',
    '-GPSLatitudeRef=N',
    '-GPSLongitude=0.12',
    '-GPSLongitudeRef=W',
    '-IPTC:Keywords=bees',
    '-IPTC:Headline=Dawn of the hive',
    '-IPTC:City=London',
    '-XMP-dc:Title=Hive',
    '-XMP-dc:Subject=honey',
    '-XMP-dc:Subject=wax',
    '-XMP-dc:Creator=A. Other',
    '-Comment=made by hand',
  ];
  if (!toolRan(t, folder, 'exiftool', ['-q', ...tags, 'a.jpg'], 'libimage-exiftool-perl')) return;
  const bytes = readFileSync(join(folder, 'a.jpg'));
  assertHolds(await summarised(summariseImage, bytes, 'a.jpg'), {
    Title: 'Hive',
    Author: 'A. Other',
    Keywords: 'honey, wax',
    Headline: 'Dawn of the hive',
    Description: 'A hive at dawn',
    Copyright: '(c) 2020 Ann',
    City: 'London',
    Date: '2020:05:17 06:30:00',
    Camera: 'ACME X1',
    Exposure: '1/125 f/5.6 200',
    Coordinates: '51.500000, -0.120000',
    Comment: 'made by hand',
    Compression: 'baseline',
  });
  // A camera without a clock writes blanks.
  const blank = bytes.toString('latin1').replace('2020:05:17 06:30:00', '    :  :     :  :  ');
  assertHolds(await summarised(summariseImage, Buffer.from(blank, 'latin1'), 'a.jpg'), {
    Date: '2021:02:03 04:05:06',
  });
  await assertSurvives(summariseImage, [bytes], 'a.jpg');
});

test('EXIF in the charset of its writer, with bytes that are control characters in Latin-1', async () => {
  for (const [bytes, text] of [
    [encoded('港の潮汐表について', 'shift_jis'), '港の潮汐表について'],
    [encoded('It’s “Größe”', 'windows-1252'), 'It’s “Größe”'],
  ] as const) {
    // One tag, ImageDescription, behind the header.
    const tag = Buffer.from('49492a000800000001000e010200000000001a00000000000000', 'hex');
    tag.writeUInt32LE(bytes.length + 1, 14);
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), tag, bytes, Buffer.alloc(1)]);
    const start = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2]);
    const picture = Buffer.from('ffc0000b080010001001011100ffda0008010100003f00ffd9', 'hex');
    const found = await summarised(summariseImage, Buffer.concat([start, exif, picture]), 'e.jpg');
    assertHolds(found, { Description: text });
  }
});

test('text of PNG and comments of GIF', async (t) => {
  const folder = scratch(t);
  if (
    !toolRan(
      t,
      folder,
      magick,
      ['-size', '4x3', 'xc:red', '-set', 'Description', 'A red field', 'a.png'],
      'imagemagick',
    )
  )
    return;
  assertHolds(await summarised(summariseImage, readFileSync(join(folder, 'a.png')), 'a.png'), {
    Description: 'A red field',
  });
  // ImageMagick hides a profile in text, and repeats EXIF there.
  const title = '<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">Ein grünes Feld</dc:title>';
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${rdf}><rdf:Description>${title}</rdf:Description></rdf:RDF></x:xmpmeta>`;
  writeFileSync(join(folder, 'b.xmp'), packet);
  const profile = ['-profile', 'b.xmp', '-set', 'exif:ExifVersion', '48, 50, 51', 'b.png'];
  toolRan(t, folder, magick, ['-size', '4x3', 'xc:green', ...profile], 'imagemagick');
  const hidden = await summarised(summariseImage, readFileSync(join(folder, 'b.png')), 'b.png');
  assertHolds(hidden, { Title: 'Ein grünes Feld' });
  assert.ok(![...hidden.keys()].some((name) => name.startsWith('Comment')), [...hidden.keys()].join());
  const frames = ['-size', '4x3', 'xc:red', 'xc:blue', '-set', 'comment', 'Bees in flight', 'a.gif'];
  toolRan(t, folder, magick, frames, 'imagemagick');
  assertHolds(await summarised(summariseImage, readFileSync(join(folder, 'a.gif')), 'a.gif'), {
    Frames: '2',
    Comment: 'Bees in flight',
    'Full-Text': 'Bees in flight',
  });
});

const drawing = `<?xml version="1.0"?>
<!DOCTYPE svg [ <!ENTITY big "x"> ]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="2in" viewBox="0 0 10 96">
<title>A hive</title><desc>Six &amp; seven cells</desc>
<metadata><rdf:RDF xmlns:rdf="r"><cc:Work><dc:creator><rdf:li>Ann</rdf:li></dc:creator></cc:Work></rdf:RDF></metadata>
<g><title>inner</title><a xlink:href="more.html"><text x="1">queen<tspan>cell</tspan></text></a></g>
</svg>`;

test('SVG, plain and gzipped', async () => {
  for (const bytes of [Buffer.from(drawing), gzipSync(drawing)])
    assertHolds(await summarised(summariseImage, bytes, 'x.svg'), {
      Title: 'A hive',
      Format: 'SVG',
      Dimensions: '192x96',
      Description: 'Six & seven cells',
      Author: 'Ann',
      'Full-Text': 'A hive\nSix & seven cells\ninner\nqueen cell',
    });
  await assertSurvives(summariseImage, [Buffer.from(drawing)], 'x.svg');
  await assertLinear(
    summariseImage,
    ['<g>', '<text>a</text>', '</g>', '<a href="x">', '<!--'],
    'x.svg',
    '<svg>',
  );
});

test('sizes that only a codestream or an old header contains', async () => {
  const bmp = Buffer.alloc(30);
  bmp.write('BM');
  bmp.writeUInt32LE(12, 14);
  bmp.writeUInt16LE(7, 18);
  bmp.writeUInt16LE(5, 20);
  bmp.writeUInt16LE(24, 24);
  assertHolds(await summarised(summariseImage, bmp, 'x.bmp'), { Dimensions: '7x5', Color: 'RGB' });
  await assert.rejects(summarised(summariseImage, 'no picture', 'x.png'), RangeError);
});

test('JPEG XL as cjxl writes it', async (t) => {
  const folder = scratch(t);
  if (!toolRan(t, folder, magick, ['-size', '300x77', 'xc:red', 'a.png'], 'imagemagick')) return;
  if (!toolRan(t, folder, 'cjxl', ['a.png', 'a.jxl'], 'libjxl-tools')) return;
  assertHolds(await summarised(summariseImage, readFileSync(join(folder, 'a.jxl')), 'a.jxl'), {
    Format: 'JPEG XL',
    Dimensions: '300x77',
  });
});
