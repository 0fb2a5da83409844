import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { defineErrors, failure, type GarnerError, ManualClock, systemClock } from '../kernel/index.ts';
import { callControl } from './control-door.ts';
import type { Route } from './route.ts';
import { serveHttp } from './server.ts';

const limit = { timeout: 20_000 };
const token = 'control-token';

const testErrors = defineErrors({
  TEST_NO: { message: () => 'not now', hint: () => 'later', exit: 7, retry: 'later', status: 409 },
});

let release: () => void = () => {};
const routes: Route[] = [
  {
    method: 'POST',
    path: '/control/run',
    summary: 'Run',
    scope: 'admin',
    handle: ({ body }) => ({ json: { got: JSON.parse(Buffer.from(body).toString()) } }),
  },
  {
    method: 'GET',
    path: '/control/object',
    summary: 'Show',
    scope: 'admin',
    parameters: [{ name: 'url', in: 'query', describe: 'Address', schema: { type: 'string' } }],
    handle: ({ query }) => ({ body: `@FILE { ${query.url} }` }),
  },
  {
    method: 'GET',
    path: '/control/no',
    summary: 'No',
    scope: 'admin',
    handle: () => {
      throw failure(testErrors.TEST_NO, {});
    },
  },
  {
    method: 'GET',
    path: '/control/wait',
    summary: 'Wait',
    scope: 'admin',
    handle: async ({ signal }) => {
      release();
      await once(signal, 'abort');
      return {};
    },
  },
];

function serve() {
  return serveHttp({
    routes,
    port: 0,
    clock: systemClock,
    title: 'T',
    version: '1',
    tokens: { admin: [token] },
  });
}

test('a holder gets the token and answers JSON or text', limit, async () => {
  await using server = await serve();
  const door = { address: server.url, token };
  const answer = await callControl(door, '/control/run', { method: 'POST', json: { root: '/x' } });
  assert.deepEqual(answer, { got: { root: '/x' } });
  assert.equal(await callControl(door, '/control/object?url=a%20b'), '@FILE { a b }');
});

test('a refusal by the holder is the error of the holder, with its exit code', limit, async () => {
  await using server = await serve();
  await assert.rejects(callControl({ address: server.url, token }, '/control/no'), (error: unknown) => {
    const { code, message, hint, exit, status } = error as GarnerError;
    assert.deepEqual([code, message, hint, exit, status], ['TEST_NO', 'not now', 'later', 7, 409]);
    return true;
  });
  await assert.rejects(callControl({ address: server.url, token: 'wrong-token' }, '/control/no'), {
    code: 'HTTP_TOKEN_NEEDED',
  });
});

test('a holder that has ended, or ends during a call, is a typed error', limit, async () => {
  const server = await serve();
  const door = { address: server.url, token };
  const reached = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stopping = new AbortController();
  const aborted = callControl(door, '/control/wait', { signal: stopping.signal });
  await reached;
  stopping.abort(new Error('enough'));
  await assert.rejects(aborted, /enough/);
  await server[Symbol.asyncDispose]();
  await assert.rejects(callControl(door, '/control/run'), { code: 'HTTP_HOLDER_GONE', exit: 12 });

  const rude = createServer((socket) => socket.destroy());
  rude.listen(0, '127.0.0.1');
  await once(rude, 'listening');
  const { port } = rude.address() as { port: number };
  await assert.rejects(callControl({ address: `http://127.0.0.1:${port}`, token }, '/'), {
    code: 'HTTP_HOLDER_GONE',
  });
  rude.close();
});

test('a holder that accepts a call and answers nothing is a typed error', limit, async () => {
  const begun = 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{';
  for (const [scheme, said] of [
    ['http', ''],
    ['http', begun],
    ['https', ''],
  ] as const) {
    const sockets: Socket[] = [];
    let isNext = () => {};
    const server = createServer((socket) => {
      // Only the call itself gets the beginning of an answer.
      if (sockets.push(socket) === 1 && said !== '') socket.once('data', () => socket.write(said));
      socket.on('error', () => {});
      socket.once('data', () => isNext());
    });
    const next = () =>
      new Promise<void>((resolve) => {
        isNext = resolve;
      });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const clock = new ManualClock();
    let arrived = next();
    const door = { address: `${scheme}://127.0.0.1:${port}`, token, certificates: [] };
    const call = callControl(door, '/status', { clock });
    const failed = assert.rejects(call, { code: 'HTTP_HOLDER_SILENT', exit: 12 });
    await arrived;
    arrived = next();
    clock.advance(30_000);
    await arrived;
    clock.advance(30_000);
    await failed;
    for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close');
    assert.equal(sockets.length, 2);
    server.close();
  }
});

test('a call takes as long as its work while the holder answers others', limit, async () => {
  await using server = await serve();
  const manual = new ManualClock();
  let slept = () => {};
  const clock = {
    now: () => manual.now(),
    sleep: (ms: number, signal?: AbortSignal) => {
      slept();
      return manual.sleep(ms, signal);
    },
  };
  const sleeps = (count: number) =>
    new Promise<void>((resolve) => {
      slept = () => {
        if (--count === 0) resolve();
      };
    });
  const reached = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stopping = new AbortController();
  const call = callControl({ address: server.url, token }, '/control/wait', {
    signal: stopping.signal,
    clock,
  });
  await reached;
  for (let i = 0; i < 3; i++) {
    // While the holder is asked, and once it has answered.
    const again = sleeps(2);
    manual.advance(30_000);
    await again;
  }
  stopping.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
});

test('answers that are too large, cut short or not JSON are typed errors', limit, async () => {
  const say = async (answer: string, maxBytes = 100) => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(answer));
      socket.on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    try {
      return await callControl({ address: `http://127.0.0.1:${port}`, token }, '/', { maxBytes });
    } finally {
      server.close();
    }
  };
  const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  await assert.rejects(say(`${json}\r\n${'x'.repeat(101)}`), { code: 'HTTP_HOLDER_GARBLED' });
  await assert.rejects(say(`${json}\r\n{`), { code: 'HTTP_HOLDER_GARBLED' });
  await assert.rejects(say(`${json}Content-Length: 50\r\n\r\n{}`), { code: 'HTTP_HOLDER_GONE' });
  await assert.rejects(say('what?'), { code: 'HTTP_HOLDER_GONE' });
  await assert.rejects(say('HTTP/1.1 500 No\r\nContent-Type: application/json\r\n\r\nnull'), {
    code: 'HTTP_HOLDER_REFUSED',
  });
});
