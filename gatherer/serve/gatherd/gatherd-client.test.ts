import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ManualClock, systemClock } from '../../../kernel/index.ts';
import { linesErrors } from '../../../line-protocol/index.ts';
import { parseSoif, type SoifItem, summaryObject } from '../../../soif/index.ts';
import { memorySource, rawServer } from '../../testing/gatherd.ts';
import { gatherdErrors } from './errors.ts';
import { GatherdClient } from './gatherd-client.ts';
import { serveGatherd } from './gatherd-server.ts';

const connected = (port: number) => GatherdClient.connect({ host: '127.0.0.1', port, clock: systemClock });

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

// A line that would end the transfer if it were not in a value.
const treacherous = fc.constantFrom(
  '\n499 - Sent 0 bytes\n',
  '099 - x\n',
  '400 - y\n',
  'A{9}:\tb\n',
  '}\n',
  '\0\t',
);
const value = fc.oneof(
  fc.array(treacherous, { maxLength: 5 }).map((parts) => new TextEncoder().encode(parts.join(''))),
  fc.uint8Array({ maxLength: 300 }),
);
const objects = fc.array(
  fc.array(fc.tuple(fc.constantFrom('Title', 'Full-Text', 'Embed<1>-Data'), value), { maxLength: 4 }),
  { maxLength: 6 },
);

test('objects arrive unchanged, plain and compressed, on one connection', async () => {
  await fc.assert(
    fc.asyncProperty(objects, async (contents) => {
      const served = contents.map((attributes, at) => summaryObject(`http://x.org/${at}`, attributes));
      const source = memorySource(served);
      const expected = await bytesOf(source.updates(0));
      const options = { source, name: 'g', clock: systemClock, port: 0 };
      await using server = await serveGatherd(options);
      await using client = await connected(server.port);
      assert.ok((await bytesOf(client.updates(0))).equals(expected));
      for (const object of served) assert.deepEqual(await client.object(object.url), object);
      await client.compress();
      assert.ok((await bytesOf(client.updates(0))).equals(expected));
      for (const object of served) assert.deepEqual(await client.object(object.url), object);
      assert.equal((await client.info()).templateType, 'GATHERER');
    }),
    { numRuns: 25 },
  );
});

test('the other commands, and refusals', async () => {
  const packed = gzipSync('@UPDATE {\n}\n');
  const source = {
    ...memorySource([]),
    everything: async () =>
      (async function* () {
        yield packed.subarray(0, 9);
        yield packed.subarray(9);
      })(),
  };
  await using server = await serveGatherd({ source, name: 'g', clock: systemClock, port: 0 });
  await using client = await connected(server.port);
  assert.equal(client.greeting, 'HELLO g');
  assert.equal(await client.hello('broker'), 'HELLO broker, pleased to meet you');
  assert.match(await client.help(), /^SEND-UPDATE <timestamp> /m);
  await assert.rejects(client.object('nothing'), { code: gatherdErrors.GATHERD_REFUSED.code });
  await client.compress();
  assert.equal((await bytesOf(client.updates(0))).toString(), '@UPDATE {\n}\n');
  assert.equal((await bytesOf(client.updates(5))).toString(), '@DELETE {\n}\n@REFRESH {\n}\n@UPDATE {\n}\n');
  const first = client.hello('a');
  await assert.rejects(client.hello('b'), TypeError);
  await first;
  await assert.rejects(client.object('a\nQUIT'), TypeError);
});

/** Results of a server that answers every command with the same bytes. */
async function asked(greeting: string, answer: string | Uint8Array = ''): Promise<Buffer> {
  await using server = await rawServer((socket) => {
    socket.write(greeting);
    socket.once('data', () => socket.end(answer));
  });
  await using client = await connected(server.port);
  return await bytesOf(client.updates(0));
}

test('the different answers of a server of 1996 are understood', async () => {
  const soif = '@FILE { u:x\nA{5}:\t499 -\n}\n';
  const more = await asked(
    '000 - HELLO g - are you b?\r\n',
    `000 - ok\r\n400 - Sending\r\n${soif}499 - Sent\r\n`,
  );
  assert.equal(more.toString(), soif);
  const named = Buffer.from(gzipSync(soif));
  // A name in the header, as gzip writes it for a file (RFC 1952 section 2.3).
  const header = Buffer.concat([
    named.subarray(0, 3),
    Buffer.of(8),
    named.subarray(4, 10),
    Buffer.from('All-Templates\0'),
  ]);
  const packed = Buffer.concat([
    Buffer.from('400 - x\n'),
    header,
    named.subarray(10),
    Buffer.from('499 - y\n'),
  ]);
  assert.equal((await asked('000 - HELLO g\n', packed)).toString(), soif);
});

test('a server with false sizes, a broken transfer or another protocol is an error', async () => {
  const { GATHERD_PROTOCOL, GATHERD_REFUSED, GATHERD_UNREACHABLE } = gatherdErrors;
  const { LINES_LONG } = linesErrors;
  const hello = '000 - HELLO g\n';
  const packed = gzipSync('x'.repeat(1000));
  const damaged = Buffer.from(packed);
  damaged[damaged.length - 6] = (damaged.at(-6) ?? 0) ^ 1;
  const behindStart = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.from('400 - x\n'), bytes, Buffer.from('499 - y\n')]);
  const cases: readonly (readonly [greeting: string, answer: string | Uint8Array, kind: { code: string }])[] =
    [
      ['220 ftp ready\n', '', GATHERD_PROTOCOL],
      ['200 - Harvest Broker\n', '', GATHERD_PROTOCOL],
      ['099 - ERROR: you may not\n', '', GATHERD_REFUSED],
      ['x'.repeat(20_000), '', LINES_LONG],
      [hello, '', GATHERD_PROTOCOL],
      [hello, '400 - x\n', GATHERD_PROTOCOL],
      [hello, '400 - x\n@FILE { u\nA{99999999}:\tb\n499 - y\n', GATHERD_PROTOCOL],
      [hello, '499 - ERROR: no\n', GATHERD_REFUSED],
      [hello, 'what?\n', GATHERD_PROTOCOL],
      [hello, `400 - x\n${'y'.repeat(20_000)}\n`, LINES_LONG],
      [hello, behindStart(packed.subarray(0, 20)), GATHERD_PROTOCOL],
      [hello, behindStart(damaged), GATHERD_PROTOCOL],
      [hello, behindStart(Buffer.concat([packed.subarray(0, 10), Buffer.alloc(50, 0xff)])), GATHERD_PROTOCOL],
      [hello, Buffer.concat([Buffer.from('400 - x\n'), packed.subarray(0, 12)]), GATHERD_PROTOCOL],
    ];
  for (const [greeting, answer, { code }] of cases)
    await assert.rejects(asked(greeting, answer), { code }, `${greeting}${answer}`.slice(0, 60));
  const { port } = await (async () => {
    await using server = await rawServer(() => undefined);
    return server;
  })();
  await assert.rejects(connected(port), { code: GATHERD_UNREACHABLE.code });
});

test('for any bytes of a server, the client ends with data or a typed error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, packed) => {
      const start = Buffer.from(packed ? '400 - x\n\x1f\x8b\x08' : '400 - x\n', 'latin1');
      try {
        await asked('000 - HELLO g\n', Buffer.concat([start, bytes]));
      } catch (error) {
        assert.match((error as { code?: string }).code ?? String(error), /^GATHERD_/);
      }
    }),
    { numRuns: 150 },
  );
});

test('the client leaves a stalled server, and its caller can abort', async () => {
  await using server = await rawServer((socket) => socket.write('000 - HELLO g\n'));
  const clock = new ManualClock();
  const address = { host: '127.0.0.1', port: server.port, clock, idleSeconds: 5 };
  const client = await GatherdClient.connect(address);
  const waiting = client.hello('x');
  const idle = assert.rejects(waiting, { code: linesErrors.LINES_IDLE.code });
  let over = false;
  idle
    .finally(() => {
      over = true;
    })
    .catch(() => undefined);
  while (!over) {
    clock.advance(6000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await idle;
  await client[Symbol.asyncDispose]();
  const stop = new AbortController();
  stop.abort(new Error('enough'));
  await assert.rejects(GatherdClient.connect({ ...address, signal: stop.signal }), /enough/);
});

test('a stream is not held in memory', async () => {
  const part = Buffer.from(`A{65536}:\t${'x'.repeat(65536)}\n`);
  let sent = 0;
  const updates = async function* () {
    yield Buffer.from('@UPDATE {\n@FILE { u:x\n');
    for (; sent < 300; sent++) yield part;
    yield Buffer.from('}\n}\n');
  };
  await using server = await serveGatherd({
    source: { ...memorySource([]), updates },
    name: 'g',
    clock: systemClock,
    port: 0,
  });
  await using client = await connected(server.port);
  let received = 0;
  for await (const chunk of client.updates(0)) {
    received += chunk.length;
    // 4 MiB is more than loopback's buffers and ours together.
    assert.ok(sent * part.length - received < 12 * 1024 * 1024);
  }
  const items: SoifItem[] = [];
  for await (const item of parseSoif(client.updates(0))) items.push(item);
  assert.equal(received, 300 * part.length + 26);
  assert.equal(items.length, 1);
});
