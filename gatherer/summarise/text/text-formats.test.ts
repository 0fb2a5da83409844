// Every reader of a text format with hostile input: it must end soon, within its limits, without a crash.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import { extractOf } from '../../testing/extract-reading.ts';
import { summariseBibliography } from '../data/bibliography.ts';
import { summariseLatex } from '../papers/latex.ts';
import { summariseManPage } from '../papers/man-page.ts';
import { summariseTexinfo } from '../papers/texinfo.ts';
import { summariseTroff } from '../papers/troff.ts';
import { summariseMakefile } from '../software/makefile.ts';
import { summarisePatch } from '../software/patch.ts';
import { summariseRcs, summariseSccs } from '../software/revision-history.ts';
import type { Summariser } from '../summariser.ts';
import { summariseAsciidoc } from './asciidoc.ts';
import { summariseFaq } from './faq.ts';
import { summariseMail } from './mail.ts';
import { summariseNews } from './news.ts';
import { summariseReadme } from './readme.ts';
import { summariseRestructuredText } from './restructured-text.ts';
import { summariseRfc } from './rfc.ts';

interface Format {
  readonly summariser: Summariser;
  readonly name: string;
  /** Pieces of the format, from which documents are composed. */
  readonly pieces: readonly string[];
  /** Pieces that, repeated to a hundred thousand characters, once caused quadratic or worse work. */
  readonly heavy: readonly string[];
}

const roff = [
  '.TH x 1\n',
  '.SH NAME\n',
  '.SH\n',
  '.TP\n',
  '.B "a',
  '.if n \\{',
  '.el ',
  '\\}',
  '.de x\n',
  '..\n',
  '.x a\n',
  '\\*(',
  '\\[u',
  '\\s',
  ".if '",
  '.TS\n',
  'T{\n',
  '.TE\n',
  '.EQ\n',
  '.ds a \\*a',
  '\\$*',
];
const formats: readonly Format[] = [
  {
    summariser: summariseManPage,
    name: 'x.1',
    pieces: [...roff, '.Dd x\n', '.Nm ', '.Op Fl ', '.Oo ', '.It ', '.Fo f\n'],
    heavy: ['.if n \\{\\\n', '.de x\n.x\n.x\n..\n.x\n', ".if '"],
  },
  {
    summariser: summariseTroff,
    name: 'x.ms',
    pieces: [...roff, '.TL\n', '.AU\n', '.AB\n', '.AE\n', '.(l C\n', '.ce 9\n', '.XS\n'],
    heavy: ['.am x\n.x\n..\n', '.TL\n'],
  },
  {
    summariser: summariseRfc,
    name: 'rfc1.txt',
    pieces: [
      'RFC 1   a   2001\n',
      '[Page 1]\n',
      '\f',
      'Abstract\n\n',
      '1. A\n',
      '   text\n',
      'Request for Comments: 1',
      '          ',
      '....',
    ],
    heavy: ['- a\n\n', '\f\n'],
  },
  {
    summariser: summariseFaq,
    name: 'FAQ',
    pieces: ['Subject: x\n', 'Q: ', '1) ', 'Why?', '\n', '----\n', 'a '],
    heavy: ['++++\n', '1) A? '],
  },
  {
    summariser: summariseReadme,
    name: 'README',
    pieces: ['# a\n', '====\n', 'a\n', '.. a::\n', ' -- a <b@c> d\n', 'By A B\n'],
    heavy: ['a\n===\n', '===\na\n===\n'],
  },
  {
    summariser: summariseRestructuredText,
    name: 'x.rst',
    pieces: [
      '.. a::\n',
      '.. _a: b\n',
      '.. |a| replace:: |a|\n',
      '|a|',
      '`a',
      '``',
      '*',
      '  ',
      ':a: b\n',
      '::\n\n',
      '- ',
      '====\n',
      '+--+\n',
      '== ==\n',
      '\n',
    ],
    heavy: ['a.\n', '- a\n', ' a\n  b\n'],
  },
  {
    summariser: summariseAsciidoc,
    name: 'x.adoc',
    pieces: [
      '= a\n',
      '----\n',
      '....\n',
      '|===\n',
      '[abstract]\n',
      'a:: b\n',
      '{a}',
      ':a: {a}\n',
      '<<',
      'link:a[',
      '*',
      '_',
      '`',
      '\n',
      'include::a[]\n',
    ],
    heavy: ['http://a[', ':a: {a}{a}\n'],
  },
  {
    summariser: summariseLatex,
    name: 'x.tex',
    pieces: [
      '\\section{',
      '\\title{',
      '}',
      '{',
      '$',
      '$$',
      '\\[',
      '\\begin{a}',
      '\\begin{document}',
      '\\end{document}',
      '\\begin{verbatim}',
      '\\def\\a{b}',
      '\\a',
      '\\cite{',
      '%',
      '\n',
      '\\"',
      '\\verb|',
    ],
    heavy: ['\\vspace{', '\\begin{equation}', '\\section{'],
  },
  {
    summariser: summariseLatex,
    name: 'x.sty',
    pieces: ['% a\n', '\\ProvidesPackage{a}[', '\n'],
    heavy: ['\n'],
  },
  {
    summariser: summariseTexinfo,
    name: 'x.texi',
    pieces: [
      '@node a\n',
      '@code{',
      '}',
      '@menu\n',
      '@end menu\n',
      '@set a @value{a}\n',
      '@value{a}',
      '@"',
      '@,',
      '@ref{',
      '@direntry\n',
      '@deffn {a} b\n',
    ],
    heavy: ['@code{', '@set a @value{a}@value{a}\n'],
  },
  {
    summariser: summariseMail,
    name: 'x.eml',
    pieces: [
      'From: a\n',
      'From a@b 2001\n',
      'Content-Type: multipart/mixed; boundary=a\n',
      '--a\n',
      '\n',
      '=?utf-8?q?',
      '> ',
      '<',
      '"',
      '(',
      'To: ',
      'Content-Type: text/html\n',
    ],
    heavy: ['To: a,', '\nFrom a@b 2001\n'],
  },
  {
    summariser: summariseNews,
    name: '1',
    pieces: ['Newsgroups: a\n', 'From: a (', '\n', 'Archive-name: a\n', 'Version: 1\n'],
    heavy: ['a: b\n'],
  },
  {
    summariser: summariseBibliography,
    name: 'x.bib',
    pieces: [
      '@a{b,',
      'c = {',
      '}',
      '"',
      '#',
      '@string{a = a}',
      '@comment{',
      '\n@a(',
      'TY  - A\n',
      'ER  - \n',
      '%A a\n',
      'author = {a and ',
    ],
    heavy: ['@a{b,c={', '@string{a=a # a # a}\n', '\n@a{b,c="'],
  },
  {
    summariser: summarisePatch,
    name: 'x.patch',
    pieces: [
      '--- a\n',
      '+++ b\n',
      '@@ -1,99 +1,99 @@\n',
      '+a\n',
      'diff --git a/a b/a\n',
      '***************\n',
      '*** 1 ****\n',
      'Subject: a\n',
    ],
    heavy: ['--- a\n', '@@ -1,99 +1,99 @@\n'],
  },
  {
    summariser: summariseRcs,
    name: 'x,v',
    pieces: ['head 1.1;', '1.1\n', '@', '@@', 'log\n', 'text\n', 'desc\n', 'symbols ', ';'],
    heavy: ['@', '1.1\n'],
  },
  {
    summariser: summariseSccs,
    name: 's.x',
    pieces: [
      '\x01d D 1.1 93/01/01 12:00:00 a 1 0\n',
      '\x01c a\n',
      '\x01I 1\n',
      '\x01D 1\n',
      '\x01E 1\n',
      '\x01t\n',
      'a\n',
    ],
    heavy: ['\x01D 1\n', '\x01E 1\n'],
  },
  {
    summariser: summariseMakefile,
    name: 'Makefile',
    pieces: ['a: b\n', '\tc\n', 'a = b\n', '# c\n', 'define a\n', 'endef\n', ' \\\n', 'include a\n'],
    heavy: [' \\\n', 'a = \\\n'],
  },
];

// Far below the time of quadratic work, far above the delay of a busy machine.
const longestMs = 3000;

for (const { summariser, name, pieces, heavy } of formats)
  test(`hostile ${name}: ${summariser.name}`, async () => {
    for (const piece of heavy) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      await assertCpuMs(longestMs, () => extractOf(summariser, name, text), JSON.stringify(piece));
    }
    const written = fc.array(
      fc.oneof(
        // The last character has two units of UTF-16, which must not be separated.
        { weight: 5, arbitrary: fc.constantFrom(...pieces, '𐀀') },
        fc.string({ maxLength: 8, unit: 'binary' }),
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          written.map((parts) => Buffer.from(parts.join(''))),
          fc.uint8Array({ maxLength: 300 }),
        ),
        async (bytes) => {
          const maxTextBytes = 500;
          const extract = await extractOf(summariser, name, bytes, { maxTextBytes });
          assert.ok(Buffer.byteLength(extract.body) <= maxTextBytes);
          for (const [field, value] of extract.fields) {
            assert.match(field, /^[A-Z][A-Za-z]*(?:-[A-Za-z]+)*(?:-\d+)?$/);
            assert.equal(Buffer.from(value).toString(), value);
          }
          assert.equal(new Set(extract.fields.keys()).size, extract.fields.size);
        },
      ),
      { numRuns: 150 },
    );
  });
