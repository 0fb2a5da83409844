import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { systemClock, systemRandom } from '../kernel/index.ts';
import { ObjectStore, openDatabase } from '../store/index.ts';
import type { Session } from '../wire/index.ts';
import { type Server, startServer, temporaryFolder } from './commands/command.ts';
import { collectInto, dial } from './synthetic-source.ts';
import { TcpProxy } from './tcp-proxy.ts';

const mebibyte = 1024 * 1024;
const noProc = existsSync('/proc/self/clear_refs') ? undefined : 'SKIPPED: needs Linux’s /proc';

/** Resident memory of a process now and at its highest since `resetPeak`, in bytes. */
function memory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

const mib = (bytes: number) => `${(bytes / mebibyte).toFixed(1)} MiB`;

/** A Gatherer in its own process with `files` incompressible texts, and a way to connect to it. */
async function bigGatherer(folder: string, files: number, bytesEach: number) {
  const root = join(folder, 'site');
  await mkdir(root);
  for (let n = 0; n < files; n++) {
    const lines =
      randomBytes((bytesEach * 3) / 4)
        .toString('base64')
        .match(/.{1,76}/g) ?? [];
    await writeFile(join(root, `${n}.txt`), lines.join('\n'));
  }
  const args = ['gatherer', 'serve', '--root', root, '--data', join(folder, 'data'), '--port', '0'];
  const server = await startServer<{ collect: string }>(args);
  while (!server.log.some(({ msg }) => msg === 'run')) await new Promise((resolve) => setImmediate(resolve));
  return server;
}

function portOf({ ready }: Server<{ collect: string }>): number {
  return Number(new URL(ready.collect).port);
}

async function alive({ ready }: Server<{ collect: string }>): Promise<number> {
  const response = await fetch(new URL('/status', ready.collect.replace(/^ws/, 'http')));
  return ((await response.json()) as { objects: number }).objects;
}

async function wholeCollection(folder: string, url: string): Promise<number> {
  await using copy = await ObjectStore.open(
    await openDatabase(join(folder, `copy-${randomBytes(4).toString('hex')}`)),
    {
      clock: systemClock,
      random: systemRandom,
    },
  );
  await using session = await dial(url);
  return (await collectInto(copy, session)).learned;
}

/** Request everything and read nothing of the answer: no marker, no objects, and an empty fingerprint. */
function askForAll(session: Session) {
  return session.open({ type: 'ask', q: new Uint8Array(1 + 1 + 16) }, { end: true });
}

test('a reader that stalls does not increase the memory of the sender', async (t) => {
  if (noProc !== undefined) return t.skip(noProc);
  const [files, bytesEach] = [300, 200_000];
  await using folder = await temporaryFolder();
  await using server = await bigGatherer(folder.path, files, bytesEach);
  // Once in full, so that caches are warm and later growth comes from the stalled reader.
  assert.equal(await wholeCollection(folder.path, server.ready.collect), files);
  for (let answers = 0; answers < 200; answers++) await alive(server);
  for (const stall of ['the channel', 'the socket']) {
    await using proxy = await TcpProxy.open(portOf(server));
    await using session = await dial(proxy.url);
    const before = proxy.down;
    const rss = memory(server.pid).now;
    resetPeak(server.pid);
    if (stall === 'the socket') proxy.upstreams[0]?.pause();
    const channel = await askForAll(session);
    // Time is counted in answers of the same process: a sender that could continue would have done so long before.
    for (let answers = 0; answers < 500; answers++) assert.equal(await alive(server), files);
    const [sent, { peak }] = [proxy.down - before, memory(server.pid)];
    t.diagnostic(
      `${stall} is not read: ${sent} bytes passed of ${files * bytesEach}, memory ${mib(rss)}, at most ${mib(peak)} while it stalls`,
    );
    if (stall === 'the channel') assert.ok(sent > 10_000, 'the answer never began');
    assert.ok(sent < mebibyte, `${sent} bytes were sent to a reader that does not read`);
    assert.ok(peak - rss < 32 * mebibyte, `memory grew from ${mib(rss)} to ${mib(peak)}`);
    await channel[Symbol.asyncDispose]();
    proxy.upstreams[0]?.resume();
  }
  assert.equal(await wholeCollection(folder.path, server.ready.collect), files);
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
}

/** A data frame of `garner.1` written by hand: kind 0 with deflated, end and open; channel; declared length; CRC-32. */
function bomb(channel: number, declared: number, deflated: Uint8Array): Buffer {
  const header = Buffer.from([0x0d, ...varint(channel), ...varint(declared)]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(Buffer.alloc(declared), crc32(header)));
  return Buffer.concat([header, checksum, deflated]);
}

/** The same as a client's WebSocket message (RFC 6455, 5.2), masked with zeros. */
function webSocketMessage(payload: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x82;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

test('a 65 KB frame that would inflate to 64 MiB is refused within its declared size', async (t) => {
  if (noProc !== undefined) return t.skip(noProc);
  await using folder = await temporaryFolder();
  await using server = await bigGatherer(folder.path, 3, 1000);
  const zeros = deflateRawSync(Buffer.alloc(64 * mebibyte), { level: 9 });
  assert.ok(zeros.length < 70_000, `the bomb has ${zeros.length} bytes`);
  for (const [declared, code] of [
    [64 * 1024, 'WIRE_TOO_LARGE'],
    [64 * mebibyte, 'WIRE_TOO_LARGE'],
  ] as const) {
    let grown = 0;
    for (let n = 0; n < 5; n++) {
      await using proxy = await TcpProxy.open(portOf(server));
      await using session = await dial(proxy.url);
      // An answer shows that the handshake is over at both ends and that nothing is in flight.
      const channel = await askForAll(session);
      while ((await channel.receive()) !== undefined);
      const { now } = memory(server.pid);
      resetPeak(server.pid);
      proxy.upstreams[0]?.write(webSocketMessage(bomb(101, declared, zeros)));
      const reason = await session.closed;
      assert.match(String(reason?.message), new RegExp(code));
      grown = Math.max(grown, memory(server.pid).peak - now);
    }
    t.diagnostic(`${zeros.length} bytes declared as ${declared}: refused, memory grew by ${mib(grown)}`);
    assert.ok(grown < 24 * mebibyte, `memory grew by ${mib(grown)}`);
  }
  assert.equal(await alive(server), 3);
  assert.equal(await wholeCollection(folder.path, server.ready.collect), 3);
});
