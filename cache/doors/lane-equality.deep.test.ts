import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Random, seededRandom, systemClock, systemRandom } from '../../kernel/index.ts';
import { hitGiven, requestAnswered } from '../events.ts';
import { RequestStatistics } from '../reporting/request-statistics.ts';
import { defaultPolicy } from '../rules/policy.ts';
import { type Bench, openBench } from '../testing/object-cache.ts';
import { type HitWorker, openHitWorker } from '../workers/hit-worker.ts';
import { openWorkers } from '../workers/workers.ts';
import { AccessRules } from './access.ts';
import { defaultDoorLimits } from './door-limits.ts';
import { type HttpDoor, openHttpDoor } from './http-door.ts';
import type { AcceleratedHosts } from './request-key.ts';

const streams = Math.ceil(Number(process.env.GARNER_TEST_REQUESTS || 800) / 10);
const workerStreams = Math.ceil(streams / 2);
const seed = Number(process.env.GARNER_TEST_SEED || 1995);

const lastModified = 'Thu, 01 Jan 2026 00:00:00 GMT';
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tag: { ETag: '"tag"', 'X-Odd': '\xe4 \t|', 'Cache-Control': 'max-age=1000' },
  weak: { ETag: 'W/"weak"', 'Cache-Control': 'max-age=1000', 'Surrogate-Key': 'a b' },
  date: {
    'Last-Modified': lastModified,
    'Cache-Control': 'max-age=1000, no-cache="set-cookie"',
    'Set-Cookie': 'a=b',
  },
  vary: { Vary: 'Accept-Language, Accept-Encoding', ETag: '"vary"', 'Cache-Control': 'max-age=1000' },
  own: { Vary: 'X-Own', 'Cache-Control': 'max-age=1000' },
  short: { 'Cache-Control': 'max-age=3, stale-while-revalidate=0' },
  never: { 'Cache-Control': 'no-store' },
  aged: { Age: '100', 'Cache-Control': 'max-age=1000', Via: '1.0 other' },
  gone: { 'Cache-Control': 'max-age=1000' },
  moved: { 'Cache-Control': 'max-age=1000', Location: '/elsewhere' },
};
const kinds = Object.keys(fields);

interface Doors extends AsyncDisposable {
  readonly bench: Bench;
  readonly tally: RequestStatistics;
  readonly slow: HttpDoor;
  readonly fast: HttpDoor;
}

const acceleratorOf = (bench: Bench): AcceleratedHosts => ({
  originFor: () => bench.url(''),
  namedOriginFor: () => undefined,
  forwardedHost: () => undefined,
  passHost: false,
  origins: [bench.url('')],
});

/** One cache with two doors, of which one has a lane. */
async function openDoors(isShared = false): Promise<Doors> {
  const bench = await openBench(
    (request, response) => {
      const [, kind = '', size = '0'] = /^\/([a-z]+)-?(\d*)/.exec(request.url ?? '') ?? [];
      const status = { gone: 410, moved: 301 }[kind] ?? 200;
      const { headers } = request;
      response.setHeader('Date', new Date(bench.clock.now()).toUTCString());
      for (const [name, value] of Object.entries(fields[kind] ?? {})) response.setHeader(name, value);
      const tag = response.getHeader('etag');
      if (tag !== undefined && headers['if-none-match']?.includes(String(tag)) === true)
        return response.writeHead(304).end();
      const said = `${request.url} ${headers['accept-language']} ${headers['accept-encoding']} `;
      const content = said.padEnd(Number(size), 'x');
      response.writeHead(status, { 'Content-Length': String(content.length) }).end(content);
    },
    { ready: { maxBytes: 4e6, keepAliveMs: 15_000, isShared } },
  );
  const { opened, clock } = bench;
  const tally = new RequestStatistics(clock, () => performance.now());
  const options = {
    ...{ port: 0, clock, pseudonym: 'bench', proxy: true },
    answer: tally.counting((request) => opened.cache.answer(request)),
    accelerator: acceleratorOf(bench),
    limits: { maxHeadBytes: 2048 },
  };
  const slow = await openHttpDoor(options);
  const fast = await openHttpDoor({
    ...options,
    ...(opened.ready && { lane: { ready: opened.ready, counts: tally } }),
  });
  return {
    ...{ bench, tally, slow, fast },
    [Symbol.asyncDispose]: async () => {
      await slow[Symbol.asyncDispose]();
      await fast[Symbol.asyncDispose]();
      tally[Symbol.dispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

/** One request that every server reads in one way, its answer kept in the stream. */
function request(random: Random, originUrl: string): string {
  const below = (count: number) => Math.floor(random.next() * count);
  const one = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const often = one(kinds);
  // Few enough for a list of the hottest to have them all.
  const path = `/${often}${one(['', '-1000', '-100000'])}`;
  const absolute = below(8) === 0;
  const target = absolute ? originUrl + path : path;
  const host = absolute ? originUrl.slice('http://'.length) : one(['a', 'A.example:80']);
  const space = () => one([' ', '', '\t', '  ', ' \t ']);
  const lines = [`${one(['Host', 'host', 'HOST'])}:${space()}${host}${one(['', ' '])}`];
  const add = (...given: readonly string[]) => {
    const [name, value] = one(given).split(/: ?(.*)/s);
    lines.splice(below(lines.length + 1), 0, `${name}:${space()}${value}${one(['', '', ' ', '\t'])}`);
  };
  for (let count = below(4); count > 0; count--) {
    const kind = below(12);
    if (kind < 2)
      add('Accept-Language: de', 'Accept-Language: en', 'Accept-Language: de;q=1', 'Accept-Language:');
    else if (kind < 4) add('Accept-Encoding: gzip', 'accept-encoding: br, gzip', 'Accept-Encoding: GZIP');
    else if (kind < 6) add('User-Agent: x', 'Cookie: a=b', 'Accept: */*', 'Referer: http://a/', 'DNT: 1');
    else if (kind < 8)
      add('If-None-Match: "tag"', 'If-None-Match: W/"weak"', 'If-None-Match: *', 'If-None-Match: "x", "tag"');
    else if (kind === 8)
      add(`If-Modified-Since: ${lastModified}`, 'If-Modified-Since: Fri, 02 Jan 2026 00:00:00 GMT');
    else if (kind === 9)
      add('Range: bytes=0-9', 'Range: bytes=-5', 'Range: bytes=999999-', 'Range: bytes=0-1,3-4');
    else if (kind === 10)
      add(
        'Cache-Control: no-cache',
        'Cache-Control: max-age=0',
        'Cache-Control: only-if-cached',
        'Pragma: no-cache',
      );
    else
      add(
        'X-Own: 1',
        'X-Forwarded-For: 192.0.2.1',
        'Connection: keep-alive',
        'Connection: Keep-Alive',
        'Via: 1.1 child',
      );
  }
  const method = one(['GET', 'GET', 'GET', 'GET', 'HEAD']);
  if (below(40) === 0)
    return `POST ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 5\r\n\r\nhello`;
  if (below(40) === 0)
    return `PUT ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nGET /\r\n0\r\n\r\n`;
  // Larger than the door takes heads in the lane, and not larger than it takes at all.
  if (below(30) === 0) lines.push(`Cookie: ${'c'.repeat(1700)}`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Everything a door says to what is sent in pieces. */
async function said(door: Pick<HttpDoor, 'port'>, pieces: readonly Buffer[]): Promise<string> {
  const socket = connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true });
  const heard: Buffer[] = [];
  socket.on('data', (chunk) => heard.push(chunk)).on('error', () => undefined);
  socket.on('end', () => socket.end());
  const closed = once(socket, 'close');
  for (const piece of pieces) {
    if (!socket.writable) break;
    socket.write(piece);
    await turn();
    if (pieces.length < 50) await turn();
  }
  await closed;
  return Buffer.concat(heard).toString('latin1');
}

function inPieces(bytes: Buffer, random: Random): readonly Buffer[] {
  // Whose content is late may be answered before it is there, and loses the connection then.
  if (random.next() < 0.3 || /(?:POST|PUT) /.test(bytes.toString('latin1'))) return [bytes];
  const pieces: Buffer[] = [];
  const max = random.next() < 0.1 ? 3 : 2000;
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + Math.floor(random.next() * max);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

/** Texts this long are not shown whole. */
function sameText(got: string, expected: string, about: string): void {
  if (got === expected) return;
  let at = 0;
  while (got[at] === expected[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 300), at + 100);
  assert.fail(`${about}\n${around(got)}\ninstead of\n${around(expected)}`);
}

/** Without what differs each time: node's own dates, and boundaries of several ranges. */
const undated = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{32}/g, 'boundary')
    .replaceAll(/^Date: (.*)\r$/gm, (line, date) =>
      Date.parse(date) < Date.now() + 3_600_000 ? 'Date:' : line,
    );

/** A stream of requests that ends its connection. */
function stream(random: Random, originUrl: string): { readonly bytes: Buffer; readonly count: number } {
  const requests: string[] = [];
  for (let count = 1 + Math.floor(random.next() * 20); count > 0; count--)
    requests.push(request(random, originUrl));
  const goodbye = `GET /tag HTTP/1.${Math.floor(random.next() * 2)}\r\nHost: a\r\nConnection: close\r\n\r\n`;
  return { bytes: Buffer.from(requests.join('') + goodbye, 'latin1'), count: requests.length + 1 };
}

test(`${streams} streams of requests get the same bytes with a lane and without, and count alike`, async (t) => {
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  await using doors = await openDoors();
  const { bench, tally, slow, fast } = doors;
  const { cache, store } = bench.opened;
  let log: string[] = [];
  const note = (...values: readonly unknown[]) => log.push(JSON.stringify(values));
  const stops = [
    requestAnswered.subscribe(({ request: { method, url, clientAddress }, decision, status, bytes }) =>
      note({ method, url, clientAddress, status, bytes, ...decision }),
    ),
    hitGiven.subscribe(({ method, url, clientAddress, decision, status, bytes }) =>
      note({ method, url, clientAddress, status, bytes, ...decision }),
    ),
  ];
  // Node dates what has no date by its own clock.
  bench.clock.advance(86_400_000);
  let hits = 0;
  for (let round = 0; round < streams; round++) {
    const { bytes, count } = stream(random, bench.url(''));
    const run = async (door: HttpDoor, pieces: readonly Buffer[]) => {
      log = [];
      const [before, tallied] = [cache.counts(), tally.read()];
      const touched = new Map((await store.top('hits', 100)).map(({ entry, hits }) => [entry.id, hits]));
      const text = undated(await said(door, pieces));
      const [after, reported] = [cache.counts(), tally.read()];
      const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);
      const grown = Object.entries(after).map(([name, count]) => [
        name,
        count - before[name as keyof typeof before],
      ]);
      const hottest = (await store.top('hits', 100)).map(({ entry, hits }) => [
        entry.key,
        hits - (touched.get(entry.id) ?? 0),
      ]);
      return {
        text,
        log,
        counts: Object.fromEntries(grown),
        timed: sum(reported.latency.fromHere.counts) - sum(tallied.latency.fromHere.counts),
        requests: (reported.minutes.at(-1)?.requests ?? 0) - (tallied.minutes.at(-1)?.requests ?? 0),
        // A longer list is not complete, and a newly stored response begins with no hits.
        hottest:
          store.statistics().entries > 100 || after.hit - before.hit < count
            ? []
            : hottest.filter(([, hits]) => hits !== 0).sort(),
      };
    };
    // Once for what is not stored yet, and once for what a change in it outdates: a third time leaves the store as it was.
    for (let times = 0; times < 2; times++) await said(slow, [bytes]);
    const expected = await run(slow, [bytes]);
    const before = fast.lane?.answered.requests ?? 0;
    const got = await run(fast, inPieces(bytes, random));
    const about = JSON.stringify(bytes.toString('latin1'));
    sameText(got.text, expected.text, about);
    assert.deepEqual({ ...got, text: '' }, { ...expected, text: '' }, about);
    hits += (fast.lane?.answered.requests ?? 0) - before;
    bench.clock.advance(Math.floor(random.next() * 700));
  }
  for (const stop of stops) stop();
  assert.ok(hits > streams, `${hits} in the lane`);
  assert.equal(fast.connections, 0);
});

/** A worker of the fast door. */
async function openWorker({ bench, fast }: Doors) {
  const { copies } = bench.opened;
  const { lane, server, slots } = fast;
  assert.ok(copies !== undefined && lane !== undefined);
  const own = createServer();
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  const { port } = own.address() as AddressInfo;
  const begun: Promise<HitWorker>[] = [];
  const workers = await openWorkers({
    ...{ count: 1, clock: systemClock, random: systemRandom, copies, lane, server, slots },
    ...{ access: new AccessRules(), isPeer: () => false, maxConnections: 100, graceMs: 2000 },
    start: (place) => {
      const opening = openHitWorker({
        ...{ place, name: 'bench', policy: defaultPolicy, readyBytes: 4e6, isOpen: true, proxy: true },
        ...{ accelerator: acceleratorOf(bench), limits: { ...defaultDoorLimits, maxHeadBytes: 2048 } },
        // The messages between the processes take some time.
        clock: { now: () => bench.clock.now(), sleep: (ms, signal) => systemClock.sleep(ms, signal) },
      });
      begun.push(opening);
      const exited = opening.then(async (worker) => {
        await worker.ended;
        own.close();
        await worker[Symbol.asyncDispose]();
      });
      return { exited, kill: () => undefined };
    },
  });
  const worker = (await begun[0]) as HitWorker;
  worker.serve(own);
  return {
    port,
    answered: () => worker.lane?.answered.requests ?? 0,
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  };
}

test(`${workerStreams} streams of requests get the same bytes of a worker`, async (t) => {
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  await using doors = await openDoors(true);
  await using worker = await openWorker(doors);
  const { bench, slow, fast } = doors;
  bench.clock.advance(86_400_000);
  for (let round = 0; round < workerStreams; round++) {
    const { bytes } = stream(random, bench.url(''));
    for (let times = 0; times < 2; times++) await said(slow, [bytes]);
    const expected = undated(await said(slow, [bytes]));
    // A worker gets a copy after the second request, before the third ends.
    for (let times = 0; times < 3; times++)
      sameText(
        undated(await said(worker, inPieces(bytes, random))),
        expected,
        JSON.stringify(bytes.toString('latin1')),
      );
    bench.clock.advance(Math.floor(random.next() * 700));
  }
  t.diagnostic(`${worker.answered()} answered by the worker itself`);
  assert.ok(worker.answered() > workerStreams, `${worker.answered()} by the worker`);
  for (let turns = 0; fast.connections > 0; turns++) {
    assert.ok(turns < 1_000, `${fast.connections} connections stay`);
    await turn();
  }
});
