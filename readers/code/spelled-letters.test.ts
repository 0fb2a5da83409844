import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeFacts } from './code-facts.ts';
import { languageOf } from './languages.ts';
import { SpelledLetters } from './spelled-letters.ts';

/** The facts of a program by the name of its file. */
function factsOf(name: string, text: string) {
  const document = {
    url: `http://x/${name}`,
    name,
    bytes: Buffer.from(text),
    type: 'OtherCode',
    mediaType: 'text/plain',
  };
  return codeFacts(text, languageOf(document, text));
}

test('identifiers have letters of any script in every language', () => {
  const table: readonly (readonly [
    name: string,
    text: string,
    kind: 'function' | 'class' | 'type' | 'constant',
    found: string,
  ])[] = [
    ['a.py', 'def höhe(): pass', 'function', 'höhe'],
    ['a.py', 'class Größe:\n  pass', 'class', 'Größe'],
    ['a.py', 'ÖFFNUNG_MAX = 1', 'constant', 'ÖFFNUNG_MAX'],
    ['a.js', 'export function приливы() {}', 'function', 'приливы'],
    ['a.ts', 'export class Ström {}', 'class', 'Ström'],
    ['a.ts', 'const GRÖSSE = 1;', 'constant', 'GRÖSSE'],
    ['a.java', 'public class Höhe {\n  int größe(int x) { return 1; }\n}', 'function', 'größe'],
    ['a.java', 'public class Höhe { }', 'class', 'Höhe'],
    ['a.c', 'int höhe(int x) { return 1; }', 'function', 'höhe'],
    ['a.cpp', 'struct Größe { int x; };', 'type', 'Größe'],
    ['a.cs', 'class Маяк { void Гудок() { } }', 'function', 'Гудок'],
    ['a.go', 'func 潮位(x int) int { return 1 }', 'function', '潮位'],
    ['a.rs', 'pub fn überfluten() {}', 'function', 'überfluten'],
    ['a.swift', 'func hôtel() {}', 'function', 'hôtel'],
    ['a.rb', 'def été?\nend', 'function', 'été?'],
    ['a.php', '<?php\nfunction été() {}', 'function', 'été'],
    ['a.pl', 'use utf8;\nsub höhe { 1 }', 'function', 'höhe'],
    ['a.hs', 'größe :: Int', 'function', 'größe'],
    ['a.jl', 'x = 1', 'function', ''],
    ['a.py', 'def 𝔥öhe(): pass', 'function', '𝔥öhe'],
    ['a.py', 'def हिन्दी(): pass', 'function', 'हिन्दी'],
  ];
  for (const [name, text, kind, found] of table)
    assert.equal(factsOf(name, text).names[kind].field('N')[1].split('\n')[0], found, text);
});

test('code in ASCII stays as it is, also with the marks of the spelling', () => {
  const letters = new SpelledLetters();
  assert.equal(letters.spell('zqf6qz()'), 'zqf6qz()');
  assert.equal(letters.read('zqf6qz'), 'zqf6qz');
  for (const name of ['höhe', 'Öse', 'приливы', '潮位', '𝔥', 'e\u0301t'])
    assert.equal(letters.read(letters.spell(name)), name);
});

test('authors that the code names by a convention of its language', () => {
  const table: readonly (readonly [name: string, text: string, authors: readonly string[]])[] = [
    ['a.py', '__author__ = "Jörg Example"\n', ['Jörg Example']],
    ['a.py', "__author__ = ['Kim', 'Ann B']\n", ['Kim', 'Ann B']],
    ['setup.py', 'setup(\n    name="x",\n    author="Kim Example",\n)', ['Kim Example']],
    ['a.c', 'int x;\nMODULE_AUTHOR("Kim Example <kim@x.example>");', ['Kim Example <kim@x.example>']],
    ['a.gemspec', "Gem::Specification.new do |s|\n  s.authors = ['Kim', 'Ann']\nend", ['Kim', 'Ann']],
    ['a.pl', "our $AUTHOR = 'Kim Example';", ['Kim Example']],
    ['a.py', 'author = find("Kim Example")', []],
  ];
  for (const [name, text, authors] of table) assert.deepEqual(factsOf(name, text).authors, authors, text);
});
