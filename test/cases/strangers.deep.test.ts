import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { serveHttp } from '../../http/index.ts';
import { ManualClock, seededRandom, shareOf, systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { connect, type Session, WireServer } from '../../wire/index.ts';

const newIdentity = () => identityFrom(newIdentitySecret(systemRandom));

const sessions = 300;
const slowBodies = 300;
const guessers = 80;
const token = 'the-operators-own-words';

/** A server with a page, a route that takes a body, a route for administrators, and a wire. */
async function openServer() {
  const clock = systemClock;
  const wire = new WireServer({
    ...{ identity: newIdentity(), name: 'server', role: 'gatherer', clock, random: systemRandom },
    ...{ maxSessions: 256, clientSessions: shareOf(256, 50), known: () => false },
  });
  const common = { summary: 'x', scope: 'public' } as const;
  const http = await serveHttp({
    routes: [
      { ...common, method: 'GET', path: '/page', handle: () => ({ body: 'the page' }) },
      {
        ...common,
        method: 'POST',
        path: '/objects/:oid/check',
        takesNoBody: true,
        handle: () => ({ json: {} }),
      },
      { ...common, method: 'POST', path: '/echo', handle: ({ body }) => ({ json: body.byteLength }) },
      { ...common, method: 'GET', path: '/secret', scope: 'admin', handle: () => ({ body: 'open' }) },
    ],
    ...{ port: 0, clock, title: 'T', version: '1', tokens: { admin: [token] } },
    upgrades: [
      {
        path: '/',
        origins: 'any',
        handle: (asked, socket, head, sender) => wire.handleUpgrade(asked, socket, head, sender),
      },
    ],
  });
  return { http, wire };
}

/** The status of a request from a loopback address of its own. */
async function statusFrom(localAddress: string, url: URL, bearer?: string): Promise<number | undefined> {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const asked = request(url, { localAddress, headers, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  response.resume();
  return response.statusCode;
}

const attacker = '127.0.0.2';

function opened(port: number, text: string): Socket {
  const socket = connectTcp({ port, host: '127.0.0.1', localAddress: attacker });
  socket.on('error', () => undefined);
  socket.write(text);
  socket.resume();
  return socket;
}

test('cases a01, a02, a08: an address with 300 sessions, 300 slow bodies and a flood of wrong tokens leaves room for others', async () => {
  const { http, wire } = await openServer();
  const sockets: Socket[] = [];
  const stop = new AbortController();
  try {
    const upgrade = `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16, 1).toString('base64')}\r\nSec-WebSocket-Protocol: garner.1\r\n\r\n`;
    for (let n = 0; n < sessions; n++) sockets.push(opened(http.port, upgrade));
    const slow = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nab`;
    for (let n = 0; n < slowBodies; n++)
      sockets.push(opened(http.port, slow(n % 2 === 0 ? '/echo' : '/objects/x/check')));
    const guess = async () => {
      while (!stop.signal.aborted)
        await statusFrom(attacker, new URL('secret', http.url), 'wrong-token').catch(() => pause(1));
    };
    const guesses = Array.from({ length: guessers }, guess);
    await pause(300);
    for (let n = 0; n < 30; n++) {
      assert.equal(await statusFrom('127.0.0.3', new URL('page', http.url)), 200);
      assert.equal(await statusFrom('127.0.0.3', new URL('secret', http.url), token), 200);
    }
    const session = await connect({
      url: http.url.replace('http', 'ws'),
      ...{ identity: newIdentity(), name: 'other', role: 'broker' },
      ...{ clock: systemClock, random: systemRandom },
    });
    await session.close();
    stop.abort();
    for (const socket of sockets) socket.destroy();
    await Promise.all(guesses);
  } finally {
    stop.abort();
    for (const socket of sockets) socket.destroy();
    await wire[Symbol.asyncDispose]();
    await http[Symbol.asyncDispose]();
  }
});

test('case a01: a route that takes no body refuses one at once, and an awaited body is no request that is answered', async () => {
  const { http, wire } = await openServer();
  const socket = opened(
    http.port,
    'POST /objects/x/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\na',
  );
  try {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 413 .*"code":"HTTP_BODY_TOO_LARGE"/s);
  } finally {
    socket.destroy();
    await wire[Symbol.asyncDispose]();
    await http[Symbol.asyncDispose]();
  }
});

test('case a01: one address gets 429 with Retry-After beyond its share, and another is answered', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle = async () => {
    await released;
    return { body: 'done' };
  };
  await using http = await serveHttp({
    routes: [{ method: 'GET', path: '/slow', summary: 's', scope: 'public', handle }],
    ...{ port: 0, clock: systemClock, title: 'T', version: '1', limits: { maxRequests: 4 } },
  });
  const first = [0, 1].map(() => fetch(`${http.url}slow`));
  while (http.activeRequests < 2) await new Promise((resolve) => setImmediate(resolve));
  const refused = await fetch(`${http.url}slow`);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
  assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'HTTP_CLIENT_BUSY');
  const other = statusFrom('127.0.0.3', new URL('slow', http.url));
  while (http.activeRequests < 3) await new Promise((resolve) => setImmediate(resolve));
  release();
  assert.equal(await other, 200);
  for (const answer of await Promise.all(first)) assert.equal(await answer.text(), 'done');
});

test('case a08: a stranger without a channel is sent away, and known servers keep places of their own', async () => {
  const clock = new ManualClock();
  const random = seededRandom(8);
  const friend = newIdentity();
  const wire = new WireServer({
    ...{ identity: newIdentity(), name: 'server', role: 'gatherer', clock, random },
    ...{ maxSessions: 8, clientSessions: 8, known: ({ serverId }) => serverId === friend.serverId },
    onChannel: async (channel) => {
      for (;;) if ((await channel.receive()) === undefined) return;
    },
  });
  await using http = await serveHttp({
    ...{ routes: [], port: 0, clock: systemClock, title: 'T', version: '1' },
    upgrades: [
      {
        path: '/',
        origins: 'any',
        handle: (asked, socket, head, sender) => wire.handleUpgrade(asked, socket, head, sender),
      },
    ],
  });
  const from = (identity = newIdentity()) =>
    connect({
      url: http.url.replace('http', 'ws'),
      ...{ identity, name: 'caller', role: 'broker', clock: systemClock, random: systemRandom },
    });
  const strangers: Session[] = [];
  for (let n = 0; n < 6; n++) strangers.push(await from());
  while (wire.sessions.size < 6) await new Promise((resolve) => setImmediate(resolve));
  const seventh = await from();
  const reason = await seventh.closed;
  assert.match(reason?.message ?? '', /WIRE_BUSY/);
  const known = await from(friend);
  const busy = strangers[0] as Session;
  const channel = await busy.open({ type: 'waits' });
  while (wire.sessions.size < 7) await new Promise((resolve) => setImmediate(resolve));
  // The sessions' timers run on the server's clock.
  const ended = Promise.all(strangers.slice(1).map((session) => session.closed));
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  const began = clock.now();
  for (let turns = 0; !isEnded; turns++) {
    if (turns % 200 === 0 && clock.now() < began + 200_000) clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(await ended, Array(5).fill(undefined), 'an orderly end');
  while (wire.sessions.size > 2) await new Promise((resolve) => setImmediate(resolve));
  await channel.send({ type: 'still there' }, { end: true });
  await Promise.all([known.close(), busy.close()]);
  await wire[Symbol.asyncDispose]();
});
