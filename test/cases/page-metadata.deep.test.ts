import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf } from './tried.ts';

test('case 53: an article in JSON-LD gives title, author, keywords, date and description', async () => {
  const found = await attributesOf(53, 'jld.html');
  assert.equal(found.Title, 'LD Headline');
  assert.equal(found.Author, 'Ada Example');
  assert.equal(found.Keywords, 'tide, port');
  assert.equal(found.Date, '2024-02-03');
  assert.equal(found.Description, 'LD describes');
});

test('case 54: Open Graph gives description, author, keywords and date where nothing else does', async () => {
  const found = await attributesOf(54, 'og.html');
  assert.equal(found.Title, 'OG T');
  assert.equal(found.Author, 'Bo Example');
  assert.equal(found.Keywords, 'harbour');
  assert.equal(found.Date, '2024-05-06T07:08:09Z');
  assert.equal(found.Description, 'OG D');
});

// The date is written as ISO 8601, by which dates are compared.
test('case 55: Highwire names give title, authors, date, keywords and abstract', async () => {
  const found = await attributesOf(55, 'cit.html');
  assert.equal(found.Title, 'On Tides');
  assert.equal(found['Author-1'], 'Example, Cara');
  assert.equal(found['Author-2'], 'Muster, Dirk');
  assert.equal(found.Date, '2019-03-02');
  assert.equal(found.Keywords, 'tides');
  assert.equal(found.Abstract, 'Abs here');
  assert.equal(found.Description, 'Abs here');
});

test('case 57: the canonical address and the licence of a page are recorded', async () => {
  const found = await attributesOf(57, 'can.html');
  assert.equal(found['Canonical-URL'], 'https://www.example.org/real');
  assert.equal(found.License, 'https://cc.example/by');
  assert.match(found['URL-References'] ?? '', /^https:\/\/a\.example\/$/m);
});

test('case 58: a page without title and heading is named by its first line', async () => {
  assert.equal((await attributesOf(58, 'nt.html')).Title, 'Tide tables for the port');
});

test('case 59: readings of ruby annotations do not part words', async () => {
  assert.equal((await attributesOf(59, 'ruby.html'))['Full-Text'], '季節の潮風');
});
