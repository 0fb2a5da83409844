import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { isGarnerError, ManualClock } from '../../kernel/index.ts';
import { HttpClient } from '../http/http-client.ts';
import { CookieJar } from './cookie-jar.ts';
import { Credentials } from './credentials.ts';
import { withCredentials } from './credentials-fetch.ts';

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

test('the longest prefix decides, and a secret goes nowhere else', () => {
  const credentials = Credentials.parse(
    [
      { url: 'https://h.org/', token: 'all' },
      { url: 'https://h.org/private', user: 'anna', password: 'sésame' },
      { url: 'ftp://h.org/', user: 'anna', 'password-env': 'FTP_PASSWORD' },
      { name: 'two', url: 'https://h.org:8443/', token: 'other' },
    ],
    { FTP_PASSWORD: 'from outside' },
  );
  assert.equal(credentials.header('https://h.org/private/x'), basic('anna', 'sésame'));
  assert.equal(credentials.header('https://h.org/private?x'), basic('anna', 'sésame'));
  assert.equal(credentials.header('https://h.org/private-not'), 'Bearer all');
  assert.equal(credentials.header('https://h.org/private/../x'), 'Bearer all');
  assert.equal(credentials.header('https://h.org:8443/'), 'Bearer other');
  for (const url of [
    'http://h.org/',
    'https://x.h.org/',
    'https://h.org.evil.org/',
    'https://h.org:444/',
    'x',
  ])
    assert.equal(credentials.header(url), undefined, url);
  assert.deepEqual(credentials.login('ftp://H.org:21/pub'), { user: 'anna', password: 'from outside' });
  assert.equal(credentials.header('ftp://h.org/'), undefined);
  assert.equal(credentials.only('two').header('https://h.org:8443/'), 'Bearer other');
  assert.deepEqual(credentials.unprotected, ['ftp://h.org/']);
  const shown = [
    String(credentials),
    inspect(credentials, { depth: 9, showHidden: true }),
    JSON.stringify({ credentials }),
  ];
  assert.ok(!/sésame|outside|Bearer|anna|all"/.test(shown.join()), shown.join());
});

test('a fault is reported with its key and its remedy, and never with the secret', () => {
  const url = 'https://h.org/';
  const cases: [unknown, string][] = [
    ['x', 'credentials'],
    [[7], 'credentials[0]'],
    [[{ url, user: 'secret' }], 'credentials[0]'],
    [[{ url, user: 'a', password: 'secret', token: 'secret' }], 'credentials[0]'],
    [[{ url: 'https://a:secret@h.org/', token: 'secret' }], 'credentials[0].url'],
    [[{ token: 'secret' }], 'credentials[0].url'],
    [[{ url: 'file:///x', token: 'secret' }], 'credentials[0].url'],
    [[{ url, token: 'secret\r\nX: y' }], 'credentials[0].token'],
    [[{ url, 'token-env': 'NOT_SET' }], 'credentials[0].token-env'],
    [[{ url, user: 'a:b', password: 'secret' }], 'credentials[0].user'],
    [[{ url, passwort: 'secret' }], 'credentials[0].passwort'],
  ];
  for (const [value, key] of cases)
    assert.throws(
      () => Credentials.parse(value),
      (error) => {
        assert.ok(isGarnerError(error) && error.code === 'FETCH_CREDENTIALS');
        assert.ok(error.message.startsWith(`${key}:`), error.message);
        return !JSON.stringify([error.message, error.hint, error.data]).includes('secret');
      },
    );
  assert.throws(() => Credentials.parse([{ url, token: 't' }]).only('none'), { code: 'FETCH_CREDENTIALS' });
});

async function openSite(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('redirects: each request carries what belongs to its own URL and nothing of the one before', async () => {
  const seen: string[] = [];
  const note = (name: string, { url, headers }: IncomingMessage) =>
    seen.push(`${name}${url} ${headers.authorization ?? '-'} ${headers.cookie ?? '-'}`);
  await using other = await openSite((request, response) => {
    note('other', request);
    response.end('other');
  });
  await using site = await openSite((request, response) => {
    note('site', request);
    const to: Record<string, string> = { '/in/1': '/in/2', '/in/2': '/out', '/out': `${other.root}/x` };
    const location = to[request.url ?? ''];
    response.setHeader('set-cookie', [
      's=1; Path=/',
      'n=2, 3; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT',
    ]);
    response.writeHead(location ? 302 : 200, location ? { location } : {}).end();
  });
  await using http = new HttpClient({ userAgent: 't', allowHosts: [site.root, other.root], retries: 0 });
  const credentials = Credentials.parse([{ url: `${site.root}/in/`, token: 'T' }]);
  const cookies = new CookieJar({ clock: new ManualClock() });
  const fetch = withCredentials(http.fetch, { credentials, cookies });
  await using response = await fetch({
    url: `${site.root}/in/1`,
    headers: { cookie: 'typed=1', 'x-other': 'y' },
  });
  assert.deepEqual(seen, [
    ...[
      'site/in/1 Bearer T typed=1',
      'site/in/2 Bearer T s=1; n=2, 3',
      'site/out - s=1; n=2, 3',
      'other/x - -',
    ],
  ]);
  assert.equal(response.status, 200);
  assert.deepEqual(
    response.redirects.map(({ to }) => new URL(to).pathname),
    ['/in/2', '/out', '/x'],
  );
  const manual = await fetch({ url: `${site.root}/in/1`, redirect: 'manual' });
  assert.equal(manual.location, `${site.root}/in/2`);
  await manual[Symbol.asyncDispose]();
});

const nginx = '/usr/sbin/nginx';

test('Debian’s nginx with basic auth: refused without, read with', async (t) => {
  if (!existsSync(nginx)) return t.skip('SKIPPED: apt-get install nginx-light');
  const home = mkdtempSync(join(tmpdir(), 'garner-auth-'));
  await using free = await openSite(() => undefined);
  const port = Number(new URL(free.root).port);
  await free[Symbol.asyncDispose]();
  const hash = execFileSync('openssl', ['passwd', '-apr1', 'open sesame'], { encoding: 'utf8' }).trim();
  writeFileSync(join(home, 'users'), `anna:${hash}\n`);
  writeFileSync(join(home, 'page.html'), '<p>private');
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(home, 'conf'),
    `daemon off; master_process off; ${user} pid ${home}/pid; error_log ${home}/log; events { worker_connections 64; } http {
     access_log off; ${temp.join(' ')} server { listen 127.0.0.1:${port}; root ${home};
     auth_basic "x"; auth_basic_user_file ${home}/users; } }`,
  );
  const child = spawn(nginx, ['-p', home, '-c', join(home, 'conf'), '-e', `${home}/log`], {
    stdio: 'ignore',
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = `http://127.0.0.1:${port}/page.html`;
    while (!(await answers(port))) assert.equal(child.exitCode, null);
    await using http = new HttpClient({ userAgent: 't', allowHosts: [url], retries: 0 });
    const status = async (value: unknown) => {
      await using response = await withCredentials(http.fetch, { credentials: Credentials.parse(value) })({
        url,
      });
      return response.status;
    };
    const root = `http://127.0.0.1:${port}/`;
    assert.equal(await status([]), 401);
    assert.equal(await status([{ url: root, user: 'anna', password: 'wrong' }]), 401);
    assert.equal(await status([{ url: root, user: 'anna', password: 'open sesame' }]), 200);
    assert.equal(await status([{ url: `${root}elsewhere/`, user: 'anna', password: 'open sesame' }]), 401);
  } finally {
    child.kill();
    await closed;
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
