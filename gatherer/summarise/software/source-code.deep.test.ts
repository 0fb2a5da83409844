import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  installedFile,
  summarised,
} from '../../testing/summarise-sample.ts';
import { summariseSourceCode } from './source-code.ts';

const read = (source: string, name: string, text: 'full' | 'selected' | 'none' = 'full') =>
  summarised(summariseSourceCode, source, name, text);

test('C: old and new heads, macros, enumerators, types, both branches of a condition once', async () => {
  const found = await read(
    `/* dvi.c -- extract text from DVI files.
 * Copyright (c) 1993 A. Person
 */
#include <stdio.h>
#include "dvi.h"
#define LIMIT 12
#define GUARD_H
static int
getnum(fp, n, sign)
FILE *fp;
int n, sign;
{ return printf("} {"); }
struct point { int x; } origin = { 0 };
char *names[] = { "a", "b" };
struct point *mk(int x) { if (x) { return 0; } return 0; }
enum { ONE, TWO = 2 };
typedef enum color { RED } color_t;
typedef int (*handler)(int);
#if FOO
int f(void) {
#else
int f(int a) {
#endif
 return 1; }
int declared(int x);
int last OF((int x)) { return 0; }
`,
    'dvi.c',
  );
  assertHolds(found, {
    Description: 'dvi.c -- extract text from DVI files.',
    'Programming-Language': 'C',
    Functions: 'getnum\nmk\nf\nlast',
    Types: 'point\ncolor\ncolor_t\nhandler',
    Constants: 'LIMIT\nONE\nTWO\nRED',
    Imports: 'stdio.h\ndvi.h',
    Copyright: 'Copyright (c) 1993 A. Person',
    Lines: '26',
  });
});

test('headers of real libraries', async (t) => {
  const header = installedFile(t, '/usr/include/zlib.h', 'zlib1g-dev');
  if (header === undefined) return;
  const found = await summarised(summariseSourceCode, header, 'zlib.h', 'selected');
  assertHolds(found, {
    'Programming-Language': 'C header',
    License: 'Zlib',
    Imports: 'zconf.h',
  });
  assert.match(
    found.get('Description') ?? '',
    /^zlib\.h -- interface of the 'zlib' general purpose compression library/,
  );
  assert.match(found.get('Functions') ?? '', /^zlibVersion\ndeflate\ndeflateEnd\ninflate\n/);
  assert.match(found.get('Types') ?? '', /\nz_stream\n/);
  assert.match(found.get('Copyright') ?? '', /Jean-loup Gailly and Mark Adler$/);
});

test('Java: package, classes, records, methods of interfaces, constants', async () => {
  const found = await read(
    `package org.example.bees;
import java.util.List;
/** Counts bees. @author Ann Other */
@SuppressWarnings("x")
public class Hive<T extends Bee> implements Iterable<T> {
  public static final int MAX_BEES = 12;
  enum Kind { WORKER, DRONE; int weight() { return 1; } }
  interface Visitor { void visit(Bee bee); }
  record Cell(int x, int y) { int area() { return x*y; } }
  @Override public List<T> all(int from) throws IOException { if (x) { foo(); } return null; }
}
`,
    'Hive.java',
  );
  assertHolds(found, {
    Description: 'Counts bees.',
    Author: 'Ann Other',
    Package: 'org.example.bees',
    Classes: 'Hive\nCell',
    Types: 'Kind\nVisitor',
    Functions: 'visit\narea\nall',
    Constants: 'MAX_BEES\nWORKER\nDRONE',
    Imports: 'java.util.List',
  });
});

test('C++: members, scopes, templates; using is no import of a name', async () => {
  const found = await read(
    `// SPDX-License-Identifier: MIT OR Apache-2.0
#include <vector>
namespace bees { using std::vector;
template <class T> class Hive : public Base<T> { public: Hive() : n_(0) {} ~Hive(); int size() const { return n_; } };
int Hive<int>::count(const char *s) { return R"x(} " {)x"[0]; }
bool operator==(const A &a, const B &b) { return true; }
}
extern "C" { int plain(void) { return 1; } }
`,
    'hive.cc',
  );
  assertHolds(found, {
    'Programming-Language': 'C++',
    License: 'MIT OR Apache-2.0',
    Package: 'bees',
    Classes: 'Hive',
    Functions: 'Hive\n~Hive\nsize\nHive<int>::count\noperator==\nplain',
    Imports: 'vector',
  });
});

// Language, file name, source, expected attributes.
const samples: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  [
    'x.py',
    '#!/usr/bin/env python3\n"""Counts bees in a hive.\n\nMore."""\nimport os.path\nfrom re import compile\nMAX = 3\nclass Hive(object):\n    """A hive full."""\n    def count(self):\n        return "def no(): pass"\nasync def later(): pass\n',
    {
      Description: 'Counts bees in a hive.',
      Interpreter: 'python3',
      Classes: 'Hive',
      Functions: 'count\nlater',
      Imports: 'os.path\nre',
      Constants: 'MAX',
    },
  ],
  [
    'x.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program read.
    "// A store of bees.\nimport { a } from './a.ts';\nimport 'node:fs';\nexport interface Bee { readonly name: string }\nexport type Hive = readonly Bee[];\nexport const maxBees = 3;\nexport function count(hive: Hive): number { return `function no() ${'`'}`; }\nexport class Queen {\n  lay(eggs: number): void {\n    if (eggs) {\n    }\n  }\n}\nconst r = /function x\\(\\) { \"/.test(y);\n",
    {
      Description: 'A store of bees.',
      Imports: './a.ts\nnode:fs',
      Types: 'Bee\nHive',
      Constants: 'maxBees',
      Functions: 'count\nlay',
      Classes: 'Queen',
    },
  ],
  [
    'x.js',
    "'use strict';\nconst fs = require('fs');\nexports.count = function () { return /[/'\"]/; };\nfunction lay() {}\nfunction* walk() {}\n",
    { Imports: 'fs', Functions: 'count\nlay\nwalk' },
  ],
  [
    'x.go',
    '// Package bees counts bees.\npackage bees\n\nimport (\n\t"fmt"\n\tio "example.org/io"\n)\n\ntype Hive struct{}\n\nfunc (h *Hive) Count() int { return 1 }\nfunc Lay() {}\nconst MaxBees = 3\n',
    {
      Description: 'Package bees counts bees.',
      Package: 'bees',
      Imports: 'fmt\nexample.org/io',
      Types: 'Hive',
      Functions: 'Count\nLay',
      Constants: 'MaxBees',
    },
  ],
  [
    'x.rs',
    "//! Counts bees.\nuse std::fmt;\npub struct Hive<'a> { s: &'a str }\npub(crate) fn count(c: char) -> bool { c == '\"' || c == '\\'' }\npub const MAX: u8 = 3;\nmacro_rules! hum { () => {} }\nimpl<'a> Hive<'a> { pub async fn lay(&self) -> &'static str { r#\"fn no() \"#\" } }\n",
    {
      Description: 'Counts bees.',
      Imports: 'std::fmt',
      Types: 'Hive',
      Functions: 'count\nhum',
      Constants: 'MAX',
    },
  ],
  [
    'x.pl',
    '#!/usr/bin/perl -w\npackage Bees::Count;\nuse Text::Wrap;\n# helps\nsub count { my $n = $#_; return $n }\n=head1 NAME\n\nBees::Count - counts B<bees>\n\n=head1 AUTHOR\n\nAnn\n\n=cut\nsub after { 1 }\n',
    {
      Description: 'Bees::Count - counts bees',
      Interpreter: 'perl',
      Package: 'Bees::Count',
      Imports: 'Text::Wrap',
      Functions: 'count\nafter',
    },
  ],
  [
    'x.sh',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program read.
    '#! /bin/sh\n# count - count the bees\n# Copyright (C) 2001 Ann Other\n. ./lib.sh\ncount() { echo ${#x}; }\nfunction lay { cat <<EOF\nfunction no() {\nEOF\n}\nexport HIVE=1\n',
    {
      Description: 'count - count the bees',
      Interpreter: 'sh',
      Imports: './lib.sh',
      Functions: 'count\nlay',
      Constants: 'HIVE',
      Copyright: 'Copyright (C) 2001 Ann Other',
    },
  ],
  [
    'x.tcl',
    '# Shows bees in a window.\npackage require Tk\nproc ::bees::show {n} {\n  set x "# no"\n}\n',
    { Description: 'Shows bees in a window.', Imports: 'Tk', Functions: '::bees::show' },
  ],
  [
    'x.awk',
    '# Sums a column.\nfunction add(a, b) { return a + b }\n{ s = add(s, $1) }\n',
    { Description: 'Sums a column.', Functions: 'add' },
  ],
  [
    'x.rb',
    '# A hive of bees.\nrequire "set"\nmodule Bees\n  class Hive\n    MAX = 3\n    def full?\n    end\n  end\nend\n',
    { Package: 'Bees', Classes: 'Hive', Functions: 'full?', Imports: 'set', Constants: 'MAX' },
  ],
  [
    'x.php',
    '<?php\n/** Counts the bees. */\nnamespace Bees;\nuse Other\\Thing;\nfinal class Hive {\n  const MAX = 3;\n  public static function count(int $n) {}\n}\n',
    {
      Description: 'Counts the bees.',
      Package: 'Bees',
      Imports: 'Other\\Thing',
      Classes: 'Hive',
      Functions: 'count',
      Constants: 'MAX',
    },
  ],
  [
    'x.el',
    ';;; bees.el --- count bees\n(require \'cl-lib)\n(defvar bees-max 3 "How many.")\n(defun bees-count (n)\n  "Count N bees."\n  n)\n(provide \'bees)\n',
    {
      Description: 'bees.el --- count bees',
      Imports: 'cl-lib',
      Functions: 'bees-count',
      Constants: 'bees-max',
      Package: 'bees',
    },
  ],
  [
    'x.scm',
    '; A hive of bees.\n(define (count hive) 1)\n(define max 3)\n',
    { Functions: 'count', Constants: 'max' },
  ],
  [
    'x.sql',
    "-- Tables of bees.\nCREATE TABLE IF NOT EXISTS hive (id int, note text default '-- no');\ncreate view full_hives as select 1;\n",
    { Description: 'Tables of bees.', Types: 'hive\nfull_hives' },
  ],
  [
    'x.f',
    "C     Counts the bees in a hive.\n      SUBROUTINE COUNT(N)\n      INTEGER FUNCTION LAY(E)\n      INCLUDE 'hive.inc'\n      END\n",
    { Description: 'Counts the bees in a hive.', Functions: 'COUNT\nLAY', Imports: 'hive.inc' },
  ],
  [
    'x.f90',
    '! Counts bees.\nmodule bees\n  use iso_c_binding\n  real, parameter :: most = 3.0\ncontains\n  pure function count(n)\n  end function count\nend module bees\n',
    { Package: 'bees', Imports: 'iso_c_binding', Functions: 'count', Constants: 'most' },
  ],
  [
    'x.css',
    '/* Colours of bees. */\n@import url("base.css");\n:root { \n  --wing: #fff;\n}\n.hive {\n}\n',
    { Description: 'Colours of bees.', Imports: 'base.css', Constants: '--wing', Classes: '.hive' },
  ],
  [
    'x.lua',
    '-- Counts bees.\nlocal function count(n) return n end\nfunction Hive.lay(e) end\nlocal m = require "m"\n',
    { Description: 'Counts bees.', Functions: 'count\nHive.lay', Imports: 'm' },
  ],
  [
    'x.kt',
    '// Counts bees.\npackage bees\nimport a.b.C\ndata class Hive(val n: Int)\nfun count(h: Hive): Int = 1\n',
    { Package: 'bees', Imports: 'a.b.C', Classes: 'Hive', Functions: 'count' },
  ],
  [
    'unknown.xyz',
    '# Plain words of a comment\nx = 1 // and more\n',
    { Description: 'Plain words of a comment' },
  ],
];

test('each language: definitions, imports and purpose', async () => {
  for (const [name, source, expected] of samples)
    try {
      assertHolds(await read(source, name), expected);
    } catch (error) {
      throw new Error(`${name}: ${String(error)}`, { cause: error });
    }
});

test('full text is the program, selected its comments, none nothing', async () => {
  const source = '# Says hello to all.\nprint("hello") # loudly\n';
  assert.equal((await read(source, 'x.py')).get('Full-Text'), source.trim());
  assert.equal((await read(source, 'x.py', 'selected')).get('Partial-Text'), 'Says hello to all.\nloudly');
  const none = await read(source, 'x.py', 'none');
  assert.equal(none.has('Full-Text') || none.has('Partial-Text'), false);
  assert.equal(none.get('Description'), 'Says hello to all.');
});

test('programs of the system', async (t) => {
  const textwrap = installedFile(t, '/usr/share/perl/5.36/Text/Wrap.pm', 'perl-modules-5.36');
  if (textwrap !== undefined)
    assertHolds(await summarised(summariseSourceCode, textwrap, 'Wrap.pm'), {
      Description: 'Text::Wrap - line wrapping to form simple paragraphs',
      Package: 'Text::Wrap',
      Functions: '_xlen\nwrap\nfill',
    });
  const zgrep = installedFile(t, '/usr/bin/zgrep', 'gzip');
  if (zgrep !== undefined)
    assertHolds(await summarised(summariseSourceCode, zgrep, 'zgrep'), {
      Interpreter: 'sh',
      License: 'GPL-3.0-or-later',
    });
});

test('no source is too strange', async () => {
  const sources = samples.map(([, source]) => Buffer.from(source));
  for (const name of ['x.c', 'x.js', 'x.py', 'x.pl', 'x.sh', 'x.rs', 'x.el', 'x.f90', 'x.hs', 'x.pas', 'x'])
    await assertSurvives(summariseSourceCode, sources.slice(0, 4), name);
});

test('hostile sources take linear time', async () => {
  const parts = [
    '(/[',
    '`${',
    '/*',
    '* ',
    '{',
    'a(',
    '#if 0\n',
    '"a',
    '<<A\n',
    'R"(',
    "'a",
    '\n"""',
    '(*',
    '\n=a',
    '*',
    ' ',
    'A((',
    '__attribute__((',
  ];
  for (const name of ['x.c', 'x.js', 'x.py', 'x.sh', 'x.rs', 'x.pl'])
    await assertLinear(summariseSourceCode, parts, name);
});
