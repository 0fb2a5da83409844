import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import {
  type Frame,
  frameBytes,
  frameChecksum,
  maxHeaderNumber,
  parseFrame,
  readVarint,
  varintBytes,
} from './frame.ts';

const payload = fc.uint8Array({ minLength: 1, maxLength: 300 });
const frames: fc.Arbitrary<Frame> = fc.oneof(
  fc
    .record({
      channel: fc.integer({ min: 1, max: maxHeaderNumber }),
      open: fc.boolean(),
      more: fc.boolean(),
      end: fc.boolean(),
      payload,
    })
    .map((frame) => ({ ...frame, kind: 'data' as const, end: frame.end && !frame.more })),
  fc.record({
    kind: fc.constantFrom('credit' as const, 'abort' as const),
    channel: fc.integer({ min: 1, max: maxHeaderNumber }),
    payload,
  }),
  fc.record({
    kind: fc.constant('bye' as const),
    channel: fc.constant(0),
    payload: fc.uint8Array({ maxLength: 9 }),
  }),
);

test('a frame reads back as it was written', () => {
  fc.assert(
    fc.property(frames, (frame) => {
      const read = parseFrame(frameBytes(frame));
      assert.equal(read.kind, frame.kind);
      assert.equal(read.channel, frame.channel);
      assert.deepEqual([read.open, read.more, read.end], [!!frame.open, !!frame.more, !!frame.end]);
      assert.deepEqual(new Uint8Array(read.payload), frame.payload);
      assert.equal(read.length, frame.payload.length);
      assert.equal(read.checksum, frameChecksum(read.header, read.payload));
    }),
  );
});

test('any flipped bit of a frame is detected by shape or checksum', () => {
  fc.assert(
    fc.property(frames, fc.nat(), (frame, where) => {
      const bytes = Uint8Array.from(frameBytes(frame));
      const bit = where % (bytes.length * 8);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      let read: ReturnType<typeof parseFrame>;
      try {
        read = parseFrame(bytes);
      } catch (error) {
        assert.ok(isGarnerError(error, wireErrors.WIRE_FRAME));
        return;
      }
      // A payload marked as deflated is checked after it has been inflated.
      if (!read.deflated) assert.notEqual(read.checksum, frameChecksum(read.header, read.payload));
    }),
  );
});

test('random bytes are a frame or a typed error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        parseFrame(bytes);
      } catch (error) {
        assert.ok(isGarnerError(error, wireErrors.WIRE_FRAME), String(error));
      }
    }),
    { numRuns: 5_000 },
  );
});

test('varints end where they should', () => {
  fc.assert(
    fc.property(fc.nat(maxHeaderNumber), (value) => {
      const bytes = varintBytes(value);
      assert.deepEqual(readVarint(bytes, 0), [value, bytes.length]);
      assert.throws(() => readVarint(bytes.subarray(0, bytes.length - 1), 0), { code: 'WIRE_FRAME' });
    }),
  );
  assert.throws(() => readVarint(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f), 0), { code: 'WIRE_FRAME' });
  assert.throws(() => readVarint(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0), 0), { code: 'WIRE_FRAME' });
});
