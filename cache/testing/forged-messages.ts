import type { Random } from '../../kernel/index.ts';

const lengths: readonly string[] = [
  ...['0', '5', '6', '05', '+5', '-1', '0x5', '5 5', '5, 5', '5,', '', '5;', '5\0', '99999999999999999999'],
];
const codings: readonly string[] = [
  ...['chunked', 'Chunked', 'xchunked', 'chunked, identity', 'identity', 'gzip, chunked', 'chunked, chunked'],
  ...['\x0bchunked', 'chunked\t', '"chunked"', 'chunked;q=1', '', 'cow', 'chunked\0', 'chunke\xe4d'],
];
/** How a line may be spelled whose meaning two readers could differ on. */
const spelled: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}: ${value}\r\n`,
  (name, value) => `${name}: ${value}\r\n`,
  (name, value) => `${name}:${value}\r\n`,
  (name, value) => `${name.toUpperCase()}: ${value}\r\n`,
  (name, value) => `${name} : ${value}\r\n`,
  (name, value) => `${name}\t: ${value}\r\n`,
  (name, value) => ` ${name}: ${value}\r\n`,
  (name, value) => `${name}:\r\n ${value}\r\n`,
  (name, value) => `${name}:\n ${value}\r\n`,
  (name, value) => `${name}: ${value}\n`,
  (name, value) => `${name}: ${value}\r`,
  (name, value) => `X: y\n${name}: ${value}\r\n`,
  (name, value) => `X: y\r${name}: ${value}\r\n`,
  (name, value) => `X: y\0\r\n${name}: ${value}\r\n`,
  (name, value) => `${name}\r\n: ${value}\r\n`,
  (name, value) => `${name.replace('-', '_')}: ${value}\r\n`,
  (name, value) => `${name}\0: ${value}\r\n`,
  (name, value) => `${name}: ${value}\r\n${name}: ${value}\r\n`,
  (name, value) => `Connection: ${name}\r\n${name}: ${value}\r\n`,
  (name, value) => `Trailer: ${name}\r\n${name}: ${value}\r\n`,
];
const smuggled = 'GET /smuggled1 HTTP/1.1\r\nHost: a.example\r\n\r\n';
const contents: readonly string[] = [
  ...['', 'hello', '0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', '5;a=b\r\nhello\r\n0\r\n\r\n'],
  ...['5;a="\r\n"\r\nhello\r\n0\r\n\r\n', '5 ;a\r\nhello\r\n0;b\r\n\r\n', '5;\nhello\r\n0\r\n\r\n'],
  ...[
    '005\r\nhello\r\n000\r\nA: b\r\n\r\n',
    '5\nhello\n0\n\n',
    '5\r\nhelloX\r\n0\r\n\r\n',
    '+5\r\nhello\r\n0\r\n\r\n',
  ],
  ...[
    '0x5\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello\r\n0\r\nContent-Length: 5\r\n\r\n',
    'fffffffffffffffff\r\nhello',
  ],
  ...[
    '5\r\nhello\r\n0\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n',
    '5\r\nhello\r\n0\r\n',
    '\r\n',
    '\r\n\r\n',
  ],
  smuggled,
  `0\r\n\r\n${smuggled}`,
  `5\r\nhello\r\n0\r\n\r\n${smuggled}`,
  `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
];

/**
 * A request whose content one reader might see the end of elsewhere than another (RFC 9112 11.2): lengths and codings that
 * contradict each other, are spelled oddly or come twice, chunks that are none, and requests hidden in contents.
 */
export function forgedMessage(random: Random): Buffer {
  const below = (count: number) => Math.floor(random.next() * count);
  const one = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const often = <T>(list: readonly T[]) => list[below(3) === 0 ? below(list.length) : 0] as T;
  const line = (name: string, values: readonly string[]) => often(spelled)(name, one(values));
  const lines: string[] = ['Host: a.example\r\n'];
  const kind = below(6);
  if (kind < 4) lines.push(line('Content-Length', kind === 0 ? lengths : ['0', '5', '6', '5']));
  if (kind > 2)
    lines.push(line('Transfer-Encoding', kind === 5 ? codings : ['chunked', 'chunked', 'Chunked']));
  if (kind === 2) lines.push(line('Content-Length', ['5', '6', '0']));
  if (below(6) === 0)
    lines.push(one(['Expect: 100-continue\r\n', 'TE: chunked\r\n', 'Upgrade: h2c\r\n', 'Accept: */*\r\n']));
  // In any order: whichever comes first may be the one that counts.
  if (below(2) === 0) lines.reverse();
  const method = one(['GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
  const text = `${method} /ready1 HTTP/1.1\r\n${lines.join('')}\r\n${one(contents)}`;
  return Buffer.from(text, 'latin1');
}
