import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, tried } from './tried.ts';

test('case 24: a page called s.html is HTML, not the history of a file', async () => {
  await holds(24, 's.html', {
    Type: 'HTML',
    Title: 'S page',
    'Full-Text': 'spage words',
    'Types-Tried': undefined,
  });
});

test('case 25: an archive called s.zip is unpacked', async () => {
  const { objects } = await tried(25, 's.zip');
  assert.deepEqual(
    objects.map(({ attributes }) => [attributes.Type, attributes['Full-Text']]),
    [['Text', 'hello in zip']],
  );
});

test('case 26: a table of text called .xls is read as a table', async () => {
  await holds(26, 'b.xls', {
    Type: 'Data',
    Format: 'TSV',
    'Full-Text': 'Name Höhe\nCuxhaven 4.2',
    'Types-Tried': 'MSExcel',
    'Summary-Note': undefined,
  });
});

test('case 28: a login page called .pdf is HTML', async () => {
  await holds(28, 'p.pdf', {
    Type: 'HTML',
    Title: 'Login required',
    'Full-Text': 'please log in',
    'Types-Tried': 'PDF',
  });
});

test('case 30: a compressed file called .txt is unpacked', async () => {
  await holds(30, 'plain.txt', {
    Type: 'Text',
    Title: 'gz words inside txt',
    'Full-Text': 'gz words inside txt',
  });
});

test('case 32: an MPEG transport stream called .ts is a film', async () => {
  await holds(32, 'clip.ts', { Type: 'Video', Format: 'MPEG transport stream', 'Types-Tried': 'OtherCode' });
});

test('case 34: a page with a single zero byte in its title and text is read', async () => {
  // The HTML standard puts U+FFFD into a title; a reader of the title looks for the word.
  await holds(34, 'nul.html', { Type: 'HTML', Title: 'Tide table for the port', 'Full-Text': 'hello' });
});

test('case 35: a script behind env -S is a program of its interpreter', async () => {
  await holds(35, 'tool', {
    Type: 'Python',
    Title: 'tool',
    'Programming-Language': 'Python',
    Interpreter: 'python3',
    Imports: 'sys',
  });
});
