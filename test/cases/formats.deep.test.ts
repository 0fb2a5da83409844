import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, tried } from './tried.ts';

test('case 36: an RSS document gives its title, entries, texts and links', async () => {
  await holds(36, 'g.rss', {
    Type: 'Feed',
    Title: 'Harbour news',
    Description: 'Feed of news',
    Headings: 'Item one',
    'Full-Text': 'Item one\nWords of item',
    'URL-References': 'http://x.example/1\nhttp://x.example/',
  });
});

test('case 38: RSS with blanks before its declaration and bare signs is read loosely', async () => {
  await holds(38, 'f.rss', {
    Title: 'News & views',
    Date: '2016-01-25T09:35:20Z',
    'Full-Text': 'D’one\nSome & html\nTwo bold',
    'URL-References': 'http://x.example/1\nhttp://x.example/2\nhttp://x.example/',
  });
});

test('case 48: an ASP or JSP page is HTML without its programs', async () => {
  await holds(48, 'page.asp', { Type: 'HTML', Title: 'Asp page', 'Full-Text': 'asp words' });
  await holds(48, 'page.jsp', { Type: 'HTML', Title: 'Jsp page', 'Full-Text': 'jsp words' });
});

test('case 40: a saved web page is read as the page, with the address it was saved from', async () => {
  await holds(40, 'm.mhtml', { Type: 'MHTML', Title: 'M', 'Full-Text': 'mhtml words' });
  await holds(40, 'page.mht', {
    Type: 'MHTML',
    Title: 'Saved é',
    'Full-Text': 'mht words',
    'Original-URL': 'http://x.example/p',
  });
});

test('case 44: a message of Apple Mail is read as mail', async () => {
  await holds(44, 'x.emlx', { Type: 'Mail', Title: 'apple mail', Author: 'A', 'Full-Text': 'words' });
});

test('case 42: a card gives the name on it, decoded', async () => {
  await holds(42, 'a.vcf', { Type: 'VCard', Title: 'Kim Müller', Organization: 'Port', Format: 'vCard 2.1' });
});

test('case 39: a notebook gives its Markdown and code, and no pictures', async () => {
  await holds(39, 'n.ipynb', {
    Type: 'Notebook',
    Title: 'Tide notebook',
    'Programming-Language': 'python',
    'Full-Text': "Tide notebook\nintro words\nimport os\nprint('code words')",
  });
});

test('case 43: an Org document gives title and author without their keywords', async () => {
  await holds(43, 'n.org', {
    Type: 'Org',
    Title: 'Org tide notes',
    Author: 'Kim Example',
    Headings: 'Heading one',
    'Full-Text': 'Heading one\nText words',
  });
});

test('case 45: a message that is all in winmail.dat has its text, and the attachment is an object', async () => {
  const { objects } = await tried(45, 'a.eml');
  const found = objects.map(({ attributes }) => [attributes.Title, attributes['Full-Text']]);
  assert.deepEqual(found, [
    ['attached budget words', 'attached budget words'],
    ['TNEF subject here', 'The body text inside winmail dat'],
    ['outlook', 'The body text inside winmail dat'],
  ]);
});

test('case 47: a FictionBook gives title, author and text, and no picture', async () => {
  await holds(47, 'b.fb2', {
    Type: 'FictionBook',
    Title: 'Море',
    Author: 'Иван Примеров',
    Keywords: 'sf',
    'Full-Text': 'Текст книги',
  });
});
