import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock, type Random, seededRandom, systemClock } from '../../../kernel/index.ts';
import { type FastLane, type FastLaneOptions, openFastLane } from './fast-lane.ts';
import { forgedHead } from './forged-heads.test.ts';
import { ReadyTable } from './ready-table.ts';

const rounds = Number(process.env.GARNER_TEST_STREAMS ?? 150);
const seed = Number(process.env.GARNER_TEST_SEED ?? 1994);

const limits = {
  keepAliveMs: 20_000,
  stallMs: 20_000,
  maxConnections: 100,
  clientConnections: 100,
  closeGraceMs: 1000,
};
const origin = 'http://origin.example';
const date = 'Sun, 01 Nov 2026 00:00:00 GMT';

/** A content in short. */
const shown = (content: string) => content.replace(/x{9,}$/, (padding) => `${padding.length} more`);

/** A server with a lane before it; whatever path holds `ready` is learned when it was answered. */
class Bed implements AsyncDisposable {
  readonly server: Server;
  readonly table = new ReadyTable(64 << 20);
  readonly lane: FastLane | undefined;
  /** What the server itself was asked. */
  readonly asked: string[] = [];
  /** What it gave, in the order of `asked`. */
  gave: string[] = [];
  onRequest: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;

  constructor(options: { lane: boolean } & Partial<FastLaneOptions>) {
    this.server = createServer({ noDelay: true, keepAliveTimeout: 20_000 }, (request, response) =>
      this.#take(request, response),
    );
    const clock = new ManualClock();
    const { lane, ...given } = options;
    if (lane)
      this.lane = openFastLane({
        ...{ server: this.server, clock, ready: this.table, limits, proxy: true },
        accelerator: {
          namedOriginFor: (host) => (host === 'a.example' ? origin : undefined),
          originFor: (host) => (host === 'a.example' ? origin : undefined),
        },
        ...given,
      });
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  client(): Socket {
    return connect({
      port: (this.server.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lane?.[Symbol.asyncDispose]();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    this.asked.push(`${method} ${url}`);
    if (this.onRequest?.(request, response) === true) return;
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => {
      const size = Number(/\d+/.exec(url)?.[0] ?? 0);
      const said = `${url} ${request.headers.host} ${Buffer.concat(body).toString('latin1')} `;
      const content = Buffer.from(said.padEnd(size, 'x'), 'latin1');
      const fields = ['Date', date, 'X-Url', url];
      this.gave.push(`${url} ${method === 'HEAD' ? '' : shown(content.toString('latin1'))}`);
      if (method === 'GET' && body.length === 0 && url.includes('ready')) {
        const stored = url.startsWith('/') ? origin + url : url;
        const head = { status: 200, reason: 'OK', fields, untilMs: Number.MAX_SAFE_INTEGER };
        const source = { of: {}, content, headAt: () => head, onHits: () => undefined };
        this.table.learn({ url: stored, vary: [], requestFields: request.rawHeaders, source }, 0);
      }
      response.writeHead(200, [...fields, 'Content-Length', String(content.length)] as never);
      response.end(content);
    });
  }
}

/** Everything a server says to what is sent in pieces. */
async function said(bed: Bed, pieces: readonly Buffer[]): Promise<string> {
  const socket = bed.client();
  const heard: Buffer[] = [];
  socket.on('data', (chunk) => heard.push(chunk));
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  // The last request asks for the end of the connection; a client that ends first might not be answered.
  socket.on('end', () => socket.end());
  await once(socket, 'connect');
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) break;
    socket.write(piece);
    await turn();
    await turn();
  }
  await closed;
  return Buffer.concat(heard).toString('latin1');
}

/** URLs and contents of answers that were read one after another; those to HEAD have none. */
function answersIn(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at) + 4;
    const fields = text.slice(at, end);
    if (fields.startsWith('HTTP/1.1 100 ')) {
      at = end;
      continue;
    }
    if (!fields.startsWith('HTTP/1.1 200 OK\r\n')) return found;
    const length = Number(/^Content-Length: (\d+)\r$/m.exec(fields)?.[1]);
    const url = /^X-Url: (.*)\r$/m.exec(fields)?.[1];
    const bodiless = end === text.length || text.startsWith('HTTP/1.1 ', end);
    at = bodiless ? end : end + length;
    found.push(`${url} ${bodiless ? '' : shown(text.slice(end, at))}`);
  }
  return found;
}

function cutIntoPieces(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = random.next() < 0.5 ? bytes.length : at + 1 + Math.floor(random.next() * 200);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

const head = (method: string, target: string, lines = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: a.example\r\n${lines}\r\n`;
const goodbye = Buffer.from(head('GET', '/bye', 'Connection: close\r\n'));

function stream(random: Random): Buffer {
  const requests: readonly (() => string | Buffer)[] = [
    () => head('GET', '/ready1'),
    () => head('GET', '/ready2000', 'Accept: */*\r\n'),
    () => head('HEAD', '/ready1'),
    () => head('GET', '/ready30000'),
    () => head('GET', 'http://b.example/ready', '').replace('a.example', 'b.example'),
    () => head('GET', `/other${Math.floor(random.next() * 100)}`),
    () => head('POST', '/ready1', 'Content-Length: 5\r\n') + 'hello',
    () => head('POST', '/post', 'Transfer-Encoding: chunked\r\n') + '5\r\nGET /\r\n0\r\n\r\n',
    () => head('GET', '/ready1', 'Content-Length: 33\r\n') + head('GET', '/ready1').slice(0, 33),
    () => head('GET', '/ready1', 'Cache-Control: no-cache\r\n'),
    () => forgedHead(random),
  ];
  const parts: Buffer[] = [];
  for (let count = 1 + Math.floor(random.next() * 8); count > 0; count--) {
    // Unusual ones are rarer, so that streams stay in the lane for a while.
    const kind = random.next() < 0.75 ? 6 : requests.length;
    parts.push(
      Buffer.from((requests[Math.floor(random.next() * kind)] as () => string)() as never, 'latin1'),
    );
  }
  return Buffer.concat([...parts, goodbye]);
}

test(`${rounds} streams of requests, in whatever pieces, are answered as without the lane`, async (t) => {
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  await using plain = await new Bed({ lane: false }).listen();
  await using laned = await new Bed({ lane: true }).listen();
  let whole = 0;
  for (let round = 0; round < rounds; round++) {
    const bytes = stream(random);
    plain.gave = [];
    const refused = (await said(plain, [bytes])).includes('HTTP/1.1 400 ');
    const read = !refused && plain.gave.at(-1)?.startsWith('/bye ') === true;
    const answers = answersIn(await said(laned, cutIntoPieces(bytes, random)));
    // What follows a request that cannot be read is not read; node drops answers that wait when it comes upon one.
    const expected = read ? plain.gave : plain.gave.slice(0, answers.length);
    assert.deepEqual(answers, expected, JSON.stringify(bytes.toString('latin1')));
    whole += read ? 1 : 0;
  }
  assert.ok(whole > rounds / 3, `only ${whole} streams could be read to their end`);
  assert.ok((laned.lane?.answered.requests ?? 0) > rounds, `${laned.lane?.answered.requests}`);
  assert.equal(laned.lane?.connections, 0);
});

/** The next `length` bytes of a socket. */
async function read(socket: Socket, length: number): Promise<string> {
  let heard = '';
  while (heard.length < length) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) await once(socket, 'readable');
    else heard += chunk.toString('latin1');
  }
  return heard;
}

test('a connection goes back to the fast lane after a request that was answered the slow way', async () => {
  await using bed = await new Bed({ lane: true }).listen();
  const socket = bed.client();
  const ask = async (text: string) => {
    socket.write(text);
    return (await read(socket, 100)).slice(9, 12);
  };
  for (const target of ['/ready300', '/ready300', '/other300', '/ready300', '/other301', '/ready300'])
    assert.equal(await ask(head('GET', target)), '200');
  assert.deepEqual(bed.asked, ['GET /ready300', 'GET /other300', 'GET /other301']);
  assert.equal(bed.lane?.answered.requests, 3);
  bed.table.forget(`${origin}/ready300`);
  assert.equal(await ask(head('GET', '/ready300')), '200');
  assert.equal(bed.asked.length, 4);
  socket.destroy();
});

test('a client that takes nothing makes the lane stop, and gets everything when it does', async () => {
  await using bed = await new Bed({ lane: true }).listen();
  const [slow, other] = [bed.client(), bed.client()];
  const length = async () => {
    other.write(head('GET', '/ready1'));
    await read(other, 50);
  };
  await said(bed, [Buffer.from(head('GET', '/ready100000')), goodbye]);
  await length();
  const before = bed.lane?.answered.bytes ?? 0;
  const count = 200;
  for (let at = 0; at < count; at++) slow.write(head('GET', '/ready100000'));
  const more = head('HEAD', '/ready1', `Accept: ${'x'.repeat(1000)}\r\n`).repeat(20_000);
  slow.write(more);
  // Each of these is answered after what the slow client's bytes made the lane do.
  for (let at = 0; at < 300; at++) await length();
  const written = (bed.lane?.answered.bytes ?? 0) - before;
  assert.ok(written < 15e6, `${written} bytes were written for a client that takes none`);
  assert.ok(slow.writableLength > 0, 'everything was read of a client that takes nothing');
  slow.write(goodbye);
  let bytes = 0;
  slow.on('data', (chunk) => {
    bytes += chunk.length;
  });
  slow.on('end', () => slow.end());
  await once(slow, 'close');
  assert.ok(bytes > count * 100_000 + 20_000 * 50, `${bytes} bytes`);
  other.destroy();
});

test('a connection that stands still is closed, in the middle of a head too', async () => {
  await using bed = await new Bed({ lane: true, limits: { ...limits, keepAliveMs: 30 } }).listen();
  for (const text of ['', 'GET / HT', head('GET', '/ready1')]) {
    const socket = bed.client();
    socket.write(text);
    socket.resume();
    await once(socket, 'end');
    socket.destroy();
  }
});

test('a client that leaves makes the server know it while it is answering', async () => {
  await using bed = await new Bed({ lane: true }).listen();
  const left = new Promise<boolean>((resolve) => {
    bed.onRequest = (_request, response) => {
      response.once('close', () => resolve(response.writableFinished));
      socket.resetAndDestroy();
      return true;
    };
  });
  const socket = bed.client();
  socket.on('error', () => undefined);
  socket.write(head('GET', '/other'));
  assert.equal(await left, false);
});

test('an answer that is cut half-way is cut for the client, and one without a length ends by chunks', async () => {
  await using bed = await new Bed({ lane: true }).listen();
  bed.onRequest = (request, response) => {
    if (request.url === '/chunks') {
      response.write('a');
      response.end('b');
      return true;
    }
    response.writeHead(200, { 'Content-Length': '10' });
    response.write('half', () => response.socket?.destroy());
    return true;
  };
  const chunks = await said(bed, [Buffer.from(head('GET', '/chunks')), Buffer.from(head('GET', '/half'))]);
  assert.match(chunks, /1\r\na\r\n1\r\nb\r\n0\r\n\r\nHTTP\/1\.1 200 OK\r\n(?:.|\r|\n)*half$/);
});

test('where there is no room in the lane, or access is refused, the server is asked', async () => {
  const refusing = [{ admits: () => false }, { admits: async () => false }];
  const full = { limits: { ...limits, clientConnections: 0 } };
  for (const options of [full, ...refusing.map((access) => ({ access }))]) {
    await using bed = await new Bed({ lane: true, ...options }).listen();
    const bytes = Buffer.from(head('GET', '/ready1'));
    await said(bed, [bytes, bytes, goodbye]);
    assert.deepEqual(bed.asked, ['GET /ready1', 'GET /ready1', 'GET /bye']);
    assert.equal(bed.lane?.answered.requests, 0);
  }
});

test('an upgrade gets the real connection with the bytes behind its head', async () => {
  await using bed = await new Bed({ lane: true }).listen();
  bed.server.on('upgrade', (_request, socket, rest) => socket.end(`${socket === real} ${rest}`));
  let real: unknown;
  bed.server.prependListener('connection', (socket) => {
    real = socket;
  });
  const upgrade = head('GET', '/ready1', 'Connection: upgrade\r\nUpgrade: x\r\n');
  const text = `${head('GET', '/ready1')}${head('GET', '/other')}${upgrade}more`;
  const sides: unknown[] = [];
  bed.onRequest = (request) => {
    sides.push(request.socket);
    return false;
  };
  assert.match(await said(bed, [Buffer.from(text)]), /true more$/);
  // What stood for the connection before is gone.
  assert.equal(new Set(sides).size, 1);
  assert.ok(sides[0] !== real && (sides[0] as Socket).destroyed);
});

test('a closed lane leaves the server as it was', async () => {
  await using bed = await new Bed({ lane: true }).listen();
  const before = bed.client();
  before.write(head('GET', '/ready1'));
  await read(before, 50);
  await bed.lane?.[Symbol.asyncDispose]();
  before.resume();
  await once(before, 'end');
  before.destroy();
  const bytes = Buffer.from(head('GET', '/ready1'));
  await said(bed, [bytes, bytes, goodbye]);
  assert.equal(bed.asked.length, 4);
  assert.equal(bed.lane?.answered.requests, 0);
});

test('access is decided for each method, form and host, and once it is known that it takes no time', async () => {
  const asked: string[] = [];
  const access = {
    admits: async ({ method, host }: { method: string; host: string }, form: string) => {
      asked.push(`${form} ${method} ${host}`);
      return host !== 'b.example';
    },
  };
  await using bed = await new Bed({ lane: true, access }).listen();
  const socket = bed.client();
  const ask = async (target: string, host: string) => {
    const before = bed.lane?.answered.requests ?? 0;
    socket.write(head('GET', target).replace('a.example', host));
    await read(socket, 50);
    return (bed.lane?.answered.requests ?? 0) > before;
  };
  const ready: boolean[] = [];
  for (const host of ['a.example', 'b.example'])
    for (let count = 0; count < 3; count++)
      ready.push(await ask(host === 'a.example' ? '/ready1' : `http://${host}/ready1`, host));
  assert.deepEqual(ready, [false, true, true, false, false, false]);
  assert.deepEqual(asked, ['accelerator GET origin.example', 'proxy GET b.example']);
  socket.destroy();
});

test('a lane that closes waits for answers under way, but no longer than it is told', async () => {
  for (const patient of [true, false]) {
    const clock = patient ? new ManualClock() : { ...systemClock, sleep: async () => undefined };
    await using bed = await new Bed({ lane: true, clock }).listen();
    const socket = bed.client();
    socket.on('error', () => undefined);
    let answer: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      bed.onRequest = (_request, response) => {
        answer = () => response.end('late');
        resolve();
        return true;
      };
    });
    socket.write(head('GET', '/other'));
    await reached;
    const closed = bed.lane?.[Symbol.asyncDispose]();
    if (patient) answer();
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    await once(socket, 'end');
    socket.end();
    await closed;
    assert.equal(heard.endsWith('late'), patient);
    assert.equal(bed.lane?.connections, 0);
  }
});
