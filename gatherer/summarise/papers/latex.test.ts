import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texWords } from '../../../readers/tex/index.ts';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseLatex } from './latex.ts';
import { summariseTexinfo } from './texinfo.ts';

test('LaTeX: title, people, sections, citations, text', async () => {
  const paper = await extractOf(
    summariseLatex,
    'paper.tex',
    String.raw`% never seen
\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\newcommand{\hive}{The Hive}
\newcommand{\two}[1]{never #1}
\title{Na\"{\i}ve Bees --- \hive{} \thanks{Money}}
\author{Zo\"e B\'ezier\\University of Wax \and Erd\H{o}s \v{C}apek}
\date{May 1996}
\begin{document}
\maketitle
\begin{abstract}
Bees are $2^n$ many.
\end{abstract}
\section[Short]{First \emph{Part}}
A word~here\footnote{A note.} and there, ` +
      "``quoted''" +
      String.raw` 50\% of $n$ bees\index{bee!honey} \cite[p.~3]{knuth84, lamport}.
\begin{equation}
never = seen
\end{equation}
\[ never \] \(seen\) % never
\begin{verbatim}
kept   \as is
\end{verbatim}
\begin{tabular}{l|c}
a & b \\
\end{tabular}
\begin{itemize}\item[x] one \item two\end{itemize}
\verb|a_b| \url{http://hive.example/~a} \href{b.html}{there}
\input{more}
\bibliography{refs}
\end{document}
never
`,
  );
  assert.equal(paper.title, 'Naïve Bees — The Hive');
  assert.deepEqual(Object.fromEntries(paper.fields), {
    'Author-1': 'Zoë Bézier',
    'Author-2': 'Erdős Čapek',
    Institution: 'University of Wax',
    Date: 'May 1996',
    Abstract: 'Bees are many.',
    Keywords: 'bee honey',
    'Document-Class': 'article',
    Citations: 'knuth84, lamport',
    Headings: 'First Part',
  });
  assert.match(paper.body, /^A word here and there, “quoted” 50% of n bees \.$/m);
  assert.match(paper.body, /^A note\.$/m);
  assert.match(paper.body, /^kept \\as is\na b/m);
  assert.match(paper.body, /^x one\ntwo$/m);
  assert.match(paper.body, /a_b http:\/\/hive\.example\/~a there/);
  assert.doesNotMatch(paper.body, /never|seen/);
  assert.deepEqual(paper.references, [
    'http://hive.example/~a',
    'http://site.example/docs/b.html',
    'http://site.example/docs/more.tex',
    'http://site.example/docs/refs.bib',
  ]);
  assert.deepEqual(paper.notes, ['1 other file that it includes were not read with it.']);
});

test('plain TeX and packages', async () => {
  const plain = await extractOf(
    summariseLatex,
    'x.tex',
    '\\centerline{\\bf A Note}\n\n\\beginsection First\\par\nWords {\\it here}.\n\\bye\n',
  );
  assert.equal(plain.title, 'A Note');
  assert.equal(plain.value('Headings'), 'First');
  assert.match(plain.body, /^Words here\.$/m);
  const style = await extractOf(
    summariseLatex,
    'hive.sty',
    '% Draws a hive.\n\\ProvidesPackage{hive}[1996/05/04 v1.0 Hives and combs]\n\\def\\x{never}\n',
  );
  assert.equal(style.title, 'hive');
  assert.equal(style.value('Description'), 'v1.0 Hives and combs');
  assert.equal(style.value('Date'), '1996/05/04');
  assert.equal(style.body, 'Draws a hive.');
});

test('LaTeX’s own example', async (t) => {
  const bytes = debianFile(
    t,
    'texlive-latex-base',
    '/usr/share/texlive/texmf-dist/tex/latex/base/sample2e.tex',
  );
  if (bytes === undefined) return;
  const paper = await extractOf(summariseLatex, 'sample2e.tex', bytes);
  assert.equal(paper.title, 'An Example Document');
  assert.equal(paper.value('Author'), 'Leslie Lamport');
  assert.equal(paper.value('Date'), 'January 21, 1994');
  assert.equal(paper.value('Headings'), 'Ordinary Text\nDisplayed Text');
});

test('values of TeX as words', () => {
  assert.equal(texWords(String.raw`{\'E}douard \"{U}nder--wood \c{c}~\o`), 'Édouard Ünder–wood ç ø');
  assert.equal(texWords(String.raw`{\TeX}book \& more`), 'TeXbook & more');
});

test('Texinfo: title page, nodes, definitions, index, menus', async () => {
  const manual = await extractOf(
    summariseTexinfo,
    'hive.texi',
    `\\input texinfo
@c never
@settitle The @code{hive} Manual
@set VERSION 1.2
@dircategory Insects
@direntry
* Hive: (hive).       Keeping bees.
@end direntry
@titlepage
@title Hive
@author Maja Bee
@end titlepage
Copyright @copyright{} 1996 Maja Bee
@node Top, Flying, (dir), (dir)
@top Hive
@menu
* Flying:: never
@end menu
@node Flying
@chapter How to @emph{fly}
@cindex wings
Version @value{VERSION}, na@"{@dotless{i}}ve caf@'e; see @ref{Top,,the top}, @url{http://hive.example, site}.
@deffn Command fly height
Goes up@dots{}
@end deffn
@example
kept   @{as is@}
@end example
@tex
never
@end tex
@include more.texi
@bye
never
`,
  );
  assert.equal(manual.title, 'The hive Manual');
  assert.deepEqual(Object.fromEntries(manual.fields), {
    Description: 'Keeping bees.',
    Author: 'Maja Bee',
    Category: 'Insects',
    Keywords: 'wings',
    Definitions: 'fly height',
    Copyright: 'Copyright © 1996 Maja Bee',
    Nodes: 'Top\nFlying',
    Headings: 'Hive\nHow to fly',
  });
  assert.match(manual.body, /^Version 1\.2, na.{1,3}ve café; see the top, site\.$/m);
  assert.match(manual.body, /^Command fly height\nGoes up…\nkept \{as is\}$/m);
  assert.doesNotMatch(manual.body, /never/);
  assert.deepEqual(manual.references, ['http://hive.example/', 'http://site.example/docs/more.texi']);
});
