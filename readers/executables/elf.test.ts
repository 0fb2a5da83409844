import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readElf } from './elf.ts';

test('ELF: an interpreter outside the file is noted, and the rest is read', () => {
  const names = '\0.shstrtab\0.interp\0';
  const bytes = Buffer.alloc(64 + 3 * 64 + names.length);
  bytes.write('\x7fELF\x02\x01', 'latin1');
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(62, 18);
  bytes.writeUInt32LE(64, 40);
  bytes.set([64, 0, 3, 0, 1, 0], 58);
  const section = (index: number, name: number, offset: number, size: number) => {
    const at = 64 + index * 64;
    bytes.writeUInt32LE(name, at);
    bytes.writeUInt32LE(offset, at + 24);
    bytes.writeUInt32LE(size, at + 32);
  };
  section(1, 1, 256, names.length);
  section(2, 11, 1_000_000, 20);
  bytes.write(names, 256);
  const { machine, kind, interpreter, notes } = readElf(bytes);
  assert.deepEqual([machine, kind, interpreter], ['AMD x86-64', 'executable', undefined]);
  assert.deepEqual(notes, ['The interpreter could not be read.']);
});
