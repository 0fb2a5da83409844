import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { localhostCertificate, missingOpenssl, seenTrusting } from '../testing/tls.ts';

const nginx = '/usr/sbin/nginx';
const page = `<title>Page</title>${'<p>a page of words</p>'.repeat(200)}`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (!(await listens(port))) {
    assert.equal(child.exitCode, null, 'nginx did not start');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('HTTP/2 of Debian’s nginx: answers as of any server, also where it closes every twentieth request', async (t) => {
  const missing = existsSync(nginx) ? missingOpenssl() : 'SKIPPED: apt-get install nginx';
  if (missing !== undefined) return t.skip(missing);
  using files = localhostCertificate();
  const { folder } = files;
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  // nginx reads as another user than root, who made the folder.
  for (const path of [folder, pages]) chmodSync(path, 0o755);
  writeFileSync(join(pages, 'page.html'), page);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const conf = join(folder, 'nginx.conf');
  writeFileSync(
    conf,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 64; }
    http {
      include /etc/nginx/mime.types; access_log off; gzip on; keepalive_requests 20;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      server {
        listen 127.0.0.1:${port} ssl http2; root ${pages};
        ssl_certificate ${files.cert}; ssl_certificate_key ${files.key};
        location = /busy { add_header Retry-After 0 always; return 503; }
        location = /moved { return 301 https://localhost:${port}/page.html; }
        location = /version { default_type text/plain; return 200 $server_protocol; }
      }
    }`,
  );
  const child = spawn(nginx, ['-p', folder, '-c', conf, '-e', join(folder, 'error.log')]);
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    await untilListening(port, child);
    const url = `https://localhost:${port}`;
    const options = { http2: true, retries: 3 };
    const requested = ['/page.html', '/moved', '/busy', '/none', '/version'].map((path) => ({
      url: url + path,
    }));
    const [[plain, moved, busy, none, version] = []] = await seenTrusting(files.cert, [requested], {
      ...options,
      retries: 1,
    });
    assert.equal(plain?.text, page);
    assert.ok((plain?.wireBytes ?? 0) > 0 && (plain?.wireBytes ?? 0) < page.length / 4);
    assert.deepEqual([moved?.text, moved?.redirects], [page, 1]);
    assert.deepEqual([busy?.status, none?.status], [503, 404]);
    assert.equal(version?.text, 'HTTP/2.0');
    const etag = plain?.etag ?? '';
    const again = { url: `${url}/page.html`, etag };
    const answers = (
      await seenTrusting(files.cert, Array(15).fill([again, again, again, again]), options)
    ).flat();
    assert.equal(answers.length, 60);
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [304, '']);
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
});
