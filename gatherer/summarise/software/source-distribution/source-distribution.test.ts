import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Extract, SummariseOptions } from '../../../../readers/document/index.ts';
import { DistributionReader } from './distribution-reader.ts';
import { DistributionSigns } from './distribution-signs.ts';
import { descriptionRank, readDescription } from './package-description.ts';

const options: SummariseOptions = { text: 'full', maxTextBytes: 1_000_000, maxDocumentBytes: 1_000_000 };
const tree: Readonly<Record<string, string>> = {
  'hive-1.0/tests/run.py': '"""Runs all tests there are."""\ndef run(): pass\n',
  'hive-1.0/vendor/comb/README': 'Comb\n\nComb is a part of the hive that others wrote.\n',
  'hive-1.0/vendor/comb/LICENSE':
    'Permission is hereby granted, free of charge, to any person obtaining a copy',
  'hive-1.0/vendor/comb/package.json': '{"name":"comb","version":"9.9.9"}',
  'hive-1.0/README':
    'Hive 1.0\n========\n\nHive counts the bees of a hive, one by one.\n\nKeywords: bees, hive\n\nInstall it with make.\n',
  'hive-1.0/COPYING': '\t\t    GNU GENERAL PUBLIC LICENSE\n\t\t       Version 2, June 1991\n',
  'hive-1.0/AUTHORS': 'Authors of Hive:\n  Ann Other <ann@hive.example>\n',
  'hive-1.0/configure.ac': 'AC_INIT([hive], [1.0.2], [bugs@hive.example])\n',
  'hive-1.0/Makefile':
    '# Builds the hive with any compiler.\nCC = cc\nall: hive\nhive: hive.o\n\t$(CC) -o hive hive.o\n.PHONY: all\n',
  'hive-1.0/man/hive.1':
    '.\\" made by hand\n.TH HIVE 1\n.SH NAME\nhive \\- count the \\fIbees\\fP\n.SH SYNOPSIS\n.B hive\n[\\fB\\-v\\fP] [file]\n.SH DESCRIPTION\nIt looks at every bee.\n',
  'hive-1.0/src/hive.c':
    '/* Counts bees by looking.\n * Copyright (C) 1999 Ann Other\n */\nint count(void) { return 1; }\n',
  'hive-1.0/src/drone.c': '/* Drones. */\nstatic void drone(void) {}\n',
};

function read(
  files: Readonly<Record<string, string | Uint8Array>>,
  name = 'x.tar',
  given: Partial<SummariseOptions> = {},
): Extract {
  const reader = new DistributionReader(name, { ...options, ...given });
  for (const [path, content] of Object.entries(files)) reader.add({ path, bytes: Buffer.from(content) });
  return reader.extract();
}

function values(extract: Extract): ReadonlyMap<string, string> {
  const text = extract.text?.blocks.map((block) => block.text).join('\n') ?? '';
  return new Map([...extract.fields, ['Title', extract.title ?? ''], ['text', text]]);
}

function assertHolds(extract: Extract, expected: Readonly<Record<string, string>>): void {
  const found = values(extract);
  assert.deepEqual(
    Object.fromEntries(Object.keys(expected).map((name) => [name, found.get(name)])),
    expected,
  );
}

test('one summary for a tree of sources, for any order of its files', () => {
  const backwards = Object.fromEntries(Object.entries(tree).reverse());
  for (const files of [tree, backwards]) {
    const found = read(files, 'hive-1.0.tar.gz');
    assertHolds(found, {
      Title: 'Hive 1.0',
      Description: 'Hive counts the bees of a hive, one by one.',
      Keywords: 'bees, hive',
      Package: 'hive',
      Version: '1.0.2',
      License: 'GPL-2.0',
      Copyright: 'Copyright (C) 1999 Ann Other',
      Author: 'Ann Other <ann@hive.example>',
      'Programming-Language': 'C',
      Languages: 'C: 2\nPython: 1',
      'Member-Count': '12',
      'Manual-Pages': 'hive(1) - count the bees',
      Synopsis: 'hive [-v] [file]',
      'Make-Targets': 'all\nhive',
    });
    const text = values(found).get('text') ?? '';
    const said = [
      'Hive counts the bees',
      'Comb is a part',
      'It looks at every bee.',
      'Builds the hive',
      'Drones.',
    ];
    const places = said.map((words) => text.indexOf(words));
    assert.ok(!places.includes(-1), said[places.indexOf(-1)]);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.match(values(found).get('Members') ?? '', /^hive-1\.0\/AUTHORS\nhive-1\.0\/COPYING\n/);
    assert.match(values(found).get('Functions') ?? '', /^drone$/m);
  }
});

test('no text where none is wanted', () => {
  const none = read(tree, 'x', { text: 'none' });
  assert.equal(none.text, undefined);
  assertHolds(none, { Title: 'Hive 1.0', Languages: 'C: 2\nPython: 1' });
});

test('without a README the title is the name of its package, folder or archive', () => {
  const { 'hive-1.0/README': _, ...rest } = tree;
  assertHolds(read({ 'a/package.json': '{"name":"bees","version":"2.0.0","description":"All bees"}' }), {
    Title: 'bees 2.0.0',
    Description: 'All bees',
  });
  const others = Object.entries(rest).filter(([path]) => !/configure|vendor/.test(path));
  assertHolds(read(Object.fromEntries(others)), {
    Title: 'x.tar',
    Package: 'hive',
    Version: '1.0',
    Description: 'count the bees',
  });
  assertHolds(read({ 'a.c': '' }, 'comb_2.1.orig.tar.xz'), { Package: 'comb', Version: '2.1' });
  assertHolds(read({}), { Title: 'x.tar', 'Member-Count': '0' });
  assertHolds(
    read({ README: 'README for the comb\n\nWords.\n', 'Cargo.toml': '[package]\nname = "comb"\n' }),
    {
      Title: 'comb',
    },
  );
});

test('files not read or listed are counted and noted', () => {
  const many = Array.from({ length: 6000 }, (_, at) => [`a/${at}.h`, `int f${at}(void);\n`] as const);
  const found = read({ ...Object.fromEntries(many), 'a/large.c': Buffer.alloc(5 * 1024 * 1024, 'x') });
  assert.deepEqual(found.notes, [
    '1001 members are not listed by name.',
    '1001 sources were not read: too many or too large.',
  ]);
  assertHolds(found, { 'Member-Count': '6001', Languages: 'C header: 6000\nC: 1' });
});

test('packed files are not read', () => {
  assertHolds(read({ 'README.gz': Buffer.from('\x1f\x8b\x08\0packed', 'latin1'), README: 'Hive 1.0\n' }), {
    Title: 'Hive 1.0',
  });
});

test('package descriptions of many programs', () => {
  const described: readonly (readonly [path: string, text: string, expected: object])[] = [
    [
      'package.json',
      '{"name":"bees","version":"1.2.3","license":"MIT","author":{"name":"Ann"},"keywords":["a","b"]}',
      { name: 'bees', version: '1.2.3', licence: 'MIT', authors: ['Ann'], keywords: ['a', 'b'] },
    ],
    [
      'Cargo.toml',
      '[package]\nname = "bees"\nversion = "1.2.3" # so far\nauthors = [\n  "Ann <a@b.example>",\n  "Bob",\n]\nlicense = "MIT/Apache-2.0"\n[dependencies]\nname = "other"\n',
      {
        name: 'bees',
        version: '1.2.3',
        licence: 'MIT OR Apache-2.0',
        authors: ['Ann <a@b.example>', 'Bob'],
      },
    ],
    [
      'pyproject.toml',
      '[build-system]\nrequires = ["x"]\n[project]\nname = "bees"\nversion = "1.2.3"\nauthors = [{name = "Ann", email = "a@b.example"}]\nlicense = {file = "LICENSE"}\nkeywords = ["a", "b"]\n',
      { name: 'bees', version: '1.2.3', licence: undefined, authors: ['Ann'], keywords: ['a', 'b'] },
    ],
    [
      'PKG-INFO',
      'Metadata-Version: 2.1\nName: bees\nVersion: 1.2.3\nSummary: All bees\nLicense: UNKNOWN\nAuthor: Ann\n\nName: other\n',
      { name: 'bees', version: '1.2.3', description: 'All bees', licence: undefined, authors: ['Ann'] },
    ],
    [
      'setup.cfg',
      '[metadata]\nname = bees\nversion = attr: bees.__version__\nkeywords =\n  a\n  b\n',
      { name: 'bees', version: undefined, keywords: ['a', 'b'] },
    ],
    [
      'setup.py',
      "from setuptools import setup\nsetup(\n  name='bees', version=\"1.2.3\", description='All bees', author='Ann', keywords='a, b')\n",
      { name: 'bees', version: '1.2.3', description: 'All bees', authors: ['Ann'], keywords: ['a', 'b'] },
    ],
    [
      'bees.gemspec',
      'Gem::Specification.new do |s|\n  s.name = "bees"\n  s.version = Bees::VERSION\n  s.summary = "All bees"\n  s.authors = ["Ann", "Bob"]\n  s.license = "MIT"\nend\n',
      { name: 'bees', version: undefined, description: 'All bees', licence: 'MIT', authors: ['Ann', 'Bob'] },
    ],
    [
      'Makefile.PL',
      "WriteMakefile(NAME => 'All::Bees', VERSION => '1.23', ABSTRACT => 'All bees', AUTHOR => 'Ann');\n",
      { name: 'All::Bees', version: '1.23', description: 'All bees', authors: ['Ann'] },
    ],
    [
      'bees.cabal',
      'name:                bees\nversion:             1.2\n-- x\nsynopsis:  All bees\nlicense: BSD3\n',
      { name: 'bees', version: '1.2', description: 'All bees', licence: 'BSD3' },
    ],
    [
      'DESCRIPTION',
      'Package: bees\nVersion: 1.2\nTitle: All\n    Bees\nLicense: GPL (>= 2)\nAuthor: Ann [aut, cre], Bob [ctb]\n',
      { name: 'bees', version: '1.2', description: 'All Bees', authors: ['Ann [aut, cre]', 'Bob [ctb]'] },
    ],
    [
      'bees.lsm',
      'Begin4\nTitle:          Bees\nVersion:        1.2\nDescription:    Counts\n                bees\nKeywords:       bees, hive\nCopying-policy: GPL\nEnd\n',
      {
        name: 'Bees',
        version: '1.2',
        description: 'Counts bees',
        licence: 'GPL',
        keywords: ['bees', 'hive'],
      },
    ],
    ['bees.spec', 'Name: bees\nVersion: %{ver}\nSummary: All bees\n', { name: 'bees', version: undefined }],
    [
      'meson.build',
      "project('bees', ['c'],\n  version : '1.2', license : ['MIT'])\n",
      { name: 'bees', version: '1.2', licence: 'MIT' },
    ],
    [
      'CMakeLists.txt',
      'cmake_minimum_required(VERSION 3.1)\nproject(bees VERSION 1.2 DESCRIPTION "All bees" LANGUAGES C)\n',
      { name: 'bees', version: '1.2', description: 'All bees' },
    ],
    ['configure.ac', 'AC_INIT(bees, 1.2)\n', { name: 'bees', version: '1.2' }],
    ['configure.in', 'AC_INIT([bees], m4_esyscmd([./version]))\n', { name: undefined, version: undefined }],
    [
      'configure',
      "#! /bin/sh\nPACKAGE_NAME='GNU Bees'\nPACKAGE_VERSION='1.2'\n",
      { name: 'GNU Bees', version: '1.2' },
    ],
    [
      'pom.xml',
      '<project><parent><artifactId>all</artifactId><version>7</version></parent><artifactId>bees</artifactId><version>1.2</version><licenses><license><name>MIT</name></license></licenses><dependencies><dependency><artifactId>x</artifactId></dependency></dependencies></project>',
      { name: 'bees', version: '1.2', licence: 'MIT' },
    ],
    ['go.mod', 'module bees.example/hive\n\ngo 1.20\n', { name: 'bees.example/hive' }],
    [
      'debian/control',
      'Source: bees\nMaintainer: Ann <a@b.example>\n\nPackage: bees-bin\nDescription: counts bees\n one by one\n',
      { name: 'bees', description: 'counts bees one by one', authors: ['Ann <a@b.example>'] },
    ],
    ['debian/changelog', 'bees (1:1.2-3) unstable; urgency=low\n', { name: 'bees', version: '1:1.2-3' }],
  ];
  for (const [path, text, expected] of described) {
    const rank = descriptionRank(`x/${path}`);
    assert.ok(rank !== undefined, path);
    const found = new Map(Object.entries(readDescription(rank, text)));
    const held = Object.fromEntries(Object.keys(expected).map((key) => [key, found.get(key)]));
    assert.deepEqual(held, expected, path);
  }
  for (const path of ['README', 'control', 'x/changelog', 'a.c'])
    assert.equal(descriptionRank(path), undefined);
});

test('the description nearest the top counts, and of several there the one with most facts', () => {
  const found = read({
    'a/b/package.json': '{"name":"inner","version":"9"}',
    'a/configure.ac': 'AC_INIT([outer],[1.0])',
    'a/debian/control': 'Source: outer-deb\nDescription: From Debian\n',
    'a/Cargo.toml': '[package]\nname = "crate"\n',
  });
  assertHolds(found, { Package: 'crate', Version: '1.0', Description: 'From Debian' });
});

function looksLike(paths: readonly string[]): boolean {
  const signs = new DistributionSigns();
  for (const path of paths) signs.add(path);
  return signs.found;
}

test('names of source distributions', () => {
  assert.ok(looksLike(Object.keys(tree)));
  assert.ok(looksLike(['a/package.json', 'a/index.js', 'a/README.md', 'a/HISTORY.md', 'a/LICENSE.md']));
  assert.ok(looksLike(['package.json', 'lib/index.js', '__MACOSX/._lib']));
  assert.ok(looksLike(['bees-1/debian/control', 'bees-1/bees.sh']));
  assert.ok(looksLike(['Bees/Bees.sln', 'Bees/Main.cs']));
});

test('names of other archives', () => {
  const site = Array.from({ length: 20 }, (_, at) => `site/page${at}.html`);
  for (const paths of [
    [],
    ['a.c'],
    ['photos/README', 'photos/a.jpg'],
    // Figure 5 of the paper: it has no build file.
    ['README', 'doc/essence.1', 'doc/Essence.ms', 'doc/Essence.ps', 'src/pstext/pstext/dvi.c'],
    [...site, 'site/style.css', 'site/menu.js', 'site/search.js'],
    [...site, 'site/package.json', 'site/menu.js'],
    ['thesis/Makefile', 'thesis/a.tex', 'thesis/b.tex', 'thesis/c.tex', 'thesis/plot.py'],
    ['book/package.json', 'book/build.js', 'book/1/a.md', 'book/1/b.md', 'book/2/c.md'],
    // Two trees in one archive, neither of them all of it.
    ['a/Makefile', 'a/a.c', 'b/Makefile', 'b/b.c'],
    ['usr/share/doc/x/examples/Makefile', 'usr/share/doc/x/examples/a.c'],
    ['home/notes.txt', 'home/work/Makefile', 'home/work/a.c'],
  ])
    assert.equal(looksLike(paths), false, paths.join(' '));
});

test('no bytes and no names make it throw, and its summary is bounded', () => {
  const names = fc.constantFrom(
    ...[
      'README',
      'Makefile',
      'a.c',
      'x.1',
      'COPYING',
      'package.json',
      'pyproject.toml',
      'setup.py',
      'pom.xml',
    ],
    ...['DESCRIPTION', 'debian/control', 'AUTHORS', 'configure', 'CMakeLists.txt', 'x.lsm', 'bees-1.0/a.h'],
  );
  const content = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '.TH A 1\n.SH NAME\na \\- b\n',
      '{"name":{"name":[',
      "NAME => 'x",
      '[project]\nname=[["',
      '<parent>',
    ),
  );
  const files = fc.array(fc.tuple(fc.oneof(names, fc.string()), content), { maxLength: 12 });
  fc.assert(
    fc.property(files, fc.constantFrom('full', 'selected', 'none'), (members, text) => {
      const reader = new DistributionReader('x', { ...options, text, maxTextBytes: 1000 });
      for (const [path, words] of members) reader.add({ path, bytes: Buffer.from(words) });
      const found = reader.extract();
      if (text === 'full') assert.ok(Buffer.byteLength(values(found).get('text') ?? '') <= 1000);
      for (const [name, value] of found.fields) {
        assert.match(name, /^[A-Za-z][A-Za-z0-9-]*$/);
        assert.equal(Buffer.from(value).toString(), value, `${name} is not well formed`);
      }
    }),
    { numRuns: 300 },
  );
});
