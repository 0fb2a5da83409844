import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { secureKey } from '../rules/scheme-keys.ts';
import { localhostCertificate } from '../testing/certificate.ts';
import { hear, open, statusOf, testDoor, text, untilEnd } from '../testing/raw-client.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';
import type { DoorLimits } from './door-limits.ts';
import type { HttpDoorOptions } from './door-options.ts';
import { ReadyTable } from './fast-lane/ready-table.ts';
import type { HttpDoor } from './http-door.ts';

const get = (path: string, lines = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
const date = 'Sun, 01 Nov 2026 00:00:00 GMT';
const never = Number.MAX_SAFE_INTEGER;
const content = Buffer.alloc(200_000, 'x');

/** A door with a lane in which `/ready` and `/large` are ready; other requests take the slow path. */
async function lanedDoor(limits: Partial<DoorLimits>, more: Partial<HttpDoorOptions> = {}) {
  const ready = new ReadyTable(1e6, 15_000);
  const decision = { outcome: 'hit' as const, rule: 'fresh' as const };
  const head = { status: 200, reason: 'OK', fields: ['Date', date], untilMs: never, decision };
  for (const [path, length] of Object.entries({ ready: 5, large: content.length })) {
    const source = {
      ...{ of: {}, content: content.subarray(0, length) },
      ...{ headAt: () => head, onHits: () => undefined },
    };
    const url = `http://origin.example/${path}`;
    // Origins get the client's protocol, so responses are stored separately by it.
    const key = more.tls === undefined ? url : secureKey(url);
    ready.learn({ url: key, vary: [], requestFields: [], source }, 0);
  }
  const held: (() => void)[] = [];
  const served = await testDoor(
    async ({ url }) => {
      if (url.endsWith('/held')) await new Promise<void>((resolve) => held.push(resolve));
      return text('slow', { fields: ['Date', date] });
    },
    { accelerator: acceleratedHosts(['http://origin.example']), limits, lane: { ready }, ...more },
  );
  return { ...served, held };
}

const inLane = ({ lane }: HttpDoor) => lane?.answered.requests;

test('a connection without a complete head in time gets an error, whether it sends nothing, a part, or byte by byte', async () => {
  await using served = await lanedDoor({ headTimeoutMs: 500, keepAliveMs: 20_000 });
  for (const first of ['', get('/ready').slice(0, 12)]) {
    const socket = await open(served.door);
    socket.write(first);
    assert.equal(statusOf((await untilEnd(socket)).text), 408, first);
  }
  const socket = await open(served.door);
  const end = untilEnd(socket);
  const began = performance.now();
  for (let at = 0; !socket.destroyed && socket.writable && performance.now() - began < 10_000; at++) {
    socket.write('GET /'[at] ?? 'x');
    await pause(5);
  }
  assert.equal(statusOf((await end).text), 408);
  // A head after a first answer is due as soon.
  const later = await open(served.door);
  later.write(get('/ready'));
  await hear(later, 'xxxxx');
  later.write('GET /re');
  assert.equal(statusOf((await untilEnd(later)).text), 408);
  assert.equal(inLane(served.door), 1);
});

test('a connection without a next request is closed without an answer', async () => {
  await using served = await lanedDoor({ keepAliveMs: 40, headTimeoutMs: 20_000 });
  const socket = await open(served.door);
  socket.write(get('/ready'));
  await hear(socket, 'xxxxx');
  assert.equal((await untilEnd(socket)).text, '');
});

test('a client that takes nothing is cut off, and what waits for it is bounded until then', async () => {
  await using served = await lanedDoor({ stallMs: 80, keepAliveMs: 20_000 });
  const socket = await open(served.door);
  for (let count = 0; count < 500; count++) socket.write(get('/large'));
  while (served.door.connections > 0) await pause(5);
  const bytes = served.door.lane?.answered.bytes ?? 0;
  assert.ok(bytes < 20e6, `${bytes} bytes of 100 MB were written for a client that takes none`);
  socket.resume();
  await once(socket, 'close');
});

test('no client and not all together have more connections than they may, in the lane or out of it', async () => {
  for (const limits of [{ clientConnections: 2 }, { maxConnections: 2 }]) {
    await using served = await lanedDoor(limits);
    const { door } = served;
    const [first, second] = [await open(door), await open(door)];
    first.write(get('/ready'));
    await hear(first, 'xxxxx');
    // Answered from the lane, by the server beside it, and on a connection that is the server's for good.
    second.write(get('/other', 'Unknown: field\r\n'));
    await hear(second, 'slow');
    second.write(`POST /other HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx`);
    await hear(second, 'slow');
    assert.equal(door.connections, 2);
    const third = await open(door);
    third.write(get('/ready'));
    assert.equal((await untilEnd(third)).text, '');
    assert.equal(inLane(door), 1);
    second.destroy();
    while (door.connections > 1) await pause(1);
    const fourth = await open(door);
    fourth.write(get('/ready'));
    await hear(fourth, 'xxxxx');
    assert.equal(inLane(door), 2);
    first.destroy();
    fourth.destroy();
  }
});

test('a client with the max requests in flight gets no hit from the lane either', async () => {
  await using served = await lanedDoor({ clientRequests: 1 });
  const [busy, other] = [await open(served.door), await open(served.door)];
  busy.write(get('/held'));
  while (served.held.length === 0) await pause(1);
  other.write(get('/ready'));
  assert.match(await hear(other, '\r\n\r\n'), /^HTTP\/1\.1 429 /);
  served.held[0]?.();
  await hear(busy, 'slow');
  busy.write(get('/ready'));
  await hear(busy, 'xxxxx');
  assert.equal(inLane(served.door), 1);
  busy.destroy();
  other.destroy();
});

test('a client that ends its side gets its answers, and for half a head an error', async () => {
  await using served = await lanedDoor({});
  const socket = await open(served.door);
  socket.end(get('/ready').repeat(3));
  assert.equal((await untilEnd(socket)).text.split('xxxxx').length, 4);
  const half = await open(served.door);
  half.end(`${get('/ready')}GET /re`);
  const { text: said } = await untilEnd(half);
  assert.equal(statusOf(said), 200);
  assert.match(said, /xxxxxHTTP\/1\.1 400 /);
  const silent = await open(served.door);
  silent.end();
  assert.equal((await untilEnd(silent)).text, '');
});

const tls = localhostCertificate();
const options = { timeout: 20_000, ...(tls === undefined && { skip: 'SKIPPED: needs openssl' }) };

async function openTls(door: HttpDoor): Promise<TLSSocket> {
  const socket = connectTls({
    ...{ port: door.port, host: '127.0.0.1', servername: 'localhost' },
    ...{ ca: tls?.cert, ALPNProtocols: ['h2', 'http/1.1'] },
  });
  await once(socket, 'secureConnect');
  return socket;
}

test(
  'over TLS hits are answered in the lane with the same bytes, and all else by the server',
  options,
  async () => {
    assert.ok(tls);
    await using plain = await lanedDoor({});
    await using secure = await lanedDoor({ clientConnections: 1 }, { tls });
    const said = async (socket: Socket) => {
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      const until = async (mark: string) => {
        while (!heard.endsWith(mark)) await pause(1);
      };
      socket.write(get('/ready') + get('/large'));
      await until('x'.repeat(200_000));
      socket.write(get('/other', 'Unknown: field\r\n') + get('/ready'));
      await until('\r\n\r\nxxxxx');
      socket.write('POST /other HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx');
      await until('slow');
      socket.write(get('/ready', 'Connection: close\r\n'));
      await once(socket, 'close');
      return heard;
    };
    const socket = await openTls(secure.door);
    assert.equal(socket.alpnProtocol, 'http/1.1');
    assert.equal(await said(socket), await said(await open(plain.door)));
    assert.deepEqual([inLane(secure.door), inLane(plain.door)], [3, 3]);
    while (secure.door.connections > 0) await pause(1);
    const forged = await openTls(secure.door);
    forged.write(`${get('/ready')}GET /ready HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n`);
    assert.match((await untilEnd(forged)).text, /xxxxxHTTP\/1\.1 400 /);
  },
);
