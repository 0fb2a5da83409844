import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer as createWeb, type RequestListener } from 'node:http';
import { createServer as createSecureWeb } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { CacheReport } from '../cache/index.ts';
import { freePort, runCommand, startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf } from './commands/command-here.ts';
import { missingGopher, openGophernicus } from './gopher-servers.ts';
import { measuredRun } from './hostile/run.ts';
import { missingServers, serveFtp } from './hostile/servers.ts';
import { summariesIn } from './hostile/store.ts';
import { certificateIn, noCertificates } from './localhost-certificate.ts';

function missing(): string | undefined {
  return noCertificates ?? missingGopher() ?? missingServers();
}

/** A date long ago, so that pages are fresh for a day by their age. */
const longAgo = 1_600_000_000;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, longAgo, longAgo);
  chmodSync(path, 0o644);
}

const page = (title: string, ...links: readonly string[]) =>
  `<title>${title}</title><p>${title}. ${links.map((link) => `<a href="${link}">on</a>`).join(' ')}`;

/** A web server of pages with old dates, which records its requests. */
async function openWeb(
  pages: Readonly<Record<string, string>>,
  tls?: { readonly key: string; readonly cert: string },
) {
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    const body = pages[request.url ?? ''];
    const date = new Date(longAgo * 1000).toUTCString();
    asked.push(request.url ?? '');
    if (body === undefined) response.writeHead(404).end();
    else if (request.headers['if-modified-since'] === date) response.writeHead(304).end();
    else
      response
        .writeHead(200, {
          'content-type': request.url?.endsWith('.txt') ? 'text/plain' : 'text/html',
          'last-modified': date,
        })
        .end(body);
  };
  const server: Server =
    tls === undefined
      ? createWeb(answer)
      : createSecureWeb({ key: readFileSync(tls.key), cert: readFileSync(tls.cert) }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: tls === undefined ? `http://127.0.0.1:${port}/` : `https://localhost:${port}/`,
    place: `${tls === undefined ? '127.0.0.1' : 'localhost'}:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test('a second Gatherer behind a cache sends no request to a server: http, https, ftp and gopher come from the first one’s run', async (t) => {
  const absent = missing();
  if (absent !== undefined) return t.skip(absent);
  await using home = await temporaryFolder();
  chmodSync(home.path, 0o755);
  const at = (...names: string[]) => join(home.path, ...names);
  const certificate = certificateIn(home.path);
  await using web = await openWeb({
    '/robots.txt': 'User-agent: *\nDisallow: /private/\n',
    '/': page('Start of the web', 'one.html', 'private/members.html'),
    '/one.html': page('One of the web'),
    '/private/members.html': page('Members of the web'),
  });
  await using secure = await openWeb(
    {
      '/robots.txt': 'User-agent: *\nAllow: /\n',
      '/': page('Start in secret', 'two.html'),
      '/two.html': page('Two in secret'),
    },
    certificate,
  );
  write(at('ftp', 'pub', 'file.txt'), 'File by FTP\n');
  write(at('gopher', 'text.txt'), 'Text by Gopher\n');
  for (const folder of ['ftp', 'ftp/pub', 'gopher']) chmodSync(at(folder), 0o755);
  const ftp = await serveFtp(at('vsftpd'), at('ftp'));
  await using gopher = await openGophernicus(at('gopher'));

  const allowed = [web.place, secure.place, ftp.url, gopher.url].flatMap((place) => ['--allow-hosts', place]);
  const data = at('cache');
  await using cache = await startServer<{ readonly cache: string }>(
    ['cache', 'serve', '--proxy', '--port', '0', '--data', data, ...allowed, '--cache-negative-ttl', '1h'],
    { env: { NODE_EXTRA_CA_CERTS: certificate.cert } },
  );
  const roots = [web.url, secure.url, ftp.url, gopher.url].map((url) => `    - { url: '${url}' }\n`).join('');
  const gatherer = async (name: string) => {
    const cwd = at(name);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(
      join(cwd, 'garner.yaml'),
      `fetch:\n  cache: '${new URL(cache.ready.cache).host}'\n  retries: 0\n  no-proxy: [unasked.example]\ngatherer:\n  name: ${name}\n  roots:\n${roots}`,
    );
    const { code, report, stderr } = await measuredRun({ cwd });
    assert.deepEqual([code, report.failures, report.complete], [0, [], true], stderr);
    const titles = [...(await summariesIn(join(cwd, 'data'))).values()].map((one) => one.get('Title') ?? '');
    return titles.sort();
  };
  const titles = ['File by FTP', 'One of the web', 'Start in secret', 'Start of the web', 'Text by Gopher'];
  const expected = [...titles, 'Two in secret'].sort();
  assert.deepEqual(await gatherer('first'), expected);
  // Pages that robots.txt disallows stay disallowed for every Gatherer.
  assert.deepEqual(
    web.asked.filter((path) => path.includes('private')),
    [],
  );
  assert.ok(web.asked.includes('/robots.txt') && secure.asked.includes('/two.html'));
  const counts = () => [web.asked.length, secure.asked.length, gopher.connections];
  const cacheAnswers = async () => {
    const { answers } = await jsonOf<CacheReport>(['cache', 'status', '--data', data]);
    assert.ok(answers !== null);
    return answers;
  };
  const before = counts();
  const { outcomes: first } = await cacheAnswers();
  assert.ok((before[2] ?? 0) >= 2);
  await ftp[Symbol.asyncDispose]();

  assert.deepEqual(await gatherer('second'), expected);
  assert.deepEqual(counts(), before);
  // The same Gatherer again: the cache answers its conditional requests.
  assert.deepEqual(await gatherer('first'), expected);
  assert.deepEqual(counts(), before);
  const { outcomes: after } = await cacheAnswers();
  assert.deepEqual({ ...after, hit: 0 }, { ...first, hit: 0 });
  assert.ok(after.hit - first.hit >= 2 * titles.length, JSON.stringify([first, after]));
});

test('errors name a cache that is not running, and give a hint for one that refuses', async () => {
  await using home = await temporaryFolder();
  await using web = await openWeb({ '/': page('Start') });
  const run = (cache: string) =>
    runCommand(
      [
        'gatherer',
        'run',
        '--root',
        web.url,
        '--fetch-cache',
        cache,
        '--fetch-retries',
        '0',
        '--no-robots',
        '--fetch-no-proxy',
        'x.example',
      ],
      { cwd: home.path },
    );
  const port = await freePort();
  const dead = await run(`127.0.0.1:${port}`);
  assert.equal(dead.code, 12, dead.stderr);
  assert.match(
    dead.stderr,
    new RegExp(`The object cache 127\\.0\\.0\\.1:${port} of fetch\\.cache does not answer`),
  );
  await using cache = await startServer<{ readonly cache: string }>([
    'cache',
    'serve',
    '--proxy',
    '--port',
    '0',
    '--data',
    join(home.path, 'cache'),
  ]);
  const refused = await run(new URL(cache.ready.cache).host);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /does not fetch http:\/\/127\.0\.0\.1:\d+\/: its address is private/);
  assert.match(refused.stderr, /cache\.allow-hosts/);
  assert.deepEqual(web.asked, []);
});
