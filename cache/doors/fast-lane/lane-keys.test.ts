import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fields } from '../../rules/fields/fields.ts';
import { QueryRules } from '../../rules/query-rules.ts';
import { open, statusOf, testDoor, text } from '../../testing/raw-client.ts';
import { acceleratedHosts } from '../accelerated-hosts.ts';
import { IgnoredCookies } from '../ignored-cookies.ts';
import { cookieField } from './plain-fields.ts';
import type { RequestValues } from './ready-answer.ts';

const hosts = fc.constantFrom(
  ...['a.example', 'A.Example', 'a.example:80', 'a.example:443', 'a.example:81', 'a.example:', 'b.example'],
  ...[
    'named.example',
    'named.example:8080',
    'x.list.example',
    'evil.example',
    '127.0.0.1',
    '[::1]',
    '[0:0::1]:80',
    'a..',
    'a:0',
  ],
);
const targets = fc.oneof(
  fc.constantFrom(
    '/',
    '/a?b',
    '/a?',
    '/?',
    '/a?b=1&a=2',
    '/%41/../b',
    '//x',
    '/a?utm_source=1&b=2&&c',
    'http://a.example/x',
  ),
  fc.string({ unit: fc.constantFrom(...'/?&=.;%41ab'), maxLength: 12 }).map((path) => `/${path}`),
);
const said = fc.constantFrom(
  ...[
    '',
    'X-Forwarded-Proto: https',
    'x-forwarded-proto: HTTP',
    'X-Forwarded-Proto: https, http',
    'X-Forwarded-Proto: ws',
  ],
  ...[
    'Forwarded: for=1.2.3.4;proto=https',
    'Forwarded: proto="https"',
    'Forwarded: for=a, proto=https',
    'X-Forwarded-Proto:',
  ],
);

const cookies = fc.constantFrom(
  '',
  'Cookie: a=1',
  'Cookie: _ga=1',
  'cookie:  _ga=1; a=2; _ga=3 ',
  'Cookie: a;_ga',
);
const ignoredCookies = new IgnoredCookies(['_ga']);
const queries = new QueryRules({ ignore: ['utm_*'], sort: true });

for (const [passHost, forwarded] of [
  [true, true],
  [true, false],
  [false, true],
] as const)
  test(`what the lane looks up is what the door keeps it under (hosts handed on: ${passHost}, schemes sent: ${forwarded})`, async () => {
    const accelerator = acceleratedHosts(['http://o.example/base', 'named.example=http://n.example'], {
      passHost,
      hosts: ['a.example', '.list.example', '127.0.0.1', '[::1]'],
    });
    const looked: (string | undefined)[][] = [];
    const ready = {
      find: (url: string, head: RequestValues) => {
        looked.push([url, head.value(cookieField)]);
        return undefined;
      },
    };
    const parts = { accelerator, forwarded, ignoredCookies, lane: { ready, queries } };
    await using served = await testDoor(() => text('x'), parts);
    let inLane = 0;
    const ask = async (bytes: string) => {
      const socket = await open(served.door);
      socket.end(bytes);
      let heard = '';
      socket.setEncoding('latin1').on('data', (piece) => {
        heard += piece;
      });
      await once(socket, 'close');
      return statusOf(heard);
    };
    await fc.assert(
      fc.asyncProperty(hosts, targets, said, cookies, async (host, target, line, cookie) => {
        looked.length = 0;
        served.requests.length = 0;
        const lines = [
          `GET ${target} HTTP/1.1`,
          `Host: ${host}`,
          ...[line, cookie].filter((one) => one !== ''),
        ];
        const status = await ask(`${lines.join('\r\n')}\r\n\r\n`);
        const kept = served.requests.map(({ url, fields }) => [
          queries.keyOf(url),
          new Fields(fields).get('cookie'),
        ]);
        assert.equal(kept.length, status === 200 ? 1 : 0);
        if (looked.length === 0) return;
        inLane += 1;
        assert.deepEqual(looked, kept);
        const { origin, url = '' } = served.requests[0] ?? {};
        // The host sent to the origin is never another one than the key's.
        if (passHost) assert.equal(origin?.authority, new URL(url.replace(/#https$/, '')).host);
      }),
      { numRuns: 300 },
    );
    assert.ok(inLane > 100);
    assert.equal(served.door.lane?.answered.requests, 0);
  });
