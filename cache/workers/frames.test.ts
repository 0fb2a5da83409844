import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Frame, FrameReader, frameHead } from './frames.ts';

const frames = fc.array(
  fc.record({ kind: fc.integer({ min: 0, max: 255 }), payload: fc.uint8Array({ maxLength: 300 }) }),
  { maxLength: 20 },
);

test('frames come out as they were put in, however they are cut', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), (sent, cuts) => {
      const bytes = Buffer.concat(
        sent.flatMap(({ kind, payload }) => [frameHead(kind, payload.length), payload]),
      );
      const heard: Frame[] = [];
      const reader = new FrameReader((frame) => heard.push(frame));
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const end = at + (cuts[turn % cuts.length] as number);
        assert.equal(reader.push(bytes.subarray(at, end)), true);
        at = end;
      }
      assert.deepEqual(
        heard.map(({ kind, payload }) => ({ kind, payload: [...payload] })),
        sent.map(({ kind, payload }) => ({ kind, payload: [...payload] })),
      );
    }),
  );
});

test('a frame that says that it is larger than any is none', () => {
  const reader = new FrameReader(() => assert.fail('heard'));
  assert.equal(reader.push(frameHead(1, 9 * 1024 * 1024)), false);
});
