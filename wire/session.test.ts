import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GarnerError, systemRandom } from '../kernel/index.ts';
import type { Channel } from './channel.ts';
import { channelFault, sessionClosed, sessionOpened } from './events.ts';
import { echo, gate, openBed, prose, testBoth } from './fixture.test.ts';
import type { Message } from './message.ts';

testBoth('a request and its answer cross on a proven session', async (inflater) => {
  await using bed = await openBed({ onChannel: echo, inflater });
  const session = await bed.dial({ inflater });
  assert.equal(session.peer.role, 'gatherer');
  assert.equal(session.peer.name, 'the server');
  assert.equal(session.peer.publicKey.length, 32);
  const channel = await session.open(
    { type: 'ask', text: prose(1000), bytes: Uint8Array.of(1, 2, 3) },
    { end: true },
  );
  const answer = await channel.receive();
  assert.deepEqual(answer, { type: 'ask', text: prose(1000), bytes: Uint8Array.of(1, 2, 3) });
  assert.equal(await channel.receive(), undefined);
});

testBoth(
  'an exchange of a small request and answer costs far under 200 bytes both ways',
  async (inflater) => {
    await using bed = await openBed({
      inflater,
      onChannel: (channel) => channel.send({ type: 'same', lsn: 123_456, epoch: 'abcdefgh' }, { end: true }),
    });
    const session = await bed.dial({ inflater });
    const round = async () => {
      const fingerprint = systemRandom.bytes(16);
      const channel = await session.open(
        { type: 'collect', lsn: 123_456, count: 1941, fingerprint },
        { end: true },
      );
      const answer = await channel.receive();
      assert.equal(answer?.type, 'same');
      assert.equal(await channel.receive(), undefined);
    };
    const total = () => session.traffic.sentBytes + session.traffic.receivedBytes;
    assert.equal(total(), 0, 'the handshake is counted apart');
    await round();
    const first = total();
    for (let index = 0; index < 200; index += 1) await round();
    const later = (total() - first) / 200;
    assert.ok(first < 160, `first round: ${first} bytes`);
    assert.ok(later < 100, `later rounds: ${later} bytes`);
    assert.equal(session.traffic.sentFrames, 201, 'one frame each way');
    assert.equal(session.traffic.receivedFrames, 201);
    const other = bed.serverSession().traffic;
    assert.equal(other.receivedBytes, session.traffic.sentBytes);
    assert.equal(other.sentBytes, session.traffic.receivedBytes);
    assert.equal(other.handshakeReceived, session.traffic.handshakeSent);
    assert.equal(other.handshakeSent, session.traffic.handshakeReceived);
  },
);

testBoth('messages of any size on several channels arrive in order and equal', async (inflater) => {
  const plan = fc.array(
    fc.record({
      channel: fc.nat(4),
      size: fc.oneof(fc.nat(200), fc.nat(40_000)),
      random: fc.boolean(),
    }),
    { maxLength: 25 },
  );
  const window = fc.integer({ min: 1024, max: 20_000 });
  await fc.assert(
    fc.asyncProperty(plan, window, window, async (steps, windowBytes, maxFrameBytes) => {
      const limits = { windowBytes, maxFrameBytes, maxLargeMessages: 2 };
      await using bed = await openBed({ onChannel: echo, inflater, limits });
      const session = await bed.dial({ inflater, limits });
      const numbers = [...new Set(steps.map((step) => step.channel))];
      await Promise.all(
        numbers.map(async (number) => {
          const messages = steps
            .filter((step) => step.channel === number)
            .map((step, index): Message => {
              const body = step.random ? systemRandom.bytes(step.size) : prose(step.size, index);
              return { type: 'step', index, body };
            });
          const channel = await session.open(messages[0] as Message);
          const sending = (async () => {
            for (const message of messages.slice(1)) await channel.send(message);
            await channel.end();
          })();
          const received: Message[] = [];
          for await (const message of channel) received.push(message);
          await sending;
          assert.deepEqual(received, messages);
        }),
      );
    }),
    { numRuns: 25 },
  );
});

testBoth('both sides open channels, and ends are heard one way at a time', async (inflater) => {
  await using bed = await openBed({ onChannel: echo, inflater });
  const session = await bed.dial({ onChannel: echo, inflater });
  const server = bed.serverSession();
  const channels = await Promise.all([
    session.open({ type: 'one' }),
    server.open({ type: 'two' }),
    session.open({ type: 'three' }),
    server.open({ type: 'four' }),
  ]);
  assert.deepEqual(
    channels.map((channel) => channel.id),
    [1, 2, 3, 4],
  );
  for (const [index, channel] of channels.entries()) {
    assert.equal((await channel.receive())?.type, ['one', 'two', 'three', 'four'][index]);
    await channel.end();
    await assert.rejects(channel.send({ type: 'late' }), TypeError);
    assert.equal(await channel.receive(), undefined);
  }
});

testBoth(
  'an error thrown by a handler reaches the asker by its code and nothing else of it',
  async (inflater) => {
    const faults: unknown[] = [];
    const unsubscribe = channelFault.subscribe(({ message, error }) => faults.push([message, error]));
    const secret = new Error('a path on this machine');
    const known = new GarnerError(
      { code: 'STORE_GONE', message: () => 'It is gone.', hint: () => '', exit: 1, retry: 'never' },
      {},
    );
    await using bed = await openBed({
      inflater,
      onChannel: (_, first) => Promise.reject(first.type === 'known' ? known : secret),
    });
    const session = await bed.dial({ inflater });
    const fails = async (type: string, data: object) => {
      const channel = await session.open({ type });
      await assert.rejects(channel.receive(), (error: GarnerError) => {
        assert.equal(error.code, 'WIRE_REMOTE');
        assert.deepEqual(error.data, data);
        return true;
      });
      await assert.rejects(channel.send({ type: 'more' }), { code: 'WIRE_REMOTE' });
    };
    await fails('known', { code: 'STORE_GONE', message: 'It is gone.' });
    await fails('unknown', { code: 'INTERNAL', message: 'an internal error' });
    unsubscribe();
    assert.deepEqual(faults, [
      ['known', known],
      ['unknown', secret],
    ]);
  },
);

testBoth('a session that serves nothing says so', async (inflater) => {
  await using bed = await openBed({ inflater });
  const channel = await (await bed.dial({ inflater })).open({ type: 'ask' });
  await assert.rejects(channel.receive(), {
    code: 'WIRE_REMOTE',
    data: { code: 'WIRE_UNSERVED', message: 'This side serves nothing on this session.' },
  });
});

testBoth('an abandoned channel is reported to the other side, and the session goes on', async (inflater) => {
  let outcome: unknown;
  const done = gate();
  await using bed = await openBed({
    inflater,
    onChannel: async (channel, first) => {
      if (first.type === 'echo') return echo(channel, first, bed.serverSession());
      try {
        while (true) await channel.send({ type: 'more', text: prose(30_000) });
      } catch (error) {
        outcome = error;
        done.open();
        throw error;
      }
    },
  });
  const session = await bed.dial({ inflater });
  {
    await using channel = await session.open({ type: 'stream' });
    for (let count = 0; count < 20; count += 1) await channel.receive();
  }
  await done.opened;
  assert.equal((outcome as GarnerError).code, 'WIRE_REMOTE');
  assert.equal(((outcome as GarnerError).data as { code: string }).code, 'WIRE_CANCELLED');
  const channel = await session.open({ type: 'echo' }, { end: true });
  assert.equal((await channel.receive())?.type, 'echo');
});

testBoth('a handler that stops reading stops its sender', async (inflater) => {
  await using bed = await openBed({ inflater, onChannel: (channel) => channel.send({ type: 'enough' }) });
  const session = await bed.dial({ inflater });
  const channel = await session.open({ type: 'ask' });
  await assert.rejects(
    (async () => {
      while (true) await channel.send({ type: 'more', text: prose(10_000) });
    })(),
    { code: 'WIRE_REMOTE' },
  );
  assert.equal((await channel.receive())?.type, 'enough');
  assert.equal(await channel.receive(), undefined, 'the answer ended in order all the same');
});

testBoth(
  'close says bye: both sides end without a reason, open channels break, nothing new starts',
  async (inflater) => {
    const events: string[] = [];
    const off = [
      sessionOpened.subscribe(({ side }) => events.push(`opened ${side}`)),
      sessionClosed.subscribe(({ side, reason }) =>
        events.push(`closed ${side} ${reason?.code ?? 'in order'}`),
      ),
    ];
    let served: Channel | undefined;
    await using bed = await openBed({
      inflater,
      onChannel: async (channel) => {
        served = channel;
        await channel.send({ type: 'last words' });
        await channel.receive();
      },
    });
    const session = await bed.dial({ inflater });
    const channel = await session.open({ type: 'ask' });
    await channel.receive();
    const waiting = channel.receive();
    const server = bed.serverSession();
    await Promise.all([session.close(), assert.rejects(waiting, { code: 'WIRE_CLOSED' })]);
    assert.equal(await session.closed, undefined);
    assert.equal(await server.closed, undefined);
    await assert.rejects(session.open({ type: 'ask' }), { code: 'WIRE_CLOSED' });
    await assert.rejects(channel.send({ type: 'ask' }), { code: 'WIRE_CLOSED' });
    await assert.rejects((served as Channel).receive(), { code: 'WIRE_CLOSED' });
    for (const stop of off) stop();
    assert.equal(bed.wire.sessions.size, 0);
    assert.deepEqual(events.sort(), [
      'closed acceptor in order',
      'closed initiator in order',
      'opened acceptor',
      'opened initiator',
    ]);
  },
);

testBoth('what had arrived whole is received before the end of the session is', async (inflater) => {
  const all = gate();
  const read = gate();
  const seen: string[] = [];
  await using bed = await openBed({
    inflater,
    onChannel: async (channel, first) => {
      seen.push(first.type);
      all.open();
      await bed.serverSession().closed;
      for await (const message of channel) seen.push(message.type);
      read.open();
    },
  });
  const session = await bed.dial({ inflater });
  const channel = await session.open({ type: 'a' });
  await all.opened;
  await channel.send({ type: 'b' });
  await channel.send({ type: 'c' }, { end: true });
  await session.close();
  await read.opened;
  assert.deepEqual(seen, ['a', 'b', 'c']);
});

testBoth('signals end what waits', async (inflater) => {
  await using bed = await openBed({
    inflater,
    onChannel: (channel) => channel.receive().then(() => {}),
    limits: { maxChannels: 2 },
  });
  const session = await bed.dial({ inflater });
  const reason = new Error('no more');
  const cancel = new AbortController();
  const first = await session.open({ type: 'ask' });
  await session.open({ type: 'ask' });
  const receiving = first.receive(cancel.signal);
  const opening = session.open({ type: 'third' }, { signal: cancel.signal });
  cancel.abort(reason);
  await assert.rejects(receiving, reason);
  await assert.rejects(opening, reason);
  await assert.rejects(first.send({ type: 'x' }, { signal: cancel.signal }), reason);
  await assert.rejects(first.receive(cancel.signal), reason);
  await assert.rejects(session.open({ type: 'x' }, { signal: cancel.signal }), reason);
  await first.send({ type: 'still open' }, { end: true });
});
