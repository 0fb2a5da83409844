import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTroff } from '../../../readers/troff/index.ts';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseTroff } from './troff.ts';

test('escapes become text', () => {
  const values = { strings: new Map([['x', 'ex\\(em']]), registers: new Map([['n', 7]]) };
  const cases: readonly (readonly [string, string])[] = [
    [String.raw`a\fBb\fP\s-2c\s+2\s0d\f[CW]e`, 'abcde'],
    [String.raw`\(em\[em]\[u00E9]\[u0065_0301]\N'65'\C'em'`, '——ééA—'],
    [String.raw`\-\e\\\ x\&.\|\^\~y\0z`, '-\\\\ x. y z'],
    [String.raw`\*x\n[n]\nn\*(zz`, 'ex—77'],
    [String.raw`a\h'2m'b\h'-2m'c\v'3'd\w'abc'e\o'oa'f\" comment`, 'a bcdeof'],
    [String.raw`\[nosuch]\(`, ''],
    ['\\', ''],
    // Names, delimiters and overstruck characters may be of two units of UTF-16.
    [String.raw`\(𐀀ab\(a𐀀c\*(a𐀀d\*𐀀e\n𐀀f\fXg`, 'bcde0fg'],
    [String.raw`\w𐀀abc𐀀d\o𐀁𐀀b𐀁e\[𐀀 aa]\𐀀\s'1'f\s(1𐀀g`, 'd𐀀e𐀀𐀀fg'],
  ];
  for (const [source, expected] of cases) assert.equal(renderTroff(source, values), expected, source);
});

test('a paper in ms', async () => {
  const paper = await extractOf(
    summariseTroff,
    'Essence.ms',
    `.TL
Customized Information Extraction
as a Basis for Resource Discovery
.AU
A. Author
B. Author
.AI
Department of Computer Science
A University
.AB
Indexing \\fIfile\\fP contents
is expensive.
.AE
.NH 1
Introduction
.PP
Text with .EQ
.EQ
x sup 2
.EN
more.\\(bu
.DS
kept   lines
as they are
.DE
.[
hardy 1993
.]
.SH
References
`,
  );
  assert.equal(paper.title, 'Customized Information Extraction as a Basis for Resource Discovery');
  assert.equal(paper.value('Author-1'), 'A. Author');
  assert.equal(paper.value('Author-2'), 'B. Author');
  assert.equal(paper.value('Institution'), 'Department of Computer Science A University');
  assert.equal(paper.value('Abstract'), 'Indexing file contents is expensive.');
  assert.equal(paper.value('Headings'), 'Introduction\nReferences');
  assert.match(paper.body, /^Text with \.EQ more\.•$/m);
  assert.match(paper.body, /^kept lines\nas they are$/m);
  assert.doesNotMatch(paper.body, /sup|hardy/);
});

test('a paper in me and one in mm', async () => {
  const me = await extractOf(
    summariseTroff,
    'x.me',
    '.tp\n.(l C\n.sz 14\n.b "The Title"\n.sz\nby\nEve N. Smith\nSome Lab\n.)l\n.sh 1 "First Part"\n.pp\nWords.\n.uh Last\n',
  );
  assert.equal(me.title, 'The Title');
  assert.equal(me.value('Author'), 'Eve N. Smith');
  assert.equal(me.value('Headings'), 'First Part\nLast');
  const mm = await extractOf(
    summariseTroff,
    'x.mm',
    '.TL\nMemo\n.AF "Bell Labs"\n.AU "J. Doe" JD\n.AS\nShort.\n.AE\n.H 1 "One"\n.P\nWords.\n.HU Two\n',
  );
  assert.equal(mm.title, 'Memo');
  assert.equal(mm.value('Author'), 'J. Doe');
  assert.equal(mm.value('Institution'), 'Bell Labs');
  assert.equal(mm.value('Abstract'), 'Short.');
  assert.equal(mm.value('Headings'), 'One\nTwo');
});

test('groff’s own manuals', async (t) => {
  const ms = debianFile(t, 'groff', '/usr/share/doc/groff/pic.ms.gz', '/usr/share/doc/groff-base/pic.ms.gz');
  const me = ms && debianFile(t, 'groff', '/usr/share/doc/groff/meintro.me.gz');
  if (ms === undefined || me === undefined) return;
  const pic = await extractOf(summariseTroff, 'pic.ms', ms);
  assert.equal(pic.title, 'Making Pictures With GNU PIC');
  assert.equal(pic.value('Author'), 'Eric S. Raymond');
  assert.match(
    pic.value('Abstract') ?? '',
    /^The pic language is a troff extension .* explains the differences/,
  );
  assert.match(pic.value('Headings') ?? '', /^Introduction to PIC\nWhy PIC\?\n/);
  const intro = await extractOf(summariseTroff, 'meintro.me', me);
  assert.equal(intro.title, 'Writing Papers with GROFF using -me');
  assert.equal(intro.value('Author'), 'Eric P. Allman');
});

test('macros that call themselves and strings that grow are bounded', async () => {
  const loop = await extractOf(summariseTroff, 'x.ms', '.de x\n.x a\n.x b\nword\n..\n.x c\nend\n');
  assert.match(loop.body, /end$/);
  const grows = `${Array.from({ length: 60 }, () => '.ds a \\*a\\*aword').join('\n')}\n\\*a\nend\n`;
  assert.ok((await extractOf(summariseTroff, 'x.ms', grows)).body.length < 200_000);
});
