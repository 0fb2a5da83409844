import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, exchange, hear, open, statusOf, testDoor, text, untilEnd } from '../testing/raw-client.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';
import { AccessRules } from './access.ts';
import type { HttpDoorOptions } from './door-options.ts';

const limit = { timeout: 20_000 };

const accelerator = { accelerator: acceleratedHosts(['http://origin.example']) };
const proxy = { proxy: true };

/** The bytes of a request, the status of its answer, and the door. */
type Case = readonly [what: string, bytes: string, status: number, door?: Partial<HttpDoorOptions>];

const refusals: readonly Case[] = [
  ['RFC 9112 3.2: no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['RFC 9112 3.2: two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
  ['RFC 9112 3.2: a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
  ['RFC 9112 3.2: a Host with a user', 'GET / HTTP/1.1\r\nHost: u@a\r\n\r\n', 400],
  ['RFC 9112 3.2: a Host with two names', 'GET / HTTP/1.1\r\nHost: a, b\r\n\r\n', 400],
  ['RFC 9112 3.2: a Host with a port that is none', 'GET / HTTP/1.1\r\nHost: a:b\r\n\r\n', 400],
  [
    'RFC 9112 6.3: a length and a coding',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'RFC 9112 6.3: a coding and a length',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'RFC 9112 6.3: two lengths',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    400,
  ],
  [
    'RFC 9112 6.3: one length twice',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na',
    400,
  ],
  ['RFC 9112 6.3: a list of lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na', 400],
  ['RFC 9112 6.3: a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
  ['RFC 9112 6.3: a length with a sign', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na', 400],
  [
    'RFC 9112 6.3: a length in hexadecimal',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\na',
    400,
  ],
  [
    'RFC 9112 6.1: a coding that is not known',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    501,
  ],
  [
    'RFC 9112 6.3: a coding that does not end with chunked',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n',
    400,
  ],
  [
    'RFC 9112 6.1: chunked twice',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'RFC 9112 6.1: a list of chunked twice',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'RFC 9112 6.1: a coding in HTTP/1.0',
    'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['RFC 9112 5.1: a space before the colon', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n', 400],
  ['RFC 9112 5.2: a folded field', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n', 400],
  ['RFC 9112 2.2: lines that end with LF alone', 'GET / HTTP/1.1\nHost: a\n\n', 400],
  ['RFC 9112 2.2: a bare CR in a field', 'GET / HTTP/1.1\r\nHost: a\r\nX: b\rContent-Length: 5\r\n\r\n', 400],
  ['RFC 9112 2.2: a space before the first field', 'GET / HTTP/1.1\r\n Host: a\r\nHost: b\r\n\r\n', 400],
  ['RFC 9110 5.5: a NUL in a field', 'GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n', 400],
  ['RFC 9110 5.1: a field name that is none', 'GET / HTTP/1.1\r\nHost: a\r\nX(Y): b\r\n\r\n', 400],
  ['RFC 9112 3: no version', 'GET /\r\n\r\n', 400],
  ['RFC 9112 2.3: another version', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n', 400],
  ['RFC 9112 3: white space in the target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['RFC 9110 9.1: a method in lower case that is none', 'get / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
  ['RFC 9110 9.1: a method that is not known', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
  ['RFC 9110 9.1: one that begins as another', 'GETS / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
  ['RFC 9112 3: a method that is no token', 'F(O / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['RFC 9112 3: an unknown method without a version', 'FOO /\r\nHost: a\r\n\r\n', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a TLS greeting on a plain port', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['bytes that are not ASCII in the path', 'GET /\xe4 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['RFC 9112 3.2.4: an asterisk for GET', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a target without a slash', 'GET a HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['RFC 9110 4.2.4: a user in the URL', 'GET http://u:p@a/ HTTP/1.1\r\nHost: a\r\n\r\n', 400, proxy],
  ['a scheme that is not known', 'GET file:///etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n', 400, proxy],
  ['a URL without a host', 'GET http:/// HTTP/1.1\r\nHost: a\r\n\r\n', 400, proxy],
  ['a URL with a port that is none', 'GET http://a:99999/ HTTP/1.1\r\nHost: a\r\n\r\n', 400, proxy],
  ['a URL that is too long', `GET http://a/${'a'.repeat(9000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414, proxy],
  ['RFC 9110 15.5.15: a path that is too long', `GET /${'a'.repeat(8200)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
  ['a path at a door that is a proxy only', 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n', 421, proxy],
  [
    'a Host that is not accelerated',
    'GET /a HTTP/1.1\r\nHost: other\r\n\r\n',
    421,
    { accelerator: acceleratedHosts(['www=http://o']) },
  ],
  [
    'another host by its URL at an accelerator',
    'GET http://other/ HTTP/1.1\r\nHost: www\r\n\r\n',
    421,
    { accelerator: acceleratedHosts(['www=http://o']) },
  ],
  ['CONNECT at an accelerator', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 501],
  ['CONNECT at a proxy without tunnels', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 501, proxy],
  ['a head of too many bytes', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
  ['a head of too many fields', `GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(300)}\r\n`, 431],
  [
    'a declared content that is too large',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n',
    413,
    { ...accelerator, limits: { maxUploadBytes: 1000 } },
  ],
  [
    'an expectation that is not known',
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\na',
    417,
  ],
  [
    'an address that a proxy is not for',
    'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n',
    403,
    { ...proxy, access: new AccessRules([{ allow: false }]) },
  ],
];

test('an unknown method and too long a URL are answered with the method and the limit', limit, async () => {
  await using served = await testDoor(() => text('x'), accelerator);
  const socket = await open(served.door);
  socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  await hear(socket, '\r\n\r\nx');
  socket.write('BAN /a?b HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.match(
    (await untilEnd(socket)).text,
    /the method BAN is unknown here\n.*PURGE.*\n\(CACHE_METHOD_UNKNOWN\)/,
  );
  const dashed = await exchange(served.door, 'X-Y / HTTP/1.0\r\n\r\n');
  assert.match(dashed, /the method X-Y is unknown here\nuse an HTTP method/);
  const long = await exchange(
    served.door,
    `GET /${'a'.repeat(8200)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  assert.match(long, /longer than 8192 bytes.*\n.*\n\(CACHE_URL_TOO_LONG\)/);
  const origin = 'http://origin.example'.length;
  const fitting = `GET /${'a'.repeat(8192 - origin - 1)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  assert.equal(statusOf(await exchange(served.door, fitting)), 200);
});

for (const [what, bytes, status, options = accelerator] of refusals)
  test(`refused with ${status} and no answer asked for: ${what}`, limit, async () => {
    await using served = await testDoor(() => text('no'), options);
    // A second request behind the refused one is what smuggling would bring in.
    const answer = await exchange(
      served.door,
      `${bytes}GET /smuggled HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(statusOf(answer), status, answer);
    assert.match(codeOf(answer) ?? '', /^CACHE_/);
    const asked = served.requests.map(({ url }) => url);
    // Where the refused request's own end is beyond doubt, the one behind it is a request of its own.
    assert.deepEqual(
      asked.filter((url) => !url.endsWith('/smuggled')),
      [],
    );
    assert.deepEqual(served.faults, []);
  });

test('a refusal by access names the setting and the requested host, not the origin', limit, async () => {
  const access = new AccessRules([{ allow: false, from: ['127.0.0.1'], hosts: ['origin.example'] }]);
  await using behind = await testDoor(() => text('x'), { ...accelerator, access });
  const visitor = await exchange(
    behind.door,
    'GET /a HTTP/1.1\r\nHost: www.example\r\nConnection: close\r\n\r\n',
  );
  assert.match(visitor, /\r\n\r\nno rule of cache\.access allows GET from this address to www\.example\n/);
  assert.doesNotMatch(visitor, /origin\.example/);
  await using open = await testDoor(() => text('x'), { ...proxy, access });
  const client = await exchange(
    open.door,
    'POST http://origin.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  assert.match(client, /allows POST from this address to origin\.example\n/);
});
