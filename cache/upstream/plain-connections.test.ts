import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientAbort } from '../requests/client-abort.ts';
import { rawOrigin } from '../testing/raw-origin.ts';
import { outcome, requestFor, says, textOf } from '../testing/scripted-upstream.ts';
import { openUpstream } from './upstream.ts';

const limit = { timeout: 20_000 };

test('an origin whose answers only node understands is understood from the first on', limit, async () => {
  await using origin = await rawOrigin(
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nX-T: 1\r\n\r\n'),
  );
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  for (let count = 0; count < 5; count++) {
    const response = await upstream.send(requestFor(`${origin.url}/`));
    assert.deepEqual([await textOf(response), response.trailers()], ['abc', ['X-T', '1']]);
  }
  // The first connection is given up with what was read of it; the second is kept.
  assert.deepEqual([origin.connections, origin.heads.length], [2, 5]);
});

test('a head that comes in pieces is read all the same, and asked for once', limit, async () => {
  const text = 'HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 3\r\n\r\nabc';
  for (let cut = 1; cut < text.length; cut += 5) {
    await using origin = await rawOrigin(({ socket }) => {
      setTimeout(() => socket.write(text.slice(cut)), 5);
      return text.slice(0, cut);
    });
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    const response = await upstream.send(requestFor(`${origin.url}/`));
    assert.deepEqual([response.fields[0], await textOf(response)], ['X-A', 'abc']);
    assert.equal(origin.heads.length, 1);
  }
});

test(
  'a content that comes in pieces is read as fast as it is taken, and its connection serves the next',
  limit,
  async () => {
    const piece = Buffer.alloc(1_000_000, 'x');
    const pieces = 20;
    let isTaken = false;
    await using origin = await rawOrigin(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${piece.length * pieces}\r\n\r\n`);
      for (let count = 0; count < pieces; count++) socket.write(piece);
      isTaken = socket.writableLength === 0;
      return undefined;
    });
    await using upstream = openUpstream({ allowHosts: [origin.url] });
    for (let count = 0; count < 2; count++) {
      const { content, whole } = await upstream.send(requestFor(`${origin.url}/`));
      assert.equal(whole, undefined);
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.ok(content.readableLength < 300_000, `${content.readableLength} bytes wait for their reader`);
      let bytes = 0;
      for await (const chunk of content) bytes += (chunk as Buffer).length;
      assert.equal(bytes, piece.length * pieces);
    }
    assert.deepEqual([isTaken, origin.connections], [false, 1]);
  },
);

test(
  'an origin that falls silent within its first answer is waited for as long as any other',
  limit,
  async () => {
    for (const text of [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nab',
      'HTTP/1.1 200 OK\r\nX-A: b\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab',
      '',
    ])
      assert.equal(await outcome(says(text), {}, { silenceMs: 200 }), 'CACHE_SILENT', text);
  },
);

test('concurrent requests have a connection each; a closed one is opened again', limit, async () => {
  const good = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n';
  await using origin = await rawOrigin(says(good));
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  const ask = () => upstream.send(requestFor(`${origin.url}/`)).then(textOf);
  await Promise.all([ask(), ask(), ask()]);
  assert.equal(origin.connections, 3);
  await ask();
  assert.equal(origin.connections, 4);
});

test('a request that is given up leaves no connection behind, and its listener neither', limit, async () => {
  const sockets: { readonly destroyed: boolean }[] = [];
  await using origin = await rawOrigin(({ socket, request }) => {
    sockets.push(socket);
    return request === 1 ? 'HTTP/1.1 204 No Content\r\n\r\n' : undefined;
  });
  await using upstream = openUpstream({ allowHosts: [origin.url] });
  const [first, second] = [new ClientAbort(), new ClientAbort()];
  await upstream.send(requestFor(`${origin.url}/`, { signal: first }));
  const waiting = upstream.send(requestFor(`${origin.url}/`, { signal: second }));
  first.leave(new Error('too late'));
  while (sockets.length < 2) await new Promise((resolve) => setImmediate(resolve));
  second.leave(new Error('left'));
  await assert.rejects(waiting, { message: 'left' });
  while (!sockets.every(({ destroyed }) => destroyed)) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(origin.connections, 1);
});

test(
  'requests have as many connections as are allowed, whatever their method; the others wait',
  limit,
  async () => {
    for (const method of ['GET', 'DELETE', 'POST']) {
      const waiting: (() => void)[] = [];
      await using origin = await rawOrigin(({ socket }) => {
        waiting.push(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'));
        return undefined;
      });
      await using upstream = openUpstream({ allowHosts: [origin.url], connectionsPerHost: 8 });
      const all = Array.from({ length: 20 }, () =>
        upstream.send(requestFor(`${origin.url}/`, { method })).then(textOf),
      );
      while (waiting.length < 8) await new Promise((resolve) => setImmediate(resolve));
      for (let answered = 0; answered < all.length; ) {
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        assert.ok(waiting.length <= 8, `${waiting.length} of ${method} at once`);
        answered += waiting.length;
        for (const answer of waiting.splice(0)) answer();
      }
      assert.deepEqual(new Set(await Promise.all(all)), new Set(['x']));
    }
  },
);

test(
  'long answers that only node understands count as connections, and end with the upstream',
  limit,
  async () => {
    await using origin = await rawOrigin(
      says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'),
    );
    const upstream = openUpstream({ allowHosts: [origin.url], connectionsPerHost: 4 });
    const ended: Promise<unknown>[] = [];
    // More than are left to node after one such answer.
    for (let count = 0; count < 220; count++) {
      const read = upstream.send(requestFor(`${origin.url}/`)).then(textOf);
      ended.push(read.catch(() => 'broken off'));
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(origin.connections, 4);
    await upstream[Symbol.asyncDispose]();
    assert.deepEqual(new Set(await Promise.all(ended)), new Set(['broken off']));
  },
);
