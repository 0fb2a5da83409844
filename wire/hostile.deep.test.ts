import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateRawSync } from 'node:zlib';
import { type GarnerError, ManualClock, systemRandom } from '../kernel/index.ts';
import { callerRefused } from './events.ts';
import { echo, type Make, openBed, RawPeer, selfNamed, testBoth, turns } from './fixture.test.ts';
import { frameBytes, frameCostBytes, varintBytes } from './frame.ts';
import { helloBytes, newNonce, proofBytes } from './hello.ts';
import { packRecord } from './message.ts';
import type { Session } from './session.ts';
import { defaultLimits, wireLimits } from './settings.ts';

/** Greet honestly, misbehave, and see the session closed for the right reason while another goes on. */
async function misbehaves(
  inflater: Make,
  code: string,
  act: (raw: RawPeer) => Promise<void> | void,
  limits: Parameters<typeof wireLimits>[0] = {},
): Promise<void> {
  const sessions: Session[] = [];
  await using bed = await openBed({
    onChannel: async (channel, first, session) => {
      if (first.type === 'hold') await session.closed;
      else await echo(channel, first, session);
    },
    inflater,
    limits,
    onSession: (session) => sessions.push(session),
  });
  const honest = await bed.dial({ inflater });
  await using raw = new RawPeer(bed.url);
  await raw.greet();
  await act(raw);
  while (sessions.length < 2) await turns(1);
  const reason = await (sessions[1] as Session).closed;
  assert.equal(reason?.code, code, reason?.message);
  await raw.closed;
  const channel = await honest.open({ type: 'ask' }, { end: true });
  assert.equal((await channel.receive())?.type, 'ask');
}

const data = { kind: 'data', open: true } as const;
const message = packRecord({ type: 'ask', text: 'x'.repeat(100) });

testBoth('broken frames close the session with a typed error', async (inflater) => {
  await misbehaves(inflater, 'WIRE_CHECKSUM', async (raw) => {
    const bytes = frameBytes({ ...data, channel: 1, payload: message });
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
    raw.send(bytes);
    assert.equal(await raw.byeCode(), 'WIRE_CHECKSUM');
  });
  await misbehaves(inflater, 'WIRE_FRAME', (raw) => raw.send(Buffer.from('ff00112233445566', 'hex')));
  await misbehaves(inflater, 'WIRE_FRAME', (raw) => raw.send(new Uint8Array(0)));
  await misbehaves(inflater, 'WIRE_FRAME', (raw) => raw.webSocket.send('text'));
  await misbehaves(inflater, 'WIRE_FRAME', (raw) => raw.send(new Uint8Array(400_000)));
  await misbehaves(inflater, 'WIRE_FRAME', (raw) =>
    raw.frame({ ...data, channel: 1, payload: message }, Buffer.from('ffffffffffffff', 'hex')),
  );
});

testBoth('frames and messages above their bounds are refused', async (inflater) => {
  const over = new Uint8Array(defaultLimits.maxFrameBytes + 1);
  const deflate = (bytes: Uint8Array) =>
    deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  await misbehaves(inflater, 'WIRE_TOO_LARGE', async (raw) => {
    raw.frame({ ...data, channel: 1, payload: over }, deflate(over));
    assert.equal(await raw.byeCode(), 'WIRE_TOO_LARGE');
  });
  const bomb = deflate(Buffer.alloc(64 * 1024 * 1024));
  await misbehaves(inflater, 'WIRE_TOO_LARGE', async (raw) => {
    raw.frame({ ...data, channel: 1, payload: new Uint8Array(65_536) }, bomb);
    assert.equal(await raw.byeCode(), 'WIRE_TOO_LARGE');
  });
  await misbehaves(
    inflater,
    'WIRE_TOO_LARGE',
    async (raw) => {
      for (let sent = 0; sent < 3; sent += 1)
        raw.frame({ kind: 'data', channel: 1, open: sent === 0, more: true, payload: new Uint8Array(1000) });
      assert.equal(await raw.byeCode(), 'WIRE_TOO_LARGE');
    },
    { maxMessageBytes: 2048 },
  );
});

testBoth('what is no message is refused', async (inflater) => {
  const bad: [string, Uint8Array][] = [
    ['not MessagePack', Buffer.from('hello there')],
    ['nested', Buffer.concat([packRecord({ type: 'a' }), new Uint8Array(5000).fill(0x91)])],
    ['deep', Buffer.from([0x81, 0xa1, 0x78, ...new Uint8Array(5000).fill(0x91), 1])],
    ['no type', packRecord({ kind: 'ask' })],
    ['an array', Buffer.from([0x91, 1])],
  ];
  for (const [name, payload] of bad)
    await misbehaves(inflater, 'WIRE_MESSAGE', async (raw) => {
      raw.frame({ ...data, channel: 1, payload });
      assert.equal(await raw.byeCode(), 'WIRE_MESSAGE', name);
    });
});

testBoth('breaking flow control is an error', async (inflater) => {
  const grant = (amount: number) => ({ kind: 'credit', channel: 1, payload: varintBytes(amount) }) as const;
  await misbehaves(
    inflater,
    'WIRE_CREDIT',
    (raw) => {
      raw.open(1, { type: 'hold' });
      // The first was consumed, which is less than half a window and grants nothing; the last is too much.
      const payload = packRecord({ type: 'ask', bytes: new Uint8Array(1000 - 19) });
      assert.equal(payload.length, 1000);
      for (let sent = 0; sent < 3; sent += 1) raw.frame({ kind: 'data', channel: 1, payload });
    },
    { windowBytes: 3000 },
  );
  // Many tiny messages cost as much as fewer larger ones.
  await misbehaves(inflater, 'WIRE_CREDIT', (raw) => {
    raw.open(1, { type: 'hold' });
    const payload = packRecord({ type: 'a' });
    const fits = Math.floor(defaultLimits.windowBytes / (payload.length + frameCostBytes));
    for (let sent = 0; sent < fits; sent += 1) raw.frame({ kind: 'data', channel: 1, payload });
  });
  await misbehaves(inflater, 'WIRE_CREDIT', (raw) => {
    raw.open(1);
    raw.frame(grant(2 ** 31 - 1));
  });
  await misbehaves(inflater, 'WIRE_FRAME', (raw) => {
    raw.open(1);
    raw.frame({ ...grant(1), payload: Uint8Array.of(1, 2, 3) });
  });
  await misbehaves(inflater, 'WIRE_CREDIT', (raw) => {
    raw.open(1);
    raw.frame({ kind: 'abort', channel: 1, payload: packRecord({ code: 'DONE' }) });
    raw.frame({ kind: 'data', channel: 1, payload: message });
  });
});

testBoth('channels that were never opened, are not the peer’s to open, or are too many', async (inflater) => {
  const cases: ((raw: RawPeer) => void)[] = [
    (raw) => raw.frame({ kind: 'data', channel: 7, payload: message }),
    (raw) => raw.frame({ kind: 'credit', channel: 2, payload: varintBytes(1) }),
    (raw) => raw.frame({ kind: 'abort', channel: 9, payload: packRecord({ code: 'X' }) }),
    (raw) => raw.open(2),
    (raw) => {
      raw.open(3);
      raw.open(3);
    },
    (raw) => {
      raw.open(3);
      raw.open(1);
    },
    (raw) => {
      for (let index = 0; index <= defaultLimits.maxChannels; index += 1) raw.open(2 * index + 1);
    },
    (raw) => {
      raw.open(1);
      raw.frame({ kind: 'data', channel: 1, more: true, payload: message });
      raw.frame({ kind: 'data', channel: 1, end: true, payload: new Uint8Array(0) });
    },
  ];
  for (const act of cases) await misbehaves(inflater, 'WIRE_CHANNEL', act);
});

test('a peer that opens and abandons channels without end is held to a bound', async () => {
  let running = 0;
  let max = 0;
  const stay = new AbortController();
  await using bed = await openBed({
    limits: { maxChannels: 4 },
    onChannel: async () => {
      running += 1;
      max = Math.max(max, running);
      // A handler that is slow to notice.
      await new Promise<void>((resolve) => stay.signal.addEventListener('abort', () => resolve()));
      running -= 1;
    },
  });
  await using raw = new RawPeer(bed.url);
  await raw.greet();
  for (let index = 0; index < 500; index += 1) {
    raw.open(2 * index + 1);
    raw.frame({ kind: 'abort', channel: 2 * index + 1, payload: packRecord({ code: 'NEVER_MIND' }) });
  }
  let refused = 0;
  while (refused < 400) if ((((await raw.next()) as Uint8Array)[0] as number) >> 4 === 2) refused += 1;
  assert.equal(max, 8);
  stay.abort();
});

test('a handshake without a live key, or without the form of one, opens no session', async () => {
  const refusals: string[] = [];
  const unsubscribe = callerRefused.subscribe(({ reason }) => refusals.push(reason));
  await using bed = await openBed({ onChannel: echo });
  const self = selfNamed('x', 'broker');
  const hello = (change: (bytes: Uint8Array) => Uint8Array) =>
    change(helloBytes(self, wireLimits(), newNonce(systemRandom)));
  const attempt = async (expected: RegExp, act: (raw: RawPeer) => Promise<void> | void) => {
    refusals.length = 0;
    await using raw = new RawPeer(bed.url);
    await raw.opened();
    await act(raw);
    await raw.closed;
    while (refusals.length === 0) await turns(1);
    assert.match(refusals[0] ?? '', expected);
  };
  await attempt(/first bytes/, (raw) => raw.send(Buffer.from('GET / HTTP/1.1')));
  await attempt(/first bytes/, (raw) => raw.open(1));
  await attempt(/too long/, (raw) =>
    raw.send(hello((bytes) => Buffer.concat([bytes, new Uint8Array(5000)]))),
  );
  await attempt(/cannot be read/, (raw) => raw.send(hello((bytes) => bytes.subarray(0, 60))));
  await attempt(/version 9/, (raw) =>
    raw.send(
      hello((bytes) =>
        Buffer.from(Buffer.from(bytes).toString('latin1').replace('version\x01', 'version\x09'), 'latin1'),
      ),
    ),
  );
  await attempt(/text/, (raw) => raw.webSocket.send('hello'));
  const proofs: ((sent: Uint8Array, theirs: Uint8Array, theirProof: Uint8Array) => Uint8Array)[] = [
    () => new Uint8Array(64),
    () => new Uint8Array(3),
    (_, __, theirProof) => theirProof,
    // Signed by another key, for another side, and over another session's hellos.
    (sent, theirs) => proofBytes(selfNamed('another one', 'broker').identity, 'initiator', sent, theirs),
    (sent, theirs) => proofBytes(self.identity, 'acceptor', sent, theirs),
    (_, theirs) =>
      proofBytes(
        self.identity,
        'initiator',
        hello((bytes) => bytes),
        theirs,
      ),
  ];
  for (const proof of proofs)
    await attempt(/did not prove/, async (raw) => {
      const sent = hello((bytes) => bytes);
      raw.send(sent);
      const theirs = (await raw.next()) as Uint8Array;
      raw.send(proof(sent, theirs, (await raw.next()) as Uint8Array));
    });
  unsubscribe();
  assert.equal(bed.wire.sessions.size, 0);
});

test('a caller that never sends a hello is dropped at its time limit', async () => {
  const clock = new ManualClock();
  await using bed = await openBed({}, clock);
  await using raw = new RawPeer(bed.url);
  await raw.opened();
  await raw.next();
  clock.advance(9_999);
  await turns(5);
  assert.equal(raw.webSocket.readyState, raw.webSocket.OPEN);
  clock.advance(1);
  await raw.closed;
});

test('a silent peer is pinged, then dropped; one that answers pings stays', async () => {
  const clock = new ManualClock();
  const sessions: Session[] = [];
  await using bed = await openBed({ onSession: (session) => sessions.push(session) }, clock);
  await using silent = new RawPeer(bed.url);
  await silent.greet();
  await using alive = new RawPeer(bed.url);
  await alive.greet();
  while (sessions.length < 2) await turns(1);
  // Not reading leaves pings unanswered, as a dead machine would.
  silent.webSocket.pause();
  let pings = 0;
  alive.webSocket.on('ping', () => {
    pings += 1;
  });
  for (let elapsed = 0; elapsed < 150; elapsed += 30) {
    const before = pings;
    const heard = (sessions[1] as Session).traffic.receivedBytes;
    clock.advance(30_000);
    while (pings === before || (sessions[1] as Session).traffic.receivedBytes === heard) await turns(1);
  }
  const reason = (await (sessions[0] as Session).closed) as GarnerError;
  assert.equal(reason.code, 'WIRE_SILENT');
  assert.equal(reason.exit, 12);
  assert.equal(bed.wire.sessions.size, 1);
});

test('a flood of pings from a peer that reads no answer fills no memory', async () => {
  await using bed = await openBed({ onChannel: echo });
  await using raw = new RawPeer(bed.url);
  await raw.greet();
  raw.webSocket.pause();
  for (let sent = 0; sent < 20_000; sent += 1) raw.webSocket.ping(new Uint8Array(125));
  for (let before = -1; before !== bed.sockets[0]?.bytesRead; ) {
    before = bed.sockets[0]?.bytesRead ?? 0;
    await turns(200);
  }
  assert.ok((bed.sockets[0]?.writableLength ?? 0) < 100_000, `${bed.sockets[0]?.writableLength} bytes wait`);
});

testBoth('a peer that does not answer the farewell is dropped', async (inflater) => {
  const sessions: Session[] = [];
  await using bed = await openBed({
    inflater,
    limits: { closeSeconds: 0.02 },
    onSession: (session) => sessions.push(session),
  });
  await using raw = new RawPeer(bed.url);
  await raw.greet();
  raw.webSocket.pause();
  raw.send(Uint8Array.of(0xff));
  while (sessions.length < 1) await turns(1);
  assert.equal((await sessions[0]?.closed)?.code, 'WIRE_FRAME');
});
