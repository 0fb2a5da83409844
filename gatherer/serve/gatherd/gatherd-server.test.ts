import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, Server } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock, systemClock } from '../../../kernel/index.ts';
import { linesErrors } from '../../../line-protocol/index.ts';
import { summaryObject } from '../../../soif/index.ts';
import { memorySource } from '../../testing/gatherd.ts';
import type { ClassicSource } from './classic-store.ts';
import { gatherdFault, gatherdSessionEnded } from './events.ts';
import { type GatherdOptions, serveGatherd } from './gatherd-server.ts';

const source = memorySource([summaryObject('http://x.org/', [['Title', 'One']])]);

const served = (options: Partial<GatherdOptions> = {}) =>
  serveGatherd({ source, name: 'gatherer.example.org', clock: systemClock, port: 0, ...options });

/** The server's whole output for an input, until it closes. */
async function conversation(port: number, said: string | Uint8Array): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.end(said);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/** Resolves when a session ends, to the reason. */
function sessionEnd(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const stop = gatherdSessionEnded.subscribe(({ reason }) => {
      stop();
      resolve(reason);
    });
  });
}

const greeting = '000 - HELLO gatherer.example.org\n';

test('every command, as a client of 1996 types it', async () => {
  await using server = await served();
  const said = await conversation(
    server.port,
    'hello me\r\nHELP\r\n\r\nINFO\r\nSEND-OBJECT http://x.org/\nSEND-OBJECT nothing\nSEND-UPDATE 0\nSEND-UPDATE 99\nSEND-UPDATE x\nSET x\nFETCH\nQUIT\nHELLO again\n',
  );
  const object = '@FILE { http://x.org/\nTitle{3}:\tOne\n}\n';
  const stream = `@DELETE {\n}\n@REFRESH {\n}\n@UPDATE {\n${object}}\n`;
  const empty = '@DELETE {\n}\n@REFRESH {\n}\n@UPDATE {\n}\n';
  assert.equal(
    said.replace(/000 - Commands:\n[\s\S]*099 - End of HELP\n/, '<help>\n'),
    `${greeting}000 - HELLO me, pleased to meet you\n<help>\n` +
      '400 - Sending the Gatherer\n@GATHERER { http://localhost/\nGatherer-Name{4}:\ttest\n}\n' +
      '499 - Sent 55 bytes\n' +
      `400 - Sending one object\n${object}499 - Sent 38 bytes\n499 - ERROR: no such object\n` +
      `400 - Sending all of 1 objects\n${stream}499 - Sent 75 bytes\n` +
      `400 - Sending changes since 99\n${empty}499 - Sent 37 bytes\n` +
      '499 - ERROR: give a time in seconds since 1970\n099 - ERROR: only compression can be set\n' +
      '099 - ERROR: unknown command; HELP lists them\n000 - Goodbye\n',
  );
  for (const command of ['HELLO', 'INFO', 'SEND-OBJECT', 'SEND-UPDATE', 'SET compression', 'QUIT'])
    assert.ok(said.includes(`\n${command}`));
});

test('only this machine and allowed hosts are admitted, up to the max of connections', async () => {
  await using closed = await served({ allow: [] });
  assert.equal(await conversation(closed.port, 'INFO\n'), '099 - ERROR: access denied\n');
  await using narrow = await served({ maxConnections: 1 });
  const first = connect({ host: '127.0.0.1', port: narrow.port });
  await new Promise((resolve) => first.once('data', resolve));
  assert.match(await conversation(narrow.port, 'INFO\n'), /^099 - ERROR: too many/);
  const ended = sessionEnd();
  first.end('QUIT\n');
  assert.equal(await ended, undefined);
  assert.match(await conversation(narrow.port, 'QUIT\n'), /^000 - HELLO .*\n000 - Goodbye\n$/);
  const taken = served({ port: narrow.port });
  await assert.rejects(taken, { code: linesErrors.LINES_PORT.code });
});

test('a line without an end is refused, and the rest is not read as commands', async () => {
  await using server = await served();
  const said = await conversation(server.port, `${'x'.repeat(100_000)}\nINFO\n`);
  assert.equal(said, `${greeting}099 - ERROR: a line is longer than 9216 bytes\n`);
});

test('a silent or very slow client is disconnected', async () => {
  const clock = new ManualClock();
  await using server = await served({ clock, idleSeconds: 60 });
  for (const said of ['', 'HEL']) {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    await new Promise((resolve) => socket.once('data', resolve));
    socket.on('error', () => undefined);
    socket.write(said);
    const ended = sessionEnd();
    await turnsUntil(
      () => clock.advance(61_000),
      () => server.connections === 0,
    );
    assert.match((await ended) as string, /no data moved/);
    socket.destroy();
  }
});

test('a reader that stalls neither grows memory nor stays', async () => {
  const clock = new ManualClock();
  // Longer than the window of gzip, and so as long when compressed.
  const chunk = randomBytes(64 * 1024);
  let pulled = 0;
  let letGo = false;
  const endless: ClassicSource = {
    ...source,
    updates: async function* () {
      try {
        for (;;) {
          pulled += chunk.length;
          yield chunk;
        }
      } finally {
        letGo = true;
      }
    },
  };
  await using server = await served({ source: endless, clock });
  for (const said of ['SEND-UPDATE 0\n', 'SET compression\nSEND-UPDATE 0\n']) {
    [pulled, letGo] = [0, false];
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.pause();
    socket.write(said);
    await standstill(() => pulled);
    // The system's buffers hold a part.
    assert.ok(pulled < 32 * 1024 * 1024, `${pulled} bytes were pulled`);
    const before = pulled;
    await turnsUntil(
      () => clock.advance(121_000),
      () => letGo && server.connections === 0,
    );
    assert.ok(pulled - before < 1024 * 1024);
    socket.destroy();
  }
});

test('a source that fails at once is reported, one that fails later breaks the connection', async () => {
  const faults: string[] = [];
  const stop = gatherdFault.subscribe(({ command }) => faults.push(command));
  const failing = (after: number): ClassicSource => ({
    ...source,
    updates: async function* () {
      for (let n = 0; n < after; n++) yield Buffer.from('@UPDATE {\n');
      throw new Error('a secret');
    },
  });
  await using early = await served({ source: failing(0) });
  const said = await conversation(early.port, 'SEND-UPDATE 0\nQUIT\n');
  assert.equal(said, `${greeting}499 - ERROR: the Gatherer failed\n000 - Goodbye\n`);
  await using late = await served({ source: failing(1) });
  const cut = await conversation(late.port, 'SEND-UPDATE 0\nQUIT\n').catch(() => '');
  assert.doesNotMatch(cut, /499|Goodbye/);
  stop();
  assert.deepEqual(faults, ['SEND-UPDATE', 'SEND-UPDATE']);
});

test('after any input, it serves the next client', async () => {
  await using server = await served();
  const word = fc.constantFrom(
    'HELLO',
    'SEND-OBJECT',
    'SEND-UPDATE 0',
    'SET compression',
    ' ',
    '\n',
    '\r\n',
    '\0',
  );
  const said = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.array(word, { maxLength: 20 }).map((all) => Buffer.from(all.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(said, async (bytes) => {
      const answer = await conversation(server.port, bytes);
      assert.ok(answer.startsWith(greeting));
    }),
    { numRuns: 60 },
  );
  assert.equal(server.connections, 0);
});

test('an error of an open port is reported and ends nothing', async (t) => {
  const listening = t.mock.method(Server.prototype, 'listen');
  await using server = await served();
  const opened = listening.mock.calls[0]?.this as Server;
  const faults: unknown[] = [];
  t.after(gatherdFault.subscribe(({ error }) => faults.push(error)));
  const error = new Error('EMFILE: too many open files');
  for (let times = 0; times < 2; times++) opened.emit('error', error);
  assert.deepEqual(faults, [error, error]);
  assert.ok((await conversation(server.port, 'QUIT\n')).startsWith(greeting));
});

async function turnsUntil(act: () => void, done: () => boolean): Promise<void> {
  while (!done()) {
    act();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Resolves when a count has not changed for a quarter of a second, because no event announces that. */
async function standstill(count: () => number): Promise<void> {
  let last = -1;
  for (let still = 0; still < 10; still++) {
    if (count() !== last) still = 0;
    last = count();
    await systemClock.sleep(25);
  }
}
