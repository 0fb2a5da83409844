import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { annotationFormats, importAnnotations } from './annotation-import.ts';

const read = (text: string, as?: (typeof annotationFormats)[number]) =>
  importAnnotations(new TextEncoder().encode(text), as);
const found = async (text: string) =>
  (await read(text))?.records.map(({ url, fields }) => [url, ...fields.slice(0, 1)]);

const bibtex = `% of the group
@article{harvest95,
  title = {The {Harvest} system},
  url = {http://x.org/h.ps},
}`;

test('each notation is recognised by its form', async () => {
  const title = ['Title', 'T'];
  assert.deepEqual(await found('@FILE { http://x.org/a,b\nTitle:\tT\n}\n'), [['http://x.org/a,b', title]]);
  assert.deepEqual(await found('@DELETE { }\n@UPDATE {\n@FILE { http://x.org/\nTitle{1}:\tT\n}\n}\n'), [
    ['http://x.org/', title],
  ]);
  assert.deepEqual(await found('Template-Type: DOCUMENT\nTitle: T\nURI-v0: http://x.org/\n'), [
    ['http://x.org/', ['IAFA-Template', 'DOCUMENT']],
  ]);
  assert.deepEqual(await found('Begin4\nTitle: T\nPrimary-site: http://x.org/t.tgz\nEnd\n'), [
    ['http://x.org/t.tgz', title],
  ]);
  assert.deepEqual(await found(bibtex), [['http://x.org/h.ps', ['Title', 'The Harvest system']]]);
  assert.deepEqual(await found('@misc{\nkey, title={T}, url={http://x.org/}}'), [['http://x.org/', title]]);
  assert.equal(await read('Title: T\n'), undefined);
  assert.equal((await read(bibtex, 'lsm'))?.records.length, 0);
});

const pieces = fc.constantFrom(
  '@',
  'FILE',
  '{',
  ' ',
  '\t',
  'http:',
  'x,',
  '\n',
  'Begin4',
  'Template-Type:',
  '}',
);

test('no text makes it throw, and recognising a notation takes no longer than reading it', async () => {
  const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));
  const formats = fc.option(fc.constantFrom(...annotationFormats), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(texts, formats, async (text, as) => {
      await read(text, as);
    }),
  );
  const hostile = ['@FILE { http:', '@a{', '\t', ' \n', '@', 'http:x,'].map((piece) => piece.repeat(200_000));
  hostile.push(`@FILE { http:${'x'.repeat(1_000_000)},`, `@FILE {${' '.repeat(1_000_000)}x`);
  await assertCpuMs(8000, async () => {
    for (const text of hostile) await read(text);
  });
});
