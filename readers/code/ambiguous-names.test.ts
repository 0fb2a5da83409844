import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorLanguage, interpreterOf, languageOf } from './languages.ts';

const rows: readonly (readonly [name: string, language: string, text: string])[] = [
  ['a.h', 'C header', '#ifndef A_H\n#define A_H\nint tide(int x);\n#endif\n'],
  [
    'a.h',
    'C header',
    '#ifdef __cplusplus\nextern "C" {\n#endif\nint tide(void);\n#ifdef __cplusplus\n}\n#endif\n',
  ],
  ['a.h', 'C header', '#ifdef __cplusplus\nnamespace sea { class Tide; }\n#endif\nint tide(void);\n'],
  ['a.h', 'C header', '/* class Tide {\n namespace sea { */\nstruct tide { int height; };\n'],
  ['a.h', 'C header', '// template <class T>\n#include <stdio.h>\nstruct tide { int class; };\n'],
  ['a.h', 'C++', '#pragma once\n#include <vector>\nint tide();\n'],
  ['a.h', 'C++', 'namespace sea {\nint tide();\n}\n'],
  ['a.h', 'C++', 'template <typename T> class Tide { T t; };\n'],
  ['a.h', 'C++', 'class Q_EXPORT Tide : public Sea {\npublic:\n  virtual ~Tide();\n};\n'],
  ['a.h', 'Objective-C', '#import <UIKit/UIKit.h>\n@interface Tide : UIView\n@end\n'],
  ['a.h', 'Objective-C', '@class Sea;\n@protocol Tide\n- (void)rise;\n@end\n'],
  ['a.m', 'Objective-C', '/* Tides */\n#include <stdio.h>\n@implementation Tide\n@end\n'],
  ['a.m', 'Objective-C', '#include <stdio.h>\nint main(void) { return 0; }\n'],
  ['a.m', 'MATLAB', 'function [h] = tide(t)\n% TIDE height\nh = sin(t);\nend\n'],
  ['a.m', 'MATLAB', '%% Tides\nclear; close all\nplot(1:10)\n'],
  ['a.m', 'MATLAB', 'classdef Tide < handle\nend\n'],
  ['a.m', 'MATLAB', 'x = linspace(0, 1);\nplot(x)\n'],
  ['a.m', 'Mercury', ':- module tide.\n:- interface.\n:- pred main(io::di, io::uo) is det.\n'],
  ['a.m', 'Mathematica', '(* ::Package:: *)\nBeginPackage["Tide`"]\n'],
  ['a.mm', 'Objective-C', '#import "Tide.h"\n@implementation Tide\n@end\n'],
  ['a.pl', 'Perl', '#!/usr/bin/perl -w\nprint 1;\n'],
  ['a.pl', 'Perl', 'package Tide;\nour $x = 1;\n1;\n'],
  ['a.pl', 'Perl', '=head1 NAME\n\nTide\n\n=cut\nsub rise { 1 }\n'],
  ['a.pl', 'Perl', 'print "tide\\n";\n'],
  ['a.pl', 'Prolog', ':- module(tide, [rise/2]).\nrise(X, Y) :- Y is X + 1.\n'],
  ['a.pl', 'Prolog', '% Kin.\nparent(anna, bert).\ngrand(X, Y) :- parent(X, Z), parent(Z, Y).\n'],
  ['a.pl', 'Prolog', '#!/usr/bin/env swipl\nmain --> [].\n'],
  ['run.sh', 'Python', '#!/usr/bin/python3\nimport tide\n'],
];

test('the language of an extension that several languages have is that of the program', () => {
  for (const [name, language, text] of rows) {
    const type = name === 'run.sh' ? 'Python' : 'OtherCode';
    assert.deepEqual([name, text, languageOf({ name, type }, text).name], [name, text, language]);
  }
});

test('the interpreter of a #! line is behind env, its options, its variables and starting programs', () => {
  for (const [line, interpreter] of [
    ['/usr/bin/env -S python3 -u', 'python3'],
    ['/usr/bin/env python', 'python'],
    ['/usr/bin/env -S A=1 B=2 /opt/bin/node --flag', 'node'],
    ['/usr/bin/env -S"perl -w"', 'perl'],
    ["/usr/bin/env -S 'perl -w'", 'perl'],
    ['/usr/bin/env --split-string=awk -f', 'awk'],
    ['/usr/bin/env -i -u HOME -C /tmp bash', 'bash'],
    ['/usr/bin/env -vS ruby', 'ruby'],
    ['/usr/bin/env -S npx --yes tsx', 'tsx'],
    ['/usr/bin/env -S poetry run python', 'python'],
    ['/usr/bin/env -S uv run --script', 'uv'],
    ['/bin/busybox sh', 'sh'],
    ['/usr/bin/env', undefined],
    ['/usr/bin/env -S', undefined],
  ] as const)
    assert.deepEqual([line, interpreterOf(`#!${line}\nwords`)], [line, interpreter]);
  assert.equal(interpreterOf('#! /usr/bin/env nix-shell\n#! nix-shell -i bash -p jq\n'), 'bash');
  assert.equal(interpreterOf('# a comment'), undefined);
});

test('a line for Emacs or vim names the language', () => {
  assert.equal(editorLanguage('// <vector> -*- C++ -*-\n')?.name, 'C++');
  assert.equal(editorLanguage('# -*- mode: python; coding: utf-8 -*-\n')?.name, 'Python');
  assert.equal(editorLanguage('# -*- coding: utf-8; mode: ruby -*-\n')?.name, 'Ruby');
  assert.equal(editorLanguage('#\n# vim: set ft=perl ts=4:\n')?.name, 'Perl');
  assert.equal(editorLanguage('-*- text -*-\n'), undefined);
  assert.equal(editorLanguage('words\n'), undefined);
});
