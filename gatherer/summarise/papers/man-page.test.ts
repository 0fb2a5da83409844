import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseManPage } from './man-page.ts';

test('a page in the man macros', async () => {
  const page = await extractOf(
    summariseManPage,
    'bee.1',
    String.raw`'\" t
.\" -*- coding: latin-1 -*-
.TH BEE 1 "May 1996" "Hive 2.1" "User Commands"
.ie \n(.g .ds Aq \(aq
.el       .ds Aq '
.SH NAME
bee, wasp \- keep \fBflying\fR insects
.SH SYNOPSIS
.B bee
[\fI\,OPTION\/\fR]... \fIHIVE\fR
.SH DESCRIPTION
Don\*(Aqt sting \(em it\(cqs \s-1BAD\s+1.
.TP
.BR \-q ", " \-\-quiet
fly without noise
.if t printed only
.de HB
hive of \\$1
..
.HB "many bees"
.TS
lb l.
Kind	Legs
bee	6
.TE
.SH AUTHOR
Written by Maja B. Bee and Willi Drone.
.SH "SEE ALSO"
.BR ant (1),
.UR http://hive.example/
the hive
.UE .
`,
  );
  assert.equal(page.title, 'bee(1) - keep flying insects');
  assert.deepEqual(Object.fromEntries(page.fields), {
    Description: 'keep flying insects',
    Keywords: 'bee, wasp',
    Section: '1',
    Synopsis: 'bee [OPTION]... HIVE',
    Options: '-q, --quiet',
    'Author-1': 'Maja B. Bee',
    'Author-2': 'Willi Drone',
    Date: 'May 1996',
    Source: 'Hive 2.1',
    'See-Also': 'ant(1)',
    Headings: 'NAME\nSYNOPSIS\nDESCRIPTION\nAUTHOR\nSEE ALSO',
  });
  assert.match(page.body, /^Don't sting — it’s BAD\.$/m);
  assert.match(page.body, /^-q, --quiet fly without noise hive of many bees$/m);
  assert.match(page.body, /^bee 6$/m);
  assert.doesNotMatch(page.body, /printed only|coding/);
  assert.deepEqual(page.references, ['http://hive.example/']);
});

test('a page in mdoc', async () => {
  const page = await extractOf(
    summariseManPage,
    'fly.8',
    `.Dd $Mdocdate: July 3 2001 $
.Dt FLY 8
.Os Hive
.Sh NAME
.Nm fly ,
.Nm land
.Nd move through air
.Sh SYNOPSIS
.Nm
.Op Fl hv
.Op Fl a Ar altitude
.Oo Ar from Ns / Ns Ar to Oc
.Sh DESCRIPTION
The
.Nm
command uses
.Xr wing 3 .
.Bl -tag -width Ds
.It Fl a Ar altitude
How high
.Pq in metres .
.It Fl Fl help
.El
.Sh AUTHORS
.An Amelia E. Hart Aq Mt ae@hive.example
`,
  );
  assert.equal(page.title, 'fly(8) - move through air');
  assert.equal(page.value('Keywords'), 'fly, land');
  assert.equal(page.value('Synopsis'), 'fly [-hv] [-a altitude] [from/to]');
  assert.equal(page.value('Options'), '-a altitude\n--help');
  assert.equal(page.value('See-Also'), 'wing(3)');
  assert.equal(page.value('Author'), 'Amelia E. Hart');
  assert.equal(page.value('Date'), 'July 3 2001');
  assert.match(page.body, /^The fly command uses wing\(3\)\.$/m);
  assert.match(page.body, /^-a altitude How high \(in metres\)\.$/m);
});

test('a name with a comma in angle brackets is one name, and a program is no author', async () => {
  const page = [
    '.TH "hive::Map< Key, List< Bee, Wasp > >" 3cxx "2 May 2026" "hive"',
    '.SH NAME',
    'hive::Map< Key, List< Bee, Wasp > >, hive::map \\- Maps bees\\&.',
    '.SH Author',
    '.PP',
    'Generated automatically by Doxygen for hive from the source code\\&.',
  ];
  const found = await extractOf(summariseManPage, 'hive.3cxx', page.join('\n'));
  assert.equal(found.title, 'hive::Map< Key, List< Bee, Wasp > >(3cxx) - Maps bees.');
  assert.equal(found.value('Keywords'), 'hive::Map< Key, List< Bee, Wasp > >, hive::map');
  assert.equal(found.value('Author'), undefined);
});

test('a comma in parentheses divides no authors', async () => {
  const page =
    '.TH HIVE 1\n.SH NAME\nhive \\- keep bees\n.SH AUTHORS\nAnn Bee (for the hive, see AUTHORS), Bob Wasp\n';
  const found = await extractOf(summariseManPage, 'hive.1', page);
  assert.equal(found.value('Author-1'), 'Ann Bee (for the hive, see AUTHORS)');
  assert.equal(found.value('Author-2'), 'Bob Wasp');
});

test('a page that only includes another', async () => {
  const page = await extractOf(summariseManPage, 'fprintf.3', '.so man3/printf.3\n');
  assert.equal(page.value('See-Also'), 'printf(3)');
  assert.deepEqual(page.references, ['http://site.example/man3/printf.3']);
});

test('pages of Debian: coreutils and OpenSSH', async (t) => {
  const ls = debianFile(t, 'coreutils and man pages', '/usr/share/man/man1/ls.1.gz');
  if (ls === undefined) return;
  const page = await extractOf(summariseManPage, 'ls.1', ls);
  assert.equal(page.title, 'ls(1) - list directory contents');
  assert.equal(page.value('Synopsis'), 'ls [OPTION]... [FILE]...');
  assert.equal(page.value('Author-1'), 'Richard M. Stallman');
  assert.match(page.value('Options') ?? '', /^-a, --all\n-A, --almost-all\n/);
  assert.match(page.value('Source') ?? '', /^GNU coreutils /);
});

test('a page of Debian in mdoc: ssh-add', async (t) => {
  const bytes = debianFile(t, 'openssh-client', '/usr/share/man/man1/ssh-add.1.gz');
  if (bytes === undefined) return;
  const page = await extractOf(summariseManPage, 'ssh-add.1', bytes);
  assert.equal(page.title, 'ssh-add(1) - adds private key identities to the OpenSSH authentication agent');
  assert.match(page.value('Synopsis') ?? '', /^ssh-add -s pkcs11$/m);
  assert.match(page.value('See-Also') ?? '', /ssh-agent\(1\)/);
  assert.ok((page.value('Options') ?? '').split('\n').includes('-t life'));
});

test('a page without a NAME section is named by its title line, whose case counts where it has small letters', async () => {
  const title = async (th: string) =>
    (await extractOf(summariseManPage, 'tide.3pm', `.TH ${th}\n.SH SYNOPSIS\ntide\n`)).title;
  assert.equal(await title('Tide::Table 3pm'), 'Tide::Table(3pm)');
  assert.equal(await title('TIDE 1'), 'tide(1)');
});
