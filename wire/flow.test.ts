import assert from 'node:assert/strict';
import { systemRandom } from '../kernel/index.ts';
import { echo, gate, openBed, prose, RawPeer, testBoth, turns } from './fixture.test.ts';
import type { Message } from './message.ts';
import { defaultLimits } from './settings.ts';

testBoth('a reader that stalls stops its sender after one window, others go on', async (inflater) => {
  const go = gate();
  const total = 200;
  let consumed = 0;
  await using bed = await openBed({
    inflater,
    onChannel: async (channel, first, session) => {
      if (first.type === 'echo') return echo(channel, first, session);
      await go.opened;
      for await (const message of channel) consumed += (message.text as string).length;
    },
  });
  const session = await bed.dial({ inflater });
  const channel = await session.open({ type: 'stream' });
  const text = prose(32 * 1024);
  let sent = 0;
  const sending = (async () => {
    for (; sent < total; sent += 1) await channel.send({ type: 'part', text });
    await channel.end();
  })();
  // Whole conversations on another channel give the stalled one every chance to go too far.
  const other = await session.open({ type: 'echo' });
  await other.receive();
  for (let count = 0; count < 50; count += 1) {
    await other.send({ type: 'echo', count });
    assert.equal((await other.receive())?.count, count);
  }
  const max = Math.floor(defaultLimits.windowBytes / text.length);
  assert.ok(sent >= max / 2 && sent <= max, `${sent} of at most ${max} sends were let go`);
  assert.ok(session.traffic.sentDecodedBytes <= defaultLimits.windowBytes + 50 * 100);
  assert.equal(consumed, 0);
  go.open();
  await sending;
  assert.equal(await channel.receive(), undefined);
  assert.equal(consumed, total * text.length);
});

testBoth('a peer that does not read its socket leaves the sender with a bounded buffer', async (inflater) => {
  let sent = 0;
  const size = 64 * 1024;
  await using bed = await openBed({
    inflater,
    onChannel: async (channel) => {
      while (true) {
        await channel.send({ type: 'part', bytes: systemRandom.bytes(size) });
        sent += 1;
      }
    },
  });
  await using raw = new RawPeer(bed.url);
  await raw.greet(undefined, { windowBytes: 2 ** 30 });
  raw.webSocket.pause();
  raw.open(1);
  // The kernel's own buffers take some; sends wait once they are full.
  for (let before = -1; before !== sent || sent === 0; ) {
    before = sent;
    await turns(300);
  }
  const [socket] = bed.sockets;
  assert.ok(socket);
  assert.ok(
    socket.writableLength <= defaultLimits.sendBufferBytes + 2 * size,
    `${socket.writableLength} bytes wait`,
  );
  assert.ok(sent * size < 64 * 1024 * 1024, `${sent} sends were let go`);
});

testBoth('a message of 64 windows passes, both ways', async (inflater) => {
  const limits = { windowBytes: 4096 };
  await using bed = await openBed({ onChannel: echo, inflater, limits });
  const session = await bed.dial({ inflater, limits });
  const body = systemRandom.bytes(64 * 4096);
  const channel = await session.open({ type: 'big', body });
  assert.deepEqual(await channel.receive(), { type: 'big', body });
});

testBoth('large messages use their slots one after another and all arrive', async (inflater) => {
  const limits = { windowBytes: 2048, maxLargeMessages: 1 };
  await using bed = await openBed({ onChannel: echo, inflater, limits });
  const session = await bed.dial({ inflater, limits: { ...limits, maxLargeMessages: 2 } });
  await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const body = systemRandom.bytes(30_000);
      const channel = await session.open({ type: 'big', body });
      for (let round = 0; round < 3; round += 1) {
        assert.deepEqual(await channel.receive(), { type: 'big', body }, `channel ${index}`);
        if (round < 2) await channel.send({ type: 'big', body });
      }
      await channel.end();
      assert.equal(await channel.receive(), undefined);
    }),
  );
});

testBoth('without a slot no more than a window of a large message is let in', async (inflater) => {
  const go = gate();
  const windowBytes = 16 * 1024;
  const arrived: number[] = [];
  await using bed = await openBed({
    inflater,
    limits: { windowBytes, maxLargeMessages: 1 },
    onChannel: async (channel, first, session) => {
      if (first.type === 'echo') return echo(channel, first, session);
      if (first.type === 'hold') await go.opened;
      const message = (await channel.receive()) as Message;
      arrived.push((message.body as Uint8Array).length);
    },
  });
  const session = await bed.dial({ inflater });
  const holder = await session.open({ type: 'hold' });
  await holder.send({ type: 'big', body: systemRandom.bytes(100_000) }, { end: true });
  const second = await session.open({ type: 'quick' });
  const before = session.traffic.sentDecodedBytes;
  const sending = second.send({ type: 'big', body: systemRandom.bytes(90_000) }, { end: true });
  const other = await session.open({ type: 'echo' });
  for (let count = 0; count < 30; count += 1) {
    await other.receive();
    await other.send({ type: 'echo' });
  }
  assert.deepEqual(arrived, []);
  assert.ok(session.traffic.sentDecodedBytes - before <= windowBytes + 31 * 20);
  go.open();
  await sending;
  assert.equal(await second.receive(), undefined);
  assert.deepEqual(arrived, [100_000, 90_000]);
});

testBoth('opening waits for room among the channels', async (inflater) => {
  const go = gate();
  let max = 0;
  let running = 0;
  await using bed = await openBed({
    inflater,
    limits: { maxChannels: 3 },
    onChannel: async (channel, first) => {
      running += 1;
      max = Math.max(max, running);
      await go.opened;
      running -= 1;
      await channel.send(first, { end: true });
    },
  });
  const session = await bed.dial({ inflater });
  let opened = 0;
  const asks = Array.from({ length: 20 }, async (_, index) => {
    const channel = await session.open({ type: 'ask', index }, { end: true });
    opened += 1;
    assert.equal((await channel.receive())?.index, index);
  });
  while (running < 3) await turns(1);
  await turns(50);
  assert.equal(opened, 3);
  go.open();
  await Promise.all(asks);
  assert.equal(max, 3);
});

testBoth('a cut in the middle of a message ends both sides with a reason', async (inflater) => {
  const received = gate();
  let reason: unknown;
  let parts = 0;
  const failed = gate();
  await using bed = await openBed({
    inflater,
    limits: { windowBytes: 8192 },
    onChannel: async (channel) => {
      try {
        for await (const _ of channel) {
          parts += 1;
          received.open();
        }
      } catch (error) {
        reason = error;
        failed.open();
      }
    },
  });
  const session = await bed.dial({ inflater });
  const server = bed.serverSession();
  const channel = await session.open({ type: 'stream' });
  await channel.send({ type: 'part' });
  await received.opened;
  const sending = channel.send({ type: 'part', body: systemRandom.bytes(8 * 1024 * 1024) });
  while (server.traffic.receivedDecodedBytes < 100_000) await turns(1);
  for (const socket of bed.sockets) socket.destroy();
  await assert.rejects(sending, { code: 'WIRE_LOST' });
  await failed.opened;
  assert.equal((reason as { code: string }).code, 'WIRE_LOST');
  assert.equal(parts, 1);
  assert.equal((await session.closed)?.code, 'WIRE_LOST');
  assert.equal((await session.closed)?.exit, 12);
  assert.equal((await server.closed)?.code, 'WIRE_LOST');
  assert.equal(bed.wire.sessions.size, 0);
});
