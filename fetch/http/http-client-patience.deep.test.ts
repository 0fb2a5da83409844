import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isGarnerError, ManualClock, seededRandom } from '../../kernel/index.ts';
import { readBody } from '../client/fetch.ts';
import { fetchErrors } from '../errors.ts';
import { requestDone, requestRetried } from '../events.ts';
import { HttpClient, type HttpClientOptions } from './http-client.ts';

async function openOrigin(handle: (request: IncomingMessage, response: ServerResponse) => unknown) {
  let requested = 0;
  const server = createServer((request, response) => {
    requested += 1;
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested: () => requested,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const client = (url: string, options: Partial<HttpClientOptions> = {}) =>
  new HttpClient({ userAgent: 'Garner/test', random: seededRandom(1), allowHosts: [url], ...options });

/** Time that passes only during the wait before a retry. */
function clockOfRetries(): { clock: ManualClock; waits: number[]; stop: () => void } {
  const clock = new ManualClock();
  const waits: number[] = [];
  const stop = requestRetried.subscribe(({ delayMs }) => {
    waits.push(delayMs);
    setImmediate(() => clock.advance(delayMs));
  });
  return { clock, waits, stop };
}

test('a request to a busy server is repeated, later each time, at the time it demands within reason', async () => {
  const { clock, waits, stop } = clockOfRetries();
  const answers: [number, Record<string, string>][] = [
    [503, {}],
    [429, { 'retry-after': '7' }],
    [502, { 'retry-after': new Date(clock.now() + 60_000).toUTCString() }],
    [200, {}],
  ];
  await using origin = await openOrigin((_request, response) => {
    const [status, headers] = answers.shift() ?? [500, {}];
    response.writeHead(status, headers).end('x');
  });
  await using http = client(origin.url, { clock });
  const response = await http.fetch({ url: origin.url });
  assert.equal(response.status, 200);
  await readBody(response);
  assert.equal(waits.length, 3);
  assert.ok((waits[0] as number) >= 250 && (waits[0] as number) < 500);
  assert.equal(waits[1], 7000);
  assert.ok((waits[2] as number) > 50_000 && (waits[2] as number) <= 60_000);
  assert.equal(http.counts.retries, 3);
  stop();
});

test('repetition ends: the last answer is returned, an excessive Retry-After is not obeyed', async () => {
  const { clock, waits, stop } = clockOfRetries();
  let retryAfter = '';
  await using origin = await openOrigin((_request, response) => {
    response.writeHead(503, retryAfter ? { 'retry-after': retryAfter } : {}).end('busy');
  });
  await using http = client(origin.url, { clock, retries: 2 });
  const busy = await http.fetch({ url: origin.url });
  assert.equal(busy.status, 503);
  await readBody(busy);
  assert.equal(origin.requested(), 3);
  retryAfter = '86400';
  const closed = await http.fetch({ url: origin.url });
  await readBody(closed);
  assert.equal(origin.requested(), 4);
  assert.equal(waits.length, 2);
  stop();
});

test('a broken connection is repeated, and then a typed error', async () => {
  const { clock, stop } = clockOfRetries();
  let broken = 2;
  await using origin = await openOrigin((request, response) => {
    broken -= 1;
    if (broken >= 0) request.socket.destroy();
    else response.end('fine');
  });
  await using http = client(origin.url, { clock, retries: 2 });
  assert.equal(new TextDecoder().decode(await readBody(await http.fetch({ url: origin.url }))), 'fine');
  broken = 100;
  await assert.rejects(http.fetch({ url: origin.url }), (error) =>
    isGarnerError(error, fetchErrors.FETCH_UNREACHABLE),
  );
  assert.equal(origin.requested(), 6);
  stop();
});

test('silence before, within and behind an answer ends in a timeout', async () => {
  await using origin = await openOrigin((request, response) => {
    if (request.url === '/idle') response.writeHead(200, { 'content-length': 10 }).write('half');
    if (request.url === '/drip') response.writeHead(200).write('half');
  });
  const late = (error: unknown) => isGarnerError(error, fetchErrors.FETCH_TIMEOUT);
  await using http = client(origin.url, { retries: 0, headersTimeoutMs: 60, idleTimeoutMs: 60 });
  await assert.rejects(http.fetch({ url: `${origin.url}/headers` }), late);
  await assert.rejects(readBody(await http.fetch({ url: `${origin.url}/idle` })), late);
  const clock = new ManualClock();
  await using slow = client(origin.url, { retries: 0, totalTimeoutMs: 5000, clock });
  const reading = readBody(await slow.fetch({ url: `${origin.url}/drip` }));
  clock.advance(5000);
  await assert.rejects(reading, late);
});

test('a signal ends waiting, connecting and reading; closing the client does too', async () => {
  await using origin = await openOrigin((request, response) => {
    if (request.url === '/busy') response.writeHead(503).end();
    if (request.url === '/body') response.writeHead(200).write('half');
  });
  await using http = client(origin.url, { clock: new ManualClock() });
  const stop = new AbortController();
  const retried = new Promise<void>((resolve) => {
    const unsubscribe = requestRetried.subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
  const waiting = http.fetch({ url: `${origin.url}/busy`, signal: stop.signal });
  const asking = http.fetch({ url: `${origin.url}/silent`, signal: stop.signal });
  const reading = http.fetch({ url: `${origin.url}/body`, signal: stop.signal }).then(readBody);
  const rejected = Promise.all([waiting, asking, reading].map((one) => assert.rejects(one, /called off/)));
  await retried;
  stop.abort(new Error('called off'));
  await rejected;
  await assert.rejects(http.fetch({ url: origin.url, signal: stop.signal }), /called off/);
  const closing = http.fetch({ url: `${origin.url}/body` }).then(readBody);
  const closed = (error: unknown) => isGarnerError(error, fetchErrors.FETCH_CLOSED);
  const refused = assert.rejects(closing, closed);
  await http[Symbol.asyncDispose]();
  await refused;
  await assert.rejects(http.fetch({ url: origin.url }), closed);
});

test('no more requests in flight than allowed, and every end is reported', async () => {
  let inside = 0;
  let max = 0;
  const held: ServerResponse[] = [];
  await using origin = await openOrigin(async (_request, response) => {
    inside += 1;
    max = Math.max(max, inside);
    if (held.push(response) < 3) return;
    // Room for a fourth to come in, if it could.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    for (const one of held.splice(0)) {
      inside -= 1;
      one.end('x'.repeat(1000));
    }
  });
  const ends: number[] = [];
  const unsubscribe = requestDone.subscribe(({ url, status, wireBytes }) => {
    if (url.startsWith(origin.url) && status === 200) ends.push(wireBytes);
  });
  await using http = client(origin.url, { loopback: { delayMs: 0, perHost: 3 } });
  await Promise.all(Array.from({ length: 39 }, () => http.fetch({ url: origin.url }).then(readBody)));
  assert.equal(max, 3);
  assert.deepEqual(ends, new Array(39).fill(1000));
  unsubscribe();
});

test('a reader that stalls stalls the server', async () => {
  let written = 0;
  await using origin = await openOrigin((_request, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (written < 256 * 1024 * 1024) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  await using http = client(origin.url, { maxBytes: 1 << 30 });
  const response = await http.fetch({ url: origin.url });
  const chunks = response.body[Symbol.asyncIterator]();
  await chunks.next();
  // Wait until the server has stopped writing: twice the same count over many turns of the loop.
  for (let before = -1; before !== written; ) {
    before = written;
    for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(written < 32 * 1024 * 1024, `${written} bytes were sent to a reader that took one chunk`);
  await chunks.return?.();
});
