import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rawOrigin } from '../testing/raw-origin.ts';
import { outcome, requestFor, saysAndEnds, textOf } from '../testing/scripted-upstream.ts';
import { openUpstream } from './upstream.ts';

const runs = Number(process.env.GARNER_TEST_RESPONSES ?? 400);

const usual = fc
  .constantFrom(
    'X-A: b',
    'Content-Length: 3',
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
    'Connection: close',
  )
  .map((field) => `${field}\r\n`);
const odd = fc
  .constantFrom(
    ...[
      'Content-Length: +3',
      'Content-Length: 3, 3',
      'Content-Length : 3',
      'content-length:3',
      'Transfer-Encoding: gzip',
    ],
    ...[
      'Transfer-Encoding:\x0bchunked',
      'Transfer-Encoding: identity',
      'X-A: b\0',
      'X-A\tb: c',
      ' X-A: b',
      ': a',
      'X-A: \xe4',
    ],
  )
  .map((field) => `${field}\r\n`);
const field = fc.oneof({ weight: 6, arbitrary: usual }, odd);
const status = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.0 200 OK', 'HTTP/1.1 404 ', 'HTTP/1.1 204 No'),
  },
  fc.constantFrom(
    'HTTP/1.1  200 OK',
    'HTTP/2.0 200 OK',
    'HTTP/1.1 2000 OK',
    'ICY 200 OK',
    'HTTP/1.1 099 OK',
    'http/1.1 200 OK',
  ),
);
// No CR alone: Node's parser takes one for the end of a status line, which no other code reads again.
const eol = fc.oneof({ weight: 12, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', ' \r\n'));
const content = fc.constantFrom(
  ...[
    '',
    'abc',
    'ab',
    'abcdef',
    '3\r\nabc\r\n0\r\n\r\n',
    '3\r\nabc\r\n',
    '3\r\nabcd\r\n0\r\n\r\n',
    '0\r\n\r\n',
    '+3\r\nabc\r\n0\r\n\r\n',
  ],
  ...[
    '3;a=b\r\nabc\r\n0\r\nX-T: a\r\n\r\n',
    '3\nabc\n0\n\n',
    '3\r\nabc\r\n0\r\n',
    'ffffffffffffffffff\r\nabc',
    ' 3\r\nabc\r\n0\r\n\r\n',
  ],
);
const response = fc
  .tuple(status, eol, fc.array(field, { maxLength: 3 }), eol, content)
  .map(([first, end, fields, last, body]) => `${first}${end}${fields.join('')}${last}${body}`);

/** The content of a response to GET that ends with its connection, when it is valid beyond doubt (RFC 9112 6.3). */
function contentOf(bytes: string): string | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const [, version, code] = /^HTTP\/(1\.[01]) (\d{3}) [\x20-\x7e]*$/.exec(first) ?? [];
  if (end < 0 || code === undefined) return undefined;
  const fields = lines.map((line) =>
    /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line),
  );
  if (fields.includes(null)) return undefined;
  const all = (name: string) =>
    fields.flatMap((found) => (found?.[1]?.toLowerCase() === name ? [found[2]] : []));
  const [length, ...lengths] = all('content-length');
  const [coding, ...codings] = all('transfer-encoding');
  if (lengths.length + codings.length > 0 || (length !== undefined && coding !== undefined)) return undefined;
  const rest = bytes.slice(end + 4);
  if (coding !== undefined) {
    if (version !== '1.1' || code === '204') return undefined;
    // No registered coding: nothing is done to the content, and only the connection's end is its end.
    if (coding === 'identity') return rest;
    if (coding !== 'chunked') return undefined;
    const whole = /^(?:3(?:;a=b)?\r\n(abc)\r\n)?0\r\n(?:X-T: a\r\n)?\r\n/.exec(rest);
    return whole === null ? undefined : (whole[1] ?? '');
  }
  if (length !== undefined && !/^\d+$/.test(length)) return undefined;
  if (code === '204') return length === undefined || Number(length) === 0 ? '' : undefined;
  if (length === undefined) return rest;
  return rest.length >= Number(length) ? rest.slice(0, Number(length)) : undefined;
}

test('whatever an origin says, an answer is taken only when it is valid, and as what it is', {
  timeout: 300_000,
}, async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(response, async (bytes) => {
      const came = await outcome(saysAndEnds(bytes), {}, { silenceMs: 2000 });
      if (came.startsWith('CACHE_')) return;
      taken += 1;
      assert.equal(came, contentOf(bytes));
    }),
    { numRuns: runs },
  );
  assert.ok(taken > runs / 20, `${taken} taken`);
});

test('whatever an origin says, the next answer over its connections is another one', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(response, async (bytes) => {
      let first = true;
      await using origin = await rawOrigin(({ socket }) => {
        if (!first) return 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood';
        first = false;
        // An answer without its own length is ended here, a moment later.
        setTimeout(() => socket.end(), 20);
        return `${bytes}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`;
      });
      await using upstream = openUpstream({ allowHosts: [origin.url], silenceMs: 2000 });
      const ask = async () => textOf(await upstream.send(requestFor(`${origin.url}/`)));
      await ask().catch(() => undefined);
      assert.equal(await ask(), 'good');
    }),
    { numRuns: runs / 4 },
  );
});
