import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readPlainPostScript, readStructuringComments } from '../../../readers/postscript/index.ts';
import { mutated } from '../../../readers/testing/mutated.ts';
import { runTool } from '../../programs/system-tool.ts';
import { assertBears, fullText, lacking, made, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { summarisePostScript } from './postscript.ts';

const simple = `%!PS-Adobe-3.0
%%Title: (Notes \\(draft\\) of the caf\\351)
%%Creator: handwork
%%For: Ann Author
%%CreationDate: 12 May 1994
%%Pages: (atend)
%%DocumentNeededResources: font Times-Roman
%%+ font Helvetica
%%EndComments
/Times-Roman findfont 12 scalefont setfont
72 700 moveto (Hello plain) show
72 686 moveto (second line) show
showpage
%%Trailer
%%Pages: 1
%%EOF
`;

test('structuring comments: strings, lists, values of the trailer', () => {
  assert.deepEqual(readStructuringComments(simple), {
    title: 'Notes (draft) of the café',
    creator: 'handwork',
    for: 'Ann Author',
    created: '12 May 1994',
    pages: '1',
    fonts: ['Times-Roman', 'Helvetica'],
  });
});

test('an unknown program is read plainly without Ghostscript, and alike with it', async () => {
  const { pages } = readPlainPostScript(simple, 'handwork', 1e6);
  assert.deepEqual(
    pages.map((lines) => lines.map(({ text }) => text)),
    [['Hello plain', 'second line']],
  );
  const values = valuesOf(await summarisePostScript(testDocument(Buffer.from(simple)), fullText));
  assert.equal(values.get('Title'), 'Notes (draft) of the café');
  assert.match(values.get('Full-Text') ?? '', /Hello plain\s+second line/);
  assert.equal(values.get('Fonts'), 'Times-Roman, Helvetica');
});

const paper = '/usr/share/doc/groff-base/meintro.ps.gz';

test('a paper of groff, as Debian ships it', async (t) => {
  if (!existsSync(paper)) return t.skip('SKIPPED: install groff');
  const bytes = gunzipSync(readFileSync(paper));
  const values = valuesOf(await summarisePostScript(testDocument(bytes), fullText));
  assert.equal(values.get('Title'), 'Writing Papers with GROFF using -me');
  assert.equal(values.get('Pages'), '18');
  assert.match(values.get('Creator') ?? '', /^groff/);
  assert.match(values.get('Headings') ?? '', /^2\.3\. Double Spacing$/m);
  assert.match(
    values.get('Full-Text') ?? '',
    /^This document describes the text processing facilities available on the UNIX.* operating system via GROFF and the -me macro package\./m,
  );
});

test('a paper of LaTeX and dvips', async (t) => {
  const absent = lacking('latex', 'dvips');
  if (absent !== false) return t.skip(absent);
  const source =
    "\\documentclass{article}\\title{A Paper}\\author{X}\\begin{document}\\maketitle\\begin{abstract}The efficient office finds caf\\'e ligatures.\\end{abstract}\\section{Start}Words.\\end{document}";
  const dvi = made(source, 'paper.tex', 'paper.dvi', 'latex', ['-interaction=batchmode', 'paper.tex']);
  const ps = made(dvi, 'paper.dvi', 'paper.ps', 'dvips', ['-q', '-o', 'paper.ps', 'paper.dvi']);
  const values = valuesOf(await summarisePostScript(testDocument(ps), fullText));
  assert.equal(values.get('Title'), 'A Paper');
  assert.equal(values.get('Abstract'), 'The efficient office finds café ligatures.');
  assert.match(values.get('Headings') ?? '', /^1 Start$/m);
  assert.match(values.get('Creator') ?? '', /^dvips/);
});

test('no program text makes the plain reader throw', () => {
  const word = fc.constantFrom(
    '(',
    ')',
    '{',
    '}',
    '<',
    '>',
    '(a) 1 b',
    ' c ',
    '/Fa 1 1 df ',
    'Fa ',
    '1 2 a',
    'bop',
    'eop',
    '%',
    '\\',
    '/F0 9/X@0 SF',
    '(q)1 2 Q',
  );
  const creators = fc.constantFrom('dvips', 'groff', 'other');
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 60 }), creators, (words, creator) => {
      readPlainPostScript(words.join(' '), creator, 1e5);
      readStructuringComments(`%!PS\n%%${words.join('\n%%')}`);
    }),
  );
});

test('changed files are handled', async () => {
  const dvips = simple.replace('handwork', 'dvips');
  await assertBears(summarisePostScript, mutated([Buffer.from(dvips)], ['(', '}', '%%Title: (', '\\']), 30);
});

test('a program without end is ended', async (t) => {
  const absent = lacking('gs');
  if (absent !== false) return t.skip(absent);
  const endless = Buffer.from('%!PS\n{ 1 pop } loop\n');
  const limits = { seconds: 1 };
  await assert.rejects(
    runTool('gs', ['-q', '-dSAFER', '-dBATCH', '-sDEVICE=nullpage', '-'], endless, limits),
    {
      code: 'GATHERER_TOOL_SLOW',
    },
  );
});

test('a file that is PostScript only by name is not given to Ghostscript', async () => {
  const { notes } = await summarisePostScript(testDocument(Buffer.alloc(200 * 1024, '[')), fullText);
  assert.match(notes?.join() ?? '', /without running it/);
  const printed = Buffer.from(`\x1b%-12345X@PJL ENTER LANGUAGE=POSTSCRIPT\n${simple}`);
  const program = await summarisePostScript(testDocument(printed), fullText);
  assert.doesNotMatch(program.notes?.join() ?? '', /without running it/);
});
