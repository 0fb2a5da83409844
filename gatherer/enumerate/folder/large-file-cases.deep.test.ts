import assert from 'node:assert/strict';
import { appendFile, copyFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { smallPdf, streamObject } from '../../../readers/testing/small-pdf.ts';
import { baseUrl, Site } from '../../testing/folder-site.ts';
import { toolRan } from '../../testing/summarise-sample.ts';

/** Attributes of a gathered file. */
async function attributesOf(site: Site, name: string): Promise<ReadonlyMap<string, string>> {
  const { object } = await site.gatherer.why(`${baseUrl}${name}`);
  const summary = object === null ? undefined : await site.gatherer.summary(object.oid);
  return new Map(summary?.attributes.map(({ name, value }) => [name, Buffer.from(value).toString()]));
}

function assertHolds(
  found: ReadonlyMap<string, string>,
  expected: Readonly<Record<string, string | undefined>>,
) {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, found.get(key)])), expected);
}

/** A film or recording made by ffmpeg; false with a skipped test without it. */
const recorded = (t: TestContext, site: Site, name: string, ...args: readonly string[]) =>
  toolRan(t, site.root, 'ffmpeg', ['-loglevel', 'error', ...args, name], 'ffmpeg');

const film = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10:duration=4'];
const sound = ['-f', 'lavfi', '-i', 'anoisesrc=duration=6'];
const titled = (title: string) => ['-metadata', `title=${title}`, '-metadata', 'artist=Kim Example'];

test('case 71: files above the limit are objects with name, type, size, date and what their ends say', async (t) => {
  await using site = await Site.make({ maxBytesPerDocument: 16 * 1024 });
  const made =
    recorded(t, site, 'late.mp4', ...film, ...titled('Harbour film')) &&
    recorded(t, site, 'early.mp4', ...film, ...titled('Fast film'), '-movflags', '+faststart') &&
    recorded(t, site, 'film.mkv', ...film, ...titled('Mkv film')) &&
    recorded(t, site, 'film.avi', ...film, ...titled('Avi film')) &&
    recorded(t, site, 'song.flac', ...sound, ...titled('Flac song')) &&
    recorded(t, site, 'song.wav', ...sound, ...titled('Wav song')) &&
    recorded(t, site, 'vbr.mp3', ...sound, '-q:a', '4', ...titled('Vbr song')) &&
    recorded(t, site, 'old.mp3', ...sound, '-b:a', '128k', '-id3v2_version', '0', '-write_xing', '0');
  if (!made) return;
  const id3v1 = Buffer.alloc(128);
  id3v1.write('TAGOld song', 0, 'latin1');
  id3v1.write('Kim Example', 33, 'latin1');
  await appendFile(join(site.root, 'old.mp3'), id3v1);
  const report = await site.gatherer.run();
  assert.deepEqual([report.objects, report.skipped], [8, {}]);
  const note = /^Only its first 8192 and its last 8192 bytes were read, because it is too large/;
  const table: readonly (readonly [name: string, expected: Readonly<Record<string, string | undefined>>])[] =
    [
      [
        'late.mp4',
        {
          Type: 'Video',
          Title: 'Harbour film',
          Author: 'Kim Example',
          Duration: '0:04.0',
          Dimensions: '320x240',
        },
      ],
      ['early.mp4', { Type: 'Video', Title: 'Fast film', Duration: '0:04.0', Dimensions: '320x240' }],
      ['film.mkv', { Type: 'Video', Title: 'Mkv film', Duration: '0:04.0' }],
      ['film.avi', { Type: 'Video', Title: 'Avi film', Duration: '0:04.0' }],
      ['song.flac', { Type: 'Audio', Title: 'Flac song', Duration: '0:06.0' }],
      ['song.wav', { Type: 'Audio', Title: 'Wav song', Duration: '0:06.0' }],
      ['vbr.mp3', { Type: 'Audio', Title: 'Vbr song', Duration: '0:06.0' }],
      [
        'old.mp3',
        {
          Type: 'Audio',
          Title: 'Old song',
          Author: 'Kim Example',
          Duration: '0:06.0',
          'Bit-Rate': '128 kbit/s',
        },
      ],
    ];
  for (const [name, expected] of table) {
    const found = await attributesOf(site, name);
    assertHolds(found, { ...expected, MD5: undefined });
    assert.match(found.get('Summary-Note') ?? '', note, name);
    assert.ok(Number(found.get('File-Size')) > 16 * 1024, name);
    assert.ok(found.has('Last-Modification-Time'), name);
  }
});

test('texts, PDF, archives and unknown files above the limit are objects, and change with their size', async () => {
  await using site = await Site.make({ maxBytesPerDocument: 8 * 1024 });
  const path = (name: string) => join(site.root, name);
  await writeFile(path('gate.log'), `Log of the gate\n\n${'2019-01-01 opened\n'.repeat(2000)}last words\n`);
  await writeFile(path('page.html'), `<title>Long page</title><p>${'words '.repeat(5000)}`);
  await writeFile(path('list.csv'), `name,value\n${'a,1\n'.repeat(5000)}`);
  await writeFile(path('rows.jsonl'), '{"title":"One"}\n'.repeat(2000));
  const content = streamObject('BT /F1 12 Tf 72 720 Td (Words) Tj ET');
  const page = '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>';
  const pages = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page];
  const pdf = smallPdf([...pages, content, '<< /Title (Tide tables) >>'], '/Root 1 0 R /Info 5 0 R');
  const cut = pdf.indexOf('endobj') + 7;
  await writeFile(
    path('tide.pdf'),
    Buffer.concat([pdf.subarray(0, cut), Buffer.alloc(20_000, '%padding\n'), pdf.subarray(cut)]),
  );
  await writeFile(path('data.unknown'), Buffer.alloc(20_000, 1));
  await writeFile(path('a.tar'), Buffer.alloc(20_000));
  await writeFile(path('scan.zip'), Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(20_000, 2)]));
  await copyFile(path('gate.log'), path('huge.log'));
  await truncate(path('huge.log'), 5 * 1024 ** 3);
  const report = await site.gatherer.run();
  assert.deepEqual([report.objects, report.skipped, report.failed], [9, {}, 0]);
  assertHolds(await attributesOf(site, 'gate.log'), {
    Type: 'Text',
    Title: 'Log of the gate',
    'File-Size': '36028',
  });
  assertHolds(await attributesOf(site, 'huge.log'), { Title: 'Log of the gate', 'File-Size': '5368709120' });
  assertHolds(await attributesOf(site, 'page.html'), { Type: 'HTML', Title: 'Long page' });
  assertHolds(await attributesOf(site, 'list.csv'), { Type: 'Data', Format: 'CSV' });
  assertHolds(await attributesOf(site, 'rows.jsonl'), { Type: 'JSON', Title: 'rows.jsonl' });
  assertHolds(await attributesOf(site, 'tide.pdf'), { Type: 'PDF', Title: 'Tide tables' });
  assertHolds(await attributesOf(site, 'data.unknown'), { Title: 'data.unknown', 'File-Size': '20000' });
  assertHolds(await attributesOf(site, 'scan.zip'), { Title: 'scan.zip', 'File-Size': '20004' });
  const again = await site.gatherer.run();
  assert.deepEqual([again.objects, again.unchanged], [9, 9]);
  // The ends are as before, and the size is another.
  await truncate(path('huge.log'), 6 * 1024 ** 3);
  await site.gatherer.run();
  assertHolds(await attributesOf(site, 'huge.log'), { 'File-Size': '6442450944' });
});
