import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peOffset, readPe } from './pe.ts';

test('PE: resources outside the file are noted, and the rest is read', () => {
  const bytes = Buffer.alloc(400);
  bytes.write('MZ');
  bytes.writeUInt32LE(64, 60);
  bytes.write('PE', 64);
  bytes.writeUInt16LE(0x8664, 68);
  bytes.writeUInt16LE(0x20b, 88);
  bytes.writeUInt32LE(16, 196);
  bytes.writeUInt32LE(0x5000, 200 + 2 * 8);
  const { format, machine, notes } = readPe(bytes, peOffset(bytes) ?? 0);
  assert.deepEqual([format, machine], ['PE32+', 'AMD x86-64']);
  assert.deepEqual(notes, ['The version resource could not be read.']);
});
