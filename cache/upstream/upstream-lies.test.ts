import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawCall, rawOrigin } from '../testing/raw-origin.ts';
import { outcome, requestFor, says, saysAndEnds, textOf } from '../testing/scripted-upstream.ts';
import { openUpstream } from './upstream.ts';

const limit = { timeout: 20_000 };

const lies: readonly (readonly [string, string, string])[] = [
  [
    'two lengths that differ',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'two lengths that agree',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab',
    'CACHE_BAD_RESPONSE',
  ],
  ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nab', 'CACHE_BAD_RESPONSE'],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nab', 'CACHE_BAD_RESPONSE'],
  ['a length with a sign', 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nab', 'CACHE_BAD_RESPONSE'],
  [
    'an enormous length',
    `HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\nab`,
    'CACHE_BAD_RESPONSE',
  ],
  ['an empty length', 'HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nab', 'CACHE_BAD_RESPONSE'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'chunks and a length',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'a coding nobody knows',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'chunked twice',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'chunks in HTTP/1.0',
    'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'a chunk length that is none',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxy\r\nab\r\n0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'a chunk longer than it says',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'a field without a colon',
    'HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'a space before the colon',
    'HTTP/1.1 200 OK\r\nX-A : b\r\nContent-Length: 0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  [
    'a control character in a field',
    'HTTP/1.1 200 OK\r\nX-A: b\x01\r\nContent-Length: 0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  ['a NUL in a field', 'HTTP/1.1 200 OK\r\nX-A: b\0c\r\nContent-Length: 0\r\n\r\n', 'CACHE_BAD_RESPONSE'],
  [
    'a bare CR in a field',
    'HTTP/1.1 200 OK\r\nX-A: b\rX-B: c\r\nContent-Length: 0\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  ['a folded field', 'HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n', 'CACHE_BAD_RESPONSE'],
  ['HTTP/2.0 in words', 'HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n', 'CACHE_BAD_RESPONSE'],
  ['HTTP/0.9', 'hello', 'CACHE_BAD_RESPONSE'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n', 'CACHE_BAD_RESPONSE'],
  [
    'another protocol unasked',
    'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    'CACHE_BAD_RESPONSE',
  ],
  ['a 204 with content', 'HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\nabc', 'CACHE_BAD_RESPONSE'],
  [
    'a head larger than is read',
    `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\n`,
    'CACHE_BAD_RESPONSE',
  ],
  ['more fields than are read', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(300)}\r\n`, 'CACHE_BAD_RESPONSE'],
  ['interim answers without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20), 'CACHE_BAD_RESPONSE'],
];

for (const [what, bytes, code] of lies)
  test(`an origin that sends ${what} is not believed`, limit, async () => {
    assert.equal(await outcome(says(bytes), {}, { silenceMs: 2000 }), code);
  });

const broken: readonly (readonly [string, string])[] = [
  ['before its head is whole', 'HTTP/1.1 200 OK\r\nX-A: b'],
  ['before its declared length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ['without its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ['within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc'],
  ['within its trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: a'],
  ['before anything', ''],
];

for (const [what, bytes] of broken) {
  test(`RFC 9112 8: an answer that ends ${what} is broken off`, limit, async () => {
    assert.equal(await outcome(saysAndEnds(bytes)), 'CACHE_BROKEN_OFF');
  });
  test(`an answer that is reset ${what} is broken off`, limit, async () => {
    const reset = ({ socket }: RawCall) => {
      socket.write(Buffer.from(bytes, 'latin1'), () => setTimeout(() => socket.resetAndDestroy(), 30));
      return undefined;
    };
    assert.equal(await outcome(reset), 'CACHE_BROKEN_OFF');
  });
}

test(
  'RFC 9112 8: a content that ends with its connection is whole, unless the connection is reset',
  limit,
  async () => {
    assert.equal(await outcome(saysAndEnds('HTTP/1.0 200 OK\r\n\r\nabc')), 'abc');
    assert.equal(await outcome(saysAndEnds('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc')), 'abc');
    // A coding that is none changes nothing about the content, but nothing else says where it ends.
    assert.equal(
      await outcome(saysAndEnds('HTTP/1.1 200 OK\r\nTransfer-Encoding: none-such\r\n\r\nabc')),
      'abc',
    );
    assert.equal(
      await outcome(saysAndEnds('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc')),
      'CACHE_BAD_RESPONSE',
    );
    const reset = ({ socket }: RawCall) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nabc', () => setTimeout(() => socket.resetAndDestroy(), 30));
      return undefined;
    };
    assert.equal(await outcome(reset), 'CACHE_BROKEN_OFF');
  },
);

test(
  'an origin that says nothing, or stops half-way, is given up after the silence it is allowed',
  limit,
  async () => {
    const brief = { silenceMs: 150 };
    assert.equal(await outcome(() => undefined, {}, brief), 'CACHE_SILENT');
    assert.equal(await outcome(says('HTTP/1.1 200 OK\r\n'), {}, brief), 'CACHE_SILENT');
    assert.equal(
      await outcome(says('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'), {}, brief),
      'CACHE_SILENT',
    );
    const dripping = ({ socket }: RawCall) => {
      let at = 0;
      const head = 'HTTP/1.1 200 OK\r\nX-Very-Slow: yes\r\nContent-Length: 0\r\n\r\n';
      const timer = setInterval(() => socket.write(head.charAt(at++)), 20);
      socket.once('close', () => clearInterval(timer));
      return undefined;
    };
    assert.equal(await outcome(dripping, {}, { silenceMs: 300 }), 'CACHE_SILENT');
  },
);

test('bytes after an answer never become the next one', limit, async () => {
  const good = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood';
  const evil = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
  for (const delayed of [false, true]) {
    let said: Promise<unknown> = Promise.resolve();
    await using origin = await rawOrigin(({ socket }) => {
      if (!delayed) return good + evil;
      // Sent while idle: bytes after the next request was sent could not be distinguished from its answer.
      said = new Promise((resolve) => {
        socket.once('close', resolve);
        setTimeout(() => socket.write(evil), 5);
      });
      return good;
    });
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    for (let times = 0; times < 4; times += 1) {
      assert.equal(await textOf(await upstream.send(requestFor(`${origin.url}/`))), 'good');
      await said;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(origin.connections, 4);
  }
});
