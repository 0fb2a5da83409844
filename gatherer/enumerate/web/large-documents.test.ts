import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Fetch, fetchErrors } from '../../../fetch/index.ts';
import { failure } from '../../../kernel/index.ts';
import { html, openSite } from '../../testing/loopback-site.ts';
import { readEnds } from './large-documents.ts';

const limits = { maxBytesPerDocument: 100 };
const body = `Log of the gate\n${'x'.repeat(1000)}\nlast words`;
const modified = 'Sat, 21 Nov 2026 11:13:50 GMT';

test('a document of the Web above the limit is an object of its ends, with size, date and type', async () => {
  const headers = { 'content-type': 'text/plain', 'last-modified': modified };
  await using site = await openSite({
    '/': html('/ranges', '/plain', '/packed', '/gone'),
    '/ranges': { body, headers, ranges: true },
    '/plain': { body, headers },
    '/packed': { body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } },
  });
  const found = await site.run({ limits });
  const documents = found.flatMap((item) => (item.kind === 'document' && item.path !== '/' ? [item] : []));
  const facts = documents.map(({ path, document: { bytes, abridged, contentType, lastModified } }) => {
    const text = Buffer.from(bytes).toString();
    return [path, text.slice(0, 15), text.slice(50), abridged, contentType, lastModified];
  });
  const seconds = Date.parse(modified) / 1000;
  const tail = body.slice(-50);
  const size = body.length;
  assert.deepEqual(facts, [
    ['/ranges', 'Log of the gate', tail, { head: 50, size }, 'text/plain', seconds],
    ['/plain', 'Log of the gate', '', { head: 50, size }, 'text/plain', seconds],
    ['/packed', 'Log of the gate', '', { head: 50 }, 'text/plain', seconds],
  ]);
  // With validators one request shows that nothing has changed.
  const again = await site.run({ limits });
  const kinds = again.map(({ path, kind }) => `${kind} ${path}`).filter((line) => !/\/$|gone/.test(line));
  assert.deepEqual(kinds.sort(), ['unchanged /packed', 'unchanged /plain', 'unchanged /ranges']);
  assert.equal(site.asked.filter((line) => line.endsWith('/ranges')).length, 1);
});

test('when the end of a document that is too large cannot be read, its beginning still is', async () => {
  const url = 'http://site.example/film';
  const beginning = { status: 206, headers: { 'content-range': 'bytes 0-49/1000' } };
  const answering =
    (fault: Error): Fetch =>
    async ({ headers }) => {
      if (headers?.range !== 'bytes=0-49') throw fault;
      return { ...beginning, body: [Buffer.alloc(50, 'x')], [Symbol.asyncDispose]: async () => {} } as never;
    };
  const read = (fault: Error) => readEnds(url, undefined, { fetch: answering(fault), maxBytes: 100 });
  const silent = failure(fetchErrors.FETCH_TIMEOUT, { url, what: 'answer', seconds: 30 });
  assert.deepEqual(await read(silent), { bytes: Buffer.alloc(50, 'x'), head: 50, size: 1000 });
  await assert.rejects(read(new TypeError('a fault of the program')), TypeError);
});
