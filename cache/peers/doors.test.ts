import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { decodeHtcp, encodeHtcp, type HtcpMessage } from './htcp.ts';
import { HtcpDoor } from './htcp-door.ts';
import { decodeIcp, encodeIcp, type IcpMessage } from './icp.ts';
import { IcpDoor, type IcpDoorOptions } from './icp-door.ts';

const host = '127.0.0.1';
const fresh = 'http://origin.example/fresh';
const stale = 'http://origin.example/stale';
const lookup = {
  has: (url: string) => url === fresh || url === stale,
  isFresh: async (url: string) => url === fresh,
};

async function stranger(t: TestContext): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  t.after(() => socket.close());
  return socket;
}

async function icpDoor(t: TestContext, more: Partial<IcpDoorOptions> = {}): Promise<IcpDoor> {
  const door = await IcpDoor.open({
    host,
    port: 0,
    lookup,
    mayAsk: () => true,
    ready: () => true,
    clock: new ManualClock(),
    random: seededRandom(1),
    ...more,
  });
  t.after(() => door[Symbol.asyncDispose]());
  return door;
}

async function answerTo(socket: Socket, bytes: Uint8Array | undefined, port: number): Promise<Uint8Array> {
  assert.ok(bytes);
  const [[answer]] = await Promise.all([once(socket, 'message'), socket.send(bytes, port, host)]);
  return answer as Uint8Array;
}

const query = (url: string, requestNumber = 7): IcpMessage => ({
  kind: 'query',
  requestNumber,
  url,
  takesObject: true,
  wantsRtt: true,
});

test('RFC 2186: a query gets HIT for a fresh response, MISS for a stale or missing one', async (t) => {
  const door = await icpDoor(t);
  const socket = await stranger(t);
  const kinds: string[] = [];
  for (const url of [fresh, stale, 'http://origin.example/none']) {
    const answer = decodeIcp(await answerTo(socket, encodeIcp(query(url)), door.port));
    assert.equal(answer?.requestNumber, 7);
    assert.equal(answer?.url, url);
    kinds.push(answer?.kind ?? '');
  }
  assert.deepEqual(kinds, ['hit', 'miss', 'miss']);
  const { asked, hits, misses } = door.counts();
  assert.deepEqual({ asked, hits, misses }, { asked: 3, hits: 1, misses: 2 });
});

test('RFC 2186 2: an unpermitted query gets DENIED, up to a limit', async (t) => {
  const door = await icpDoor(t, { mayAsk: () => false });
  const socket = await stranger(t);
  assert.equal(decodeIcp(await answerTo(socket, encodeIcp(query(fresh)), door.port))?.kind, 'denied');
  const bytes = encodeIcp(query(fresh)) ?? new Uint8Array();
  for (let n = 0; n < 500; n++) door.receive(bytes, { address: '192.0.2.1', port: 9 });
  assert.equal(door.counts().denied, 101);
});

test('RFC 2186 2: while the store is loaded, a query gets MISS_NOFETCH', async (t) => {
  const door = await icpDoor(t, { ready: () => false });
  const answer = await answerTo(await stranger(t), encodeIcp(query(fresh)), door.port);
  assert.equal(decodeIcp(answer)?.kind, 'miss-no-fetch');
});

test('an answer counts only from where the question went, with its number and its URL, and once', async (t) => {
  const door = await icpDoor(t);
  const socket = await stranger(t);
  const to = { address: host, port: socket.address().port };
  const heard: string[] = [];
  const asked = once(socket, 'message');
  door.ask(fresh, to, (reply) => heard.push(reply));
  const [bytes] = await asked;
  const question = decodeIcp(bytes);
  assert.ok(question?.kind === 'query' && question.url === fresh);
  const hit = (requestNumber: number, url: string) =>
    encodeIcp({ kind: 'hit', requestNumber, url }) ?? new Uint8Array();
  const { requestNumber } = question;
  door.receive(hit(requestNumber, fresh), { address: '127.0.0.9', port: to.port });
  door.receive(hit(requestNumber, fresh), { address: host, port: to.port + 1 });
  door.receive(hit(requestNumber + 1, fresh), to);
  door.receive(hit(requestNumber, stale), to);
  assert.deepEqual(heard, []);
  door.receive(hit(requestNumber, fresh), to);
  door.receive(hit(requestNumber, fresh), to);
  assert.deepEqual(heard, ['hit']);
  assert.equal(door.counts().unusable, 5);
});

test("RFC 2186 2: an echo of an origin's echo port reaches its query", async (t) => {
  const door = await icpDoor(t);
  const echo = await stranger(t);
  echo.on('message', (bytes, from) => echo.send(bytes, from.port, from.address));
  await new Promise<void>((resolve) => {
    door.echo(fresh, { address: host, port: echo.address().port }, resolve);
  });
});

async function htcpDoor(t: TestContext, cleared: string[], allowed = true): Promise<HtcpDoor> {
  const door = await HtcpDoor.open({
    host,
    port: 0,
    lookup,
    mayAsk: () => allowed,
    mayClear: () => allowed,
    clear: (url) => {
      cleared.push(url);
      return lookup.has(url);
    },
    clock: new ManualClock(),
    random: seededRandom(1),
  });
  t.after(() => door[Symbol.asyncDispose]());
  return door;
}

const asks = (op: 'test' | 'clear', url: string, method = 'GET', fields = ''): HtcpMessage => ({
  kind: 'request',
  minor: 1,
  id: 99,
  wantsAnswer: true,
  ...(op === 'clear' ? { op, reason: 1 } : { op }),
  specifier: { method, url, version: '1.1', fields },
});

test('RFC 2756 3: TST, CLR and NOP are answered', async (t) => {
  const cleared: string[] = [];
  const door = await htcpDoor(t, cleared);
  const socket = await stranger(t);
  const ask = async (message: HtcpMessage) => {
    const answer = decodeHtcp(await answerTo(socket, encodeHtcp(message), door.port));
    assert.ok(answer?.kind === 'response');
    assert.equal(answer.id, 99);
    return [answer.code, answer.overall, answer.blocks.length];
  };
  assert.deepEqual(await ask(asks('test', fresh)), [0, false, 3]);
  assert.deepEqual(await ask(asks('test', stale)), [1, false, 3]);
  assert.deepEqual(await ask(asks('test', fresh, 'POST')), [1, false, 3]);
  assert.deepEqual(await ask(asks('test', fresh, 'GET', 'not a field')), [1, false, 3]);
  assert.deepEqual(await ask(asks('clear', fresh)), [0, false, 0]);
  assert.deepEqual(await ask(asks('clear', 'http://origin.example/none')), [2, false, 0]);
  assert.deepEqual(cleared, [fresh, 'http://origin.example/none']);
  const nop = { kind: 'request', minor: 0, id: 99, wantsAnswer: true, op: 'nop' } as const;
  assert.deepEqual(await ask(nop), [0, false, 0]);
});

test('RFC 2756 2: unpermitted CLR and TST are refused, and nothing is removed', async (t) => {
  const cleared: string[] = [];
  const door = await htcpDoor(t, cleared, false);
  const socket = await stranger(t);
  for (const op of ['test', 'clear'] as const) {
    const answer = decodeHtcp(await answerTo(socket, encodeHtcp(asks(op, fresh)), door.port));
    assert.ok(answer?.kind === 'response' && answer.overall && answer.code === 5);
  }
  assert.deepEqual(cleared, []);
});

test('RFC 2756: two of our doors query and answer each other', async (t) => {
  const cleared: string[] = [];
  const here = await htcpDoor(t, []);
  const there = await htcpDoor(t, cleared);
  const to = { address: host, port: there.port };
  const ask = (url: string) =>
    new Promise<string>((resolve) => {
      here.ask(url, ['Accept-Language', 'de', 'X-Long', 'x'.repeat(2000)], to, resolve);
    });
  assert.equal(await ask(fresh), 'hit');
  assert.equal(await ask(stale), 'miss');
  here.clear(fresh, to);
  assert.equal(await ask(fresh), 'hit');
  assert.deepEqual(cleared, [fresh]);
});
