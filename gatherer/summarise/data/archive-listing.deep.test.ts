import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  attributesOf,
  scratch,
  summarised,
  toolOutput,
} from '../../testing/summarise-sample.ts';
import { summariseArchiveListing } from './archive-listing.ts';
import { summariseDirectory } from './directory.ts';

const options = { text: 'full', maxTextBytes: 100_000, maxDocumentBytes: 1000 } as const;

test('an archive by its listing', () => {
  const members = [
    { path: 'hive-1.0/', folder: true },
    { path: 'hive-1.0/README', size: 10, modified: 86_400 },
    { path: 'hive-1.0/src/queen_bee.c', size: 20, modified: 1e9 },
    { path: 'hive-1.0/src/drone.c', size: 30 },
  ];
  const found = attributesOf(
    summariseArchiveListing({ mediaType: 'application/x-tar' }, members, options, ['Broken off.']),
  );
  assertHolds(found, {
    Format: 'application/x-tar',
    'Member-Count': '3',
    'Folder-Count': '1',
    'Unpacked-Size': '60',
    'Newest-Member': '2001-09-09',
    'Top-Folders': 'hive-1.0',
    Extensions: 'c: 2',
    Languages: 'C: 2',
    Members: 'hive-1.0/README 10\nhive-1.0/src/queen_bee.c 20\nhive-1.0/src/drone.c 30',
    Notes: 'Broken off.',
    'Full-Text': 'hive 1 0 README\nhive 1 0 src queen bee c\nhive 1 0 src drone c',
  });
});

test('more members than are listed are counted and noted', () => {
  const members = Array.from({ length: 20_000 }, (_, index) => ({ path: `f${index}`, size: 1 }));
  const found = attributesOf(
    summariseArchiveListing({ mediaType: 'application/zip' }, members, options),
    options,
  );
  assertHolds(found, {
    'Member-Count': '20000',
    'Unpacked-Size': '20000',
    Notes: '15000 members are not listed by name.\nText was cut at 100000 bytes.',
  });
});

test('listings of ls -lR, DOS and Gopher, and plain names', async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, 'sub folder'));
  writeFileSync(join(folder, 'a b.txt'), '12345');
  writeFileSync(join(folder, 'sub folder', 'c.py'), '123');
  const listing = toolOutput('ls', ['-lR', '.'], folder);
  assertHolds(await summarised(summariseDirectory, listing, ''), {
    Format: 'FTP listing (Unix)',
    'Member-Count': '2',
    'Folder-Count': '1',
    'Unpacked-Size': '8',
    Members: 'a b.txt 5\nsub folder/c.py 3',
  });
  assertHolds(
    await summarised(
      summariseDirectory,
      '01-02-20  10:20AM       <DIR>          sub\r\n01-02-20  10:20AM               5 a.txt\r\n',
      '',
    ),
    {
      Format: 'FTP listing (DOS)',
      Members: 'a.txt 5',
      'Folder-Count': '1',
    },
  );
  const menu =
    'iWelcome to the hive\t\terror.host\t1\r\n0About bees\t/about.txt\thive.example\t70\r\n1More\t/more\thive.example\t7070\r\nhWeb\tURL:http://hive.example/\thive.example\t70\r\n.\r\n';
  assertHolds(await summarised(summariseDirectory, menu, ''), {
    Format: 'Gopher menu',
    Description: 'Welcome to the hive',
    'Member-Count': '2',
    'Folder-Count': '1',
    Members: 'About bees\nWeb',
  });
  const extract = summariseDirectory(
    { url: 'gopher://h/', name: '', bytes: Buffer.from(menu), type: 'Directory', mediaType: 'x/y' },
    options,
  );
  assert.deepEqual(extract.references, [
    'gopher://hive.example/0/about.txt',
    'gopher://hive.example:7070/1/more',
    'http://hive.example/',
  ]);
  assert.deepEqual(extract.links, ['http://hive.example/']);
  assertHolds(await summarised(summariseDirectory, 'a.txt\nsub/\n', ''), {
    Members: 'a.txt',
    'Folder-Count': '1',
  });
  await assertSurvives(summariseDirectory, [listing, Buffer.from(menu)], '');
  await assertLinear(summariseDirectory, ['a\n', 'd', '1 ', '-rw-r--r-- ', '0a\tb\tc\t70\n'], '');
});
