import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeSourceDistribution, summariseSourceDistribution } from './source-distribution.ts';
import { assertHolds, attributesOf } from './summarised-fixture.test.ts';

const options = { text: 'full', maxTextBytes: 1_000_000, maxDocumentBytes: 1_000_000 } as const;
const tree = {
  'hive-1.0/README':
    'Hive 1.0\n========\n\nHive counts the bees of a hive, one by one.\n\nInstall it with make.\n',
  'hive-1.0/COPYING': '\t\t    GNU GENERAL PUBLIC LICENSE\n\t\t       Version 2, June 1991\n',
  'hive-1.0/AUTHORS': 'Authors of Hive:\n  Ann Other <ann@hive.example>\n',
  'hive-1.0/Makefile':
    '# Builds the hive with any compiler.\nCC = cc\nall: hive\nhive: hive.o\n\t$(CC) -o hive hive.o\n.PHONY: all\n',
  'hive-1.0/man/hive.1':
    '.\\" made by hand\n.TH HIVE 1\n.SH NAME\nhive \\- count the \\fIbees\\fP\n.SH SYNOPSIS\n.B hive\n[file]\n',
  'hive-1.0/src/hive.c':
    '/* Counts bees by looking.\n * Copyright (C) 1999 Ann Other\n */\nint count(void) { return 1; }\n',
  'hive-1.0/src/drone.c': '/* Drones. */\nstatic void drone(void) {}\n',
  'hive-1.0/tests/run.py': '"""Runs all tests there are."""\ndef run(): pass\n',
};
const members = Object.entries(tree).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

test('one summary for a tree of sources', () => {
  const found = attributesOf(summariseSourceDistribution('hive-1.0.tar.gz', members, options));
  assertHolds(found, {
    Title: 'Hive 1.0',
    Description: 'Hive counts the bees of a hive, one by one.',
    License: 'GPL-2.0',
    Copyright: 'Copyright (C) 1999 Ann Other',
    Author: 'Ann Other <ann@hive.example>',
    'Programming-Language': 'C',
    Languages: 'C: 2\nPython: 1',
    'Member-Count': '8',
    'Manual-Pages': 'hive - count the bees',
    'Make-Targets': 'all\nhive',
    Functions: 'drone\ncount\nrun',
  });
  const text = found.get('Full-Text') ?? '';
  assert.ok(
    text.startsWith(
      'Hive 1.0\n========\nHive counts the bees of a hive, one by one.\nInstall it with make.\n',
    ),
  );
  for (const said of [
    'Builds the hive with any compiler.',
    'hive - count the bees',
    'Counts bees by looking.',
    'Drones.',
    'Runs all tests there are.',
  ])
    assert.ok(text.includes(said), said);
});

test('no text where none is wanted, selected text under its own name', () => {
  const none = attributesOf(summariseSourceDistribution('x', members, { ...options, text: 'none' }));
  assert.equal(none.has('Full-Text'), false);
  assert.equal(none.get('Languages'), 'C: 2\nPython: 1');
  const selected = attributesOf(summariseSourceDistribution('x', members, { ...options, text: 'selected' }));
  assert.match(selected.get('Partial-Text') ?? '', /^Install it with make\.$/m);
});

test('a tree without README has the name of its archive; an empty one nothing', () => {
  const found = attributesOf(summariseSourceDistribution('x.tar', members.slice(4), options));
  assertHolds(found, { Title: 'x.tar', Description: 'hive - count the bees' });
  assertHolds(attributesOf(summariseSourceDistribution('x.tar', [], options)), {
    Title: 'x.tar',
    'Member-Count': '0',
  });
});

test('what is still packed is not read', () => {
  const packed = [
    { path: 'README.gz', bytes: Buffer.from('\x1f\x8b\x08\0packed', 'latin1') },
    ...members.slice(0, 1),
  ];
  assert.equal(attributesOf(summariseSourceDistribution('x', packed, options)).get('Title'), 'Hive 1.0');
});

test('what looks like a source distribution', () => {
  assert.ok(looksLikeSourceDistribution(Object.keys(tree)));
  assert.ok(looksLikeSourceDistribution(['a/package.json', 'a/index.js']));
  assert.equal(looksLikeSourceDistribution(['photos/README', 'photos/a.jpg']), false);
  assert.equal(looksLikeSourceDistribution(['a.c']), false);
});
