import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { clientOf, ManualClock, systemClock } from '../kernel/index.ts';
import { eventFrame } from './event-stream.ts';
import { requestFinished } from './events.ts';
import { eventStream, type StateEvent } from './index.ts';
import type { Route, RouteRequest } from './route.ts';
import { type HttpOptions, type HttpServer, serveHttp } from './server.ts';

const limit = { timeout: 20_000 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A state that a test sets; each reader gets its changes, and counts as one until its iterable is closed. */
class Live {
  readers = 0;
  #state: StateEvent | undefined;
  #version = 0;
  #wakes = new Set<() => void>();

  set(state: StateEvent): void {
    this.#state = state;
    this.#version++;
    for (const wake of this.#wakes) wake();
  }

  async *states(signal: AbortSignal): AsyncGenerator<StateEvent> {
    this.readers++;
    try {
      for (let seen = 0; !signal.aborted; ) {
        if (this.#state !== undefined && seen !== this.#version) {
          seen = this.#version;
          yield this.#state;
        } else await this.#change(signal);
      }
    } finally {
      this.readers--;
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wakes.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wakes.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

const live = (states: (request: RouteRequest) => AsyncIterable<StateEvent>, clock = systemClock): Route => ({
  ...{ method: 'GET', path: '/live', summary: 'live', scope: 'public', isStanding: true },
  handle: (request) => eventStream(states(request), { clock }),
});

const plain: Route = {
  ...{ method: 'GET', path: '/plain', summary: 'plain', scope: 'public' },
  handle: () => ({ body: 'plain' }),
};

function serve(routes: readonly Route[], more: Partial<HttpOptions> = {}): Promise<HttpServer> {
  return serveHttp({ routes, port: 0, clock: systemClock, title: 'T', version: '1', ...more });
}

/** A connection that has asked for a path, with the text of the answer so far. */
async function reader(server: HttpServer, path = '/live', localAddress?: string) {
  const socket: Socket = connect({
    ...{ port: server.port, host: '127.0.0.1' },
    ...(localAddress && { localAddress }),
  });
  socket.on('error', () => {});
  const got = { text: '', ended: false };
  socket.setEncoding('latin1').on('data', (chunk) => {
    got.text += chunk;
  });
  const closed = once(socket, 'close');
  socket.once('end', () => {
    got.ended = true;
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n\r\n`);
  const until = async (pattern: RegExp) => {
    while (!pattern.test(got.text)) {
      assert.ok(!socket.destroyed, `the connection ended before ${pattern}: ${got.text}`);
      await turn();
    }
  };
  return { socket, got, closed, until };
}

test(
  'events are sent as they come, in the form of the standard, neither compressed nor tagged',
  limit,
  async () => {
    const one = new Live();
    await using server = await serve([live(({ signal }) => one.states(signal))]);
    const { socket, got, until } = await reader(server);
    await until(/retry: 3000\n\n/);
    assert.match(got.text, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(got.text, /content-type: text\/event-stream; charset=utf-8\r\n/);
    assert.match(got.text, /x-accel-buffering: no\r\n/);
    assert.doesNotMatch(got.text, /content-encoding|etag|content-length/i);
    one.set({ id: '7', event: 'report', json: { text: 'two\nlines' } });
    await until(/id: 7\nevent: report\ndata: \{"text":"two\\nlines"\}\n\n/);
    one.set({ json: [2] });
    await until(/data: \[2\]\n\n/);
    socket.destroy();
  },
);

test('an event has a JSON value, and one line for its id and its name', () => {
  const bad: StateEvent[] = [{ json: undefined }, { id: '1\ndata: 2', json: 1 }, { event: 'a\rb', json: 1 }];
  for (const event of bad) assert.throws(() => eventFrame(event), TypeError);
  assert.equal(new TextDecoder().decode(eventFrame({ json: null })), 'data: null\n\n');
});

test('silence is broken by a comment at a fixed interval of the clock', limit, async () => {
  const clock = new ManualClock();
  const sleep = clock.sleep.bind(clock);
  let naps = 0;
  clock.sleep = (ms, signal) => {
    if (ms === 15_000) naps++;
    return sleep(ms, signal);
  };
  const one = new Live();
  await using server = await serve([live(({ signal }) => one.states(signal), clock)]);
  const { socket, got, until } = await reader(server);
  for (const beats of [1, 2, 3]) {
    while (naps < beats) await turn();
    clock.advance(15_000);
    await until(new RegExp(`(?::\n\n[^:]*){${beats}}$`));
  }
  // The event interrupts the fourth silence.
  while (naps < 4) await turn();
  one.set({ json: 'now' });
  await until(/data: "now"\n\n/);
  assert.equal(got.text.match(/\n:\n\n/g)?.length, 3);
  socket.destroy();
});

test('standing answers leave the places of requests free, and have a bound of their own', limit, async () => {
  const one = new Live();
  const limits = { maxRequests: 1, maxStanding: 3 };
  await using server = await serve([live(({ signal }) => one.states(signal)), plain], { limits });
  const readers = [];
  for (let at = 0; at < 3; at++) {
    readers.push(await reader(server));
    await readers[at]?.until(/retry/);
  }
  assert.deepEqual([server.activeRequests, server.standingAnswers, one.readers], [0, 3, 3]);
  assert.equal((await fetch(`${server.url}plain`)).status, 200);
  const refused = await fetch(`${server.url}live`);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '10');
  const { error } = (await refused.json()) as { error: Record<string, string> };
  assert.equal(error.code, 'HTTP_STANDING_BUSY');
  assert.match(error.hint ?? '', /http\.max-standing/);
  const head = await fetch(`${server.url}live`, { method: 'HEAD' });
  assert.deepEqual(
    [head.status, head.headers.get('content-type')],
    [200, 'text/event-stream; charset=utf-8'],
  );
  // The place of a reader that left is free.
  readers[0]?.socket.destroy();
  while (server.standingAnswers === 3) await turn();
  const next = await reader(server);
  await next.until(/retry/);
  for (const { socket } of [...readers, next]) socket.destroy();
});

test('one client address cannot take all standing answers', limit, async () => {
  const one = new Live();
  const limits = { maxStanding: 8, clientStanding: 2 };
  await using server = await serve([live(({ signal }) => one.states(signal))], { limits });
  const readers = [await reader(server), await reader(server)];
  for (const { until } of readers) await until(/retry/);
  const refused = await fetch(`${server.url}live`);
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /HTTP_STANDING_BUSY.*http\.client-standing/);
  const other = await reader(server, '/live', '127.0.0.2');
  await other.until(/retry/);
  readers[0]?.socket.destroy();
  while (server.standingAnswers === 3) await turn();
  const again = await reader(server);
  await again.until(/retry/);
  for (const { socket } of [...readers, other, again]) socket.destroy();
});

test('an IPv6 network is one client, and a mapped IPv4 address is that address', () => {
  assert.equal(clientOf('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(clientOf('2001:db8::1'), clientOf('2001:db8:0:0:ffff::2'));
  assert.notEqual(clientOf('2001:db8:0:1::1'), clientOf('2001:db8::1'));
  assert.equal(clientOf('fe80::1%eth0'), clientOf('fe80::2%eth1'));
});

test(
  'a server that closes ends its standing answers in order and does not wait for them',
  limit,
  async () => {
    const one = new Live();
    // The clock stays where it is, so a close that waited for the grace would never end.
    const clock = new ManualClock();
    // A body of its own kind that heeds no signal is ended too.
    let pulls = 0;
    const next = () =>
      pulls++ === 0
        ? Promise.resolve({ done: false as const, value: Buffer.from('retry') })
        : new Promise<never>(() => {});
    const stubborn: Route = {
      ...{ method: 'GET', path: '/stubborn', summary: 'stubborn', scope: 'public', isStanding: true },
      handle: () => ({ body: { [Symbol.asyncIterator]: () => ({ next }) } }),
    };
    const server = await serve([live(({ signal }) => one.states(signal)), stubborn], { clock });
    const readers = [await reader(server), await reader(server), await reader(server, '/stubborn')];
    for (const { until } of readers) await until(/retry/);
    await server[Symbol.asyncDispose]();
    for (const { got, closed } of readers) {
      await closed;
      assert.ok(got.ended && got.text.endsWith('0\r\n\r\n'), got.text);
    }
    assert.equal(one.readers, 0);
  },
);

test('the iterable is closed when the caller leaves, and its time is marked as standing', limit, async () => {
  const one = new Live();
  await using server = await serve([live(({ signal }) => one.states(signal))]);
  const finished = new Promise<{ route: string; isStanding: boolean }>((resolve) => {
    const unsubscribe = requestFinished.subscribe((event) => {
      if (event.route !== '/live') return;
      unsubscribe();
      resolve(event);
    });
  });
  const { socket, until } = await reader(server);
  one.set({ json: 1 });
  await until(/data: 1/);
  socket.destroy();
  while (one.readers > 0 || server.standingAnswers > 0) await turn();
  assert.equal((await finished).isStanding, true);
});

test('a slow reader receives the newest state, and no older one is queued for it', limit, async () => {
  const total = 2_000;
  const padding = 'x'.repeat(64 * 1024);
  let made = 0;
  let isDone = false;
  const fast = async function* (): AsyncGenerator<StateEvent> {
    for (; made < total; made++) yield { id: String(made), json: padding };
    yield { id: 'newest', json: padding };
    isDone = true;
  };
  await using server = await serve([live(fast)]);
  const { socket, got, closed } = await reader(server);
  socket.pause();
  while (!isDone) await turn();
  assert.equal(server.standingAnswers, 1);
  socket.resume();
  while (!got.text.includes('id: newest')) await turn();
  const frames = got.text.match(/^id: /gm)?.length ?? 0;
  assert.ok(
    frames > 0 && frames < total / 4,
    `${frames} of ${total} states were held for a reader that took none`,
  );
  while (!got.text.endsWith('0\r\n\r\n')) await turn();
  socket.end();
  await closed;
});

/** A source that never ends, with the number of its states that were sent. */
function endless() {
  const sent = { count: 0 };
  const padding = 'x'.repeat(1024 * 1024);
  const json = {
    toJSON: () => {
      sent.count++;
      return padding;
    },
  };
  const states = async function* (): AsyncGenerator<StateEvent> {
    for (;;) {
      await turn();
      yield { json };
    }
  };
  /** Resolves when the buffers of a reader that takes nothing are full. */
  const full = async () => {
    for (let [still, last] = [0, -1]; still < 1_000; still++) {
      await turn();
      if (sent.count !== last) still = 0;
      last = sent.count;
    }
  };
  return { states, full };
}

test('a reader that takes nothing is disconnected at the close', limit, async () => {
  const { states, full } = endless();
  const server = await serve([live(states)], { clock: new ManualClock() });
  const { socket } = await reader(server);
  socket.pause();
  while (server.standingAnswers === 0) await turn();
  await full();
  await server[Symbol.asyncDispose]();
  assert.equal(server.standingAnswers, 0);
  socket.destroy();
});

test('the idle limit ends a standing answer that is not read, and none that is silent', limit, async () => {
  const one = new Live();
  const quiet: Route = { ...live(({ signal }) => one.states(signal)), path: '/quiet' };
  await using server = await serve([live(endless().states), quiet], { limits: { idleTimeoutMs: 50 } });
  const idle = await reader(server, '/quiet');
  await idle.until(/retry/);
  const stalled = await reader(server);
  stalled.socket.pause();
  while (server.standingAnswers < 2) await turn();
  while (server.standingAnswers === 2) await turn();
  assert.equal(one.readers, 1);
  one.set({ json: 'still open' });
  await idle.until(/still open/);
  stalled.socket.destroy();
  idle.socket.destroy();
});

test('a source that fails breaks the answer off', limit, async () => {
  const failing = async function* (): AsyncGenerator<StateEvent> {
    yield { json: 1 };
    throw new Error('the source broke');
  };
  await using server = await serve([live(failing)]);
  const { got, closed } = await reader(server);
  await closed;
  assert.match(got.text, /data: 1/);
  assert.ok(!got.text.endsWith('0\r\n\r\n'));
  assert.equal(server.standingAnswers, 0);
});
