import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { ManualClock, systemClock, systemRandom } from '../kernel/index.ts';
import { bearerToken, bearerTokens } from './bearer-tokens.ts';
import { connect } from './connect.ts';
import { callerRefused } from './events.ts';
import { type Bed, echo, openBed, RawPeer, selfNamed, turns } from './fixture.test.ts';
import { limitsFromSettings, wireLimits, wireSettings } from './settings.ts';

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  'sec-websocket-protocol': 'garner.1',
};

/** The status with which an upgrade is answered. */
function status(bed: Bed, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(bed.url.replace('ws:', 'http:'), { headers: { ...upgrade, ...headers } });
    asking.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asking.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve(101);
    });
    asking.on('error', reject).end();
  });
}

test('a token is required before the upgrade', async () => {
  await using bed = await openBed({ authorise: bearerTokens(['right', 'also']), onChannel: echo });
  assert.equal(await status(bed, {}), 401);
  assert.equal(await status(bed, { authorization: 'Bearer wrong' }), 401);
  assert.equal(await status(bed, { authorization: 'Basic right' }), 401);
  assert.equal(await status(bed, { authorization: 'Bearer also' }), 101);
  await assert.rejects(bed.dial(), { code: 'WIRE_REFUSED' });
  await assert.rejects(bed.dial({ token: 'wrong' }), { code: 'WIRE_REFUSED' });
  const session = await bed.dial({ token: 'right' });
  assert.equal(session.peer.role, 'gatherer');
});

test('tokens are compared whole, and an empty token list accepts everyone', () => {
  const authorise = bearerTokens(['right', '']);
  assert.deepEqual(['right', 'righ', 'rightt', '', undefined].map(authorise), [
    true,
    false,
    false,
    false,
    false,
  ]);
  assert.equal(bearerTokens([''])(undefined), true);
  assert.equal(bearerToken('Bearer a.b-c'), 'a.b-c');
  assert.equal(bearerToken('bearer  x '), 'x');
  assert.deepEqual(['Bearer', 'Bearer a b', 'Basic x', ''].map(bearerToken), Array(4).fill(undefined));
});

test('only garner.1 is accepted, and no page of another origin', async () => {
  const refusals: number[] = [];
  const unsubscribe = callerRefused.subscribe((event) => refusals.push(event.status));
  await using bed = await openBed({ origins: ['https://friend.example'] });
  assert.equal(await status(bed, { 'sec-websocket-protocol': 'garner.2' }), 400);
  assert.equal(await status(bed, { 'sec-websocket-protocol': 'garner.1, other' }), 400);
  assert.equal(await status(bed, { 'sec-websocket-version': '12' }), 400);
  assert.equal(await status(bed, { origin: 'https://evil.example' }), 403);
  assert.equal(await status(bed, { origin: 'null' }), 403);
  assert.equal(await status(bed, { origin: 'https://friend.example' }), 101);
  assert.equal(await status(bed, { origin: bed.url.replace('ws:', 'https:').replace(/\/$/, '') }), 403);
  assert.equal(await status(bed, { origin: bed.url.replace('ws:', 'http:').replace(/\/$/, '') }), 101);
  unsubscribe();
  assert.deepEqual(refusals.filter((code) => code !== 101).sort(), [400, 400, 403, 403, 403]);
});

test('sessions up to the limit, then busy, then room again', async () => {
  await using bed = await openBed({ maxSessions: 2, onChannel: echo });
  const first = await bed.dial();
  // One that is still in its handshake counts too.
  await using raw = new RawPeer(bed.url);
  await raw.opened();
  await assert.rejects(bed.dial(), { code: 'WIRE_BUSY', exit: 12, retry: 'later' });
  await first.close();
  while (bed.wire.sessions.size > 0) await turns(1);
  await bed.dial();
});

test('a server that cannot be reached, is not Garner or is silent has its own error', async () => {
  const dial = (url: string, clock = systemClock as ManualClock | typeof systemClock) =>
    connect({ ...selfNamed('x', 'broker'), url, clock, random: systemRandom });
  for (const url of ['ftp://127.0.0.1/', 'nonsense', 'ws://', 'http://[::'])
    await assert.rejects(dial(url), { code: 'WIRE_URL', exit: 2 }, url);
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const closedUrl = `ws://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));
  await assert.rejects(dial(closedUrl), { code: 'WIRE_UNREACHABLE', exit: 12, retry: 'later' });

  const pages = createServer((request, response) => {
    response.statusCode = request.url === '/broken' ? 502 : 404;
    response.end();
  });
  pages.on('upgrade', (request, socket) => {
    const accept = request.url === '/accept' ? 'Sec-WebSocket-Accept: AAAA\r\n' : '';
    if (request.url === '/junk') socket.end('220 ready\r\n');
    else if (request.url === '/accept')
      socket.end(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${accept}\r\n`,
      );
    else if (request.url === '/broken') socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    else if (request.url !== '/silent') socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const url = `ws://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  await assert.rejects(dial(`${url}/other`), { code: 'WIRE_NOT_SPOKEN' });
  await assert.rejects(dial(`${url}/accept`), { code: 'WIRE_NOT_SPOKEN' });
  await assert.rejects(dial(`${url}/junk`), { code: 'WIRE_NOT_SPOKEN' });
  await assert.rejects(dial(`${url}/broken`), { code: 'WIRE_UNREACHABLE' });
  const clock = new ManualClock();
  const waiting = dial(`${url}/silent`, clock);
  clock.advance(10_000);
  await assert.rejects(waiting, { code: 'WIRE_TIMEOUT', retry: 'later' });
  const cancel = new AbortController();
  const aborted = connect({
    ...selfNamed('x', 'broker'),
    url: `${url}/silent`,
    clock,
    random: systemRandom,
    signal: cancel.signal,
  });
  cancel.abort(new Error('enough'));
  await assert.rejects(aborted, { message: 'enough' });
  pages.closeAllConnections();
  await new Promise((resolve) => {
    pages.close(resolve);
    pages.closeAllConnections();
  });
});

test('a closing server sends bye to its sessions and takes no more', async () => {
  const bed = await openBed({ onChannel: echo });
  const session = await bed.dial();
  await using raw = new RawPeer(bed.url);
  await raw.opened();
  await bed.wire[Symbol.asyncDispose]();
  assert.equal(await session.closed, undefined);
  await raw.closed;
  await assert.rejects(bed.dial(), { code: 'WIRE_BUSY' });
  await bed[Symbol.asyncDispose]();
});

test('a handler of new sessions that throws ends that session only', async () => {
  let calls = 0;
  await using bed = await openBed({
    onChannel: echo,
    onSession: () => {
      calls += 1;
      if (calls === 1) throw new Error('a fault of ours');
    },
  });
  const first = await bed.dial();
  assert.equal((await first.closed)?.code, 'WIRE_LOST');
  const second = await bed.dial();
  const channel = await second.open({ type: 'ask' }, { end: true });
  assert.equal((await channel.receive())?.type, 'ask');
});

test('settings and limits have the same values', () => {
  const defaults = Object.fromEntries(wireSettings.map((setting) => [setting.key, setting.default]));
  assert.deepEqual(limitsFromSettings(defaults), wireLimits());
  assert.deepEqual(limitsFromSettings({}), wireLimits());
  assert.equal(limitsFromSettings({ 'wire.level': 9 }).level, 9);
  assert.throws(() => wireLimits({ windowBytes: 10 }), TypeError);
  assert.throws(() => wireLimits({ level: Number.NaN }), TypeError);
});
