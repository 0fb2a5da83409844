import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { localhostCertificate, missingOpenssl, seenTrusting } from '../testing/tls.ts';

const page = 'a page of words '.repeat(2000);

/** The requests that the server got, and their versions. */
interface SeenRequest {
  readonly path: string;
  readonly version: string;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** A server of both versions whose paths name their behaviour. */
function bothVersions(files: { readonly key: string; readonly cert: string }) {
  const requested: SeenRequest[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const times = new Map<string, number>();
  const answer = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const path = request.url;
    requested.push({ path, version: request.httpVersion });
    const time = (times.get(path) ?? 0) + 1;
    times.set(path, time);
    const reset = (code: number) => response.stream.close(code);
    const session = response.stream?.session;
    if (path === '/gzip') {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(page));
    } else if (path === '/etag') {
      response.setHeader('etag', '"one"');
      response.statusCode = request.headers['if-none-match'] === '"one"' ? 304 : 200;
      response.end(response.statusCode === 304 ? '' : 'once');
    } else if (path === '/moved') {
      response.writeHead(301, { location: '/page' });
      response.end();
    } else if (path === '/busy' && time === 1) {
      response.writeHead(503, { 'retry-after': '0' });
      response.end('busy');
    } else if (path === '/gone') {
      response.writeHead(404);
      response.end('no');
    } else if (path === '/reset') reset(constants.NGHTTP2_INTERNAL_ERROR);
    else if (path === '/cancel') reset(constants.NGHTTP2_CANCEL);
    else if (path === '/refused' && time === 1) reset(constants.NGHTTP2_REFUSED_STREAM);
    else if (path.startsWith('/half')) {
      response.write('the first half', () => reset(constants.NGHTTP2_INTERNAL_ERROR));
    } else if (path.startsWith('/goaway')) {
      response.write('the first half', () => session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM));
    } else if (path.startsWith('/shut') && time === 1) session?.goaway(constants.NGHTTP2_NO_ERROR);
    else if (path.startsWith('/cut')) response.write('the first half', () => session?.destroy());
    else if (path.startsWith('/end') && time === 1) {
      // As nginx does after its number of requests: open requests end, then the connection.
      session?.goaway(constants.NGHTTP2_NO_ERROR, response.stream.id);
      response.end(`${page}${path}`);
    } else response.end(`${page}${path}`);
  };
  const server = createSecureServer(
    { key: readFileSync(files.key), cert: readFileSync(files.cert), allowHTTP1: true },
    answer,
  );
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream) => stream.on('error', () => undefined));
  const close = () => {
    for (const session of sessions) session.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return { server, requested, close };
}

async function behindTls(
  t: TestContext,
  use: (given: { url: string; cert: string; requested: SeenRequest[] }) => Promise<void>,
) {
  const missing = missingOpenssl();
  if (missing !== undefined) return t.skip(missing);
  using files = localhostCertificate();
  const { server, requested, close } = bothVersions(files);
  try {
    await use({ url: await listening(server), cert: files.cert, requested });
  } finally {
    await close();
  }
}

const quick = { http2: true, retries: 1, headersTimeoutMs: 5000, totalTimeoutMs: 10_000 };

test('HTTP/2: pages, 304, gzip, redirects, errors and Retry-After as over HTTP/1.1', (t) =>
  behindTls(t, async ({ url, cert, requested }) => {
    const requests = [
      ['/page', '/gzip', '/moved', '/gone', '/busy', '/refused'].map((path) => ({ url: url + path })),
      [{ url: `${url}/etag` }, { url: `${url}/etag`, etag: '"one"' }],
    ];
    const overTwo = await seenTrusting(cert, requests, quick);
    assert.ok(requested.length > 8 && requested.every(({ version }) => version === '2.0'));
    const [[plain, zipped, moved, gone, busy, refused] = [], [first, again] = []] = overTwo;
    assert.equal(plain?.text, `${page}/page`);
    assert.equal(zipped?.text, page);
    assert.ok((zipped?.wireBytes ?? 0) < 1000);
    assert.deepEqual([moved?.text, moved?.redirects], [`${page}/page`, 1]);
    assert.deepEqual([gone?.status, gone?.text], [404, 'no']);
    assert.equal(busy?.status, 200);
    assert.equal(refused?.status, 200);
    assert.deepEqual([first?.status, first?.etag, first?.text], [200, '"one"', 'once']);
    assert.deepEqual([again?.status, again?.text], [304, '']);
  }));

for (const together of [1, 6])
  test(`HTTP/2: ${together} at once, streams reset and connections closed are typed errors`, (t) =>
    behindTls(t, async ({ url, cert }) => {
      const many = (path: string) =>
        Array.from({ length: together }, (_, at) => ({ url: `${url}/${path}${at}` }));
      const [resets, halves, goaways, shut, cuts, ends, after] = await seenTrusting(
        cert,
        [
          [{ url: `${url}/reset` }, { url: `${url}/cancel` }],
          many('half'),
          many('goaway'),
          many('shut'),
          many('cut'),
          many('end'),
          many('page'),
        ],
        quick,
      );
      for (const seen of resets ?? []) assert.equal(seen.error, 'FETCH_UNREACHABLE');
      for (const seen of [...(halves ?? []), ...(goaways ?? []), ...(cuts ?? [])])
        assert.match(seen.error ?? '', /^FETCH_(?:INTERRUPTED|UNREACHABLE)$/);
      for (const seen of [...(shut ?? []), ...(ends ?? []), ...(after ?? [])]) assert.equal(seen.status, 200);
    }));

test('HTTP/2: a server that speaks only HTTP/1.1 gets that, one request at a time', async (t) => {
  const missing = missingOpenssl();
  if (missing !== undefined) return t.skip(missing);
  using files = localhostCertificate();
  const versions = new Set<string>();
  const server = createHttpsServer(
    { key: readFileSync(files.key), cert: readFileSync(files.cert) },
    (request, response) => {
      versions.add(request.httpVersion);
      response.end(request.url);
    },
  );
  try {
    const url = await listening(server);
    const [seen] = await seenTrusting(files.cert, [[{ url: `${url}/a` }, { url: `${url}/b` }]], quick);
    assert.deepEqual(
      seen?.map(({ text }) => text),
      ['/a', '/b'],
    );
    assert.deepEqual([...versions], ['1.1']);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
