import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as tlsRequest } from 'node:https';
import { type AddressInfo, connect, createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { isGarnerError, ManualClock, systemClock } from '../kernel/index.ts';
import { certificateIn, noCertificates } from '../test/localhost-certificate.ts';
import { callControl } from './control-door.ts';
import { httpErrors } from './errors.ts';
import { eventStream } from './event-stream.ts';
import type { Route } from './route.ts';
import { type HttpOptions, type HttpServer, serveHttp } from './server.ts';

const limits = { skip: noCertificates ?? false, timeout: 20_000 };
const token = 'control-token';

interface Pem {
  readonly cert: string;
  readonly key: string;
}

let folder = '';
/** Two certificates for `localhost` that nothing has signed but themselves. */
let [first, second]: [Pem, Pem] = [
  { cert: '', key: '' },
  { cert: '', key: '' },
];
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'garner-tls-'));
  if (noCertificates !== undefined) return;
  const made = (name: string): Pem => {
    mkdirSync(join(folder, name));
    const { cert, key } = certificateIn(join(folder, name));
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  };
  first = made('first');
  second = made('second');
});
after(() => rmSync(folder, { recursive: true }));

const routes: readonly Route[] = [
  { ...{ method: 'GET', path: '/', summary: 'root', scope: 'public' }, handle: () => ({ body: 'over TLS' }) },
  {
    ...{ method: 'POST', path: '/control/run', summary: 'run', scope: 'admin' },
    handle: ({ body }) => ({ json: JSON.parse(Buffer.from(body).toString()) }),
  },
];

function serve(tls: Pem, more: Partial<HttpOptions> = {}): Promise<HttpServer> {
  return serveHttp({
    ...{ routes, port: 0, clock: systemClock, title: 'T', version: '1', tls },
    tokens: { admin: [token] },
    ...more,
  });
}

/** The text of an answer, from a server whose certificate is `ca`. */
function ask(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    tlsRequest(url, { ca, agent: false })
      .once('error', reject)
      .once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece;
        });
        response.once('end', () => resolve(text));
      })
      .end();
  });
}

const named = ({ port }: HttpServer) => `https://localhost:${port}/`;

test('a server with a certificate answers over TLS and says so in its address', limits, async () => {
  await using server = await serve(first);
  assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+\/$/);
  assert.equal(await ask(named(server), first.cert), 'over TLS');
  await assert.rejects(ask(named(server), second.cert), /self-signed/);
});

test('plain HTTP on a port of TLS gets 400 with the cure', limits, async () => {
  await using server = await serve(first);
  const response = await fetch(`http://127.0.0.1:${server.port}/`);
  assert.equal(response.status, 400);
  const { error } = (await response.json()) as { error: Record<string, string> };
  assert.equal(error.code, 'HTTP_PLAIN_ON_TLS');
  assert.match(`${error.message}; ${error.hint}`, /plain HTTP; write https:\/\//);
  // The server goes on.
  assert.equal(await ask(named(server), first.cert), 'over TLS');
});

test('bytes that are no TLS end a connection, not the server', limits, async () => {
  await using server = await serve(first);
  for (const bytes of [Buffer.alloc(64, 22), Buffer.from([22, 3, 1, 255, 255]), Buffer.alloc(1)]) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.end(bytes);
    socket.resume();
    await once(socket, 'close');
  }
  assert.equal(await ask(named(server), first.cert), 'over TLS');
});

test('a renewed certificate serves new connections, and open ones stay', limits, async () => {
  await using server = await serve(first);
  const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const own = socket.getPeerX509Certificate()?.fingerprint256;
  const answered = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [answer] = await once(socket, 'data');
    return String(answer);
  };
  assert.match(await answered(), /^HTTP\/1\.1 200 OK/);
  server.renewTls(second);
  assert.equal(await ask(named(server), second.cert), 'over TLS');
  await assert.rejects(ask(named(server), first.cert));
  assert.match(await answered(), /^HTTP\/1\.1 200 OK/);
  assert.equal(own, new X509Certificate(first.cert).fingerprint256);
  assert.throws(() => server.renewTls({ cert: first.cert, key: second.key }));
  assert.equal(await ask(named(server), second.cert), 'over TLS');
  socket.destroy();
});

test('a TLS handshake that does not go on is cut after the time of a request head', limits, async () => {
  await using server = await serve(first, { limits: { headerTimeoutMs: 50 } });
  for (const bytes of [Buffer.from([22, 3, 1]), Buffer.alloc(0)]) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    socket.resume();
    await once(socket, 'close');
  }
});

test('a server over TLS does not wait at its end for handshakes that do not go on', limits, async () => {
  const clock = new ManualClock();
  const server = await serve(first, { clock, limits: { headerTimeoutMs: 600_000 } });
  const sockets = [Buffer.from([22, 3, 1]), Buffer.alloc(0)].map((bytes) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    socket.resume();
    return socket;
  });
  // This answer comes over a connection that was opened after the others.
  assert.equal(await ask(named(server), first.cert), 'over TLS');
  const closed = sockets.map((socket) => once(socket, 'close'));
  const ended = server[Symbol.asyncDispose]();
  clock.advance(2_000);
  await ended;
  await Promise.all(closed);
});

test('a connection that never began its TLS handshake ends with the server at once', limits, async () => {
  // The clock does not move: a close that waited for its grace would never end.
  const server = await serve(first, { clock: new ManualClock(), limits: { headerTimeoutMs: 600_000 } });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  assert.equal(await ask(named(server), first.cert), 'over TLS');
  const closed = once(socket, 'close');
  await server[Symbol.asyncDispose]();
  await closed;
});

test('a standing answer over TLS ends in order with the server', limits, async () => {
  const events = async function* (signal: AbortSignal) {
    yield { json: 1 };
    await once(signal, 'abort');
  };
  const clock = new ManualClock();
  const live: Route = {
    ...{ method: 'GET', path: '/live', summary: 'live', scope: 'public', isStanding: true },
    handle: ({ signal }) => eventStream(events(signal), { clock }),
  };
  const server = await serve(first, { clock, routes: [live] });
  const answer = ask(`${named(server)}live`, first.cert);
  while (server.standingAnswers === 0) await new Promise((resolve) => setImmediate(resolve));
  await server[Symbol.asyncDispose]();
  assert.match(await answer, /^retry: 3000\n\n/);
});

test('a control call accepts the announced certificate whatever it names, and no other', limits, async () => {
  await using server = await serve(first);
  const door = (...certificates: readonly string[]) => ({
    ...{ address: `https://127.0.0.1:${server.port}`, token },
    certificates,
  });
  const run = (certificates: readonly string[]) =>
    callControl(door(...certificates), '/control/run', { method: 'POST', json: { asked: 1 } });
  assert.deepEqual(await run([first.cert]), { asked: 1 });
  assert.deepEqual(await run([second.cert, first.cert]), { asked: 1 });
  for (const certificates of [[second.cert], [], ['no certificate']])
    await assert.rejects(run(certificates), (error) => isGarnerError(error, httpErrors.HTTP_HOLDER_GONE));
  const { certificates: _, ...bare } = door();
  await assert.rejects(callControl(bare, '/'), (error) => isGarnerError(error, httpErrors.HTTP_HOLDER_GONE));
});

test('the token of a control call reaches no server with another certificate', limits, async () => {
  const heard: string[] = [];
  const impostor = createServer(second, (request, response) => {
    heard.push(String(request.headers.authorization));
    response.end('{}');
  });
  impostor.on('secureConnection', (socket) =>
    socket.on('data', (bytes: Buffer) => heard.push(String(bytes))),
  );
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(impostor.address() as AddressInfo).port}`;
  try {
    await assert.rejects(callControl({ address, token, certificates: [first.cert] }, '/status'), (error) =>
      isGarnerError(error, httpErrors.HTTP_HOLDER_GONE),
    );
    assert.deepEqual(await callControl({ address, token, certificates: [second.cert] }, '/'), '{}');
    assert.equal(heard.filter((text) => text === `Bearer ${token}`).length, 1);
    assert.ok(!heard.join().includes('/status'));
  } finally {
    impostor.closeAllConnections();
    await new Promise((resolve) => impostor.close(resolve));
  }
});

test('a control call over TLS can be interrupted in its handshake', limits, async () => {
  const silent = createPlainServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const leaving = new AbortController();
  silent.once('connection', () => leaving.abort(new Error('left')));
  await assert.rejects(
    callControl({ address, token, certificates: [first.cert] }, '/', { signal: leaving.signal }),
    /left/,
  );
  silent.close();
});
