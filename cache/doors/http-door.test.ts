import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { CacheRequest } from '../requests/request-response.ts';
import { codeOf, exchange, hear, open, statusOf, testDoor, text } from '../testing/raw-client.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';

const limit = { timeout: 20_000 };

const accelerator = { accelerator: acceleratedHosts(['http://origin.example/base/']) };
const both = {
  proxy: true,
  accelerator: acceleratedHosts(['http://origin.example', 'www.example=http://www.in']),
};

const get = (target: string, more = '', host = 'A.example:80') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;

test('a request is handed over without what belongs to its connection', limit, async () => {
  await using served = await testDoor(() => text('hello'), { ...accelerator, forwarded: false });
  const more =
    'X-One: 1\r\nx-one: \xe4\r\nConnection: x-two\r\nX-Two: 2\r\nTE: trailers\r\nKeep-Alive: 5\r\n';
  const answer = await exchange(served.door, get('/a%2F../b?c', more));
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\nX-Words: hello\r\nContent-Length: 5\r\n[\s\S]*\r\n\r\nhello$/);
  const [request] = served.requests;
  assert.ok(request);
  assert.deepEqual(request.fields, ['X-One', '1', 'x-one', '\xe4']);
  assert.deepEqual(
    [request.method, request.url, request.version, request.clientAddress, request.fromCache, request.content],
    ['GET', 'http://origin.example/base/a%2F../b?c', '1.1', '127.0.0.1', false, undefined],
  );
});

test('RFC 9112 3.2.2: the URL of a request outweighs its Host', limit, async () => {
  await using served = await testDoor(() => text('x'), both);
  await exchange(served.door, get('HTTP://B.Example:80?q', '', 'a.example'));
  await exchange(served.door, get('http://www.example/p', '', 'a.example'));
  await exchange(served.door, get('/p', '', 'WWW.example:8080'));
  await exchange(served.door, get('/p', '', 'any'));
  assert.deepEqual(
    served.requests.map(({ url }) => url),
    ['http://b.example/?q', 'http://www.in/p', 'http://www.in/p', 'http://origin.example/p'],
  );
});

test(
  "RFC 7239: an accelerated origin gets the client's address, and a proxied one does not",
  limit,
  async () => {
    await using served = await testDoor(() => text('x'), both);
    await exchange(served.door, get('/', 'Forwarded: for=1.2.3.4\r\n', 'WWW.example:80'));
    await exchange(served.door, get('http://b/'));
    const reported = ['Forwarded', 'for=1.2.3.4, for=127.0.0.1;host="www.example";proto=http'];
    const reportedToo = ['X-Forwarded-For', '127.0.0.1', 'X-Forwarded-Proto', 'http'];
    assert.deepEqual(served.requests[0]?.fields, [...reported, ...reportedToo]);
    assert.deepEqual(served.requests[1]?.fields, []);
  },
);

const ownWords = [
  ...['X-Real-IP', 'Client-IP', 'True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'CF-Connecting-IP'],
  ...[
    'CF-Connecting-IPv6',
    'Fastly-Client-IP',
    'X-Azure-ClientIP',
    'X-Azure-SocketIP',
    'X-Appengine-User-IP',
  ],
  ...['X-Remote-Addr', 'X-Originating-IP', 'X-Forward-For', 'Forwarded-For', 'X-Envoy-External-Address'],
  ...['X_Forwarded_For', 'x_real_ip'],
];

test(
  'an accelerated origin gets the address that asks, behind what was said before, and no other word of it',
  limit,
  async () => {
    const said = ownWords.map((name) => `${name}: 192.0.2.9\r\n`).join('');
    const chain = 'X-Forwarded-For: 192.0.2.1\r\nx-forwarded-for: 192.0.2.2\r\n';
    for (const isFront of [undefined, (address: string) => address === '127.0.0.1']) {
      await using served = await testDoor(() => text('x'), { ...accelerator, ...(isFront && { isFront }) });
      for (const method of ['GET', 'POST'])
        await exchange(served.door, get('/', `${chain}${said}X-Other: 1\r\n`).replace('GET', method));
      for (const { method, fields } of served.requests) {
        const names = fields.filter((_, at) => at % 2 === 0);
        const believed = isFront === undefined ? [] : ownWords;
        assert.deepEqual(
          names,
          [...believed, 'X-Other', 'Forwarded', 'X-Forwarded-For', 'X-Forwarded-Proto'],
          `${method} ${isFront}`,
        );
        const at = fields.indexOf('X-Forwarded-For');
        assert.equal(fields[at + 1], '192.0.2.1, 192.0.2.2, 127.0.0.1');
      }
    }
  },
);

test(
  'a request with Via comes from a cache; an address of this machine does not identify a cache',
  limit,
  async () => {
    await using served = await testDoor(() => text('x'), { ...accelerator, isPeer: () => false });
    await exchange(served.door, get('/', 'via: 1.1 child\r\n'));
    await using peers = await testDoor(() => text('x'), {
      ...accelerator,
      isPeer: (from) => from === '127.0.0.1',
    });
    await exchange(peers.door, get('/'));
    assert.deepEqual([served.requests[0]?.fromCache, peers.requests[0]?.fromCache], [true, false]);
  },
);

test('requests sent ahead are answered one after the other, in their order', limit, async () => {
  let inside = 0;
  let max = 0;
  await using served = await testDoor(async ({ url }) => {
    max = Math.max(max, ++inside);
    await new Promise((resolve) => setTimeout(resolve, url.endsWith('/1') ? 30 : 1));
    inside -= 1;
    return text(`<${url.slice(-1)}>`);
  }, accelerator);
  const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const answer = await exchange(served.door, line('/1') + line('/2') + line('/3') + get('/4'));
  assert.deepEqual(answer.match(/<\d>(?=HTTP|$)/g), ['<1>', '<2>', '<3>', '<4>']);
  assert.equal(max, 1);
});

test('a client that leaves ends its request, and those it sent ahead', limit, async () => {
  const signals: CacheRequest['signal'][] = [];
  await using served = await testDoor(({ signal }) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }, accelerator);
  const socket = await open(served.door);
  socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
  while (signals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.destroy();
  while (signals[0]?.aborted !== true || served.door.activeRequests > 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(served.requests.length, 1);
  assert.deepEqual([served.door.connections, served.faults], [0, []]);
});

test('a request that stops coming is cut, and one that waits for our work is not', limit, async () => {
  await using served = await testDoor(
    async ({ content }) => {
      for await (const _piece of content ?? []);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return text('late');
    },
    { ...accelerator, limits: { stallMs: 150, headTimeoutMs: 300 } },
  );
  assert.match(await exchange(served.door, get('/')), /late$/);
  assert.equal(await exchange(served.door, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc'), '');
  const slowHead = await exchange(served.door, 'GET / HTTP/1.1\r\nHost: a\r\nX:');
  assert.ok(slowHead === '' || codeOf(slowHead) === 'CACHE_REQUEST_SLOW', slowHead);
});

test(
  'RFC 9110 10.1.1: a client that waits for 100 gets it once, when its content is needed',
  limit,
  async () => {
    await using served = await testDoor(async ({ content, onInterim, url }) => {
      if (url.endsWith('/no')) throw failure(cacheErrors.CACHE_FORBIDDEN, { method: 'GET', host: 'o' });
      if (url.endsWith('/twice')) onInterim?.(100, []);
      let said = '';
      for await (const piece of content ?? []) said += piece;
      return text(said);
    }, accelerator);
    const put = (path: string) =>
      `PUT ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
    for (const path of ['/yes', '/twice']) {
      const socket = await open(served.door);
      socket.write(put(path));
      assert.equal(await hear(socket, '\r\n\r\n'), 'HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('abc');
      assert.match(await hear(socket, '\r\n\r\nabc'), /^HTTP\/1\.1 200/);
      socket.destroy();
    }
    const refused = await exchange(served.door, put('/no'));
    assert.equal(statusOf(refused), 403);
    assert.match(refused, /\r\nConnection: close\r\n/);
  },
);

test('RFC 9110 15.2: interim answers go to those who know them', limit, async () => {
  await using served = await testDoor(({ onInterim }) => {
    onInterim?.(103, ['Link', '</a>', 'X-Bad', 'a\r\nb']);
    return text('x');
  }, accelerator);
  assert.match(
    await exchange(served.door, get('/')),
    /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
  );
  assert.match(await exchange(served.door, 'GET / HTTP/1.0\r\nHost: a\r\n\r\n'), /^HTTP\/1\.1 200/);
});

test('a content sent in chunks is read to its bound and no further', limit, async () => {
  await using served = await testDoor(
    async ({ content }) => {
      let bytes = 0;
      for await (const piece of content ?? []) bytes += (piece as Buffer).length;
      return text(String(bytes));
    },
    { ...accelerator, limits: { maxUploadBytes: 10 } },
  );
  const post = (content: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${content}0\r\n\r\n`;
  assert.match(await exchange(served.door, post('5\r\nabcde\r\n5\r\nabcde\r\n')), /\r\n\r\n10$/);
  const large = await exchange(served.door, post('6\r\nabcdef\r\n5\r\nabcde\r\n'));
  assert.deepEqual([statusOf(large), codeOf(large)], [413, 'CACHE_CONTENT_TOO_LARGE']);
});

test('chunks that are none end a request, whatever was made of it so far', limit, async () => {
  await using served = await testDoor(async ({ content, signal }) => {
    for await (const _piece of content ?? []);
    assert.equal(signal.aborted, false);
    return text('taken for whole');
  }, accelerator);
  const answer = await exchange(
    served.door,
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n${get('/smuggled')}`,
  );
  assert.deepEqual([statusOf(answer), codeOf(answer)], [400, 'CACHE_BAD_REQUEST']);
  assert.equal(served.requests.length, 1);
});

test('errors are answered with their code, in a form that no browser takes for a page', limit, async () => {
  await using served = await testDoor(
    ({ url }) => {
      if (url.includes('boom')) throw new Error('secret words');
      throw failure(cacheErrors.CACHE_UNREACHABLE, { url: `${url}\u2028\xff`, why: 'nothing listens there' });
    },
    { proxy: true },
  );
  const answer = await exchange(served.door, get("http://b/<script>alert('1')</script>"));
  assert.equal(statusOf(answer), 502);
  assert.match(answer, /\r\nContent-Type: text\/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n/);
  assert.match(
    answer,
    /\r\nProxy-Status: test; error=destination_unavailable; details="CACHE_UNREACHABLE"\r\n/,
  );
  assert.match(answer, /\r\nCache-Control: no-store\r\n/);
  assert.doesNotMatch(answer, /[^\r\n\x20-\x7e]/);
  const broken = await exchange(served.door, get('http://b/boom'));
  assert.deepEqual([statusOf(broken), codeOf(broken)], [500, 'CACHE_INTERNAL']);
  assert.doesNotMatch(broken, /secret/);
  assert.equal(served.faults.length, 1);
});

test(
  'RFC 9110 7.6.2: OPTIONS and TRACE are answered where their hops end, without secrets',
  limit,
  async () => {
    await using served = await testDoor(() => text('x'), accelerator);
    const ask = (method: string, target: string, more: string) =>
      exchange(served.door, get(target, more).replace('GET', method));
    assert.match(await ask('OPTIONS', '*', ''), /^HTTP\/1\.1 204[\s\S]*\r\nAllow: GET, /);
    assert.match(await ask('OPTIONS', '/', 'Max-Forwards: 0\r\n'), /^HTTP\/1\.1 204/);
    const traced = await ask('TRACE', '/a', 'Max-Forwards: 0\r\nCookie: secret\r\nX-A: b\r\n');
    assert.match(
      traced,
      /\r\nContent-Type: message\/http\r\n[\s\S]*\r\n\r\nTRACE http:\/\/origin\.example\/base\/a HTTP\/1\.1\r\n/,
    );
    assert.match(traced, /\r\nX-A: b\r\n/);
    assert.doesNotMatch(traced, /secret/);
    assert.equal(served.requests.length, 0);
    await ask('TRACE', '/', 'Max-Forwards: 3\r\n');
    await ask('GET', '/', 'Max-Forwards: 0\r\n');
    assert.ok(served.requests[0]?.fields.join().includes('Max-Forwards,2'));
    assert.equal(served.requests[1]?.method, 'GET');
  },
);

test("what is this cache's own is answered before anything else", limit, async () => {
  await using served = await testDoor(() => text('x'), {
    proxy: true,
    own: ({ target }) => (target === '/own' ? text('own') : undefined),
  });
  assert.match(await exchange(served.door, get('/own')), /own$/);
  assert.equal(statusOf(await exchange(served.door, get('/other'))), 421);
});

test('one client, and all together, get only so much', limit, async () => {
  let goOn: () => void = () => {};
  const answer = async () => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return text('x');
  };
  for (const [limits, status] of [
    [{ clientRequests: 1 }, 429],
    [{ maxRequests: 1 }, 503],
  ] as const) {
    await using served = await testDoor(answer, { ...accelerator, limits });
    const first = exchange(served.door, get('/'));
    while (served.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await exchange(served.door, get('/'));
    assert.equal(statusOf(second), status);
    assert.match(second, /\r\nRetry-After: 1\r\n/);
    goOn();
    assert.equal(statusOf(await first), 200);
    assert.equal(served.door.activeRequests, 0);
  }
  await using few = await testDoor(answer, { ...accelerator, limits: { clientConnections: 1 } });
  const held = await open(few.door);
  assert.equal(await exchange(few.door, get('/')), '');
  held.destroy();
});

test('a door that closes lets answers under way end, and then cuts what is left', limit, async () => {
  let endQuick = () => {};
  const served = await testDoor(
    async ({ url }) => {
      await new Promise<void>((resolve) => {
        if (url.endsWith('/quick')) endQuick = resolve;
      });
      return text('done');
    },
    { ...accelerator, limits: { closeGraceMs: 1000 } },
  );
  const quick = exchange(served.door, get('/quick'));
  const slow = exchange(served.door, get('/slow'));
  while (served.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const closing = served[Symbol.asyncDispose]();
  endQuick();
  assert.match(await quick, /done$/);
  await closing;
  assert.equal(await slow, '');
});
