import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { codeOf, exchange, hear, open, statusOf, testDoor, text, untilEnd } from '../testing/raw-client.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';

const limit = { timeout: 20_000 };

const accelerator = { accelerator: acceleratedHosts(['http://origin.example']) };

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

/** Pieces, and then an error in the middle of the content. */
async function* pieces(words: readonly string[], fails: boolean) {
  for (const word of words) {
    yield Buffer.from(word);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (fails) throw new Error('half-way');
}

test('a content that fails half-way never ends as if it were whole', limit, async () => {
  for (const [version, length, ends] of [
    ['1.1', 10, /\r\n\r\nabcd$/],
    ['1.1', undefined, /\r\n\r\n2\r\nab\r\n2\r\ncd\r\n$/],
    ['1.0', undefined, /\r\n\r\nabcd$/],
  ] as const) {
    await using served = await testDoor(
      () =>
        ({
          ...text('', { content: pieces(['ab', 'cd'], true) }),
          ...(length === undefined ? { contentLength: undefined } : { contentLength: length }),
        }) as never,
      accelerator,
    );
    const socket = await open(served.door);
    socket.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`);
    const said = await untilEnd(socket);
    assert.match(said.text, ends);
    // In HTTP/1.0 a plain end would be the end of the content.
    if (version === '1.0') assert.equal(said.wasReset, true);
  }
});

test('a content shorter or longer than declared never ends as if it were whole', limit, async () => {
  for (const length of [3, 5]) {
    await using served = await testDoor(
      () => text('', { content: pieces(['ab', 'cd'], false), contentLength: length }),
      accelerator,
    );
    const socket = await open(served.door);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const said = await untilEnd(socket);
    assert.match(said.text, length === 3 ? /\r\n\r\nab$/ : /\r\n\r\nabcd$/);
  }
});

test('a content that fails at once becomes an error', limit, async () => {
  // biome-ignore lint/correctness/useYield: it fails before it has anything.
  const gone = async function* (): AsyncGenerator<Uint8Array> {
    throw failure(cacheErrors.CACHE_CLOSING, {});
  };
  await using served = await testDoor(() => text('', { content: gone(), contentLength: 4 }), accelerator);
  const answer = await exchange(served.door, get('/'));
  assert.deepEqual([statusOf(answer), codeOf(answer)], [503, 'CACHE_CLOSING']);
});

test('answers without content are framed as such', limit, async () => {
  const whole = text('hello');
  const { content: _content, contentLength: _length, ...bare } = whole;
  for (const [answer, method, wanted, content] of [
    [{ ...bare, contentLength: 5 }, 'HEAD', /\r\nContent-Length: 5\r\n/, ''],
    [{ ...bare, fields: ['Content-Length', '7'] }, 'HEAD', /\r\nContent-Length: 7\r\n/, ''],
    [whole, 'HEAD', /\r\nContent-Length: 5\r\n/, ''],
    [{ ...bare, status: 304 }, 'GET', /^HTTP\/1\.1 304/, ''],
    [{ ...bare, status: 204 }, 'GET', /^HTTP\/1\.1 204/, ''],
    [{ ...bare, status: 200 }, 'GET', /\r\nContent-Length: 0\r\n/, ''],
    [
      { ...whole, fields: ['Content-Length', '99', 'Transfer-Encoding', 'gzip', 'Connection', 'x'] },
      'GET',
      /\r\nContent-Length: 5\r\n/,
      'hello',
    ],
  ] as const) {
    await using served = await testDoor(() => answer, accelerator);
    const said = await exchange(served.door, get('/').replace('GET', method));
    assert.match(said, wanted);
    assert.equal(said.slice(said.indexOf('\r\n\r\n') + 4), content);
    assert.doesNotMatch(said, /Transfer-Encoding|99|Connection: x|Content-Length: 0[\s\S]*304/);
  }
});

test('chunks and trailers are for HTTP/1.1; in HTTP/1.0 closing ends a content', limit, async () => {
  const answer = () => {
    const { contentLength: _length, ...streamed } = text('', { content: pieces(['ab', 'cd'], false) });
    return { ...streamed, trailers: () => ['X-T', '1', 'Content-Length', '9', 'Set-Cookie', 'a'] };
  };
  await using served = await testDoor(answer, accelerator);
  const said = await exchange(served.door, get('/'));
  assert.match(said, /\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\nX-T: 1\r\n\r\n$/);
  const old = await exchange(served.door, 'GET / HTTP/1.0\r\nTE: chunked\r\nHost: a\r\n\r\n');
  assert.match(old, /\r\n\r\nabcd$/);
  assert.doesNotMatch(old, /Transfer-Encoding/);
});

test('a head is not kept back by a content that is slow', limit, async () => {
  let goOn: () => void = () => {};
  const slow = async function* () {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    yield Buffer.from('ab');
  };
  await using served = await testDoor(() => text('', { content: slow(), contentLength: 2 }), accelerator);
  const socket = await open(served.door);
  socket.write(get('/'));
  await hear(socket, '\r\n\r\n');
  goOn();
  await hear(socket, 'ab');
});

test('a slow reader is sent no more than it takes, and let go when it takes nothing', limit, async () => {
  let made = 0;
  const endless = async function* () {
    for (;;) {
      made += 1;
      yield Buffer.alloc(64 * 1024);
    }
  };
  await using served = await testDoor(
    () => {
      const { contentLength: _length, ...streamed } = text('', { content: endless() });
      return streamed;
    },
    { ...accelerator, limits: { stallMs: 300 } },
  );
  const socket = await open(served.door);
  socket.pause();
  socket.write(get('/'));
  await Promise.race([
    once(socket, 'close'),
    (async () => {
      while (served.requests[0]?.signal.aborted !== true)
        await new Promise((resolve) => setTimeout(resolve, 10));
    })(),
  ]);
  assert.equal(served.requests[0]?.signal.aborted, true);
  // Limited by the sockets of both sides, not by the iterations of the event loop.
  assert.ok(made < 300, `${made} pieces of 64 KiB`);
});
