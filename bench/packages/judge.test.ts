import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryObject } from '../../soif/index.ts';
import { type FaultName, faults, type Judged } from './judge.ts';

const words = 'Bees fly far.';

function judged(name: string, fields: Readonly<Record<string, string>>, bytes = 'Bees'): Judged {
  const all = { Title: name, Type: 'Text', 'File-Size': '20', ...fields };
  return {
    object: summaryObject(`http://packages.example/${name}`, Object.entries(all)),
    name,
    bytes: () => Buffer.from(bytes),
  };
}

/** The faults that an object is concerned by and has. */
function faultsOf(object: Judged): string[] {
  return Object.keys(faults).filter((name) => {
    const { isConcerned, isFaulty } = faults[name as FaultName];
    return isConcerned(object) && isFaulty(object);
  });
}

test('faults of summaries are counted where they are, and nowhere else', () => {
  const text = { 'Full-Text': words };
  assert.deepEqual(faultsOf(judged('bees.txt.gz', { ...text, Title: 'bees' })), ['fileName']);
  assert.deepEqual(faultsOf(judged('bees.c', { ...text, Type: 'C' })), []);
  assert.deepEqual(faultsOf(judged('bees.txt', { ...text, Title: 'Keeping bees' })), []);
  for (const title of [
    'Copyright (c) 2020 Bee',
    '// Copyright 2020',
    'NAME',
    '[Unit]',
    'prefix=/usr',
    'Changelog',
  ])
    assert.deepEqual(faultsOf(judged('bees.txt', { ...text, Title: title })), ['boilerplate'], title);
  for (const title of [
    'വിക്കി',
    'Copyright (hive)',
    'Indexing',
    '2001: A Bee Odyssey',
    'This file is about bees',
    'README',
  ])
    assert.deepEqual(faultsOf(judged('bees.txt', { ...text, Title: title })), [], title);
  assert.deepEqual(faultsOf(judged('pi.txt', { Title: '3.14', 'Full-Text': '3.14' })), []);
  const grant = { Description: 'Permission is hereby granted, free of charge' };
  assert.deepEqual(faultsOf(judged('bees.txt', { ...text, ...grant, Title: 'Bees' })), ['licence']);
  assert.deepEqual(faultsOf(judged('bees.txt', { ...text, Title: 'Bees', Description: words })), []);
});

test('empty summaries and undecoded bytes are judged by the bytes of the file', () => {
  assert.deepEqual(faultsOf(judged('bees.mo', { Type: 'Unrecognized' }, 'a\0b')), []);
  assert.deepEqual(faultsOf(judged('bees.map', { Type: 'Unrecognized' })), ['empty']);
  assert.deepEqual(faultsOf(judged('bees.map', { Type: 'JSON' })), ['empty']);
  assert.deepEqual(faultsOf(judged('empty', { 'File-Size': '1' })), []);
  const undecoded = { Title: 'Bees', 'Full-Text': 'Bees \ufffd fly far.' };
  assert.deepEqual(faultsOf(judged('bees.txt', undecoded)), ['undecoded']);
  assert.deepEqual(faultsOf(judged('bees.txt', undecoded, 'Bees \ufffd fly far.')), []);
});
