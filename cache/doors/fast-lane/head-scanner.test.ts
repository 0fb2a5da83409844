import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { seededRandom } from '../../../kernel/index.ts';
import { forgedHead } from '../../testing/forged-heads.ts';
import { HeadScanner } from './head-scanner.ts';
import { plainFieldNumber, plainFields } from './plain-fields.ts';

const heads = Number(process.env.GARNER_TEST_REQUESTS || 20_000);
const seed = Number(process.env.GARNER_TEST_SEED || 1994);

/** The parts of a request that both parsers find. */
interface Understood {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  /** Plain fields: name in lower case, and value. */
  readonly fields: readonly (readonly [string, string])[];
}

const numbers = plainFields.map((name) => [name, plainFieldNumber(name)] as const);

function scanned(scanner: HeadScanner): Understood {
  const fields = numbers.flatMap(([name, number]) => {
    const value = scanner.value(number);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { method, target: url, host } = scanner;
  return { method, url, host, fields };
}

function parsed(message: IncomingMessage): Understood {
  const fields: [string, string][] = [];
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    const name = (message.rawHeaders[at] as string).toLowerCase();
    if (plainFieldNumber(name) >= 0) fields.push([name, message.rawHeaders[at + 1] as string]);
  }
  fields.sort(([one], [other]) => plainFieldNumber(one) - plainFieldNumber(other));
  return {
    ...{ method: message.method ?? '', url: message.url ?? '', host: message.headers.host ?? '' },
    fields,
  };
}

/** The requests that Node's parser finds in the bytes of one connection. */
async function nodeReads(bytes: Buffer): Promise<readonly Understood[]> {
  const found: Understood[] = [];
  const server = createServer((message, response) => {
    found.push(parsed(message));
    assert.equal(message.headers['content-length'], undefined);
    assert.equal(message.headers['transfer-encoding'], undefined);
    response.end();
  });
  server.keepAliveTimeout = 0;
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', socket);
  socket.push(bytes);
  socket.push(null);
  socket.resume();
  await once(socket, 'close');
  return found;
}

/** Sent behind what was accepted: it is read as a request when nothing was left over. */
const last = Buffer.from('GET /last HTTP/1.1\r\nHost: last\r\n\r\n', 'latin1');

const scan = (scanner: HeadScanner, text: string) => scanner.scan(Buffer.from(text, 'latin1'), text, 0);

test(`what the scanner accepts of ${heads} forged heads, node's parser reads in the same way`, async (t) => {
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  const scanner = new HeadScanner();
  const counts = { plain: 0, single: 0 };
  let batch: Buffer[] = [];
  let expected: (Understood | (Omit<Understood, 'fields'> & { readonly fields: 'any' }))[] = [];
  const judge = async () => {
    const found = await nodeReads(Buffer.concat([...batch, last]));
    const judged = found
      .slice(0, -1)
      .map((one, at) => ({ ...one, ...(expected[at]?.fields === 'any' && { fields: 'any' }) }));
    assert.deepEqual(judged, expected);
    assert.equal(found.at(-1)?.url, '/last');
    batch = [];
    expected = [];
  };
  for (let count = 0; count < heads; count++) {
    const bytes = forgedHead(random);
    const kind = scanner.scan(bytes, bytes.toString('latin1'), 0);
    if (kind !== 'plain' && kind !== 'single') continue;
    counts[kind]++;
    batch.push(bytes.subarray(0, scanner.end));
    // The rest of a single one is read by Node only.
    expected.push(kind === 'plain' ? scanned(scanner) : { ...scanned(scanner), fields: 'any' });
    if (batch.length === 100) await judge();
  }
  await judge();
  assert.ok(counts.plain > heads / 10 && counts.single > heads / 100, JSON.stringify(counts));
  assert.ok(counts.plain + counts.single < heads * 0.9, JSON.stringify(counts));
});

test('a head is cut until its last byte is there, wherever it is cut', () => {
  const scanner = new HeadScanner();
  const text =
    'HEAD http://a.example/x?y=%20 HTTP/1.1\r\nhost: a.example\r\nAccept:  */* \r\nUser-Agent: wrk\r\n\r\n';
  for (let length = 0; length < text.length; length++)
    assert.equal(scan(scanner, text.slice(0, length)), 'cut', JSON.stringify(text.slice(0, length)));
  assert.equal(scan(scanner, text), 'plain');
  assert.equal(scanner.end, text.length);
  assert.deepEqual(scanned(scanner), {
    ...{ method: 'HEAD', url: 'http://a.example/x?y=%20', host: 'a.example' },
    fields: [
      ['accept', '*/*'],
      ['user-agent', 'wrk'],
    ],
  });
});

test('a second head is read where the first one ends, and knows nothing of it', () => {
  const scanner = new HeadScanner();
  const first = 'GET /a HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\n\r\n';
  const text = `${first}HEAD /b HTTP/1.1\r\nHost: b\r\n\r\n`;
  const bytes = Buffer.from(text, 'latin1');
  assert.equal(scanner.scan(bytes, text, 0), 'plain');
  assert.equal(scanner.end, first.length);
  assert.equal(scanner.scan(bytes, text, scanner.end), 'plain');
  assert.deepEqual(scanned(scanner), { method: 'HEAD', url: '/b', host: 'b', fields: [] });
  assert.equal(scanner.end, text.length);
});

test('a head that asks for more than a stored response is single: its end is known all the same', () => {
  const scanner = new HeadScanner();
  for (const line of [
    'Cache-Control: no-cache',
    'Pragma: no-cache',
    'Range: bytes=0-0',
    'If-Match: "a"',
    'Authorization: Basic YTpi',
    'Unknown: field',
    'Via: 1.1 a',
    'Accept: a\r\nAccept: b',
  ]) {
    const text = `GET / HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`;
    assert.equal(scan(scanner, `${text}more`), 'single', line);
    assert.equal(scanner.end, text.length);
    for (let length = 1; length < text.length; length++)
      assert.equal(scan(scanner, text.slice(0, length)), 'cut', text.slice(0, length));
  }
  assert.equal(scan(scanner, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'), 'plain');
});

test('heads that could be read in two ways, or do not end with themselves, are unusual', () => {
  const scanner = new HeadScanner();
  const line = (text: string) => `GET / HTTP/1.1\r\nHost: a\r\n${text}\r\n\r\n`;
  assert.equal(scan(scanner, line('Accept: */*')), 'plain');
  for (const text of [
    'Host: a',
    'Host: b',
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
    'Content-Length: 1\r\nTransfer-Encoding: chunked',
    'Accept : */*',
    ' Accept: */*',
    'Accept: a\r\n b',
    'Accept: a\nAccept-Charset: b',
    'Accept: a\rb',
    'Accept: \x00',
    'Accept: \xff',
    'Connection: close',
    'Connection: keep-alive, accept',
    'Proxy-Connection: close',
    'If-None-Match: "a"\r\nIf-None-Match: "b"',
    'Expect: 100-continue',
    'Upgrade: websocket',
    'HTTP2-Settings: a',
    'TE: trailers',
    'Trailer: a',
    'Unknown: a\x00',
    'Unknown : a',
    'Unknown: a\r\n b',
    ': a',
    'If-Modified-Since: a\r\nIf-Modified-Since: b',
  ])
    assert.equal(scan(scanner, line(text)), 'unusual', text);
  for (const text of [
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost:\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n',
    'GET / HTTP/1.0\r\nHost: a\r\n\r\n',
    'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1 \r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\nHost: a\n\n',
    '\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
    'get / HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /#a HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET * HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://a HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://ab/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n',
    `GET /${'a'.repeat(5000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'a'.repeat(9000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'a'.repeat(9000)}`,
  ])
    assert.equal(scan(scanner, text), 'unusual', text.slice(0, 80));
});
