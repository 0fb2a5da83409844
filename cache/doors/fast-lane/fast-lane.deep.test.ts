import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { ManualClock, systemClock } from '../../../kernel/index.ts';
import { Bed, goodbye, head, limits, origin, said } from '../../testing/lane-harness.ts';
import { acceleratedHosts } from '../accelerated-hosts.ts';
import { ConnectionSlots } from '../connection-slots.ts';

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
  for (const target of ['/ready300', '/ready300', '/other300', '/ready300'])
    assert.equal(await ask(head('GET', target)), '200');
  assert.equal(await ask(head('GET', '/ready300', 'Unknown: field\r\n')), '200');
  assert.equal(await ask(head('GET', '/ready300')), '200');
  assert.deepEqual(bed.asked, ['GET /ready300', 'GET /other300', 'GET /ready300']);
  assert.equal(bed.lane?.answered.requests, 3);
  bed.table.forget(`${origin}/ready300`);
  assert.equal(await ask(head('GET', '/ready300')), '200');
  assert.equal(bed.asked.length, 4);
  socket.destroy();
});

test('RFC 9112 3.2: what is no host is left to the server, also where every host has an origin', async () => {
  const accelerator = acceleratedHosts([origin]);
  await using bed = await new Bed({ lane: true, accelerator }).listen();
  const socket = bed.client();
  for (const host of ['a.example', 'a.example:80:80', '[', 'a.example:x', 'other.example']) {
    socket.write(`GET /ready300 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await read(socket, 300);
  }
  assert.equal(bed.asked.length, 4);
  assert.equal(bed.lane?.answered.requests, 1);
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

test('an idle connection is closed, in the middle of a head too', async () => {
  await using bed = await new Bed({
    lane: true,
    limits: { ...limits, keepAliveMs: 30, headTimeoutMs: 30 },
  }).listen();
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
  const full = { connections: new ConnectionSlots(100, 0) };
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
  // The side that represented the connection is closed.
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

test('a lane that closes waits for answers in flight, but not longer than its limit', async () => {
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

test('an answer of the slow way is written no faster than the client takes it, and whole', async () => {
  await using bed = await new Bed({ lane: true }).listen();
  const [slow, other] = [bed.client(), bed.client()];
  const piece = Buffer.alloc(100_000, 'x');
  const pieces = 300;
  let written = 0;
  bed.onRequest = (request, response) => {
    if (request.url !== '/large') return false;
    response.writeHead(200, { 'Content-Length': String(piece.length * pieces) });
    const go = () => {
      while (written < pieces) {
        written += 1;
        if (!response.write(piece) && written < pieces) {
          response.once('drain', go);
          return;
        }
      }
      response.end();
    };
    go();
    return true;
  };
  slow.write(head('GET', '/large'));
  for (let at = 0; at < 200; at++) {
    other.write(head('GET', '/ready1'));
    await read(other, 50);
  }
  assert.ok(written < pieces / 2, `${written} of ${pieces} pieces were written for a client that takes none`);
  slow.write(goodbye);
  let bytes = 0;
  slow.on('data', (chunk) => {
    bytes += chunk.length;
  });
  slow.on('end', () => slow.end());
  await once(slow, 'close');
  assert.ok(bytes > piece.length * pieces, `${bytes} bytes`);
  assert.equal(bed.asked.at(-1), 'GET /bye');
  other.destroy();
});
