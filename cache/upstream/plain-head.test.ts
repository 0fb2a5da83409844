import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { printPlainHead, readPlainHead } from './plain-head.ts';

const limits = { maxBytes: 64 * 1024, maxFields: 256 };
const hasContent = (status: number) => status !== 204 && status !== 304;
const read = (text: string, given = limits) =>
  readPlainHead(Buffer.from(text, 'latin1'), given, { hasContent });

const start = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n';

test('RFC 9112 4, 5: a head is read with its fields as they came, blanks around values left out', () => {
  const text = `${start}X-A:  b\xe9 c\t\r\nx-a:\r\nKeep-Alive: timeout=5, max=9\r\nConnection: Keep-Alive\r\n\r\n`;
  assert.deepEqual(read(`${text}abc`), {
    ...{ status: 200, reason: 'OK', length: 3, keptSeconds: 5, end: text.length },
    raw: [
      ...['Content-Length', '3', 'X-A', 'b\xe9 c', 'x-a', ''],
      ...['Keep-Alive', 'timeout=5, max=9', 'Connection', 'Keep-Alive'],
    ],
  });
});

test('what is not whole, or may be read in two ways, or says more than an answer, is left to node', () => {
  const whole = `${start}X-A: b\r\n\r\n`;
  assert.ok(read(whole));
  for (let length = 0; length < whole.length; length++) assert.equal(read(whole.slice(0, length)), undefined);
  for (const line of [
    ...[
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      'Connection: close',
      'Connection: x-a',
      'Upgrade: x',
    ],
    ...[' folded', 'X-A : b', 'X-A b', ': b', 'X-A: b\nX-B: c', 'X-A: b\rX-B: c', 'X-A: \x00', 'X-A: \x7f'],
  ])
    assert.equal(read(`${start}${line}\r\n\r\n`), undefined, line);
  for (const status of [
    'HTTP/1.0 200 OK',
    'HTTP/1.1 100 Continue',
    'HTTP/1.1 200',
    'HTTP/1.1  200 OK',
    'http/1.1 200 OK',
  ])
    assert.equal(read(`${status}\r\nContent-Length: 3\r\n\r\n`), undefined, status);
  for (const length of ['', '-1', '+1', '1, 1', '0x1', '9'.repeat(16)])
    assert.equal(read(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`), undefined, length);
  assert.equal(read('HTTP/1.1 200 OK\r\n\r\n'), undefined);
  assert.equal(read('HTTP/1.1 204 No\r\nContent-Length: 1\r\n\r\n'), undefined);
  assert.equal(read('HTTP/1.1 304 Same\r\n\r\n')?.status, 304);
  assert.equal(read(whole, { ...limits, maxBytes: whole.length - 1 }), undefined);
  assert.equal(read(whole, { ...limits, maxFields: 1 }), undefined);
});

/** The head that Node's parser finds in the same bytes. */
function nodeReads(bytes: Buffer): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    const sent = request({ createConnection: () => socket });
    sent.on('error', () => resolve(undefined));
    sent.once('response', (response) => {
      response.on('error', () => undefined);
      resolve(response);
      socket.destroy();
    });
    sent.once('socket', () => socket.push(bytes));
    sent.end();
  });
}

test('whatever is read here, node reads in the same way', async () => {
  const lines = [
    ...[
      'Content-Length: 3',
      'Content-Length:3',
      'content-length: 03',
      'ETag: "a"',
      'X-A: b\xe9 , c',
      'X-B:\t d \t',
    ],
    ...[
      'Connection: keep-alive',
      'Keep-Alive: timeout=5',
      'Date: Mon, 23 Nov 2026 17:00:00 GMT',
      'Vary: a',
      'Age:',
    ],
    ...['Transfer-Encoding: chunked', 'Connection: close', ' folded', 'X : y', 'Upgrade: h2c'],
  ];
  const line = fc.constantFrom(...lines);
  const end = fc.oneof(
    { weight: 40, arbitrary: fc.constant('\r\n') },
    fc.constantFrom('\n', '\r', '\r\r\n', ' \r\n'),
  );
  const status = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 404 ',
    'HTTP/1.1 304 \xe9',
    'HTTP/1.0 200 OK',
  );
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) });
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(
      status,
      fc.array(fc.tuple(line, end), { maxLength: 5 }),
      fc.array(edit, { maxLength: 2 }),
      async (first, rest, edits) => {
        const text = `${first}\r\nContent-Length: 3\r\n${rest.map((one) => one.join('')).join('')}\r\nabc`;
        const bytes = Buffer.from(text, 'latin1');
        for (const { at, byte } of edits) bytes[Math.floor(at * (bytes.length - 1))] = byte;
        const head = readPlainHead(bytes, limits, { hasContent });
        if (head === undefined) return;
        taken += 1;
        const node = await nodeReads(bytes);
        assert.ok(node, 'node does not take it');
        assert.deepEqual(
          [node.statusCode, node.statusMessage, node.rawHeaders],
          [head.status, head.reason, head.raw],
        );
        assert.equal(Number(node.headers['content-length']), head.length);
      },
    ),
    { numRuns: 2000 },
  );
  assert.ok(taken > 100, `${taken} were taken`);
});

test('a request is printed as it is sent, and not at all when it would say more than was meant', () => {
  assert.equal(
    printPlainHead('GET', '/a', 'a.example', ['X-A', 'b']),
    'GET /a HTTP/1.1\r\nHost: a.example\r\nX-A: b\r\nConnection: keep-alive\r\n\r\n',
  );
  for (const [target, ...fields] of [
    ['/a b'],
    ['/a\r\n'],
    ['/a', 'X-A', 'b\r\nX-B: c'],
    ['/a', 'X-A', 'b\u0100'],
    ['/a', 'X A', 'b'],
    ['/a', 'Connection', 'close'],
    ['/a', 'Expect', '100-continue'],
    ['/a', 'Upgrade', 'h2c'],
  ] as const)
    assert.equal(
      printPlainHead('GET', target, 'a.example', fields),
      undefined,
      JSON.stringify([target, fields]),
    );
});
