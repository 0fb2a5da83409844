import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { mutated } from '../testing/mutated.ts';
import { onePage, smallPdf, streamObject } from '../testing/small-pdf.ts';
import { readPdf } from './own-reader.ts';

const limits = { characters: 100_000 };
const hello = 'BT /F1 12 Tf 72 700 Td (Hello) Tj 0 -14 Td [(W) 20 (orld) -300 (again)] TJ ET';

function textOf(bytes: Uint8Array): string[] {
  return readPdf(bytes, limits).lines.flatMap((lines) => lines.map(({ text }) => text));
}

test('a small file gives its lines; small moves are kerning, larger ones spaces', () => {
  assert.deepEqual(textOf(onePage(hello)), ['Hello', 'World again']);
});

test('a page tree that loops ends', () => {
  const looping = smallPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Count 9 >>',
    '<< /Type /Pages /Kids [2 0 R 4 0 R 3 0 R] /Count 9 >>',
    '<< /Type /Page /Parent 3 0 R /Contents 5 0 R /Resources << /Font << /F1 6 0 R >> >> >>',
    streamObject(hello),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
  assert.equal(readPdf(looping, limits).pages, 1);
});

test('a form that draws itself, a length that is its own, a cross-reference that precedes itself end', () => {
  const form = streamObject('/X Do /X Do BT /F1 9 Tf (in form) Tj ET', '/Subtype /Form /Type /XObject');
  const resources = '/XObject << /X 6 0 R >>';
  const lines = textOf(onePage('/X Do', [form], resources));
  assert.ok(lines.length > 0 && lines.length <= 2 ** 13, `${lines.length}`);

  const own = onePage(hello)
    .toString('latin1')
    .replace(/\/Length \d+/, '/Length 4 0 R');
  assert.deepEqual(textOf(Buffer.from(own, 'latin1')), ['Hello', 'World again']);

  const circle = onePage(hello).toString('latin1');
  const start = /startxref\n(\d+)/.exec(circle)?.[1];
  const again = circle.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${start}`);
  assert.deepEqual(textOf(Buffer.from(again, 'latin1')), ['Hello', 'World again']);
});

test('arrays nested a million deep, and a million operands, are borne', () => {
  const deep = smallPdf([`<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(1_000_000)} >>`, '<< /Kids [] >>']);
  assert.throws(
    () => readPdf(deep, limits),
    (error) => isGarnerError(error),
  );
  assert.deepEqual(textOf(onePage(`${'1 '.repeat(1_000_000)}${'<< '.repeat(100_000)} >> ${hello}`)), []);
  assert.deepEqual(textOf(onePage(`[${'(a) '.repeat(500_000)}] TJ ${hello}`)).slice(-2), [
    'Hello',
    'World again',
  ]);
});

test('a damaged cross-reference is rebuilt', () => {
  const text = onePage(hello).toString('latin1');
  const broken = text.replace(/startxref\n\d+/, 'startxref\n12');
  assert.deepEqual(textOf(Buffer.from(broken, 'latin1')), ['Hello', 'World again']);
  const moved = text.replace('%PDF-1.4\n', '%PDF-1.4\n% something that shifts every offset\n');
  assert.deepEqual(textOf(Buffer.from(moved, 'latin1')), ['Hello', 'World again']);
  const reading = readPdf(Buffer.from(moved, 'latin1'), limits);
  assert.match(reading.notes.join(), /damaged/);
});

test('no bytes make it throw but with its own errors', () => {
  const splices = [
    '<<',
    '>>',
    '[',
    '/Kids',
    ' 3 0 R ',
    'endobj',
    'stream\n',
    '/Filter /LZWDecode',
    '(',
    ' Tj ',
    ' Do ',
  ];
  const files = [
    onePage(hello),
    onePage('/X Do', [streamObject(hello, '/Subtype /Form')], '/XObject << /X 6 0 R >>'),
  ];
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), mutated(files, splices)), (bytes) => {
      try {
        readPdf(bytes, limits);
      } catch (error) {
        assert.ok(isGarnerError(error), String(error));
      }
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 600) },
  );
});
