import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient, RobotsTxt } from '../../../fetch/index.ts';
import { systemClock } from '../../../kernel/index.ts';
import { factsOf } from '../../testing/loopback-site.ts';
import type { Remembered } from '../enumerator.ts';
import { WebEnumerator } from './web-enumerator.ts';

const nginx = '/usr/sbin/nginx';
const pages = '/usr/share/doc/python3.11/html';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    assert.equal(child.exitCode, null, 'nginx did not start');
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Debian's nginx over the Debian pages, with an access log of one line per request. */
async function openNginx() {
  const folder = mkdtempSync(join(tmpdir(), 'garner-nginx-'));
  const port = await freePort();
  const log = join(folder, 'access.log');
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 64; }
    http {
      include /etc/nginx/mime.types;
      log_format line '$status $body_bytes_sent $request_uri'; access_log ${log} line;
      ${temp.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      gzip on; gzip_types text/plain text/css application/javascript;
      server { listen 127.0.0.1:${port}; root ${pages}; disable_symlinks off; }
    }`,
  );
  const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', `${folder}/error.log`]);
  await untilListening(port, child);
  return {
    root: `http://127.0.0.1:${port}/`,
    /** Lines since the last call. */
    lines() {
      const text = readFileSync(log, 'utf8');
      writeFileSync(log, '');
      return text.split('\n').filter(Boolean);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('Debian’s Python pages behind nginx: every page, and no body a second time', async (t) => {
  if (!existsSync(nginx) || !existsSync(pages))
    return t.skip('SKIPPED: needs Debian’s nginx and python3.11-doc');
  await using origin = await openNginx();
  await using http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [origin.root] });
  const enumerator = new WebEnumerator({
    root: origin.root,
    fetch: http.fetch,
    robots: new RobotsTxt({ fetch: http.fetch, clock: systemClock }),
    factsOf,
  });
  const rows = new Map<string, Remembered>();
  const memory = {
    recall: (url: string) => Promise.resolve(rows.get(url)),
    async *known() {
      yield* rows.keys();
    },
  };
  const run = async () => {
    const kinds = new Map<string, string>();
    for await (const item of enumerator.enumerate(memory)) {
      kinds.set(decodeURI(item.url.slice(origin.root.length)), item.kind);
      if (item.remember) rows.set(item.url, item.remember);
      assert.notEqual(item.kind, 'failed', item.url);
    }
    return kinds;
  };
  const started = performance.now();
  const first = await run();
  const seconds = (performance.now() - started) / 1000;
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const met = (name: string) => first.get(name) ?? first.get(name.replace(/index\.html$/, ''));
  const missing = files.filter((name) => met(name) !== 'document' && met(name) !== 'double');
  const count = (kinds: Map<string, string>, kind: string) =>
    [...kinds.values()].filter((one) => one === kind).length;
  const { wireBytes, bytes } = http.counts;
  t.diagnostic(
    `${files.length - missing.length} of ${files.length} html files, ${count(first, 'document')} documents in ` +
      `${seconds.toFixed(2)} s, ${wireBytes} bytes on the wire for ${bytes}`,
  );
  t.diagnostic(
    `gone: ${[...first]
      .filter(([, kind]) => kind === 'gone')
      .map(([path]) => path)
      .join(' ')}`,
  );
  // No link leads to four of them: they are only in the search index.
  assert.deepEqual(missing, []);
  assert.equal(first.get('searchindex.js#pages'), 'sitemap');
  const bodies = origin.lines();
  const list = bodies.filter((line) => line.endsWith(' /searchindex.js'));
  t.diagnostic(`page list: ${list.join(', ')} (status, bytes sent)`);
  assert.equal(list.length, 1);
  assert.ok(bytes > wireBytes && wireBytes > 0);
  assert.equal(first.get('index.html'), 'double');
  const again = performance.now();
  const second = await run();
  const lines = origin.lines();
  t.diagnostic(`second run: ${((performance.now() - again) / 1000).toFixed(2)} s, ${lines.length} requests`);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('200 ')),
    [],
  );
  assert.equal(
    lines.filter((line) => line.startsWith('304 0 ')).length,
    count(first, 'document') + count(first, 'double') + count(first, 'sitemap'),
  );
  assert.deepEqual(
    lines.filter((line) => !/^(304|404) /.test(line)),
    [],
  );
  assert.equal(count(second, 'unchanged'), count(first, 'document'));
  assert.equal(count(second, 'double'), count(first, 'double'));
});
