import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LogTail } from './log-tail.ts';

const step = fc.record({
  /** 0: one behind the other. */
  gap: fc.constantFrom(0, 0, 0, 3),
  isNextFile: fc.boolean(),
  lengths: fc.array(fc.nat(12), { maxLength: 4 }),
});

test('what was appended last is read as it was, across files and gaps, and nothing else is', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.array(step, { maxLength: 30 }), (budget, steps) => {
      const tail = new LogTail(budget);
      /** Every appended byte, in order, with its place. */
      const all: { file: number; offset: number; byte: number }[] = [];
      let [file, offset, byte] = [1, 0, 0];
      for (const { gap, isNextFile, lengths } of steps) {
        if (isNextFile) [file, offset] = [file + 1, 0];
        offset += gap;
        const buffers = lengths.map((length) => Buffer.from(Array.from({ length }, () => ++byte & 255)));
        tail.append(file, offset, buffers);
        const written = Buffer.concat(buffers);
        if (written.length <= budget)
          all.push(...[...written].map((value, at) => ({ file, offset: offset + at, byte: value })));
        offset += written.length;
      }
      const held = all.slice(Math.max(0, all.length - budget));
      assert.equal(tail.bytes, held.length);
      const byteAt = (of: number, at: number) => held.find((one) => one.file === of && one.offset === at);
      for (let of = 0; of <= file + 1; of++)
        for (let from = 0; from < offset + 20; from++)
          for (const length of [1, 2, 5, 13]) {
            const bytes = Array.from({ length }, (_, at) => byteAt(of, from + at)?.byte);
            const expected = bytes.includes(undefined) ? undefined : Buffer.from(bytes as number[]);
            assert.deepEqual(tail.read(of, from, length), expected);
            assert.equal(tail.has(of, from, length), expected !== undefined);
          }
    }),
  );
});

test('what is kept stays where it is whatever comes, and is given as it came', () => {
  const what = fc.oneof(
    fc.record({ is: fc.constant('append' as const), length: fc.nat(12) }),
    fc.record({ is: fc.constant('let go' as const), count: fc.nat(3) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(what, { maxLength: 60 }), (budget, steps) => {
      const tail = new LogTail(budget);
      const kept: { position: number; bytes: Buffer }[] = [];
      let [offset, byte] = [0, 0];
      for (const step of steps) {
        if (step.is === 'append') {
          const bytes = Buffer.from(Array.from({ length: step.length }, () => ++byte & 255));
          const takes = tail.takes(bytes.length);
          const position = tail.append(1, offset, [bytes]);
          assert.equal(position !== -1, takes && bytes.length > 0);
          if (position !== -1) kept.push({ position, bytes });
          offset += bytes.length;
        } else kept.splice(0, step.count);
        tail.keepFrom(kept[0]?.position ?? Number.POSITIVE_INFINITY);
        for (const { position, bytes } of kept)
          assert.deepEqual(Buffer.concat(tail.kept(position, bytes.length)), bytes);
      }
    }),
  );
});
