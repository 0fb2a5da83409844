import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMetadata } from './metadata.ts';

const read = (metadata: string) =>
  readMetadata(
    Buffer.from(
      `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">${metadata}</metadata><manifest/></package>`,
    ),
  );
const title = (id: string, text: string, type = '', more = '') =>
  `<dc:title id="${id}">${text}</dc:title>${type === '' ? '' : `<meta refines="#${id}" property="title-type">${type}</meta>`}${more}`;

test('of several titles of a book the main one is its title', () => {
  const cases: readonly (readonly [metadata: string, main: string, others: readonly string[]])[] = [
    ['<dc:title>Only</dc:title>', 'Only', []],
    [title('s', 'The sub', 'subtitle') + title('m', 'Main', 'main'), 'Main', ['The sub']],
    [title('s', 'The sub', 'subtitle') + title('m', 'Main'), 'Main', ['The sub']],
    [title('a', 'First') + title('b', 'Second'), 'First', ['Second']],
    [
      title('x', 'Expanded', 'expanded') + title('c', 'Set', 'collection') + title('m', 'Main', 'main'),
      'Main',
      ['Expanded', 'Set'],
    ],
    [
      title('b', 'Second', '', '<meta refines="#b" property="display-seq">2</meta>') +
        title('a', 'First', '', '<meta refines="#a" property="display-seq">1</meta>'),
      'First',
      ['Second'],
    ],
    [title('m', 'Main', 'main', '<meta refines="#m" property="file-as">Main, The</meta>'), 'Main', []],
    ['<dc-metadata><dc:Title>Old</dc:Title></dc-metadata>', 'Old', []],
    ['<title xmlns="http://purl.org/dc/elements/1.1/">Bare</title>', 'Bare', []],
  ];
  for (const [metadata, main, others] of cases) {
    const book = read(metadata);
    assert.deepEqual([book.title, book.otherTitles], [main, others], metadata);
  }
});

test('people of a book are authors or contributors by their roles, in EPUB 2 and 3', () => {
  const cases: readonly (readonly [
    metadata: string,
    authors: readonly string[],
    others: readonly string[],
  ])[] = [
    [
      '<dc:creator id="c">W</dc:creator><meta refines="#c" property="role" scheme="marc:relators">aut</meta><dc:creator id="i">I</dc:creator><meta refines="#i" property="role">ill</meta>',
      ['W'],
      ['I'],
    ],
    ['<dc:creator opf:role="aut">W</dc:creator><dc:creator opf:role="trl">T</dc:creator>', ['W'], ['T']],
    ['<dc:creator>W</dc:creator><dc:contributor>C</dc:contributor>', ['W'], ['C']],
    ['<dc:creator opf:role="edt">E</dc:creator><dc:creator opf:role="edt">F</dc:creator>', ['E', 'F'], []],
    [
      '<dc:creator id="c">W</dc:creator><meta refines="#c" property="role">ill</meta><meta refines="#c" property="role">aut</meta>',
      ['W'],
      [],
    ],
  ];
  for (const [metadata, authors, others] of cases) {
    const book = read(metadata);
    assert.deepEqual([book.authors, book.contributors], [authors, others], metadata);
  }
});

test('series, date of publication and date of change of a book', () => {
  const third = read(
    '<meta property="belongs-to-collection" id="s">Tides</meta><meta refines="#s" property="group-position">3</meta><meta property="dcterms:modified">2024-02-15T00:00:00Z</meta><dc:date>2020</dc:date>',
  );
  assert.deepEqual(
    [third.series, third.modified, third.published],
    [['Tides 3'], '2024-02-15T00:00:00Z', '2020'],
  );
  const second = read(
    '<meta name="calibre:series" content="Tides"/><meta name="calibre:series_index" content="2.0"/><dc:date opf:event="modification">2021</dc:date><dc:date opf:event="publication">1999</dc:date><dc:date>0101-01-01T00:00:00+00:00</dc:date>',
  );
  assert.deepEqual([second.series, second.modified, second.published], [['Tides 2'], '2021', '1999']);
});
