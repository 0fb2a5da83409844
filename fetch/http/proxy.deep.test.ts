import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { isGarnerError } from '../../kernel/index.ts';
import { Proxies, proxyFromEnvironment } from './proxy.ts';

const limits = { connections: 2, headersTimeoutMs: 5000, idleTimeoutMs: 5000, connectTimeoutMs: 5000 };

test('the environment is read in the usual way', () => {
  assert.deepEqual(
    proxyFromEnvironment({ http_proxy: 'http://p:1', HTTPS_PROXY: 'http://p:2', no_proxy: 'a.org, .b.org' }),
    {
      ...{ http: 'http://p:1', https: 'http://p:2', none: ['a.org', '.b.org'] },
    },
  );
  assert.deepEqual(proxyFromEnvironment({ ALL_PROXY: 'p' }), { http: 'p', https: 'p' });
  assert.deepEqual(proxyFromEnvironment({ HTTP_PROXY: 'p', REQUEST_METHOD: 'GET' }), {});
});

test('direct requests: no-proxy by name, domain, port, address, and this machine itself', async () => {
  await using proxies = new Proxies(
    { http: 'p:3128', none: ['a.org', '.b.org', '*.c.org', 'd.org:8080', '2001:db8::1', '10.1.2.3'] },
    limits,
  );
  const direct = (url: string) => proxies.isDirect(new URL(url));
  const yes = [
    'http://a.org/',
    'http://x.A.org/',
    'http://x.b.org/',
    'http://x.c.org/',
    'http://d.org:8080/',
    'http://[2001:db8::1]/',
  ];
  for (const url of [...yes, 'http://10.1.2.3/', 'http://localhost/', 'http://127.0.0.1/', 'https://e.org/'])
    assert.equal(direct(url), true, url);
  for (const url of ['http://e.org/', 'http://xa.org/', 'http://d.org/', 'http://10.1.2.33/'])
    assert.equal(direct(url), false, url);
  await using none = new Proxies({ http: 'p', none: ['*'] }, limits);
  assert.equal(none.isDirect(new URL('http://e.org/')), true);
  assert.throws(
    () => new Proxies({ http: 'socks5://u:secret@h/' }, limits),
    (error) => isGarnerError(error) && error.code === 'FETCH_PROXY' && !error.message.includes('secret'),
  );
});

const listening = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

test('Debian’s tinyproxy: http goes to the proxy whole, https goes through a tunnel', async (t) => {
  const tinyproxy = '/usr/bin/tinyproxy';
  if (!existsSync(tinyproxy)) return t.skip('SKIPPED: apt-get install tinyproxy-bin');
  const home = mkdtempSync(join(tmpdir(), 'garner-proxy-'));
  const seen: string[] = [];
  const origin = createServer(({ url, headers }, response) => {
    seen.push(`${url} ${headers.via ?? '-'} ${headers['proxy-authorization'] ?? '-'}`);
    response.end('origin');
  });
  const originPort = await listening(origin);
  const spare = createServer();
  const port = await listening(spare);
  await new Promise((resolve) => spare.close(resolve));
  writeFileSync(
    join(home, 'conf'),
    `Port ${port}\nListen 127.0.0.1\nTimeout 60\nLogFile "${home}/log"\nLogLevel Connect\nMaxClients 10\nAllow 127.0.0.1\nBasicAuth anna sesame\n`,
  );
  const child = spawn(tinyproxy, ['-d', '-c', join(home, 'conf')], { stdio: 'ignore' });
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    while (!(await answers(port))) assert.equal(child.exitCode, null);
    const proxy = `http://anna:sesame@127.0.0.1:${port}`;
    await using proxies = new Proxies({ http: proxy, https: proxy, loopback: true }, limits);
    const ask = async (url: string) => {
      const dispatcher = proxies.dispatcher(new URL(url));
      assert.ok(dispatcher);
      const { body, statusCode } = await request(url, { dispatcher });
      return `${statusCode} ${await body.text()}`;
    };
    assert.equal(await ask(`http://127.0.0.1:${originPort}/a?b`), '200 origin');
    assert.equal(seen.length, 1);
    assert.match(seen[0] ?? '', /^\/a\?b .*tinyproxy.* -$/);
    // The origin speaks no TLS, but it is reached.
    await assert.rejects(ask(`https://127.0.0.1:${originPort}/`));
    assert.match(readFileSync(join(home, 'log'), 'utf8'), /CONNECT 127\.0\.0\.1:/);
    await using wrong = new Proxies({ http: `http://127.0.0.1:${port}`, loopback: true }, limits);
    const dispatcher = wrong.dispatcher(new URL('http://127.0.0.1/'));
    assert.ok(dispatcher);
    await assert.rejects(request(`http://127.0.0.1:${originPort}/`, { dispatcher }), /407/);
  } finally {
    child.kill();
    await closed;
    origin.closeAllConnections();
    await new Promise((resolve) => origin.close(resolve));
    rmSync(home, { recursive: true });
  }
});

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => setImmediate(() => resolve(false)));
  });
}
