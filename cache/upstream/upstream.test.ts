import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { UpstreamRequest } from '../requests/request-response.ts';
import { rawOrigin } from '../testing/raw-origin.ts';
import { outcome, requestFor, says, textOf } from '../testing/scripted-upstream.ts';
import { openUpstream } from './upstream.ts';

const limit = { timeout: 20_000 };

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

test('RFC 9112 6.3: bytes after a whole message are not part of it, nor the next answer', limit, async () => {
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
  },
);

test(
  'RFC 9112 9.3.1: what may not be sent twice goes out once, on a connection of its own',
  limit,
  async () => {
    const good = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood';
    await using origin = await rawOrigin(({ socket, request, heard }) => {
      if (request === 2 || heard.includes('/broken')) socket.destroy();
      return good;
    });
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    const post = (path: string) => upstream.send(requestFor(`${origin.url}${path}`, { method: 'POST' }));
    assert.equal(await textOf(await upstream.send(requestFor(`${origin.url}/`))), 'good');
    assert.equal(await textOf(await post('/')), 'good');
    assert.equal(await textOf(await post('/')), 'good');
    await assert.rejects(post('/broken'), { code: 'CACHE_BROKEN_OFF' });
    assert.deepEqual([origin.connections, origin.heads.length], [4, 4]);
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

test(
  'private addresses that the operator did not name are refused, as written and as resolved',
  limit,
  async () => {
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
  },
);

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
  const refused = { ...unreachable, hint: /that its server runs, and that host and port are right/ };
  await assert.rejects(upstream.send(requestFor(`${gone.url}/`)), refused);
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

test('an answer that comes before all was sent is heard, though the origin closes then', limit, async () => {
  await using origin = await rawOrigin(({ socket }) => {
    socket.end('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno');
    return undefined;
  });
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  const pieces = async function* () {
    for (let times = 0; times < 1000; times += 1) {
      yield Buffer.alloc(16 * 1024);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const content = Readable.from(pieces(), { objectMode: false });
  const response = await upstream.send(requestFor(`${origin.url}/`, { method: 'POST', content }));
  assert.deepEqual([response.status, await textOf(response)], [413, 'no']);
  content.destroy();
});
