import type { Random } from '../../kernel/index.ts';

const usual: readonly string[] = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'accept-language: de-DE,de;q=0.9',
  'Connection: keep-alive',
  'Connection: Keep-Alive',
  'Proxy-Connection: keep-alive',
  'Keep-Alive: 300',
  'Cookie: a=b; c="d e"',
  'Referer: http://a.example/',
  'Upgrade-Insecure-Requests: 1',
  'Sec-Fetch-Mode: navigate',
  'X-Forwarded-For: 192.0.2.1',
  'DNT:1',
  'Accept:',
  'Accept:\t*/* \t',
];

const unusual: readonly string[] = [
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: 5, 5',
  'Content-Length : 5',
  'content-length:\t7',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer_Encoding: chunked',
  'Connection: close',
  'Connection: upgrade',
  'Connection: keep-alive, Transfer-Encoding',
  'Connection: host',
  'Connection:',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Range: bytes=0-1',
  'Authorization: Basic YTpi',
  'If-None-Match: "a"',
  'Host: other.example',
  'Host:',
  ' Host: folded.example',
  '\tfolded',
  'Host : spaced.example',
  ': nameless',
  'nothing',
  'X\0Y: z',
  'Accept: \xe9',
  'Accept: a\rb',
  'Accept: \x7f',
  'Via: 1.1 a',
  'TE: trailers',
  'Trailer: Content-Length',
];

const targets: readonly string[] = [
  '/',
  '/index.html',
  '/a/b?c=d&e=%20f',
  '/../a//b;c=d',
  'http://a.example/',
  'http://a.example/x?y',
  'http://b.example/x',
  'http://a.example',
  'http://user@a.example/',
  'HTTP://a.example/',
  'https://a.example/',
  'a.example:443',
  '*',
  '//a.example/b',
  '/a#b',
  '/ü',
  '/a b',
  '/a\tb',
  '',
  '/{}|"<>\\^`',
];

const methods: readonly string[] = [
  'GET',
  'HEAD',
  'get',
  'POST',
  'GETS',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'PRI',
];
const versions: readonly string[] = [
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP/0.9',
  '',
];
const hosts: readonly string[] = [
  'a.example',
  'a.example',
  'A.Example:80',
  '[::1]:8080',
  'a.example, b.example',
  'a b',
  'a/b',
  '',
];
const ends: readonly string[] = ['\n', '\r', '\r\r\n', ' \r\n', '\n\r', '\r\n\r\n', '\r\n '];
const strangeBytes: readonly number[] = [
  0, 9, 10, 11, 12, 13, 32, 34, 35, 44, 47, 58, 59, 64, 92, 127, 128, 173, 255,
];

/**
 * A request head as clients send it, or one that is wrong in a few places: what is mistaken there most often is how
 * requests are smuggled (RFC 9112 11.2). Bytes that belong to nothing may follow.
 */
export function forgedHead(random: Random): Buffer {
  const below = (count: number) => Math.floor(random.next() * count);
  const one = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const rarely = () => below(12) === 0;
  const end = () => (below(60) === 0 ? one(ends) : '\r\n');

  const method = rarely() ? one(methods) : one(methods.slice(0, 2));
  const target = rarely() ? one(targets) : one(targets.slice(0, 6));
  const host = rarely() ? one(hosts) : one(hosts.slice(0, 2));
  const lines = [`${rarely() ? 'hOsT' : 'Host'}:${one([' ', '', '  ', '\t'])}${host}`];
  for (let count = below(6); count > 0; count--) lines.splice(below(lines.length + 1), 0, one(usual));
  if (rarely()) lines.splice(below(lines.length + 1), 0, one(unusual));
  if (below(40) === 0)
    lines.splice(
      lines.findIndex((line) => /^host/i.test(line)),
      1,
    );
  const space = () => (below(80) === 0 ? one(['  ', '\t', '\x0b', '']) : ' ');
  const start = `${method}${space()}${target}${space()}${rarely() ? one(versions) : 'HTTP/1.1'}`;
  let text = `${below(60) === 0 ? one(['\r\n', '\n', ' ']) : ''}${start}${end()}`;
  for (const line of lines) text += `${line}${end()}`;
  text += end();
  if (below(4) === 0)
    text += one(['GET /second HTTP/1.1\r\nHost: a.example\r\n\r\n', '0\r\n\r\n', 'hello', '\r\n', '\0']);

  const bytes = [...Buffer.from(text, 'latin1')];
  for (let edits = below(3) === 0 ? 1 + below(3) : 0; edits > 0; edits--) {
    const byte = below(2) === 0 ? one(strangeBytes) : below(256);
    const at = below(bytes.length + 1);
    // Replaced, put in or taken out.
    const kind = below(3);
    bytes.splice(at, kind === 1 ? 0 : 1, ...(kind === 2 ? [] : [byte]));
  }
  return Buffer.from(bytes);
}
