import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync, InflateRaw } from 'node:zlib';
import { CorruptData } from './corrupt-data.ts';
import { type Compression, decompress } from './decompress.ts';

const window = 128 * 1024 * 1024;

// Prose-like, zeros, noise, and repeats from far back: each kind of coding has its turn.
function sample(size: number): Buffer {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 16;
  };
  const words = Array.from({ length: 300 }, () =>
    random()
      .toString(36)
      .slice(0, 1 + (random() % 7)),
  );
  const parts: Buffer[] = [];
  for (let length = 0; length < size; ) {
    const kind = random() % 10;
    const part =
      kind < 7
        ? Buffer.from(`${Array.from({ length: 400 }, () => words[random() % 300]).join(' ')}.\n`)
        : kind === 7
          ? Buffer.alloc(random() % 5000)
          : kind === 8
            ? Buffer.from(Array.from({ length: 2000 }, () => random() & 255))
            : (parts[random() % Math.max(1, parts.length)] ?? Buffer.from('x'));
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts).subarray(0, size);
}

const plain = sample(1_200_000);
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function packed(command: string, input: Buffer = plain): Buffer | undefined {
  const [program = '', ...flags] = command.split(' ');
  try {
    return execFileSync(program, flags, {
      input,
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function unpacked(kind: Compression, bytes: Uint8Array): Promise<{ bytes: Buffer; error?: unknown }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decompress(kind, bytes, window)) parts.push(part);
    return { bytes: Buffer.concat(parts) };
  } catch (error) {
    return { bytes: Buffer.concat(parts), error };
  }
}

const ways: readonly (readonly [kind: Compression, command: string])[] = [
  ['gzip', 'gzip -c'],
  ['gzip', 'gzip -1c'],
  ['bzip2', 'bzip2 -c'],
  ['bzip2', 'bzip2 -1c'],
  ['xz', 'xz -c'],
  ['xz', 'xz -9ec --check=sha256'],
  ['xz', 'xz -0c --check=crc32'],
  ['xz', 'xz -c --check=none --block-size=500KiB'],
  ['xz', 'xz -c --lzma2=preset=6,lc=1,lp=3,pb=4'],
  ['lzma', 'xz -c --format=lzma'],
  ['lzip', 'lzip -c'],
  ['lzip', 'lzip -c -b 100000'],
  ['zstd', 'zstd -c'],
  ['zstd', 'zstd -c -1 --no-check'],
  ['zstd', 'zstd -c -19'],
  ['zstd', 'zstd -c --ultra -22 --long=27'],
  ['zstd', 'zstd -c --fast=4'],
  ['compress', 'compress -c'],
  ['compress', 'compress -c -b 12'],
];

for (const [kind, command] of ways)
  test(`${command}: unpacked to the same bytes; cut short, to a part of them and an error`, async (t) => {
    const bytes = packed(command);
    if (bytes === undefined) return t.skip(`SKIPPED: install ${command.split(' ')[0]}`);
    const whole = await unpacked(kind, bytes);
    assert.equal(whole.error, undefined);
    assert.equal(digestOf(whole.bytes), digestOf(plain));
    for (let sixteenth = 1; sixteenth < 16; sixteenth += 8) {
      const cut = await unpacked(kind, bytes.subarray(0, Math.floor((bytes.length * sixteenth) / 16)));
      assert.ok(plain.subarray(0, cut.bytes.length).equals(cut.bytes), `${sixteenth}/16`);
      assert.ok(cut.bytes.length < plain.length);
      // compress(1) left no mark at the end of its files.
      if (kind !== 'compress') assert.ok(cut.error instanceof CorruptData, String(cut.error));
    }
  });

for (const kind of ['gzip', 'bzip2', 'xz', 'lzip', 'zstd'] as const)
  test(`${kind}: several files one after the other are one; other bytes behind them are passed over`, async (t) => {
    const [first, second] = ['one ', 'two'].map((text) => packed(`${kind} -c`, Buffer.from(text)));
    if (first === undefined || second === undefined) return t.skip(`SKIPPED: install ${kind}`);
    const both = await unpacked(kind, Buffer.concat([first, second]));
    assert.deepEqual([both.bytes.toString(), both.error], ['one two', undefined]);
    const garbage = await unpacked(kind, Buffer.concat([first, Buffer.from('garbage behind')]));
    assert.deepEqual([garbage.bytes.toString(), garbage.error], ['one ', undefined]);
    const empty = await unpacked(kind, packed(`${kind} -c`, Buffer.alloc(0)) ?? Buffer.alloc(0));
    assert.deepEqual([empty.bytes.length, empty.error], [0, undefined]);
  });

for (const [kind, command] of [
  ['gzip', 'gzip -c'],
  ['bzip2', 'bzip2 -c'],
  ['xz', 'xz -c'],
  ['lzip', 'lzip -c'],
] as const)
  test(`${kind}: a byte changed anywhere is noticed`, async (t) => {
    const bytes = packed(command, plain.subarray(0, 20_000));
    if (bytes === undefined) return t.skip(`SKIPPED: install ${kind}`);
    for (let at = 20; at < bytes.length - 20; at += 331) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 0x10;
      const { error } = await unpacked(kind, changed);
      assert.ok(error instanceof CorruptData, `${at}: ${String(error)}`);
    }
  });

test('a window beyond what is allowed is refused before it is made', async (t) => {
  const bytes = packed('xz -9c', Buffer.from('small'));
  if (bytes === undefined) return t.skip('SKIPPED: install xz-utils');
  const read = async () => {
    for await (const part of decompress('xz', bytes, 1024 * 1024)) void part;
  };
  await assert.rejects(read, /window of 67108864 bytes; the limit is 1048576/);
});

test('bzip2: a run with ever more digits ends at the size of a block', async () => {
  // One block of level 1: two equal tables in which the run symbols have one bit each, then run digits without end.
  const bits: string[] = [];
  const put = (value: number, width: number) => bits.push(value.toString(2).padStart(width, '0'));
  put(0x314159, 24);
  put(0x265359, 24);
  put(0, 32);
  put(0, 1);
  put(0, 24);
  // One byte in use, so three symbols; two tables, one selector for each fifty symbols.
  put(0x8000, 16);
  put(0x8000, 16);
  put(2, 3);
  put(4, 15);
  bits.push('0000');
  for (let table = 0; table < 2; table++) bits.push('00001', '0', '100', '0');
  bits.push('10'.repeat(100));
  const text = bits.join('').padEnd(2400, '0');
  const body = Buffer.from(text.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const { error } = await unpacked('bzip2', Buffer.concat([Buffer.from('BZh1'), body]));
  assert.ok(error instanceof CorruptData, String(error));
  assert.match(error.message, /too long/);
});

test('zstd: a block that would write more than a block may is refused', async () => {
  // Constant tables: match length code 52 (65,539 and more), 100 sequences, no literals.
  const sequences = Buffer.from([100, 0b01010100, 0, 4, 52, ...new Array<number>(260).fill(0xff), 0x01]);
  const block = Buffer.concat([Buffer.from([0]), sequences]);
  const header = (block.length << 3) | (2 << 1) | 1;
  const bytes = Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
    Buffer.from([header & 255, (header >> 8) & 255, header >> 16]),
    block,
  ]);
  const { error } = await unpacked('zstd', bytes);
  assert.ok(error instanceof CorruptData, String(error));
});

// One block in a frame without a checksum, with a window of 2 MiB.
function zstdFrame(block: readonly number[]): Buffer {
  const header = (block.length << 3) | (2 << 1) | 1;
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, header & 255, header >> 8, header >> 16, ...block]);
}

test('zstd: a Huffman table whose states take no bits is rejected at once', async () => {
  // Tree of 5 bytes: its FSE table has one symbol of probability 1. Then one byte of literals, no sequences.
  const { error } = await unpacked('zstd', zstdFrame([0xa2, 0x80, 1, 4, 0xf0, 3, 0, 0x80, 1, 0]));
  assert.ok(error instanceof CorruptData, String(error));
});

test('zstd: a block of 98,047 matches without bits for them is rejected at once', async () => {
  const { error } = await unpacked('zstd', zstdFrame([0, 255, 255, 255, 0b01010100, 0, 4, 52, 1]));
  assert.ok(error instanceof CorruptData, String(error));
});

test('gzip: a reader that stops early leaves no stream open', async (t) => {
  const ended = t.mock.method(InflateRaw.prototype, 'destroy');
  for await (const piece of decompress('gzip', gzipSync(plain), window)) {
    assert.ok(piece.length > 0);
    break;
  }
  assert.ok(ended.mock.callCount() > 0);
});
