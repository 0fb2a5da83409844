import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CacheReport, Explanation } from '../../cache/index.ts';
import { jsonOf, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere, serveHere } from '../commands/command-here.ts';

interface Ready {
  readonly name: string;
  readonly cache: string;
  readonly admin: string;
  readonly icp?: string;
  readonly htcp?: string;
}

/** A server that records its requests. */
async function openOrigin(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ asked, place, url: `http://${place}` },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const fresh: RequestListener = (request, response) => {
  response.setHeader(
    'cache-control',
    request.url?.startsWith('/private') === true ? 'private' : 'max-age=600',
  );
  response.setHeader('surrogate-key', 'all');
  response.end(`page ${request.url}`);
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
before(async () => {
  folder = await temporaryFolder();
});
after(() => folder[Symbol.asyncDispose]());

const dataIn = (name: string) => ['--data', join(folder.path, name)];
const serve = (name: string, ...args: readonly string[]) =>
  serveHere<Ready>(['cache', 'serve', ...dataIn(name), '--port', '0', ...args]);

/** Request a URL from a proxy. */
function through(
  proxy: string,
  url: string,
): Promise<{ readonly status: IncomingMessage; readonly text: string }> {
  return new Promise((resolve, reject) => {
    get(proxy, { path: url, headers: { host: new URL(url).host }, agent: false }, (status) => {
      let text = '';
      status.setEncoding('utf8');
      status.on('data', (piece: string) => {
        text += piece;
      });
      status.on('end', () => resolve({ status, text }));
      status.on('error', reject);
    }).on('error', reject);
  });
}

test('an accelerator serves, reports its state, explains and purges, and keeps its store after a restart', async () => {
  using origin = await openOrigin(fresh);
  const flags = [
    ...dataIn('edge'),
    '--port',
    '0',
    '--origin',
    origin.url,
    '--admin-tokens',
    'a-token-of-mine',
  ];
  const began = await startServer<Ready>(['cache', 'serve', ...flags]);
  const first = await fetch(new URL('/a', began.ready.cache));
  assert.equal(await first.text(), 'page /a');
  assert.match(first.headers.get('cache-status') ?? '', /; fwd=uri-miss; fwd-status=200; stored$/);
  const second = await fetch(new URL('/a', began.ready.cache));
  assert.equal(second.headers.get('cache-status'), `${began.ready.name}; hit; ttl=${ttlOf(second)}`);
  await (await fetch(new URL('/private', began.ready.cache))).text();

  const report = await jsonOf<CacheReport>(['cache', 'status', ...dataIn('edge')]);
  assert.deepEqual([report.name, report.origin, report.proxy], [began.ready.name, origin.url, false]);
  assert.equal(report.answers?.outcomes.hit, 1);
  assert.equal(report.hottest[0]?.url, `${origin.url}/a`);
  const why = await jsonHere<Explanation>(['cache', 'why', '/private', ...dataIn('edge')]);
  assert.equal(why.recent[0]?.storedBy?.name, 'private');
  const said = await runHere(['cache', 'why', `${origin.url}/a`, ...dataIn('edge')]);
  assert.match(said.stdout, /the stored response is fresh \[RFC 9111 4\.2; fresh\]/);

  const page = await fetch(new URL('/status', began.ready.admin), { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /<h1>1 response, 33\.3 % of answers from the cache<\/h1>/);
  const metrics = await (await fetch(new URL('/metrics', began.ready.admin))).text();
  assert.match(metrics, /^garner_cache_requests_total\{outcome="hit"\} 1$/m);
  assert.match(metrics, /^garner_cache_responses 1$/m);
  const measured = [...metrics.matchAll(/^# TYPE (garner_\S+)/gm)].map(([, name = '']) => name);
  assert.ok(measured.length > 5);
  for (const name of measured) assert.match(name, /^garner_(?:cache_(?!peer)|http_)/);
  const order = { method: 'POST', body: '{"tag":"all"}' };
  assert.equal((await fetch(new URL('/purge', began.ready.admin), order)).status, 401);
  // The port of cached traffic has no pages of its own.
  assert.equal(await (await fetch(new URL('/status', began.ready.cache))).text(), 'page /status');
  await began.stop();

  assert.equal((await jsonHere<CacheReport>(['cache', 'status', ...dataIn('edge')])).answers, null);
  const again = await startServer<Ready>(['cache', 'serve', ...flags]);
  assert.equal(again.ready.name, began.ready.name, 'a cache keeps its name');
  const before = origin.asked.length;
  assert.equal(await (await fetch(new URL('/a', again.ready.cache))).text(), 'page /a');
  assert.equal(origin.asked.length, before, 'nothing is fetched again after a restart');
  const authorization = 'Bearer a-token-of-mine';
  const purged = await fetch(new URL('/purge', again.ready.admin), { ...order, headers: { authorization } });
  assert.deepEqual(await purged.json(), { purged: 2, soft: false });
  await again.stop();
  const left = await jsonHere<CacheReport>(['cache', 'status', ...dataIn('edge')]);
  assert.equal(left.store.entries, 0);
});

const ttlOf = (response: Response) => /ttl=(\d+)/.exec(response.headers.get('cache-status') ?? '')?.[1];

test('a cache serves the document that confirms it at its administration port', async () => {
  using origin = await openOrigin(fresh);
  await using cache = await serve('named', '--origin', origin.url);
  const document = async (at: string) => (await fetch(new URL('/.well-known/garner.json', at))).text();
  const { servers } = JSON.parse(await document(cache.ready.admin)) as {
    readonly servers: readonly object[];
  };
  assert.deepEqual(servers.map(Object.keys), [['id', 'key']]);
  assert.match(await document(cache.ready.cache), /^page /, 'the other port has the documents of the origin');
});

test('a purge works without a running server', async () => {
  using origin = await openOrigin(fresh);
  const began = await serve('idle', '--origin', origin.url);
  for (const path of ['/a', '/b/1', '/b/2']) await (await fetch(new URL(path, began.ready.cache))).text();
  await began[Symbol.asyncDispose]();
  const purge = (...args: readonly string[]) => jsonHere(['cache', 'purge', ...args, ...dataIn('idle')]);
  const starred = await runHere(['cache', 'purge', '/b/*', ...dataIn('idle')]);
  assert.match(starred.stdout, /^ {2}0 responses purged\n {2}the \* was taken .*: --prefix \/b\/\n/);
  assert.deepEqual(await purge('--prefix', `${origin.url}/b/`), { purged: 2, soft: false });
  assert.deepEqual(await purge(`${origin.url}/a`, '--soft'), { purged: 1, soft: true });
  const again = await serve('idle', '--origin', origin.url);
  const answered = await fetch(new URL('/a', again.ready.cache));
  assert.match(answered.headers.get('cache-status') ?? '', /fwd=stale/);
  await again[Symbol.asyncDispose]();
});

test('without a running server, commands know the origin and the budgets of the last server', async () => {
  using origin = await openOrigin(fresh);
  const config = join(folder.path, 'elsewhere.yaml');
  await writeFile(config, 'cache:\n  disk: 64MiB\n  ttl-rules: [{ pattern: /b, override: 5s }]\n');
  const began = await serve(
    'known',
    '--origin',
    origin.url,
    '--disk',
    '1GiB',
    '--name',
    'front',
    '--htcp-keys',
    'k=a-secret-of-both',
    '--config',
    config,
  );
  for (const path of ['/a', '/b']) await (await fetch(new URL(path, began.ready.cache))).text();
  await began[Symbol.asyncDispose]();
  const why = (path: string) => jsonHere<Explanation>(['cache', 'why', path, ...dataIn('known')]);
  assert.equal((await why('/a')).entries[0]?.lifetimeSeconds, 600);
  assert.equal((await why('/b')).entries[0]?.lifetimeFrom, 'rule');
  const status = (...more: readonly string[]) =>
    jsonHere<CacheReport>(['cache', 'status', ...dataIn('known'), ...more]);
  const { name, origin: place, origins, store } = await status();
  assert.deepEqual(origins, [{ host: null, url: origin.url }]);
  assert.deepEqual([name, place, store.diskBudgetBytes], ['front', origin.url, 2 ** 30]);
  // A former flag overrides every file; other former settings apply only where nothing is set now.
  await writeFile(config, 'cache:\n  disk: 1MiB\n  proxy: true\n');
  const elsewhere = await status('--config', config);
  assert.deepEqual([elsewhere.store.diskBudgetBytes, elsewhere.proxy], [2 ** 30, true]);
  assert.deepEqual(await jsonHere(['cache', 'purge', '/a', ...dataIn('known')]), { purged: 1, soft: false });
  const kept = await readFile(join(folder.path, 'known/cache/served-with.json'), 'utf8');
  assert.ok(kept.includes('cache.origin') && !kept.includes('a-secret-of-both'));
  await writeFile(
    join(folder.path, 'known/cache/served-with.json'),
    '{"settings":[{"key":"cache.origin","value":7},3',
  );
  const { code, stderr } = await runHere(['cache', 'why', '/a', ...dataIn('known')]);
  assert.equal(code, 2, stderr);
});

test('three levels of proxies send one request to the origin for many concurrent requests', async () => {
  using origin = await openOrigin(fresh);
  const level = (name: string, ...parent: readonly string[]) =>
    serve(name, '--proxy', '--icp-port', '0', '--allow-hosts', origin.place, ...parent);
  const parentOf = ({ cache, icp = '' }: Ready) =>
    `${new URL(cache).host}:${icp.slice(icp.lastIndexOf(':') + 1)}`;
  await using top = await level('top');
  await using middle = await level('middle', '--parent', parentOf(top.ready), '--never-direct');
  await using low = await level('low', '--parent', parentOf(middle.ready), '--never-direct');
  const url = `${origin.url}/wanted`;
  const answers = await Promise.all(Array.from({ length: 50 }, () => through(low.ready.cache, url)));
  assert.ok(answers.every(({ text }) => text === 'page /wanted'));
  assert.deepEqual(origin.asked, ['GET /wanted']);
  const { status } = await through(low.ready.cache, url);
  const members = String(status.headers['cache-status']).split(', ');
  assert.ok(members.at(-1)?.startsWith(`${low.ready.name}; hit`), members.join());
  const report = await jsonHere<CacheReport>(['cache', 'status', ...dataIn('middle')]);
  const [parent] = report.neighbours;
  assert.deepEqual([parent?.role, parent?.state, parent?.fetched], ['parent', 'up', 1]);
  assert.deepEqual(
    report.children.map(({ name, requests }) => [name, requests]),
    [[low.ready.name, 1]],
  );
  // A sender of requests on this machine is a client, not a cache.
  assert.deepEqual((await jsonHere<CacheReport>(['cache', 'status', ...dataIn('low')])).children, []);
});

test('a parent with the response gets time before the origin is used, and purges together with its child', async () => {
  using origin = await openOrigin(fresh);
  const allow = ['--proxy', '--allow-hosts', origin.place];
  await using parent = await serve('old', ...allow, '--htcp-port', '0', '--clear-access', 'loopback');
  const port = (place = '') => place.slice(place.lastIndexOf(':') + 1);
  const known = `${new URL(parent.ready.cache).host},htcp=${port(parent.ready.htcp)}`;
  await using child = await serve('young', ...allow, '--parent', known, '--race-after', '10s');
  const url = `${origin.url}/kept`;
  await through(parent.ready.cache, url);
  const { status } = await through(child.ready.cache, url);
  assert.match(String(status.headers['cache-status']), /; hit; ttl=\d+, .*; fwd=uri-miss;.*detail=parent-/);
  assert.deepEqual(origin.asked, ['GET /kept']);
  const purged = await runHere(['cache', 'purge', url, '--peers', ...dataIn('young')]);
  assert.equal(purged.stdout, '  1 response purged\n  purge sent to 1 peer\n');
  const alone = await runHere(['cache', 'purge', url, '--peers', ...dataIn('old')]);
  assert.match(
    alone.stdout,
    /\n {2}no peer was notified: only a serving cache notifies peers, and only by HTCP/,
  );
  const left = async (name: string) =>
    (await jsonHere<CacheReport>(['cache', 'status', ...dataIn(name)])).store.entries;
  assert.equal(await left('young'), 0);
  // The datagram was sent before the answer to the purge; a request over HTTP takes longer.
  assert.equal(await left('old'), 0);
  const metrics = await (await fetch(new URL('/metrics', child.ready.admin))).text();
  assert.match(metrics, /^garner_cache_peer_requests_total\{[^}]*result="answered"[^}]*\} 1$/m);
});

test('the fast lane gives the same answers as the door, its hits are counted, and purges apply to it', async () => {
  using origin = await openOrigin(fresh);
  await using edge = await serve('lane', '--origin', origin.url);
  const ask = async () => {
    const response = await fetch(new URL('/a', edge.ready.cache));
    return { status: response.headers.get('cache-status') ?? '', text: await response.text() };
  };
  const answers = [];
  for (let at = 0; at < 20; at++) answers.push(await ask());
  assert.ok(answers.every(({ text }) => text === 'page /a'));
  assert.match(answers[0]?.status ?? '', /; stored$/);
  assert.ok(answers.slice(1).every(({ status }) => status.startsWith(`${edge.ready.name}; hit; ttl=`)));
  const report = await jsonHere<CacheReport>(['cache', 'status', ...dataIn('lane')]);
  assert.equal(report.answers?.outcomes.hit, 19);
  await jsonHere(['cache', 'purge', '--all', ...dataIn('lane')]);
  assert.match((await ask()).status, /; stored$/);
  assert.equal(origin.asked.length, 2);
});

test('a proxy fetches Gopher items and stores them', async () => {
  const selectors: string[] = [];
  const gopher = createSocketServer((socket) => {
    socket.once('data', (line: Buffer) => {
      selectors.push(line.toString('latin1').trim());
      socket.end('A text of 1994.\r\n.\r\n');
    });
  });
  await new Promise<void>((resolve) => {
    gopher.listen(0, '127.0.0.1', resolve);
  });
  try {
    const place = `127.0.0.1:${(gopher.address() as AddressInfo).port}`;
    await using proxy = await serve('gopher', '--proxy', '--allow-hosts', place);
    for (const outcome of [/fwd=uri-miss/, /; hit/]) {
      const { status, text } = await through(proxy.ready.cache, `gopher://${place}/0/about`);
      assert.equal(status.statusCode, 200);
      assert.match(text, /A text of 1994/);
      assert.match(String(status.headers['cache-status']), outcome);
    }
    assert.deepEqual(selectors, ['/about']);
  } finally {
    gopher.close();
  }
});

test('an invalid configuration of a cache is refused with a hint', async () => {
  const refused = async (args: readonly string[], problem: RegExp) => {
    const { code, stdout, stderr } = await runHere(args, { cwd: folder.path });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, problem);
    assert.match(stderr, /^ {2}try {3}\S/m);
  };
  await refused(['cache', 'serve'], /cache serve needs a mode/);
  await refused(['cache', 'serve', '--origin', 'nowhere'], /cache\.origin cannot be used/);
  await refused(['cache', 'serve', '--proxy', '--parent', 'x'], /holds "x", which is no peer/);
  await refused(
    ['cache', 'serve', '--proxy', '--connect-ports', 'web'],
    /cache\.connect-ports cannot be used/,
  );
  await refused(['cache', 'serve', '--proxy', '--name', 'a name'], /not valid in Via/);
  await refused(['cache', 'serve', '--proxy', '--tls-port', '0'], /--tls-port needs it/);
  await refused(['cache', 'purge'], /exactly one of a URL, --prefix, --tag and --all/);
  await refused(['cache', 'purge', '/a', '--all'], /exactly one of/);
});
