import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { ManualClock, systemClock } from '../kernel/index.ts';
import type { Route } from './route.ts';
import { type HttpOptions, type HttpServer, serveHttp } from './server.ts';

const limit = { timeout: 20_000 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A route whose progress a test can see and steer. */
function probe(path: string, handle: Route['handle']): Route {
  return { method: 'GET', path, summary: path, scope: 'public', handle };
}

function serve(routes: Route[], more: Partial<HttpOptions> = {}) {
  return serveHttp({ routes, port: 0, clock: systemClock, title: 'T', version: '1', ...more });
}

async function open(server: HttpServer): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** An endless body that counts its pulls and records its release. */
function endless() {
  const chunk = Buffer.alloc(64 * 1024, 120);
  const state = { pulled: 0 };
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const body = async function* () {
    try {
      for (;;) {
        state.pulled++;
        yield chunk;
      }
    } finally {
      finish();
    }
  };
  return { state, body, finished };
}

/** Wait until `value` has not changed for many turns of the event loop. */
async function settled(value: () => number): Promise<number> {
  let last = value();
  for (let still = 0; still < 3000; still++) {
    await turn();
    if (value() !== last) still = 0;
    last = value();
  }
  return last;
}

test('a stalled reader stalls the stream, and disconnecting releases it', limit, async () => {
  const { state, body, finished } = endless();
  let signal: AbortSignal | undefined;
  const stream = probe('/stream', (request) => {
    signal = request.signal;
    return { body: body() };
  });
  await using server = await serve([stream]);
  const socket = await open(server);
  socket.pause();
  socket.write(get('/stream'));
  while (state.pulled === 0) await turn();
  const pulled = await settled(() => state.pulled);
  // The capacity of the kernel's socket buffers, and no more.
  assert.ok(pulled * 64 < 32 * 1024, `${pulled * 64} KiB were pulled for a reader that takes none`);
  assert.equal(signal?.aborted, false);
  socket.destroy();
  await finished;
  assert.equal(signal?.aborted, true);
});

test('a reader that goes on gets the rest', limit, async () => {
  const chunks = 400;
  const stream = probe('/stream', () => ({
    body: (async function* () {
      for (let at = 0; at < chunks; at++) yield Buffer.alloc(64 * 1024, at % 256);
    })(),
  }));
  await using server = await serve([stream]);
  const response = await fetch(`${server.url}stream`);
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size < 1_000_000) await turn();
  }
  assert.equal(size, chunks * 64 * 1024);
});

test('requests pipelined behind a stalled one are released with the connection', limit, async () => {
  const bodies = [endless(), endless(), endless()];
  const stream = probe('/stream/:n', ({ params }) => {
    const chosen = bodies[Number(params.n)];
    return { body: chosen?.body() ?? '' };
  });
  await using server = await serve([stream]);
  const socket = await open(server);
  socket.pause();
  socket.write(get('/stream/0') + get('/stream/1') + get('/stream/2'));
  while (bodies.some(({ state }) => state.pulled === 0)) await turn();
  assert.equal(server.activeRequests, 3);
  socket.destroy();
  await Promise.all(bodies.map(({ finished }) => finished));
  while (server.activeRequests > 0) await turn();
});

test('a waiting route is notified when its caller disconnects', limit, async () => {
  let heard: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    heard = resolve;
  });
  let entered: () => void = () => {};
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const waits = probe('/wait', async ({ signal }) => {
    entered();
    await once(signal, 'abort');
    heard();
    throw signal.reason;
  });
  await using server = await serve([waits]);
  const socket = await open(server);
  socket.write(get('/wait'));
  await inside;
  socket.destroy();
  await left;
});

test('requests above the limit get 503 with Retry-After', limit, async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = probe('/slow', async () => {
    await released;
    return { body: 'done' };
  });
  await using server = await serve([slow], { limits: { maxRequests: 2, clientShare: 100 } });
  const first = [fetch(`${server.url}slow`), fetch(`${server.url}slow`)];
  while (server.activeRequests < 2) await turn();
  const third = await fetch(`${server.url}slow`);
  assert.equal(third.status, 503);
  assert.equal(third.headers.get('retry-after'), '1');
  assert.equal(((await third.json()) as { error: { code: string } }).error.code, 'HTTP_BUSY');
  release();
  for (const response of await Promise.all(first)) assert.equal(await response.text(), 'done');
  while (server.activeRequests > 0) await turn();
  assert.equal((await fetch(`${server.url}slow`)).status, 200);
});

test('closing lets answers finish, ends idle connections and takes no new ones', limit, async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = probe('/slow', async () => {
    await released;
    return { body: 'done' };
  });
  const server = await serve([slow]);
  const idle = await open(server);
  idle.write(get('/health'));
  await once(idle, 'data');
  const idleClosed = once(idle, 'close');
  const answer = fetch(`${server.url}slow`);
  while (server.activeRequests === 0) await turn();
  const closed = server[Symbol.asyncDispose]();
  assert.equal(server[Symbol.asyncDispose](), closed, 'closing twice is closing once');
  await idleClosed;
  await assert.rejects(fetch(`${server.url}health`));
  release();
  const response = await answer;
  assert.equal(response.headers.get('connection'), 'close');
  assert.equal(await response.text(), 'done');
  await closed;
});

test('closing cuts answers that outlast the grace, and reports them', limit, async () => {
  const { state, body, finished } = endless();
  const clock = new ManualClock();
  const reasons: boolean[] = [];
  const stream = probe('/stream', ({ signal }) => {
    signal.addEventListener('abort', () => reasons.push(signal.aborted));
    return { body: body() };
  });
  const server = await serve([stream], { clock });
  const socket = await open(server);
  socket.pause();
  socket.write(get('/stream'));
  while (state.pulled === 0) await turn();
  const closed = server[Symbol.asyncDispose]();
  await settled(() => state.pulled);
  assert.deepEqual(reasons, [], 'still within the grace');
  clock.advance(2_000);
  await closed;
  await finished;
  assert.deepEqual(reasons, [true]);
  socket.destroy();
});

test('a stream that reads on while the server closes ends whole', limit, async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stream = probe('/stream', () => ({
    body: (async function* () {
      yield Buffer.from('first ');
      await released;
      yield Buffer.from('last');
    })(),
  }));
  const server = await serve([stream]);
  const socket = await open(server);
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  socket.write(get('/stream'));
  while (!said.includes('first')) await turn();
  const closed = server[Symbol.asyncDispose]();
  release();
  await once(socket, 'close');
  await closed;
  assert.match(said, /last\r\n0\r\n\r\n$/);
});
