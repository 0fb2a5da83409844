import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Extract } from '../../../readers/document/index.ts';
import { summariseImage } from '../media/image.ts';
import type { Summariser } from '../summariser.ts';
import { summariseDirectory } from './directory.ts';
import { summariseXmlData } from './xml-data.ts';

async function read(summarise: Summariser, text: string, url: string): Promise<Extract> {
  const document = { url, name: 'a', bytes: Buffer.from(text), type: 'XML', mediaType: 'text/xml' };
  return await summarise(document, { text: 'full', maxTextBytes: 10_000, maxDocumentBytes: 100_000 });
}

const drawing = (first: string, second: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><a href="${first}"><text>b</text></a><a href="${second}"/></svg>`;

test('two places of a document are one reference of XML or of a drawing', async () => {
  const [one, two] = ['http://a.test/b#one', 'http://a.test/b#two'];
  const xml = `<a><ulink url="${one}">b</ulink><ulink url="${two}">c</ulink></a>`;
  for (const [summarise, text] of [
    [summariseXmlData, xml],
    [summariseImage, drawing(one, two)],
  ] as const) {
    const { references, links } = await read(summarise, text, 'http://a.test/x');
    assert.deepEqual({ references, links }, { references: ['http://a.test/b'], links: ['http://a.test/b'] });
  }
});

test('a drawing in an archive refers to a document beside it, which is no link to follow', async () => {
  const { references, links } = await read(summariseImage, drawing('b', 'b'), 'http://a.test/x.zip#d/a');
  assert.deepEqual({ references, links }, { references: ['http://a.test/x.zip#d/b'], links: [] });
});

test('a repeated item of a Gopher menu is one reference', async () => {
  const item = '0Bees\tbees\tgopher.test\t70\r\n';
  const { references } = await read(summariseDirectory, item + item, 'gopher://gopher.test/1');
  assert.deepEqual(references, ['gopher://gopher.test/0bees']);
});
