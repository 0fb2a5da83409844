import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mutated } from '../../../readers/testing/mutated.ts';
import { assertBears, fullText, lacking, made, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { summariseDvi } from './dvi.ts';

const source = String.raw`\documentclass{article}
\title{Customized Information Extraction}
\author{Darren Hardy \and Mich\"ael Schw\'artz}
\begin{document}\maketitle
\begin{abstract}The efficient office finds ligatures difficult.\end{abstract}
\section{Introduction}
It is well-known that na\"\i ve readers enjoy caf\'e culture, Erd\H{o}s numbers and Ha\v{c}ek. Transmogrification of
incontrovertible internationalisation considerations requires hyphenation at the ends of extraordinarily overpopulated
lines, whenever typographical circumstances necessitate it. Let $\alpha+\beta$ be ${'``'}quoted''.
\newpage Another page. \newpage A third page.\special{html:<a href="http://example.org/x">}
\end{document}
`;

test('a paper of LaTeX: title, abstract, headings, accents, ligatures, hyphens, fonts, links', async (t) => {
  const absent = lacking('latex');
  if (absent !== false) return t.skip(absent);
  const dvi = made(source, 'paper.tex', 'paper.dvi', 'latex', ['-interaction=batchmode', 'paper.tex']);
  const extract = await summariseDvi(testDocument(dvi), fullText);
  const values = valuesOf(extract);
  assert.equal(values.get('Title'), 'Customized Information Extraction');
  assert.equal(values.get('Pages'), '3');
  assert.match(values.get('Fonts') ?? '', /cmr17, cmr12, cmbx9/);
  assert.match(values.get('Comment') ?? '', /^TeX output/);
  assert.equal(values.get('Abstract'), 'The efficient office finds ligatures difficult.');
  assert.match(values.get('Headings') ?? '', /^1 Introduction$/m);
  const text = values.get('Full-Text') ?? '';
  assert.match(text, /^Darren Hardy Michäel Schwártz$/m);
  assert.match(
    text,
    /naïve readers enjoy café culture, Erdős numbers and Haček\. Transmogrification of incontrovertible/,
  );
  assert.match(
    text,
    /extraordinarily overpopulated lines, whenever typographical circumstances necessitate it\./,
  );
  assert.match(text, /Let α ?\+ ?β be “quoted”\.$/m);
  assert.doesNotMatch(text, /^\d$/m);
  assert.deepEqual(extract.references, ['http://example.org/x']);

  const cut = await summariseDvi(testDocument(dvi.subarray(0, Math.floor(dvi.length * 0.6))), fullText);
  assert.match(cut.notes.join(), /truncated or damaged/);
  assert.equal(valuesOf(cut).get('Title'), 'Customized Information Extraction');
  await assertBears(summariseDvi, mutated([dvi]), 300);
});

test('bytes that only begin as DVI are handled', async () => {
  const start = Buffer.from([247, 2, 1, 131, 146, 192, 28, 59, 0, 0, 0, 0, 3, 232, 0]);
  const arbitrary = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([start, bytes]));
  await assertBears(summariseDvi, arbitrary, 500);
});
