import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Bench, fieldOf, openBench, textOf } from '../testing/object-cache.ts';

/** The parts by RFC 2046 5.1: the fields and the bytes of each. */
function partsIn(body: string, contentType: string): { fields: string; bytes: string }[] {
  const boundary = /^multipart\/byteranges; boundary=([0-9a-f]{32})$/.exec(contentType)?.[1];
  assert.ok(boundary, contentType);
  const [before, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  assert.equal(before, '');
  assert.equal(parts.pop(), '--\r\n');
  return parts.map((part) => {
    const [, fields = '', bytes = ''] = /^\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(part) ?? [];
    return { fields, bytes };
  });
}

const content = Buffer.from(Array.from({ length: 997 }, (_, at) => (at * 31) % 251)).toString('latin1');

const openStored = async (
  more: Parameters<typeof openBench>[1] = {},
  fields: Record<string, string> = {},
) => {
  const bench = await openBench((_, response) => {
    response.writeHead(200, {
      'Cache-Control': 'max-age=60',
      ETag: '"e"',
      'Content-Type': 'image/png',
      ...fields,
    });
    response.end(content, 'latin1');
  }, more);
  await textOf(await bench.ask('/'));
  return bench;
};

const askFor = (bench: Bench, range: string, more: string[] = []) =>
  bench.ask('/', { fields: ['Range', range, ...more] });

test('RFC 9110 15.3.7.2: several ranges are given as parts, in the order they were asked for', async () => {
  await using bench = await openStored();
  const answer = await askFor(bench, 'bytes=500-509, 0-1,-3');
  assert.equal(answer.status, 206);
  assert.equal(fieldOf(answer, 'content-range'), undefined);
  assert.equal(fieldOf(answer, 'etag'), '"e"');
  const body = await textOf(answer);
  assert.equal(answer.contentLength, body.length);
  assert.deepEqual(partsIn(body, fieldOf(answer, 'content-type') ?? ''), [
    { fields: 'Content-Type: image/png\r\nContent-Range: bytes 500-509/997', bytes: content.slice(500, 510) },
    { fields: 'Content-Type: image/png\r\nContent-Range: bytes 0-1/997', bytes: content.slice(0, 2) },
    { fields: 'Content-Type: image/png\r\nContent-Range: bytes 994-996/997', bytes: content.slice(-3) },
  ]);
  assert.equal(bench.asked.length, 1);
  // Each has another boundary, so that no content can contain it.
  assert.notEqual(
    fieldOf(await askFor(bench, 'bytes=0-1,4-5'), 'content-type'),
    fieldOf(answer, 'content-type'),
  );
});

test('RFC 9110 14.2: ranges that overlap are one, too many or wrong ones are the whole, and no range is 416', async () => {
  await using bench = await openStored();
  const kinds = async (range: string, more: string[] = []) => {
    const answer = await askFor(bench, range, more);
    const body = await textOf(answer);
    const type = fieldOf(answer, 'content-type') ?? '';
    return `${answer.status} ${type.startsWith('multipart') ? partsIn(body, type).length : ''}`.trim();
  };
  assert.equal(await kinds('bytes=0-10,5-20,21-30'), '206');
  assert.equal(await kinds('bytes=0-10,5-20,40-50'), '206 2');
  assert.equal(
    await kinds(`bytes=${Array.from({ length: 16 }, (_, at) => `${at * 9}-${at * 9 + 1}`)}`),
    '206 16',
  );
  assert.equal(
    await kinds(`bytes=${Array.from({ length: 17 }, (_, at) => `${at * 9}-${at * 9 + 1}`)}`),
    '200',
  );
  assert.equal(await kinds(`bytes=${Array.from({ length: 16 }, () => '0-')}`), '206');
  assert.equal(await kinds('bytes=0-1,5-4'), '200');
  assert.equal(await kinds('bytes=2000-,3000-'), '416');
  assert.equal(await kinds('bytes=0-1,2000-'), '206');
  assert.equal(await kinds('bytes=0-1,5-6', ['If-Range', '"other"']), '200');
  assert.equal(await kinds('bytes=0-1,5-6', ['If-Range', '"e"']), '206 2');
  assert.equal(await kinds('bytes=0-1,5-6', ['If-None-Match', '"e"']), '304');
  const head = await bench.ask('/', { method: 'HEAD', fields: ['Range', 'bytes=0-1,5-6'] });
  assert.deepEqual([head.status, head.content], [200, undefined]);
});

test('a coded content is given whole: its coding would be taken for one of the envelope', async () => {
  await using bench = await openStored({}, { 'Content-Encoding': 'gzip' });
  assert.equal((await askFor(bench, 'bytes=0-1,5-6')).status, 200);
});

test('property: parts hold what the ranges ask for, each byte once, from memory and from disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-parts-'));
  try {
    await using hot = await openStored();
    // With no memory for contents each is read from disk.
    await using cold = await openStored({ folder, memoryBytes: 0 });
    const number = fc.nat({ max: content.length + 5 });
    const spec = fc.oneof(
      fc.tuple(number, fc.nat({ max: 80 })).map(([first, more]) => `${first}-${first + more}`),
      fc.nat({ max: 60 }).map((suffix) => `-${suffix}`),
    );
    let several = 0;
    for (const bench of [hot, cold])
      await fc.assert(
        fc.asyncProperty(fc.array(spec, { minLength: 2, maxLength: 8 }), async (specs) => {
          const wanted = new Set<number>();
          for (const text of specs) {
            const [from = '', to = ''] = text.split('-');
            const first = from === '' ? Math.max(0, content.length - Number(to)) : Number(from);
            const last = from === '' ? content.length - 1 : Math.min(Number(to), content.length - 1);
            for (let at = first; at <= last; at += 1) wanted.add(at);
          }
          const answer = await askFor(bench, `bytes=${specs.join(',')}`);
          const body = await textOf(answer);
          assert.equal(answer.contentLength, body.length);
          const type = fieldOf(answer, 'content-type') ?? '';
          if (!type.startsWith('multipart')) return;
          several += 1;
          const parts = partsIn(body, type);
          assert.ok(parts.length > 1);
          const given: number[] = [];
          for (const { fields, bytes } of parts) {
            const [, first, last, total] = /bytes (\d+)-(\d+)\/(\d+)$/.exec(fields) ?? [];
            assert.equal(bytes, content.slice(Number(first), Number(last) + 1));
            assert.equal(Number(total), content.length);
            for (let at = Number(first); at <= Number(last); at += 1) given.push(at);
          }
          assert.equal(new Set(given).size, given.length);
          assert.deepEqual(
            [...given].sort((one, other) => one - other),
            [...wanted].sort((one, other) => one - other),
          );
        }),
        { numRuns: 150 },
      );
    assert.ok(several > 100);
    assert.equal(hot.asked.length + cold.asked.length, 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a stored part gives parts that lie within it', async () => {
  await using bench = await openBench((request, response) => {
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const reported = { 'Cache-Control': 'max-age=60', ETag: '"e"' };
    if (first === undefined) return void response.writeHead(200, reported).end(content, 'latin1');
    const range = `bytes ${first}-${last}/${content.length}`;
    response.writeHead(206, { ...reported, 'Content-Range': range });
    response.end(content.slice(Number(first), Number(last) + 1), 'latin1');
  });
  await textOf(await askFor(bench, 'bytes=100-199'));
  const bytesOf = async (range: string) => {
    const answer = await askFor(bench, range);
    return partsIn(await textOf(answer), fieldOf(answer, 'content-type') ?? '').map(({ bytes }) => bytes);
  };
  assert.deepEqual(await bytesOf('bytes=150-151,100-101'), [
    content.slice(150, 152),
    content.slice(100, 102),
  ]);
  assert.equal(bench.asked.length, 1);
});
