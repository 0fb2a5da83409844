import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { GarnerError } from '../kernel/index.ts';
import type { UpstreamRequest, UpstreamResponse } from './exchange.ts';
import { type RawCall, rawOrigin } from './raw-origin-fixture.test.ts';
import { openUpstream, type UpstreamOptions } from './upstream.ts';

const limit = { timeout: 20_000 };

function requestFor(url: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: 'GET',
    url,
    fields: [],
    route: { to: 'origin' },
    signal: new AbortController().signal,
    ...more,
  };
}

async function textOf(response: UpstreamResponse): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response.content) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('latin1');
}

/** What one answer comes to: its content, or the code of the error that ended it. */
async function outcome(
  answer: (call: RawCall) => string | undefined,
  more: Partial<UpstreamRequest> = {},
  options: UpstreamOptions = {},
): Promise<string> {
  await using origin = await rawOrigin(answer);
  await using upstream = openUpstream({ allowHosts: [origin.url], ...options });
  try {
    return await textOf(await upstream.send(requestFor(`${origin.url}/`, more)));
  } catch (error) {
    if (error instanceof GarnerError) return error.code;
    throw error;
  }
}

const says = (bytes: string) => () => bytes;
const saysAndEnds = (bytes: string) => (call: RawCall) => {
  call.socket.end(Buffer.from(bytes, 'latin1'));
  return undefined;
};

test('an answer is given as it was received, in the order of its lines', limit, async () => {
  await using origin = await rawOrigin(
    says(
      'HTTP/1.1 200 Fine\r\nX-B: 1\r\nSet-Cookie: a\r\nConnection: x-c\r\nX-C: 2\r\nset-cookie: b\xe9\r\nContent-Length: 2\r\n\r\nhi',
    ),
  );
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  const response = await upstream.send(
    requestFor(`${origin.url}/a%2f?b=c`, { fields: ['X-One', '1', 'x-one', '2'] }),
  );
  assert.deepEqual([response.status, response.reason, response.contentLength], [200, 'Fine', 2]);
  assert.deepEqual(response.fields, [
    'X-B',
    '1',
    'Set-Cookie',
    'a',
    'set-cookie',
    'b\xe9',
    'Content-Length',
    '2',
  ]);
  assert.equal(await textOf(response), 'hi');
  assert.equal(
    origin.heads[0],
    `GET /a%2f?b=c HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\nX-One: 1\r\nx-one: 2\r\nConnection: keep-alive\r\n\r\n`,
  );
});

test(
  'RFC 9112 6.3: what stands behind a whole message is no part of it, and no answer to what follows',
  limit,
  async () => {
    await using origin = await rawOrigin(
      says('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi, and more of it'),
    );
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    for (const _ of [1, 2, 3])
      assert.equal(await textOf(await upstream.send(requestFor(`${origin.url}/`))), 'hi');
    await using smuggling = await rawOrigin(
      says('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'),
    );
    await using other = openUpstream({ allowHosts: [smuggling.url] });
    for (const _ of [1, 2, 3])
      assert.equal(await textOf(await other.send(requestFor(`${smuggling.url}/`))), 'hi');
  },
);

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
  const evil = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
  for (const delayMs of [0, 1, 20]) {
    await using origin = await rawOrigin(({ socket, request }) => {
      const good = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood';
      if (request > 1) return good;
      if (delayMs === 0) return good + evil;
      setTimeout(() => socket.write(evil), delayMs);
      return good;
    });
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    for (let times = 0; times < 4; times += 1) {
      const response = await upstream.send(requestFor(`${origin.url}/`));
      assert.equal(await textOf(response), 'good', `after ${delayMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
});

test(
  'connections are kept, and a request whose kept connection was closed is sent again on a new one',
  limit,
  async () => {
    const good = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood';
    await using origin = await rawOrigin(({ socket, request }) => {
      // The second request of a connection finds it closed.
      if (request === 2) socket.destroy();
      return request === 1 ? good : undefined;
    });
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    assert.equal(await textOf(await upstream.send(requestFor(`${origin.url}/`))), 'good');
    assert.equal(await textOf(await upstream.send(requestFor(`${origin.url}/`))), 'good');
    assert.deepEqual([origin.connections, origin.heads.length], [2, 3]);
    assert.equal(await textOf(await upstream.send(requestFor(`${origin.url}/`))), 'good');
    await assert.rejects(upstream.send(requestFor(`${origin.url}/`, { method: 'POST' })), {
      code: 'CACHE_BROKEN_OFF',
    });
  },
);

test('interim answers are handed on before the answer', limit, async () => {
  const seen: unknown[] = [];
  const text = await outcome(
    says(
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 P\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
    ),
    { onInterim: (status, fields) => seen.push([status, ...fields]) },
  );
  assert.deepEqual([text, seen], ['x', [[103, 'Link', '</a>'], [102]]]);
});

test('an aborted request ends with its reason, also in the middle of its content', limit, async () => {
  await using origin = await rawOrigin(says('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'));
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  const leaving = new AbortController();
  const response = await upstream.send(requestFor(`${origin.url}/`, { signal: leaving.signal }));
  const reading = textOf(response);
  leaving.abort(new Error('left'));
  await assert.rejects(reading, { message: 'left' });
  await assert.rejects(upstream.send(requestFor(`${origin.url}/`, { signal: leaving.signal })), {
    message: 'left',
  });
});

test('trailers are known at the end of a content', limit, async () => {
  await using origin = await rawOrigin(
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-T: 1\r\nx-t: 2\r\n\r\n'),
  );
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  const response = await upstream.send(requestFor(`${origin.url}/`));
  assert.equal(await textOf(response), 'a');
  assert.deepEqual(response.trailers(), ['X-T', '1', 'x-t', '2']);
});

test('private addresses are refused when nobody typed them, as written and as resolved', limit, async () => {
  await using origin = await rawOrigin(says('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  await using upstream = openUpstream({
    lookup: (_name, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  });
  const refused = { code: 'CACHE_ADDRESS_REFUSED' };
  for (const host of [
    '127.0.0.1',
    'public.example',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '10.1.2.3',
    '169.254.169.254',
  ])
    await assert.rejects(upstream.send(requestFor(`http://${host}:${origin.port}/`)), refused, host);
  assert.equal(origin.connections, 0);
});

test('a peer is asked with the whole URL and the Host of its origin', limit, async () => {
  await using peer = await rawOrigin(says('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  await using upstream = openUpstream();
  const route = { to: 'parent', host: '127.0.0.1', port: peer.port, because: 'default' } as const;
  await textOf(await upstream.send(requestFor('http://origin.example/a?b', { route })));
  assert.match(
    peer.heads[0] ?? '',
    /^GET http:\/\/origin\.example\/a\?b HTTP\/1\.1\r\nHost: origin\.example\r\n/,
  );
});

test('where nothing listens and what has no name cannot be reached', limit, async () => {
  const gone = await rawOrigin(says(''));
  await gone[Symbol.asyncDispose]();
  await using upstream = openUpstream({ allowHosts: [gone.url] });
  const unreachable = { code: 'CACHE_UNREACHABLE' };
  await assert.rejects(upstream.send(requestFor(`${gone.url}/`)), unreachable);
  await assert.rejects(upstream.send(requestFor('http://no-such-name.invalid/')), unreachable);
  await assert.rejects(upstream.send(requestFor('wais://a/')), unreachable);
});

test('contents are sent with the length they are declared with, else in chunks', limit, async () => {
  await using origin = await rawOrigin(({ heard }) => {
    const whole = heard.endsWith('abc') || heard.endsWith('0\r\n\r\n') || heard.includes('Length: 0');
    return whole ? 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' : undefined;
  });
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  const send = async (more: Partial<UpstreamRequest>) =>
    textOf(await upstream.send(requestFor(`${origin.url}/`, { method: 'POST', ...more })));
  await send({});
  assert.match(origin.heads[0] ?? '', /\r\nContent-Length: 0\r\n/);
  const fields = ['Content-Length', '77', 'Transfer-Encoding', 'gzip', 'Host', 'other.example'];
  const sending = send({ content: Readable.from([Buffer.from('abc')]), contentLength: 3, fields });
  sending.catch(() => undefined);
  for (let times = 0; times < 100 && origin.heads.length < 2; times += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.match(origin.heads[1] ?? '', /\r\nContent-Length: 3\r\n/);
  assert.doesNotMatch(origin.heads[1] ?? '', /: 77|gzip|other/);
});

test(
  'RFC 9110 10.1.1: a content that waits for 100 is sent when the origin asks for it, and not when it refuses',
  limit,
  async () => {
    await using origin = await rawOrigin(({ request, heard }) => {
      if (heard.includes('/no ')) return 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n';
      return request === 1
        ? 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
        : undefined;
    });
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    for (const [path, status, read] of [
      ['/yes', 200, true],
      ['/no', 413, false],
    ] as const) {
      let wasRead = false;
      const pieces = function* () {
        wasRead = true;
        yield Buffer.from('abc');
      };
      const response = await upstream.send(
        requestFor(`${origin.url}${path}`, {
          method: 'PUT',
          fields: ['Expect', '100-continue'],
          content: Readable.from(pieces(), { objectMode: false }),
          contentLength: 3,
        }),
      );
      assert.equal(response.status, status);
      await textOf(response);
      assert.equal(wasRead, read, path);
    }
  },
);
