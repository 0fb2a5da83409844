import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { type Compression, decompress } from '../../readers/compression/index.ts';
import { bibtexRecords } from '../../readers/records/index.ts';
import { unnested } from '../testing/sample-archives.ts';
import { UnnestBudget } from './budget.ts';
import { explode } from './explode.ts';

// Small files with a potentially high cost: each must be read, or refused, within a few seconds of CPU time.
const seconds = 8;

async function within<Result>(work: () => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  await assertCpuMs(seconds * 1000, async () => results.push(await work()));
  return results.at(-1) as Result;
}

async function read(kind: Compression, bytes: Uint8Array) {
  let pieces = 0;
  let length = 0;
  let error: unknown;
  try {
    for await (const piece of decompress(kind, bytes, 1 << 27)) {
      pieces++;
      length += piece.length;
    }
  } catch (thrown) {
    error = thrown;
  }
  return { pieces, length, error };
}

const times = (count: number, ...bytes: number[]) =>
  Buffer.concat(new Array<Buffer>(count).fill(Buffer.from(bytes)));

test('bzip2: a hundred thousand empty streams', async () => {
  const empty = [0x42, 0x5a, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0];
  const found = await within(() => read('bzip2', times(100_000, ...empty)));
  assert.deepEqual([found.length, found.error], [0, undefined]);
});

test('zstd: two hundred thousand empty frames with large windows', async () => {
  const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x80, 0x01, 0x00, 0x00];
  const found = await within(() => read('zstd', times(200_000, ...frame)));
  assert.deepEqual([found.length, found.error], [0, undefined]);
});

test('zstd: a million blocks of one byte come in few pieces', async () => {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const bytes = Buffer.concat([head, times(1_000_000, 0x08, 0x00, 0x00, 0x41), Buffer.from([1, 0, 0])]);
  const found = await within(() => read('zstd', bytes));
  assert.deepEqual([found.length, found.error], [1_000_000, undefined]);
  assert.ok(found.pieces < 20, String(found.pieces));
});

test('xz: a million parts of one byte come in few pieces', async (t) => {
  let empty: Buffer;
  try {
    empty = execFileSync('xz', ['-c', '--check=none'], { input: 'x' });
  } catch {
    return t.skip('SKIPPED: install xz-utils');
  }
  // The file of one byte has one plain part behind its headers; a million more like it go before its end mark.
  const part = empty.indexOf(Buffer.from([1, 0, 0, 0x78, 0]));
  assert.ok(part > 0);
  const more = times(1_000_000, 2, 0, 0, 0x79);
  const bytes = Buffer.concat([empty.subarray(0, part + 4), more, empty.subarray(part + 4)]);
  const found = await within(() => read('xz', bytes));
  assert.equal(found.length, 1_000_001);
  assert.ok(found.pieces < 50, String(found.pieces));
});

test('bzip2: fifty thousand streams of one byte', async (t) => {
  let one: Buffer;
  try {
    one = execFileSync('bzip2', ['-c'], { input: 'x' });
  } catch {
    return t.skip('SKIPPED: install bzip2');
  }
  const found = await within(() => read('bzip2', times(50_000, ...one)));
  assert.deepEqual([found.length, found.error], [50_000, undefined]);
});

test('gzip: a hundred thousand members end at a bound', async () => {
  const member = gzipSync('x');
  const found = await within(() => read('gzip', times(100_000, ...member)));
  assert.match(String(found.error), /more than 10000 parts/);
});

test('binhex: a text of repeats only', async () => {
  const text = `(This file must be converted with BinHex 4.0)\n\n:${'*!C'.repeat(1_000_000)}:`;
  const { members, refused } = await within(() => unnested('MacCompressed', Buffer.from(text), 'x.hqx'));
  assert.deepEqual([members.length, refused.length], [0, 1]);
});

test('BibTeX: abbreviations that double with each line', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `@string{s${n + 1} = s${n} # s${n}}`);
  const text = `@string{s0 = "0123456789"}\n${lines.join('\n')}\n@misc{k, note = s18}`;
  await within(async () => {
    const records = [...bibtexRecords(text)];
    assert.equal(records.length, 1);
    assert.ok((records[0]?.bytes.length ?? 0) < 5 * 1024 * 1024);
  });
  const many = `${text}\n${'@misc{k, note = s16}\n'.repeat(1000)}`;
  const codes = new Set<string>();
  await within(async () => {
    const budget = new UnnestBudget(many.length);
    codes.clear();
    for await (const record of explode('bibtex', Buffer.from(many), 'x.bib', budget))
      codes.add('error' in record ? record.error.code : '');
  });
  assert.deepEqual([...codes], ['', 'UNNEST_RATIO']);
});
