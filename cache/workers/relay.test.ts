import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { AddressGuard } from '../../fetch/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { AccessRules } from '../doors/access.ts';
import { defaultDoorLimits } from '../doors/door-limits.ts';
import type { FastLane } from '../doors/fast-lane/fast-lane.ts';
import { ReadyTable } from '../doors/fast-lane/ready-table.ts';
import { openHttpDoor } from '../doors/http-door.ts';
import { Tunnels } from '../doors/tunnels.ts';
import type { CacheAnswer, CacheRequest } from '../requests/request-response.ts';
import { defaultPolicy } from '../rules/policy.ts';
import { FrameReader } from './frames.ts';
import { openHitWorker } from './hit-worker.ts';
import { messages, sendMessage, type ToWorker } from './messages.ts';
import type { RelayPlace } from './relay.ts';
import { sendHello } from './relay-frames.ts';
import { WorkerCopyLedger } from './worker-copy-ledger.ts';
import { openWorkers } from './workers.ts';

const limit = { timeout: 20_000 };

interface RelayedOptions {
  readonly clientConnections?: number;
  readonly connectPort?: number;
  /** The limits of the worker itself for one client. */
  readonly workerConnections?: number;
  readonly isPeer?: (address: string) => boolean;
  /** Start none: a test says what it says. */
  readonly silentWorker?: boolean;
  readonly hits?: (times: number, ms: number) => void;
}

/** A proxy behind a worker that has no answers of its own. */
async function relayed(
  t: TestContext,
  answer: (request: CacheRequest) => Promise<CacheAnswer>,
  more: RelayedOptions = {},
) {
  const clock = systemClock;
  const {
    connectPort,
    workerConnections,
    silentWorker,
    isPeer = () => false,
    hits = () => undefined,
    ...bounds
  } = more;
  const limits = { ...defaultDoorLimits, closeGraceMs: 500 };
  const table = new ReadyTable(1e6, limits.keepAliveMs);
  const requests: CacheRequest[] = [];
  const door = await openHttpDoor({
    ...{ port: 0, clock, pseudonym: 'test', proxy: true, limits: { ...limits, ...bounds } },
    lane: { ready: table },
    answer: (request) => {
      requests.push(request);
      return answer(request);
    },
    ...(connectPort !== undefined && {
      tunnels: new Tunnels({ guard: new AddressGuard([`127.0.0.1:${connectPort}`]), ports: ['1-65535'] }),
    }),
  });
  const lane = door.lane as FastLane;
  const server = createServer();
  const places: RelayPlace[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const workers = await openWorkers({
    ...{
      count: 1,
      clock,
      random: systemRandom,
      copies: new WorkerCopyLedger(table),
      lane,
      server: door.server,
    },
    ...{ access: new AccessRules(), maxConnections: 100, graceMs: 2000 },
    ...{ slots: door.slots, isPeer, counts: { hits } },
    start: (place) => {
      places.push(place);
      if (silentWorker) return { exited: ended, kill: end };
      const running = (async () => {
        const reported = { place, name: 'test', policy: defaultPolicy, readyBytes: 1e6, isOpen: true };
        const own = workerConnections === undefined ? {} : { clientConnections: workerConnections };
        const worker = await openHitWorker({
          ...reported,
          proxy: true,
          limits: { ...limits, ...own },
          clock,
        });
        worker.serve(server);
        server.listen(0, '127.0.0.1');
        return worker;
      })();
      const exited = running.then(async (worker) => {
        await worker.ended;
        server.close();
        await worker[Symbol.asyncDispose]();
      });
      return { exited, kill: () => undefined };
    },
  });
  if (!server.listening && !silentWorker) await once(server, 'listening');
  const close = async () => {
    await workers[Symbol.asyncDispose]();
    await door[Symbol.asyncDispose]();
  };
  t.after(close);
  const { port } = (server.address() ?? { port: 0 }) as AddressInfo;
  return { door, requests, workers, port, place: places[0] as RelayPlace, close };
}

function says(words: string | Uint8Array): CacheAnswer {
  const content = Buffer.from(words as string);
  return { status: 200, reason: 'OK', fields: [], content, contentLength: content.length };
}

async function open(port: number, allowHalfOpen = false): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Everything up to where a pattern matches. */
async function hear(socket: Socket, pattern: RegExp): Promise<string> {
  let text = '';
  while (!pattern.test(text)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk !== null) text += chunk.toString('latin1');
    else if (socket.readableEnded || socket.destroyed) throw new Error(`the end came after: ${text}`);
    else await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
  return text;
}

async function toEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece;
  });
  await once(socket, 'close');
  return text;
}

const get = (path: string, more = '') => `GET http://a${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

test(
  'requests are relayed one by one on one connection, those sent ahead in their order',
  limit,
  async (t) => {
    const { port, requests } = await relayed(t, async ({ url }) => says(url));
    const socket = await open(port);
    for (let turn = 0; turn < 3; turn++) {
      socket.write(get(`/${turn}`));
      await hear(socket, new RegExp(`http://a/${turn}$`));
    }
    socket.write(get('/x') + get('/y', 'X-Unknown: 1\r\n') + get('/z'));
    const ahead = await hear(socket, /http:\/\/a\/z$/);
    assert.deepEqual(ahead.match(/http:\/\/a\/./g), ['http://a/x', 'http://a/y', 'http://a/z']);
    assert.deepEqual([...new Set(requests.map(({ clientAddress }) => clientAddress))], ['127.0.0.1']);
    socket.destroy();
  },
);

test('a content goes up and down whole, and its connection goes on', limit, async (t) => {
  const { port } = await relayed(t, async ({ content }) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of content ?? []) pieces.push(piece);
    return says(Buffer.concat(pieces));
  });
  const socket = await open(port);
  const sent = 'abcdefgh'.repeat(200_000);
  for (let turn = 0; turn < 2; turn++) {
    socket.write(`POST http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: ${sent.length}\r\n\r\n`);
    socket.write(sent);
    const heard = await hear(socket, /gh\r?\n?$/);
    const content = heard.slice(heard.indexOf('\r\n\r\n') + 4);
    const rest = content.length < sent.length ? await more(socket, sent.length - content.length) : '';
    assert.equal(content + rest, sent);
  }
  socket.destroy();
});

async function more(socket: Socket, length: number): Promise<string> {
  let text = '';
  while (text.length < length) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) await once(socket, 'readable');
    else text += chunk.toString('latin1');
  }
  return text;
}

test('a tunnel is carried both ways until both sides have ended', limit, async (t) => {
  const echo = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', (bytes) => socket.write(bytes.toString('latin1').toUpperCase()));
    socket.on('end', () => socket.end('.'));
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  t.after(() => echo.close());
  const { port: connectPort } = echo.address() as AddressInfo;
  const { port, door } = await relayed(t, async () => says('x'), { connectPort });
  const socket = await open(port, true);
  const place = `127.0.0.1:${connectPort}`;
  socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\nfirst`);
  assert.match(await hear(socket, /FIRST/), /^HTTP\/1.1 200 /);
  const ending = toEnd(socket);
  socket.end('second');
  assert.equal(await ending, 'SECOND.');
  while (door.connections > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('a request to close the connection is obeyed after the answer', limit, async (t) => {
  const { port } = await relayed(t, async ({ url }) => says(url));
  const socket = await open(port);
  socket.write(get('/last', 'Connection: close\r\n'));
  assert.match(await toEnd(socket), /http:\/\/a\/last$/);
});

test('a client that leaves is noticed where its answer is made', limit, async (t) => {
  let noticed: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    noticed = resolve;
  });
  const { port, requests } = await relayed(t, async ({ signal }) => {
    signal.addEventListener('abort', noticed);
    await left;
    return says('late');
  });
  for (const more of ['', 'Content-Length: 0\r\n']) {
    const socket = await open(port);
    const before = requests.length;
    socket.write(get('/', more));
    while (requests.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    await left;
  }
});

test('a client that takes nothing of a long answer is not written for without bound', limit, async (t) => {
  let given = 0;
  const { port } = await relayed(t, async () => ({
    ...{ status: 200, reason: 'OK', fields: [] },
    content: (async function* () {
      for (; given < 1000; given++) yield Buffer.alloc(64 * 1024, 120);
    })(),
  }));
  const socket = await open(port);
  socket.pause();
  socket.write(get('/long'));
  let before = -1;
  // Until nothing moves any more.
  while (given !== before || given === 0) {
    before = given;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.ok(given < 500, `${given} of 1000 pieces were taken`);
  await more(socket, 1000 * 64 * 1024);
  assert.equal(given, 1000);
  socket.destroy();
});

test('connections beyond a bound of all processes are cut', limit, async (t) => {
  const { port, door } = await relayed(t, async ({ url }) => says(url), { clientConnections: 2 });
  const sockets = [await open(port), await open(port), await open(port)];
  const [, , third] = sockets as [Socket, Socket, Socket];
  third.resume();
  await once(third, 'close');
  const [first] = sockets as [Socket];
  first.write(get('/first'));
  await hear(first, /http:\/\/a\/first$/);
  // One that left makes room.
  first.destroy();
  await until(() => door.connections === 1);
  const fourth = await open(port);
  fourth.write(get('/fourth'));
  await hear(fourth, /http:\/\/a\/fourth$/);
  for (const socket of [...sockets, fourth]) socket.destroy();
});

/** Wait until the processes have exchanged messages. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo(); turn++) {
    assert.ok(turn < 1_000, 'it never came');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a connection counts once, whether its requests are relayed or all of it', limit, async (t) => {
  const { port, door } = await relayed(t, async ({ url }) => says(url), { clientConnections: 3 });
  const sockets = [await open(port), await open(port), await open(port)];
  const heads = [get('/one'), get('/two', 'X-Unknown: 1\r\n'), get('/three', 'Content-Length: 0\r\n')];
  for (const [at, socket] of sockets.entries()) {
    socket.write(heads[at] as string);
    await hear(socket, /http:\/\/a\/[a-z]+$/);
  }
  await until(() => door.connections === 3);
  assert.deepEqual([...door.refused], []);
  for (const socket of sockets) socket.destroy();
  await until(() => door.connections === 0);
});

test(
  'a connection for which a worker has no room is refused by the door, which counts that',
  limit,
  async (t) => {
    const bounds = { clientConnections: 2, workerConnections: 2 };
    const { port, door } = await relayed(t, async ({ url }) => says(url), bounds);
    const sockets = [await open(port), await open(port)];
    await until(() => door.connections === 2);
    const third = await open(port);
    third.resume();
    await once(third, 'close');
    assert.deepEqual([...door.refused], [['CACHE_CLIENT_BUSY', 1]]);
    assert.equal(door.connections, 2);
    for (const socket of sockets) socket.destroy();
  },
);

test('half a head is answered with an error in a worker too', limit, async (t) => {
  const { port } = await relayed(t, async () => says('x'));
  const socket = await open(port, true);
  const heard = toEnd(socket);
  socket.end('GET http://a/ HTTP/1.1\r\nHo');
  assert.match(await heard, /^HTTP\/1\.1 400 .*CACHE_BAD_REQUEST/s);
});

test('a worker may give nothing to peers, and what it gave is counted', limit, async (t) => {
  const counted: (readonly [number, number])[] = [];
  const { place } = await relayed(t, async () => says('x'), {
    isPeer: (address) => address === '192.0.2.1',
    hits: (times, ms) => counted.push([times, ms]),
    silentWorker: true,
  });
  const link = connect(place.path);
  sendHello(link, { secret: place.secret, worker: place.worker });
  const heard = new Map<number, boolean>();
  const reader = new FrameReader(
    messages<ToWorker>((message) => {
      if (message.is === 'access') heard.set(message.question, message.admitted);
    }),
  );
  link.on('data', (piece: Buffer) => reader.push(piece));
  const access = { method: 'GET', host: 'a', port: 80, form: 'accelerator' as const };
  sendMessage(link, { is: 'took', took: [[3, 0.5]] });
  for (const [question, from] of ['192.0.2.1', '192.0.2.2'].entries())
    sendMessage(link, { is: 'ask', question, access: { ...access, from } });
  await until(() => heard.size === 2);
  assert.deepEqual([heard.get(0), heard.get(1)], [false, true]);
  assert.deepEqual(counted, [[3, 0.5]]);
  link.destroy();
});

test('a process without the secret is refused', limit, async (t) => {
  const { place, requests } = await relayed(t, async () => says('x'));
  const socket = connect(place.path);
  socket.on('error', () => undefined);
  const text = JSON.stringify({ ...place, secret: 'x'.repeat(64), client: { what: 'bytes' } });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(text.length, 0);
  socket.write(Buffer.concat([head, Buffer.from(text)]));
  socket.resume();
  await once(socket, 'close');
  assert.equal(requests.length, 0);
});

test('an end lets what is being answered come to its end', limit, async (t) => {
  let goOn: () => void = () => undefined;
  const { port, requests, workers } = await relayed(t, async () => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return says('whole');
  });
  const socket = await open(port);
  socket.write(get('/'));
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const heard = toEnd(socket);
  const closing = workers[Symbol.asyncDispose]();
  setTimeout(() => goOn(), 50);
  assert.match(await heard, /whole$/);
  await closing;
  assert.equal(workers.alive, 0);
});
