import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultPlan, tryDocument } from '../../gatherer/index.ts';
import { attributesOf, caseFolder, tried } from './tried.ts';

/** A document as a web server sends it. */
async function served(number: number, name: string, contentType: string) {
  const bytes = readFileSync(join(caseFolder(number), name));
  return tryDocument({ url: `http://x.example/${name}`, name, bytes, contentType }, defaultPlan);
}

const textOf = async (number: number, file: string) => (await attributesOf(number, file))['Full-Text'] ?? '';
const titleOf = async (number: number, file: string) => (await attributesOf(number, file)).Title;

test('case 01: a text in GBK without a declaration', async () => {
  assert.match(await textOf(1, 'gb.txt'), /^港口的潮汐表说明了每天的高潮和低潮时间。/);
});

test('case 02: a text in Shift_JIS without a declaration', async () => {
  assert.equal(await titleOf(2, 'sj.txt'), '潮汐表');
  assert.match(await textOf(2, 'sj.txt'), /日本語の港の潮汐表について説明する。/);
});

test('case 04: a page in EUC-JP without a declaration', async () => {
  assert.equal(await titleOf(4, 'eucjp.html'), '潮汐表');
});

test('case 05: a page in GBK without a declaration', async () => {
  assert.equal(await titleOf(5, 'gbkno.html'), '港口潮汐');
});

test('case 07: a comment in EUC-JP in a source file', async () => {
  assert.match((await attributesOf(7, 'c.c')).Description ?? '', /^潮汐を計算する関数です。/);
});

test('case 09: text of an old Macintosh, in MacRoman with CR', async () => {
  assert.equal(await titleOf(9, 'mac.txt'), 'Déjà vu au port');
  assert.match(await textOf(9, 'mac.txt'), /• été français\nCañon — “naïve”/);
});

test('case 10: one line in Latin-1 among lines in UTF-8', async () => {
  const text = await textOf(10, 'ChangeLog.txt');
  assert.match(text, /Ann Sørensen/);
  assert.match(text, /Jörg Walter/);
});

test('case 11: a page that says UTF-8 and is in windows-1252', async () => {
  assert.equal(await titleOf(11, 'mis.html'), 'Café français à Genève');
});

test('case 13: a meta behind the first kilobyte', async () => {
  const { objects, stages } = await served(13, 'metalate.html', 'text/html');
  assert.equal(objects[0]?.attributes.Title, '潮汐表');
  // The statistics alone would find the charset of this page too.
  assert.equal(stages.find(({ stage }) => stage === 'decode')?.result, 'shift_jis, by declaration');
});

test('case 14: a header that says UTF-8 before pages that declare another charset; try says what decided', async () => {
  const koi = await served(14, 'koi.html', 'text/html; charset=utf-8');
  assert.equal(koi.objects[0]?.attributes.Title, 'Таблица приливов');
  const decoded = koi.stages.filter(({ stage }) => stage === 'decode').map(({ result }) => result);
  assert.deepEqual(decoded, ['koi8-r, by declaration; its bytes refute utf-8']);
  const latin = await served(14, 'l1.html', 'text/html; charset=utf-8');
  assert.equal(latin.objects[0]?.attributes.Title, '“Quoted” – Price €5');
});

test('case 15: names in a zip archive of a Japanese Windows', async () => {
  const { objects } = await tried(15, 'names.zip');
  assert.deepEqual(
    objects.map(({ url }) => decodeURIComponent(url.split('#')[1] ?? '')),
    ['新しい表.txt'],
  );
});

test('case 16: raw Latin-1 bytes in the header of a mail', async () => {
  const { Title, Author, 'Full-Text': text } = await attributesOf(16, 'a.eml');
  assert.deepEqual([Title, Author, text], ['Prüfung für März', 'Jörg', 'Text für alle']);
});

test('case 18: a mail whose label names no charset', async () => {
  assert.equal(await textOf(18, 'a.eml'), 'Größe');
});

test('case 19: a mail in UTF-7', async () => {
  assert.equal(await textOf(19, 'a.eml'), 'Grüße aus Köln');
});

test('case 20: quotation marks and the euro of windows-1252 in a mail', async () => {
  assert.equal(await textOf(20, 'a.eml'), 'It’s € 5 soft break');
});

test('case 22: rows of a table in windows-1252, each an object', async () => {
  const { objects } = await tried(22, 't.csv', '--explode', 'csv');
  assert.equal(objects[0]?.attributes.Title, 'name: It’s');
  assert.match(JSON.stringify(objects[0]?.attributes), /€ 5/);
});
