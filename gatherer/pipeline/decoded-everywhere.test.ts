import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encoded } from '../../readers/testing/encoded.ts';
import type { ExplodableFormat } from '../unnest/index.ts';
import { defaultPlan } from './pipeline-plan.ts';
import { tryDocument } from './try-document.ts';

const words = 'Таблица приливов и отливов в порту';
const person = 'Анна Примерова';

/** The objects of a document, each with its address behind that of the document. */
async function objectsOf(name: string, bytes: Uint8Array, explode: readonly ExplodableFormat[] = []) {
  const plan = { ...defaultPlan, unnest: { ...defaultPlan.unnest, explode } };
  const { objects } = await tryDocument({ url: 'http://h/x', name, bytes }, plan);
  return objects.map(({ url, attributes }) => ({ part: decodeURIComponent(url.slice(10)), attributes }));
}

test('text of every format is decoded by the same rules, whatever its label', async () => {
  const table: readonly (readonly [name: string, text: string, attribute: string, value?: string])[] = [
    ['a.html', `<meta charset="utf-8"><title>${words}</title>`, 'Title'],
    ['a.txt', `${words}\n`, 'Full-Text'],
    ['a.md', `---\ntitle: ${words}\nauthor: ${person}\n---\n${words}`, 'Title'],
    ['a.md', `---\ntitle: ${words}\nauthor: ${person}\n---\n${words}`, 'Author', person],
    ['a.md', `+++\ntitle = "${words}"\n+++\n${words}`, 'Title'],
    ['a.html', `---\ntitle: ${words}\n---\n<p>${words}`, 'Title'],
    ['a.c', `/* ${words} */\nint a;\n`, 'Description'],
    ['a.py', `# -*- coding: utf-8 -*-\n"""${words}"""\n`, 'Description'],
    ['a.rss', `<rss><channel><title>${words}</title></channel></rss>`, 'Title'],
    ['a.atom', `<?xml version="1.0" encoding="utf-8"?><feed><title>${words}</title></feed>`, 'Title'],
    ['a.json', `{"version": "https://jsonfeed.org/version/1.1", "title": "${words}", "items": []}`, 'Title'],
    ['a.opml', `<opml><head><title>${words}</title></head><body/></opml>`, 'Title'],
    ['a.xml', `<book><title>${words}</title></book>`, 'Title'],
    [
      'a.fb2',
      `<FictionBook><description><title-info><book-title>${words}</book-title></title-info></description></FictionBook>`,
      'Title',
    ],
    ['a.bib', `@book{a,\n title = {${words}},\n author = {${person}},\n}\n`, 'Headings'],
    ['a.ris', `TY  - BOOK\nTI  - ${words}\nER  - \n`, 'Headings'],
    ['a.jsonl', `{"title": "${words}"}\n{"title": "b"}\n`, 'Full-Text'],
    ['a.csv', `name,value\n${words},1\n`, 'Full-Text', `name value\n${words} 1`],
    ['a.vcf', `BEGIN:VCARD\nVERSION:3.0\nFN:${words}\nEND:VCARD\n`, 'Title'],
    ['a.ics', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:${words}\nEND:VEVENT\nEND:VCALENDAR\n`, 'Title'],
    ['a.ipynb', `{"cells": [{"cell_type": "markdown", "source": ["# ${words}"]}], "nbformat": 4}`, 'Title'],
    ['a.org', `#+TITLE: ${words}\n`, 'Title'],
    ['a.rst', `${words}\n${'='.repeat(40)}\n\n${words}\n`, 'Title'],
    ['a.adoc', `= ${words}\n\n${words}\n`, 'Title'],
    ['a.srt', `1\n00:00:01,000 --> 00:00:02,000\n${words}\n`, 'Full-Text'],
    [
      'a.eml',
      `From: a@x.example\nSubject: ${words}\nContent-Type: text/plain; charset=utf-8\n\n${words}\n`,
      'Title',
    ],
    [
      'a.eml',
      `From: a@x.example\nSubject: s\nContent-Type: text/plain; charset=utf-8\n\n${words}\n`,
      'Full-Text',
    ],
  ];
  for (const [name, text, attribute, value = words] of table)
    for (const charset of ['windows-1251', 'koi8-r']) {
      const [object] = await objectsOf(name, encoded(text, charset));
      assert.equal(object?.attributes[attribute], value, `${name} in ${charset}: ${text}`);
    }
});

test('members that become objects of their own are decoded as their whole file is', async () => {
  const table: readonly (readonly [
    format: ExplodableFormat,
    name: string,
    member: (title: string) => string,
  ])[] = [
    ['csv', 'a.csv', (title) => `${title},1\n`],
    ['bibtex', 'a.bib', (title) => `@book{k,\n title = {${title}},\n}\n`],
    ['ris', 'a.ris', (title) => `TY  - BOOK\nTI  - ${title}\nER  - \n`],
    ['jsonl', 'a.jsonl', (title) => `{"title": "${title}"}\n`],
    ['mbox', 'a.mbox', (title) => `From a@x Sat Nov 21 11:13:50 2026\nSubject: ${title}\n\n${words}\n\n`],
  ];
  // Alone, the short title would not show its charset.
  const short = 'Ёж';
  for (const [format, name, member] of table) {
    const head = format === 'csv' ? 'name,value\n' : '';
    const text = head + member(words) + member(short) + member(words.toLowerCase());
    const objects = await objectsOf(name, encoded(text, 'windows-1251'), [format]);
    const titles = objects.map(({ attributes }) => attributes.Title?.replace(/^name: /, ''));
    const own = objects.filter(({ part }) => part !== '').length;
    assert.equal(own, 3, format);
    assert.ok(titles.includes(words) && titles.includes(words.toLowerCase()), `${format}: ${titles}`);
    if (format !== 'mbox') assert.ok(titles.includes(short), `${format}: ${titles}`);
  }
});

const japanese = ['新しい表.txt', '港の潮汐表.txt', '表示.txt'];
const names = japanese.map((name) => encoded(name, 'shift_jis'));
const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');

function tarOf(name: Uint8Array): Buffer {
  const header = Buffer.alloc(512);
  header.set(name);
  header.write(`0000644\0`, 100);
  header.write(`${octal(2, 11)}\0`, 124);
  header.write(`${octal(1, 11)}\0`, 136);
  header.write('        0', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return Buffer.concat([header, Buffer.from('hi'.padEnd(512, '\0'))]);
}

function cpioOf(name: Uint8Array): Buffer {
  const fields = [octal(0, 12), octal(0o100644, 6), octal(0, 12), octal(1, 6), octal(0, 6), octal(1, 11)];
  const sizes = octal(name.length + 1, 6) + octal(2, 11);
  return Buffer.concat([Buffer.from(`070707${fields.join('')}${sizes}`), name, Buffer.from('\0hi')]);
}

test('names in tar and cpio archives are decoded by all the names of the archive', async () => {
  const trailer = cpioOf(Buffer.from('TRAILER!!!'));
  for (const [file, bytes] of [
    ['a.tar', Buffer.concat([...names.map(tarOf), Buffer.alloc(1024)])],
    ['a.cpio', Buffer.concat([...names.map(cpioOf), trailer])],
  ] as const) {
    const parts = (await objectsOf(file, bytes)).map(({ part }) => part.slice(1));
    assert.deepEqual(parts, japanese, file);
  }
});

function jpegOf(description: Uint8Array): Buffer {
  const entry = Buffer.alloc(12);
  entry.writeUInt16LE(0x010e, 0);
  entry.writeUInt16LE(2, 2);
  entry.writeUInt32LE(description.length + 1, 4);
  entry.writeUInt32LE(26, 8);
  const start = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0');
  const body = Buffer.concat([start, entry, Buffer.alloc(4), description, Buffer.of(0)]);
  return Buffer.concat([
    Buffer.of(0xff, 0xd8, 0xff, 0xe1, 0, body.length + 2),
    body,
    Buffer.from('\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xd9', 'latin1'),
  ]);
}

function recordingOf(title: Uint8Array): Buffer {
  const frame = Buffer.concat([Buffer.from('TIT2\0\0\0'), Buffer.of(title.length + 1, 0, 0, 0), title]);
  const sound = Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0), Buffer.alloc(413)]);
  return Buffer.concat([
    Buffer.from('ID3\x03\0\0\0\0\0'),
    Buffer.of(frame.length),
    frame,
    sound,
    sound,
    sound,
  ]);
}

test('texts in EXIF and ID3 are decoded by the same rules', async () => {
  for (const [text, charset] of [
    [words, 'windows-1251'],
    [words, 'koi8-r'],
    ['港口的潮汐表说明了高潮时间', 'gb18030'],
    ['Ça coûte 5 € – « l’été » n’est pas cher à Genève…', 'windows-1252'],
  ] as const) {
    const bytes = encoded(text, charset);
    const [picture] = await objectsOf('a.jpg', jpegOf(bytes));
    assert.equal(picture?.attributes.Description, text, `EXIF in ${charset}`);
    const [recording] = await objectsOf('a.mp3', recordingOf(bytes));
    assert.equal(recording?.attributes.Title, text, `ID3 in ${charset}`);
  }
});
