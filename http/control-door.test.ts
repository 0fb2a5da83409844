import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { defineErrors, failure, systemClock } from '../kernel/index.ts';
import { callControl } from './control-door.ts';
import type { Route } from './route.ts';
import { serveHttp } from './server.ts';

const limit = { timeout: 20_000 };
const token = 'control-token';

const testErrors = defineErrors({
  TEST_NO: { message: () => 'not now', hint: () => 'later', exit: 1, retry: 'later', status: 409 },
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

test('a refusal by the holder has its code, message and hint', limit, async () => {
  await using server = await serve();
  await assert.rejects(callControl({ address: server.url, token }, '/control/no'), (error: unknown) => {
    const { code, message, hint, data } = error as {
      code: string;
      message: string;
      hint: string;
      data: object;
    };
    assert.deepEqual([code, message, hint], ['HTTP_HOLDER_REFUSED', 'not now', 'later']);
    assert.deepEqual(data, {
      address: server.url,
      status: 409,
      code: 'TEST_NO',
      message: 'not now',
      hint: 'later',
    });
    return true;
  });
  await assert.rejects(callControl({ address: server.url, token: 'wrong-token' }, '/control/no'), {
    code: 'HTTP_HOLDER_REFUSED',
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
