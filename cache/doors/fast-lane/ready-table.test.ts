import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Decision } from '../../requests/decision.ts';
import { modifiedSinceField, noneMatchField, plainFieldNumber } from './plain-fields.ts';
import type { ReadyAnswer, ReadyHead, ReadySource, RequestValues } from './ready-answer.ts';
import { ReadyTable } from './ready-table.ts';

const decision: Decision = { outcome: 'hit', rule: 'fresh', ttlSeconds: 1 };
const never = Number.MAX_SAFE_INTEGER;

function sourceOf(
  text: string,
  more: Partial<ReadySource> & { head?: Partial<ReadyHead> } = {},
): ReadySource {
  const { head, ...rest } = more;
  const fields = ['Date', 'Sun, 01 Nov 2026 00:00:00 GMT'];
  return {
    of: {},
    content: Buffer.from(text),
    headAt: () => ({ status: 200, reason: 'OK', fields, untilMs: never, decision, ...head }),
    onHits: () => undefined,
    ...rest,
  };
}

const asking = (fields: Readonly<Record<string, string>> = {}): RequestValues => ({
  method: 'GET',
  value: (number) => Object.entries(fields).find(([name]) => plainFieldNumber(name) === number)?.[1],
});
const own = (field: number, value: string): RequestValues => ({
  method: 'GET',
  value: (number) => (number === field ? value : undefined),
});

const textOf = (answer: ReadyAnswer | undefined) =>
  answer === undefined
    ? undefined
    : Buffer.concat([answer.whole ?? answer.head, answer.content ?? Buffer.alloc(0)]).toString('latin1');
const url = 'http://a.example/';
const kept = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n';

test('an answer is its head and content, without fields of the connection, in one piece or two', () => {
  const table = new ReadyTable(1 << 20, 5000);
  const fields = ['ETag', '"a"', 'Connection', 'x', 'content-length', '7', 'Transfer-Encoding', 'chunked'];
  for (const length of [0, 5, 100_000]) {
    const source = sourceOf('x'.repeat(length), { head: { status: 404, reason: 'Not Found', fields } });
    assert.ok(table.learn({ url, vary: [], requestFields: [], source }, 0));
    const head = `HTTP/1.1 404 Not Found\r\nETag: "a"\r\nContent-Length: ${length}\r\n${kept}\r\n`;
    const answer = table.find(url, asking(), 0);
    assert.equal(Buffer.from(answer?.head ?? []).toString(), head);
    assert.equal(textOf(answer), head + 'x'.repeat(length));
    assert.equal(answer?.content === undefined, length < 100_000);
  }
});

test('a head is rebuilt when it expires, and an answer whose response was removed is not sent', () => {
  const table = new ReadyTable(1 << 20, 5000);
  const asked: number[] = [];
  const reported: number[] = [];
  const source: ReadySource = {
    of: {},
    content: Buffer.from('x'),
    headAt: (now) => {
      asked.push(now);
      if (now >= 3000) return undefined;
      return {
        status: 200,
        reason: 'OK',
        fields: ['Age', String(now / 1000)],
        untilMs: now + 1000,
        decision,
      };
    },
    onHits: (count) => reported.push(count),
  };
  table.learn({ url, vary: [], requestFields: [], source }, 0);
  for (const now of [0, 1, 999]) assert.match(textOf(table.find(url, asking(), now)) ?? '', /Age: 0\r\n/);
  assert.match(textOf(table.find(url, asking(), 1000)) ?? '', /Age: 1\r\n/);
  assert.match(textOf(table.find(url, asking(), 2500)) ?? '', /Age: 2.5\r\n/);
  assert.equal(table.find(url, asking(), 3500), undefined);
  assert.deepEqual(asked, [0, 1000, 2500, 3500]);
  assert.deepEqual(reported, [3, 1, 1]);
  assert.deepEqual([table.count, table.bytes], [0, 0]);
});

test('a source gets the counts of requests and of their bytes of content', () => {
  const table = new ReadyTable(1 << 20, 5000);
  const reported: number[][] = [];
  const notModifiedFields = ['ETag', '"a"'];
  const onHits = (...counts: number[]) => reported.push(counts);
  const source = sourceOf('12345', { etag: '"a"', head: { notModifiedFields }, onHits });
  table.learn({ url, vary: [], requestFields: [], source }, 0);
  table.find(url, asking(), 0);
  table.find(url, asking(), 0);
  table.find(url, { ...asking(), method: 'HEAD' }, 0);
  table.find(url, own(noneMatchField, '"a"'), 0);
  table.reportHits();
  table.reportHits();
  assert.deepEqual(reported, [[4, 10]]);
});

test('the same response is not learned again while it is ready', () => {
  const table = new ReadyTable(1 << 20, 5000);
  let asked = 0;
  const source = sourceOf('x', {
    headAt: (now) => {
      asked += 1;
      return { status: 200, reason: 'OK', fields: [], untilMs: now + 10, decision };
    },
  });
  for (const now of [0, 5, 9, 10]) assert.ok(table.learn({ url, vary: [], requestFields: [], source }, now));
  assert.equal(asked, 2);
  assert.equal(table.count, 1);
});

test('a source that makes itself forgotten while it is asked is not given', () => {
  const table = new ReadyTable(1 << 20, 5000);
  const source = sourceOf('x', {
    headAt: (now) => {
      if (now > 0) table.forget(url);
      return { status: 200, reason: 'OK', fields: [], untilMs: now + 1, decision };
    },
  });
  table.learn({ url, vary: [], requestFields: [], source }, 0);
  assert.notEqual(table.find(url, asking(), 0), undefined);
  assert.equal(table.find(url, asking(), 1), undefined);
  assert.deepEqual([table.count, table.bytes], [0, 0]);
});

test('RFC 9111 4.1: a response with Vary is for requests with the very same values', () => {
  const table = new ReadyTable(1 << 20, 5000);
  const learn = (requestFields: string[], text: string) =>
    table.learn(
      { url, vary: ['accept-language', 'accept-encoding'], requestFields, source: sourceOf(text) },
      0,
    );
  assert.ok(learn(['Accept-Encoding', 'gzip', 'ACCEPT-language', 'de'], 'one'));
  assert.ok(learn(['Accept-Encoding', 'gzip'], 'two'));
  const found = (fields: Record<string, string>) =>
    textOf(table.find(url, asking(fields), 0))?.split('\r\n\r\n')[1];
  assert.equal(found({ 'accept-encoding': 'gzip', 'accept-language': 'de' }), 'one');
  assert.equal(found({ 'accept-encoding': 'gzip', 'accept-language': 'de', accept: 'x' }), 'one');
  assert.equal(found({ 'accept-encoding': 'gzip' }), 'two');
  assert.equal(found({ 'accept-encoding': 'gzip', 'accept-language': '' }), undefined);
  assert.equal(found({ 'accept-encoding': 'GZIP' }), undefined);
  assert.equal(found({}), undefined);
  // Other fields are of weight now: what was learned by these alone might be wrong.
  const source = sourceOf('three');
  assert.ok(table.learn({ url, vary: ['accept'], requestFields: [], source }, 0));
  assert.equal(found({ 'accept-encoding': 'gzip' }), 'three');
  assert.equal(table.count, 1);
});

test('responses that cannot be distinguished or written are not learned', () => {
  const table = new ReadyTable(1 << 20, 5000);
  const learn = (vary: string[], requestFields: string[], head: Partial<ReadyHead> = {}) =>
    table.learn({ url, vary, requestFields, source: sourceOf('x', { head }) }, 0);
  assert.ok(!learn(['*'], []));
  assert.ok(!learn(['authorization'], []));
  assert.ok(!learn(['host'], []));
  assert.ok(!learn(['accept'], ['Accept', 'a', 'accept', 'b']));
  for (const status of [101, 204, 205, 206, 304]) assert.ok(!learn([], [], { status }), String(status));
  assert.ok(!learn([], [], { fields: ['A', 'b\r\nc: d'] }));
  assert.ok(!learn([], [], { fields: ['A b', 'c'] }));
  assert.ok(!learn([], [], { fields: ['A', '\u0100'] }));
  assert.ok(!learn([], [], { reason: 'a\nb' }));
  assert.ok(!table.learn({ url, vary: [], requestFields: [], source: sourceOf('x'.repeat(1 << 20)) }, 0));
  assert.deepEqual([table.count, table.bytes], [0, 0]);
});

test('RFC 9110 13.1.2: a request that names the entity tag gets 304', () => {
  const table = new ReadyTable(1 << 20, 5000);
  const lastModified = 'Sun, 01 Nov 2026 00:00:00 GMT';
  const notModifiedFields = ['ETag', '"a"'];
  const source = sourceOf('x', { etag: '"a"', lastModified, head: { notModifiedFields } });
  table.learn({ url, vary: [], requestFields: [], source }, 0);
  const unchanged = `HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n${kept}\r\n`;
  assert.equal(textOf(table.find(url, own(noneMatchField, '"a"'), 0)), unchanged);
  assert.equal(textOf(table.find(url, own(modifiedSinceField, lastModified), 0)), unchanged);
  for (const tag of ['"b"', 'W/"a"', '*', '"a", "b"', ''])
    assert.equal(table.find(url, own(noneMatchField, tag), 0), undefined, tag);
  assert.equal(table.find(url, own(modifiedSinceField, 'Mon, 02 Nov 2026 00:00:00 GMT'), 0), undefined);
  table.learn({ url, vary: [], requestFields: [], source: sourceOf('x') }, 0);
  assert.equal(table.find(url, own(noneMatchField, '"a"'), 0), undefined);
});

test('after any learning and forgetting only the last response of a URL is sent, within the limit of bytes', () => {
  const urls = ['u1', 'u2', 'u3', 'u4'];
  const languages = [undefined, 'de', 'en'];
  const step = fc.oneof(
    fc.record({
      do: fc.constant('learn' as const),
      url: fc.constantFrom(...urls),
      language: fc.constantFrom(...languages),
      length: fc.integer({ min: 1, max: 3000 }),
    }),
    fc.record({ do: fc.constant('forget' as const), url: fc.constantFrom(...urls) }),
    fc.record({ do: fc.constant('all' as const) }),
    fc.record({
      do: fc.constant('find' as const),
      url: fc.constantFrom(...urls),
      language: fc.constantFrom(...languages),
    }),
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 2000, max: 20_000 }),
      (steps, maxBytes) => {
        const table = new ReadyTable(maxBytes, 5000);
        const model = new Map<string, string>();
        let hits = 0;
        let reported = 0;
        let last = 0;
        for (const one of steps) {
          const key = 'url' in one ? `${one.url} ${'language' in one ? one.language : ''}` : '';
          if (one.do === 'learn') {
            last += 1;
            const text = `${last}:`.padEnd(one.length, 'x');
            const requestFields = one.language === undefined ? [] : ['Accept-Language', one.language];
            const source = sourceOf(text, {
              onHits: (count) => {
                reported += count;
              },
            });
            const learned = table.learn(
              { url: one.url, vary: ['accept-language'], requestFields, source },
              0,
            );
            if (learned) model.set(key, text);
            assert.ok(
              !learned || textOf(table.find(one.url, asking(toFields(one.language)), 0))?.endsWith(text),
            );
            hits += learned ? 1 : 0;
          } else if (one.do === 'forget') {
            table.forget(one.url);
            for (const kept of [...model.keys()]) if (kept.startsWith(`${one.url} `)) model.delete(kept);
          } else if (one.do === 'all') {
            table.forgetAll();
            model.clear();
            assert.equal(table.count, 0);
          } else {
            const found = textOf(table.find(one.url, asking(toFields(one.language)), 0));
            if (found === undefined) continue;
            hits += 1;
            assert.equal(found.split('\r\n\r\n')[1], model.get(key));
          }
          assert.ok(table.bytes <= maxBytes);
        }
        table.reportHits();
        assert.equal(reported, hits);
        table.forgetAll();
        assert.equal(table.bytes, 0);
      },
    ),
  );
});

const toFields = (language: string | undefined): Record<string, string> =>
  language === undefined ? {} : { 'accept-language': language };
