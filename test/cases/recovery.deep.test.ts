import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, tried } from './tried.ts';

test('case 73: a broken line of JSON lines is left out, and all others are read', async () => {
  await holds(73, 'l.jsonl', {
    Format: 'JSON lines',
    Records: '51',
    'Summary-Note': 'Lines left out because they are not JSON: 1.',
  });
});

test('case 75: base64 in a mail ends before the footer of a list', async () => {
  await holds(75, 'a.eml', { 'Full-Text': 'Hello base sixty four' });
});

test('case 76: a uuencoded file in a mail is an object, and no text of the mail', async () => {
  const { objects } = await tried(76, 'a.eml');
  assert.deepEqual(
    objects.map(({ attributes }) => [attributes.Title, attributes['Full-Text']]),
    [
      ['hello world', 'hello world'],
      ['uu', 'See file\nafter'],
    ],
  );
});

test('case 77: TOML front matter gives title, author and keywords, and is no text', async () => {
  await holds(77, 't.md', {
    Title: 'Toml title',
    Author: 'Cy Example',
    Keywords: 'a',
    'Full-Text': 'Body words',
  });
});

test('case 79: a heading in HTML is a heading of Markdown', async () => {
  // The alternative text of a picture is part of the heading's text (HTML 4.8.4.4).
  await holds(79, 'h.md', { Title: 'Logo Tide', Headings: 'Logo Tide' });
});

test('case 80: a line for an editor is no title', async () => {
  await holds(80, 'README', { Title: 'TIDE 2.0', Headings: 'TIDE 2.0' });
});

test('case 81: a date of blanks is no date', async () => {
  await holds(81, 'e.jpg', { Title: 'XP títle', Date: undefined });
});

test('case 83: escapes in subtitles are read', async () => {
  await holds(83, 'film.vtt', { 'Full-Text': 'Spoken words & more', Comment: 'hidden note' });
});

test('case 84: names of functions may have letters of any script, and __author__ names the author', async () => {
  await holds(84, 'c.py', {
    Functions: 'höhe',
    Author: 'Jörg Example',
    Description: 'Berechnet die Höhe der Flut.',
  });
});

test('case 86: the title of a GPX file is the name in its metadata', async () => {
  await holds(86, 't.gpx', { Title: 'Coast walk', Description: 'Round the bay', Format: 'GPX' });
});

test('case 88: a change log that begins with an entry is not named after its person', async () => {
  await holds(88, 'changelog.gz', { Title: 'ChangeLog (88-changelog-title)' });
});

test('case 89: the text of a licence is no description', async () => {
  await holds(89, 'tide-tables.js', {
    Description: 'Reads tide tables of a harbour and says when the gate opens.',
    License: 'MPL-2.0',
  });
});
