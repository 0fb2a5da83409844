import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { CorruptData, UnreadVariant } from './corrupt-data.ts';
import { type Compression, decompress } from './decompress.ts';

const window = 16 * 1024 * 1024;
const max = 32 * 1024 * 1024;
const kinds: readonly Compression[] = ['gzip', 'bzip2', 'xz', 'lzip', 'lzma', 'zstd', 'compress', 'deflate'];
const heads: Readonly<Record<Compression, string>> = {
  gzip: '\x1f\x8b\x08\0',
  bzip2: 'BZh91AY&SY',
  xz: '\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46',
  lzip: 'LZIP\x01\x14',
  lzma: '\x5d\0\0\x10\0',
  zstd: '\x28\xb5\x2f\xfd',
  compress: '\x1f\x9d\x90',
  deflate: '',
};

/** Reads until the end, an error of the expected kinds, or the bound; returns the number of bytes. */
async function readAll(kind: Compression, bytes: Uint8Array): Promise<number> {
  let length = 0;
  try {
    for await (const part of decompress(kind, bytes, window)) {
      length += part.length;
      if (length > max) return length;
      // A reader must hold a piece in memory.
      assert.ok(part.length <= 4 * 1024 * 1024);
    }
  } catch (error) {
    if (!(error instanceof CorruptData) && !(error instanceof UnreadVariant)) throw error;
  }
  return length;
}

for (const kind of kinds) {
  test(`${kind}: any bytes give bytes or a typed error`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, headed) => {
        await readAll(kind, headed ? Buffer.concat([Buffer.from(heads[kind], 'latin1'), bytes]) : bytes);
      }),
      { numRuns: 300 },
    );
  });

  const command = { gzip: 'gzip', compress: 'compress', lzma: 'xz --format=lzma', deflate: 'true' }[
    kind as string
  ];
  test(`${kind}: a packed file with bytes changed, lost or doubled gives bytes or a typed error`, async (t) => {
    const [program = '', ...flags] = (command ?? kind).split(' ');
    if (kind === 'deflate') return;
    const text = Array.from({ length: 3000 }, (_, at) => `line ${(at * 7919) % 1000} of ${at}`).join('\n');
    let whole: Buffer;
    try {
      whole = execFileSync(program, [...flags, '-c'], { input: text, stdio: ['pipe', 'pipe', 'ignore'] });
    } catch {
      return t.skip(`SKIPPED: install ${program}`);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255), fc.constantFrom('set', 'cut', 'double')), {
          minLength: 1,
          maxLength: 4,
        }),
        async (changes) => {
          let bytes = Buffer.from(whole);
          for (const [at, value, how] of changes) {
            if (how === 'set') bytes[at % bytes.length] = value;
            else if (how === 'cut')
              bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + value)]);
            else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - value))]);
            if (bytes.length === 0) return;
          }
          await readAll(kind, bytes);
        },
      ),
      { numRuns: 150 },
    );
  });
}
