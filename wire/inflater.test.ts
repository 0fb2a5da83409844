import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { seededRandom } from '../kernel/index.ts';
import { Deflater } from './deflater.ts';
import { prose, testBoth } from './fixture.test.ts';
import { inflateSlackBytes } from './inflater.ts';

testBoth('any payloads come out of the shared contexts as they went in', async (inflater) => {
  const random = seededRandom(7);
  const one = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 500 }),
    fc.nat(200_000).map((length) => Buffer.from(prose(length + 1, length))),
    fc.nat(100_000).map((length) => random.bytes(length + 1)),
    fc.nat(256 * 1024 - 1).map((length) => new Uint8Array(length + 1)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 12 }), async (payloads) => {
      const deflater = new Deflater(4);
      const inflate = inflater();
      let total = 0;
      for (const payload of payloads) {
        const deflated = await deflater.deflate(payload);
        const out = await inflate.inflate(deflated, payload.length);
        assert.equal(out.length, payload.length);
        assert.equal(crc32(out), crc32(payload));
        total += payload.length;
      }
      assert.equal(inflate.produced, total);
      deflater.close();
      inflate.close();
    }),
    { numRuns: 60 },
  );
});

test('the second of two like payloads costs a tenth of the first', async () => {
  const deflater = new Deflater(4);
  const text = Buffer.from(prose(5_000));
  const first = await deflater.deflate(text);
  const second = await deflater.deflate(text);
  assert.ok(second.length * 10 < first.length, `${first.length}, ${second.length}`);
  deflater.close();
});

testBoth('65 KB that would inflate to 64 MiB stop within the declared size', async (inflater) => {
  const flush = constants.Z_SYNC_FLUSH;
  const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024), { level: 9, finishFlush: flush }).subarray(
    0,
    -4,
  );
  assert.ok(bomb.length < 66_000, `${bomb.length} bytes`);
  for (const declared of [1, 1000, 65_536, 256 * 1024]) {
    const inflate = inflater();
    const before = process.memoryUsage();
    await assert.rejects(async () => inflate.inflate(bomb, declared), { code: 'WIRE_TOO_LARGE' });
    const after = process.memoryUsage();
    const allowed = declared + 2 * inflateSlackBytes;
    assert.ok(inflate.produced <= allowed, `${inflate.produced} of ${declared} declared`);
    const grown = after.arrayBuffers + after.external - before.arrayBuffers - before.external;
    assert.ok(grown < 4 * 1024 * 1024, `memory grew by ${grown}`);
    inflate.close();
  }
});

testBoth('a payload shorter than declared, damaged or final is refused', async (inflater) => {
  const text = Buffer.from(prose(2000));
  const flushed = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  const cases: [string, Uint8Array, number][] = [
    ['more declared', flushed, 2001],
    ['cut', flushed.subarray(0, flushed.length - 40), 2000],
    ['nonsense', Buffer.from('ffffffffffff', 'hex'), 2000],
    ['empty', new Uint8Array(0), 10],
  ];
  for (const [name, input, length] of cases) {
    const inflate = inflater();
    await assert.rejects(async () => inflate.inflate(input, length), { code: 'WIRE_FRAME' }, name);
    inflate.close();
  }
  const inflate = inflater();
  await assert.rejects(
    async () => {
      // A final block may still yield its bytes; nothing after it can.
      await inflate.inflate(deflateRawSync(text), 2000);
      await inflate.inflate(flushed, 2000);
    },
    { code: 'WIRE_FRAME' },
  );
  inflate.close();
});
