import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decodeBody } from './body-decoder.ts';

/** The decoded length of these chunks, and how many of them were taken. */
async function decoded(chunk: Uint8Array, times: number, maxBytes: number) {
  let taken = 0;
  async function* chunks() {
    for (; taken < times; taken += 1) yield chunk;
  }
  let length = 0;
  const body = decodeBody(chunks(), 'gzip', { url: 'http://h/', maxBytes });
  for await (const part of body) length += part.length;
  return { length, taken };
}

test('encoded data that never yields output ends at the limit too', async () => {
  const empty = Buffer.concat(Array.from({ length: 100 }, () => gzipSync('')));
  assert.deepEqual(await decoded(empty, 10, 1000), { length: 0, taken: 10 });
  await assert.rejects(decoded(empty, 100_000, 1000), { code: 'FETCH_TOO_LARGE' });
  assert.deepEqual(await decoded(gzipSync('word'), 200, 1000), { length: 800, taken: 200 });
});
