import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wholeOf } from '../testing/whole-digest.ts';
import { CacheDigest } from './digest.ts';

const urls = fc.uniqueArray(fc.webUrl(), { maxLength: 200 });

test('what was added is always found, also after a way over the wire', () => {
  fc.assert(
    fc.property(urls, fc.integer({ min: 1, max: 500 }), (all, capacity) => {
      const digest = CacheDigest.empty(capacity);
      for (const url of all) digest.add(url);
      const read = CacheDigest.decode(wholeOf(digest));
      assert.ok(read);
      assert.equal(read.count, all.length);
      for (const url of all) {
        assert.ok(digest.has(url));
        assert.ok(read.has(url));
      }
    }),
    { numRuns: 50 },
  );
});

test('of ten thousand absent URLs at most one in seven is taken for present when the digest is full', () => {
  const digest = CacheDigest.empty(10_000);
  for (let n = 0; n < 10_000; n++) digest.add(`http://here.example/${n}`);
  let wrong = 0;
  for (let n = 0; n < 10_000; n++) if (digest.has(`http://gone.example/${n}`)) wrong++;
  assert.ok(wrong > 0 && wrong < 10_000 / 7, `${wrong} of 10000`);
  assert.ok(digest.fill > 0.4 && digest.fill < 0.7, String(digest.fill));
});

test("the header is squid's: version 5 for readers of 3, capacity, count, size of the mask, 5 bits and 4 hashes", () => {
  const digest = CacheDigest.empty(51);
  digest.add('http://127.0.0.1:18203/a');
  const bytes = Buffer.from(wholeOf(digest));
  assert.equal(bytes.length, 128 + 32);
  assert.equal(
    bytes.subarray(0, 24).toString('hex'),
    '0005000300000033000000010000000000000020' + '05040000',
  );
});

test('a bit of the mask is the remainder of each quarter of MD5 over 01 and the URL', () => {
  // printf '\001http://127.0.0.1:18203/a' | md5sum gives e4fead94ad2fde36eb2400311b0ba0f2.
  const digest = CacheDigest.empty(1_000_000);
  digest.add('http://127.0.0.1:18203/a');
  const mask = wholeOf(digest).subarray(128);
  const set: number[] = [];
  mask.forEach((byte, at) => {
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) set.push(at * 8 + bit);
  });
  const quarters = [0xe4fead94, 0xad2fde36, 0xeb240031, 0x1b0ba0f2];
  assert.deepEqual(
    set,
    quarters.map((quarter) => quarter % 5_000_000).sort((a, b) => a - b),
  );
});

test('a digest that is cut, grown, or lies about its size is refused', () => {
  const bytes = Buffer.from(wholeOf(CacheDigest.empty(100)));
  assert.ok(CacheDigest.decode(bytes));
  assert.equal(CacheDigest.decode(bytes.subarray(0, -1)), undefined);
  assert.equal(CacheDigest.decode(Buffer.concat([bytes, Buffer.of(0)])), undefined);
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = value;
    return CacheDigest.decode(copy);
  };
  assert.equal(changed(3, 6), undefined, 'made for readers of 6 and later');
  assert.equal(changed(1, 2), undefined, 'made before 3');
  assert.equal(changed(4, 0x80), undefined, 'negative capacity');
  assert.equal(changed(7, 99 - 8), undefined, 'another capacity than the mask is for');
  assert.equal(changed(20, 0), undefined, 'no bits');
  assert.equal(changed(21, 5), undefined, 'five hashes');
});
