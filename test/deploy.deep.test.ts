import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serveHttp } from '../http/index.ts';
import { systemClock } from '../kernel/index.ts';
import { checkout } from './checkout.ts';

const root = checkout(dirname(fileURLToPath(import.meta.url)));
const snippet = join(root, 'deploy/nginx/garner-gatherer.conf');
const units = ['garner-gatherer', 'garner-broker', 'garner-cache'].map((name) =>
  join(root, `deploy/systemd/${name}.service`),
);
const run = promisify(execFile);

/** The path of a program, also in administrators' folders; skips the test with a warning when it is not installed. */
function find(t: TestContext, program: string): string | undefined {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  t.skip(`${program} IS NOT INSTALLED: deploy/ was not checked against it`);
  return undefined;
}

/** A typical site configuration, on a socket file instead of a port, with the snippet in its server. */
async function withSite(
  port: number,
  use: (site: { readonly config: string; readonly folder: string; readonly socket: string }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-nginx-'));
  try {
    const socket = join(folder, 'site.sock');
    const config = join(folder, 'nginx.conf');
    const included = join(folder, 'garner-gatherer.conf');
    const text = await readFile(snippet, 'utf8');
    await writeFile(included, text.replaceAll('127.0.0.1:8500', `127.0.0.1:${port}`));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
    await writeFile(
      config,
      `daemon off; pid ${folder}/pid; error_log stderr;
       events {}
       http {
         access_log off; ${temporary}
         server {
           listen unix:${socket};
           location / { return 404; }
           include ${included};
         }
       }`,
    );
    await use({ config, folder, socket });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('nginx accepts the snippet inside a server block', { timeout: 30_000 }, async (t) => {
  const nginx = find(t, 'nginx');
  if (nginx === undefined) return;
  await withSite(8500, async ({ config, folder }) => {
    const { stderr } = await run(nginx, ['-t', '-p', folder, '-c', config]);
    assert.match(stderr, /test is successful/);
    assert.doesNotMatch(stderr, /\[(?:warn|emerg)\]/);
  });
});

test('through nginx the stream and the wire reach a Gatherer', { timeout: 30_000 }, async (t) => {
  const nginx = find(t, 'nginx');
  if (nginx === undefined) return;
  await using gatherer = await serveHttp({
    routes: [
      {
        method: 'GET',
        path: '/soif',
        summary: 'stream',
        scope: 'public',
        parameters: [{ name: 'since', in: 'query', describe: 'Marker', schema: { type: 'string' } }],
        handle: ({ query, headers }) => ({
          body: `since ${query.since} coding ${headers['accept-encoding']}`,
          headers: { etag: '"e.1"' },
        }),
      },
    ],
    upgrades: [
      {
        path: '/',
        handle: (_request, socket) => {
          socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
          );
          socket.pipe(socket);
        },
      },
    ],
    port: 0,
    clock: systemClock,
    title: 'Gatherer',
    version: '1',
  });
  await withSite(gatherer.port, async ({ config, folder, socket }) => {
    const server = spawn(nginx, ['-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      await listening(socket);
      const host = 'www.example.org';
      const stream = await ask(socket, '/soif?since=e.7', { host, 'accept-encoding': 'gzip' });
      assert.deepEqual(
        [stream.status, stream.body, stream.headers.etag],
        [200, 'since e.7 coding gzip', '"e.1"'],
      );
      const unchanged = await ask(socket, '/soif', { host, 'if-none-match': '"e.1"' });
      assert.equal(unchanged.status, 304);
      assert.equal((await ask(socket, '/soif', { host }, 'POST')).status, 403);
      assert.equal((await ask(socket, '/health', { host })).status, 404, 'nothing else is passed on');
      assert.equal(await echoed(socket, host), 'ping');
    } finally {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    }
  });
});

/** Resolves when a server accepts connections on the socket file. */
async function listening(socketPath: string): Promise<void> {
  for (;;) {
    try {
      await ask(socketPath, '/', { host: 'x' });
      return;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

interface Got {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

function ask(
  socketPath: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Got> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, headers, method, agent: false })
      .once('error', reject)
      .once('response', (response) => {
        let body = '';
        response
          .on('data', (chunk) => {
            body += chunk;
          })
          .once('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
      })
      .end();
  });
}

/** The answer over an upgraded connection. */
async function echoed(socketPath: string, host: string): Promise<string> {
  const asked = request({
    socketPath,
    path: '/garner/wire',
    headers: { host, connection: 'Upgrade', upgrade: 'websocket' },
  }).end();
  const [, socket] = await once(asked, 'upgrade');
  socket.write('ping');
  const [data] = await once(socket, 'data');
  socket.destroy();
  return String(data);
}

test('systemd finds nothing wrong with the units', { timeout: 60_000 }, async (t) => {
  const analyze = find(t, 'systemd-analyze');
  if (analyze === undefined) return;
  for (const unit of units) {
    // ExecStart uses env, so this is true whether or not garner is installed here.
    const found: { stdout: string; stderr: string } = await run(analyze, ['verify', unit]);
    assert.equal(found.stdout + found.stderr, '', unit);
    const offline = ['security', '--offline=true', '--threshold=25', '--no-pager', unit];
    const { stdout: report } = await run(analyze, offline);
    assert.match(report, /Overall exposure level .* OK/);
  }
  await assert.rejects(run(analyze, ['verify', snippet]), 'the check can fail');
});

test('the units run the documented commands', () => {
  const [gatherer = '', broker = ''] = units.map(
    (unit) => /^ExecStart=(.*)$/m.exec(readFileSync(unit, 'utf8'))?.[1] ?? '',
  );
  assert.equal(gatherer, '/usr/bin/env garner gatherer serve --data %S/garner-gatherer --port 8500');
  assert.equal(
    broker,
    '/usr/bin/env garner broker serve --collect ws://127.0.0.1:8500 --data %S/garner-broker --port 8501',
  );
  // 2 is a mistake of the configuration, which no restart mends.
  for (const unit of units) assert.match(readFileSync(unit, 'utf8'), /^RestartPreventExitStatus=2$/m, unit);
});
