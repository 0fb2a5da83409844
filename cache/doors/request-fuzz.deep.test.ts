import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { exchange, testDoor } from '../testing/raw-client.ts';
import { openUpstream } from '../upstream/upstream.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';

const runs = Number(process.env.GARNER_TEST_REQUESTS ?? 400);

const eol = fc.oneof(
  { weight: 20, arbitrary: fc.constant('\r\n') },
  fc.constantFrom('\n', '\r', '\r\r\n', '\r\n '),
);
const colon = fc.oneof({ weight: 20, arbitrary: fc.constant(': ') }, fc.constantFrom(':', ' : ', ':\t', ''));
const name = fc.constantFrom(
  ...[
    'Host',
    'Content-Length',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Expect',
    'Upgrade',
    'Via',
  ],
  ...[
    'X-A',
    'Max-Forwards',
    'Trailer',
    'TE',
    'Keep-Alive',
    'Proxy-Connection',
    'X\0',
    'Forwarded',
    'Authorization',
  ],
);
const value = fc.constantFrom(
  ...[
    'a',
    '0',
    '3',
    '5',
    '+3',
    '0x3',
    '3, 3',
    '-1',
    'chunked',
    'identity',
    'gzip, chunked',
    'chunked, identity',
  ],
  ...[
    '\x0bchunked',
    'close',
    'keep-alive, Content-Length',
    'Transfer-Encoding',
    'host',
    '100-continue',
    'h2c',
  ],
  ...['websocket', '', 'a\rb', 'a\0b', 'b\r\nX-B: c', 'a, b', '\xe4', '1.1 x'],
);
const usual = fc
  .constantFrom(
    ...[
      'X-A: a',
      'Content-Length: 3',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      'Connection: close',
    ],
    ...[
      'Expect: 100-continue',
      'Max-Forwards: 0',
      'Max-Forwards: 3',
      'Connection: X-A, Content-Length',
      'Via: 1.1 b',
    ],
    ...['Upgrade: h2c', 'TE: trailers', 'Trailer: X-T', 'Cookie: \xe4'],
  )
  .map((text) => `${text}\r\n`);
const odd = fc.tuple(name, colon, value, eol).map((parts) => parts.join(''));
const field = fc.oneof({ weight: 8, arbitrary: usual }, odd);
const oddLine = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'G ET', 'PURGE'),
    fc.constantFrom(' ', ' ', ' ', ' ', '  ', '\t'),
    fc.constantFrom(
      '/',
      '/a?b',
      '//x',
      'http://a/',
      'http://u@a/',
      '*',
      '/a b',
      '/\\',
      '/%0d%0a',
      '/\x80',
      'a:80',
    ),
    fc.constantFrom(' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.0', ' HTTP/1.2', ' HTTP/2.0', ''),
    eol,
  )
  .map((parts) => parts.join(''));
const usualLine = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'OPTIONS'),
    fc.constantFrom('/', '/a?b', '//x', '/%0d'),
  )
  .map(([method, target]) => `${method} ${target} HTTP/1.1\r\n`);
const line = fc.oneof({ weight: 8, arbitrary: usualLine }, oddLine);
const content = fc.constantFrom(
  '',
  'abc',
  'abcde',
  '0\r\n\r\n',
  '3\r\nabc\r\n0\r\n\r\n',
  '3;x\r\nabc\r\n0\r\nX-T: a\r\n\r\n',
  '03\r\nabc\r\n0\r\n\r\n',
  '3 \r\nabc\r\n0\r\n\r\n',
  '3\nabc\n0\n\n',
);
const request = fc
  .tuple(
    line,
    fc.oneof({ weight: 15, arbitrary: fc.constant('Host: a\r\n') }, fc.constant('')),
    fc.array(field, { maxLength: 4 }),
    fc.oneof({ weight: 10, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', ' \r\n')),
    content,
  )
  .map(([first, host, fields, end, body]) => first + host + fields.join('') + end + body);

/**
 * The request lines of what an origin received on one connection, read as strictly as can be; only the last content may
 * be cut short, by a client that left. Throws for what is not exactly valid.
 */
function readStrictly(heard: string, host: string): string[] {
  const seen: string[] = [];
  let at = 0;
  while (at < heard.length) {
    const end = heard.indexOf('\r\n\r\n', at);
    assert.ok(end >= 0, 'a head without an end');
    const [first = '', ...lines] = heard.slice(at, end).split('\r\n');
    assert.match(first, /^[A-Z]+ \/[\x21-\x7e]* HTTP\/1\.1$/);
    const fields = lines.map((text) => {
      const found = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t\x20-\x7e\x80-\xff]*)$/.exec(text);
      assert.ok(found, `not a field: ${JSON.stringify(text)}`);
      return [(found[1] ?? '').toLowerCase(), found[2] ?? ''] as const;
    });
    const all = (wanted: string) => fields.flatMap(([key, text]) => (key === wanted ? [text] : []));
    assert.deepEqual(all('host'), [host]);
    const [length, ...lengths] = all('content-length');
    const [coding, ...codings] = all('transfer-encoding');
    assert.deepEqual([...lengths, ...codings], []);
    at = end + 4;
    if (coding !== undefined) {
      assert.deepEqual([coding, length], ['chunked', undefined]);
      for (;;) {
        const size = /^([0-9a-f]+)\r\n/i.exec(heard.slice(at, at + 20));
        if (size === null && heard.length - at < 8) return [...seen, first];
        assert.ok(size, 'a chunk without a size');
        at += size[0].length + Number.parseInt(size[1] ?? '', 16);
        if (at >= heard.length) return [...seen, first];
        assert.equal(heard.slice(at, at + 2), '\r\n');
        at += 2;
        if (/^0+$/.test(size[1] ?? '')) break;
      }
    } else if (length !== undefined) {
      assert.match(length, /^\d+$/);
      at += Number(length);
    }
    seen.push(first);
  }
  return seen;
}

/** An origin that answers everything, with all that each of its connections brought. */
async function tappedOrigin() {
  let heard: { text: string }[] = [];
  const server = createServer((asked, answer) => {
    asked.resume().once('end', () => answer.end('ok'));
  });
  server.on('connection', (socket) => {
    const tap = { text: '' };
    heard.push(tap);
    socket.on('data', (bytes) => {
      tap.text += bytes.toString('latin1');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = heard.map(({ text }) => text);
      heard = [];
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('whatever is sent to a door, an origin hears valid requests, and no more than were understood', {
  timeout: 300_000,
}, async () => {
  await using origin = await tappedOrigin();
  let understood = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (sent) => {
      await using upstream = openUpstream({ allowHosts: [origin.url], silenceMs: 2000 });
      await using served = await testDoor((asked) => upstream.send({ ...asked, route: { to: 'origin' } }), {
        accelerator: acceleratedHosts([origin.url]),
        limits: { stallMs: 100, headTimeoutMs: 100 },
      });
      await exchange(
        served.door,
        `${sent.join('')}GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      const heads = origin.take().flatMap((heard) => readStrictly(heard, origin.host));
      assert.ok(heads.length <= served.requests.length, `${heads.length} > ${served.requests.length}`);
      assert.ok(served.requests.length <= sent.length + 1);
      assert.deepEqual(served.faults, []);
      understood += served.requests.length;
    }),
    { numRuns: runs },
  );
  // A generator of which nothing is understood would prove nothing.
  assert.ok(understood > runs / 10, `${understood} understood`);
});
