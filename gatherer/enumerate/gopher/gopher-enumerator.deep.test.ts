import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { GopherClient, TokenBucket } from '../../../fetch/index.ts';
import { ManualClock } from '../../../kernel/index.ts';
import {
  advanceUntil,
  brief,
  freePort,
  openDaemon,
  openServer,
  RunMemory,
  scratch,
  textOf,
} from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { GopherEnumerator } from './gopher-enumerator.ts';

const gophernicus = '/usr/sbin/gophernicus';
const pygopherd = '/usr/sbin/pygopherd';

function enumerating(url: string, client: GopherClient, more: object = {}) {
  return new GopherEnumerator({ rule: new ScopeRule(parseRootNode({ url, ...more }, 'root')), client });
}

/** A tree with a file of each kind, readable for everyone. */
function fill(root: string): void {
  mkdirSync(join(root, 'sub/deeper'), { recursive: true });
  const files: Record<string, string> = {
    'a.txt': 'hello\n',
    'sub/b.txt': '.dotted\n..twice\n',
    'sub/p.html': '<title>p</title>',
    'sub/i.gif': 'GIF89a',
    'sub/deeper/c.bin': '\0\x01',
    'sub/.secret': 'no',
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), text);
    chmodSync(join(root, name), 0o644);
  }
  for (const folder of ['', 'sub', 'sub/deeper']) chmodSync(join(root, folder), 0o755);
}

test('Debian’s gophernicus: menus in menus, each document once, and nothing new in a second run', async (t) => {
  if (!existsSync(gophernicus)) return t.skip('SKIPPED: apt-get install gophernicus');
  using home = scratch('gophernicus');
  fill(home.path);
  // It refuses to serve as root, and speaks on its standard input and output.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const args = ['-h', '127.0.0.1', '-r', home.path, '-nv', '-nu', '-nx', '-nf'];
  await using server = await openServer((socket) => {
    const child = spawn(gophernicus, [...args, '-p', String(socket.localPort)], { ...user, stdio: 'pipe' });
    socket.pipe(child.stdin);
    child.stdin.on('error', () => undefined);
    child.stdout.pipe(socket);
  });
  const url = `gopher://127.0.0.1:${server.port}/`;
  const client = new GopherClient({ allowHosts: [url] });
  const runs = new RunMemory();
  const first = await runs.run(enumerating(url, client));
  const expected = ['0/a.txt', '0/sub/b.txt', '9/sub/deeper/c.bin', 'g/sub/i.gif', 'h/sub/p.html'];
  const documents = brief(first, url).filter((line) => line.startsWith('document'));
  assert.deepEqual(
    documents.sort(),
    expected.map((path) => `document ${path}`),
  );
  assert.equal(textOf(first, 'b.txt')?.replaceAll('\r', ''), '.dotted\n..twice\n');
  const page = first.find((item) => item.url.endsWith('.html'));
  assert.ok(
    page?.kind === 'document' && page.document.contentType === 'text/html' && page.document.name === 'p.html',
  );
  const second = await runs.run(enumerating(url, client));
  assert.deepEqual(
    brief(second, url)
      .filter((line) => !line.startsWith('skipped'))
      .sort(),
    expected.map((path) => `unchanged ${path}`),
  );
});

test('Debian’s pygopherd: the same tree, and a missing document is gone', async (t) => {
  if (!existsSync(pygopherd)) return t.skip('SKIPPED: apt-get install pygopherd');
  using home = scratch('pygopherd');
  const root = join(home.path, 'root');
  mkdirSync(root);
  fill(root);
  const port = await freePort();
  const lines = readFileSync('/etc/pygopherd/pygopherd.conf', 'utf8');
  const set: Record<string, string> = {
    ...{ port: String(port), root, usechroot: 'no', pidfile: join(home.path, 'pid'), logmethod: 'file' },
    // Its cache of a menu can be read half-written; then it closes without an answer.
    ...{ servertype: 'ThreadingTCPServer', cachetime: '0' },
  };
  const config = Object.entries(set).reduce(
    (text, [key, value]) => text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${value}`),
    lines.replace('[pygopherd]', '[pygopherd]\nservername = 127.0.0.1\ninterface = 127.0.0.1'),
  );
  writeFileSync(join(home.path, 'conf'), config);
  await using _daemon = await openDaemon([pygopherd, join(home.path, 'conf')], port);
  const url = `gopher://127.0.0.1:${port}/`;
  const client = new GopherClient({ allowHosts: [url] });
  const reported = await new RunMemory().run(enumerating(url, client));
  const documents = brief(reported, url).filter((line) => line.startsWith('document'));
  assert.deepEqual(documents.sort(), [
    ...['document 0/a.txt', 'document 0/sub/b.txt', 'document 9/sub/deeper/c.bin', 'document g/sub/i.gif'],
    'document h/sub/p.html',
  ]);
  assert.equal(textOf(reported, 'a.txt')?.trim(), 'hello');
  assert.equal((await client.fetch({ url: `${url}0/none.txt` })).status, 404);
  await assert.rejects(client.menu(`${url}1/none`), { code: 'FETCH_GOPHER_MENU' });
});

/** A server that answers each selector from a table; `port` in it is replaced by its own. */
async function openFake(answers: Record<string, string | undefined>) {
  const asked: string[] = [];
  const server = await openServer((socket: Socket) => {
    socket.once('data', (data) => {
      const selector = String(data).replace(/\r\n$/, '');
      asked.push(selector);
      const answer = answers[selector];
      if (answer !== undefined) socket.end(answer.replaceAll('PORT', String(server.port)));
    });
  });
  const url = `gopher://127.0.0.1:${server.port}/`;
  return { url, asked, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const item = (type: string, selector: string, host = '127.0.0.1', port = 'PORT') =>
  `${type}label\t${selector}\t${host}\t${port}\r\n`;

test('other hosts, schemes, searches and hidden names are left out by a rule, loops end', async () => {
  await using fake = await openFake({
    '': `iwelcome\r\n${item('1', '')}${item('1', '/m')}${item('0', '/t')}${item('0', '/t')}${item('7', '/search')}${item(
      '0',
      '/x',
      'example.org',
      '70',
    )}${item('h', 'URL:http://example.org/')}${item('0', '/.cap/x')}${item('0', '/a/../b')}broken\r\n.\r\n${item('0', '/behind')}`,
    '/m': `${item('1', '/m')}${item('1', '')}${item('0', '/u')}`,
    '/t': 'text\r\n..dot\r\n.\r\n',
    '/u': '3not here\t\terror.host\t1\r\n.\r\n',
  });
  const reported = await new RunMemory().run(
    enumerating(fake.url, new GopherClient({ allowHosts: [fake.url] })),
  );
  const lines = reported.map(
    (one) => `${one.kind} ${one.url.replace(fake.url, '')}${one.kind === 'skipped' ? `: ${one.rule}` : ''}`,
  );
  assert.deepEqual(
    lines.sort(),
    [
      'document 0/t',
      'gone 0/u',
      'skipped 0/.cap/x: its name begins with a dot',
      'skipped 0/a/../b: its selector leads upwards',
      'skipped 7/search: items of type 7 are no documents',
      `skipped gopher://example.org/0/x: same host as ${fake.url.slice(0, -1)}`,
      'skipped hURL:http://example.org/: a link to another scheme is not followed',
    ].sort(),
  );
  assert.equal(textOf(reported, '0/t'), 'text\r\n.dot\r\n');
  assert.deepEqual(
    fake.asked.filter((selector) => selector.includes('behind')),
    [],
  );
});

test('a menu that cannot be read deletes nothing, and a server without a root menu is an error', async () => {
  const answers: Record<string, string | undefined> = {
    '': `${item('1', '/m')}${item('0', '/t')}`,
    '/m': item('0', '/u'),
  };
  Object.assign(answers, { '/t': 't', '/u': 'u' });
  await using fake = await openFake(answers);
  const client = new GopherClient({ allowHosts: [fake.url] });
  const runs = new RunMemory();
  await runs.run(enumerating(fake.url, client));
  answers['/m'] = 'no menu at all';
  assert.deepEqual(brief(await runs.run(enumerating(fake.url, client)), fake.url).sort(), [
    'failed 0/u',
    'failed 1/m',
    'unchanged 0/t',
  ]);
  assert.ok(runs.rows.has(`${fake.url}0/u`));
  answers['/m'] = `${item('0', '/t')}.\r\n`;
  answers[''] = `${item('1', '/m')}${item('0', '/t')}.\r\n`;
  await runs.run(enumerating(fake.url, client));
  assert.ok(!runs.rows.has(`${fake.url}0/u`));
  answers[''] = '3gone\t\terror.host\t1\r\n';
  await assert.rejects(runs.run(enumerating(fake.url, client)), { code: 'FETCH_GOPHER_MENU' });
});

test('items and menus wait for the rate of all requests', async () => {
  await using fake = await openFake({ '': item('0', '/t'), '/t': 'text' });
  const clock = new ManualClock(0);
  const rate = new TokenBucket({ clock, perSecond: 1, burst: 1 });
  const client = new GopherClient({ allowHosts: [fake.url], clock, rate });
  const run = new RunMemory().run(enumerating(fake.url, client));
  await advanceUntil(clock, run, 20);
  assert.deepEqual(brief(await run, fake.url), ['document 0/t']);
  assert.ok(clock.now() >= 1000, String(clock.now()));
});

test('a server that stalls or never ends is given up, private addresses are refused', async () => {
  await using fake = await openFake({ '/long': 'x'.repeat(100_000) });
  const clock = new ManualClock();
  const client = new GopherClient({ allowHosts: [fake.url], clock, maxBytes: 1000 });
  const stalled = client.menu(fake.url);
  const failed = assert.rejects(stalled, { code: 'FETCH_TIMEOUT' });
  await advanceUntil(clock, failed, 5000);
  await assert.rejects(client.fetch({ url: `${fake.url}0/long` }), { code: 'FETCH_TOO_LARGE' });
  await assert.rejects(new GopherClient().menu(fake.url), { code: 'FETCH_PRIVATE_ADDRESS' });
});

test('a server that closes once without an answer gets one more request', async () => {
  let asked = 0;
  await using server = await openServer((socket) => {
    socket.once('data', () => socket.end(asked++ === 0 ? '' : `${item('0', '/t', '127.0.0.1', '70')}.\r\n`));
  });
  const url = `gopher://127.0.0.1:${server.port}/`;
  const menu = await new GopherClient({ allowHosts: [url] }).menu(url);
  assert.deepEqual([menu.items.length, asked], [1, 2]);
});

test('a server that closes without an answer deletes nothing', async () => {
  const whole = { '': `${item('1', '/m')}${item('0', '/t')}.\r\n`, '/m': `${item('0', '/u')}.\r\n` };
  const answers: Record<string, string | undefined> = { ...whole, '/t': 't', '/u': 'u' };
  await using fake = await openFake(answers);
  const client = new GopherClient({ allowHosts: [fake.url] });
  const runs = new RunMemory();
  await runs.run(enumerating(fake.url, client));
  answers['/m'] = '';
  const reported = brief(await runs.run(enumerating(fake.url, client)), fake.url).sort();
  assert.deepEqual(reported, ['failed 0/u', 'failed 1/m', 'unchanged 0/t']);
  answers[''] = '';
  await assert.rejects(runs.run(enumerating(fake.url, client)), { code: 'FETCH_GOPHER_MENU' });
  assert.equal(runs.rows.size, 2);
  answers[''] = '.\r\n';
  assert.deepEqual(brief(await runs.run(enumerating(fake.url, client)), fake.url), []);
  assert.equal(runs.rows.size, 0);
});

test('documents missing in a menu without its last line are requested before they count as deleted', async () => {
  const answers: Record<string, string | undefined> = {
    '': `${item('0', '/t')}${item('0', '/u')}${item('0', '/v')}.\r\n`,
    ...{ '/t': 't', '/u': 'u', '/v': 'v' },
  };
  await using fake = await openFake(answers);
  const client = new GopherClient({ allowHosts: [fake.url] });
  const runs = new RunMemory();
  await runs.run(enumerating(fake.url, client));
  answers[''] = item('0', '/t');
  answers['/v'] = '3not here\t\terror.host\t1\r\n.\r\n';
  const reported = brief(await runs.run(enumerating(fake.url, client)), fake.url).sort();
  assert.deepEqual(reported, ['gone 0/v', 'unchanged 0/t', 'unchanged 0/u']);
});

test('a menu beyond the limit is cut, and the cut is reported', async () => {
  await using fake = await openFake({ '': `${'ix\t\tx\t1\r\n'.repeat(100_000)}${item('0', '/t')}.\r\n` });
  const client = new GopherClient({ allowHosts: [fake.url] });
  const [cut, ...more] = await new RunMemory().run(enumerating(fake.url, client));
  assert.ok(cut?.kind === 'skipped' && cut.limit && /no more than 100000 items/.test(cut.rule));
  assert.deepEqual(more, []);
});

test('menus and items are requested with the delay of the root', async () => {
  await using fake = await openFake({ '': `${item('0', '/t')}.\r\n`, '/t': 'text' });
  const clock = new ManualClock(0);
  // Time passes faster than any network.
  const patient = { connectTimeoutMs: 1e6, idleTimeoutMs: 1e6, totalTimeoutMs: 1e6 };
  const client = new GopherClient({ allowHosts: [fake.url], clock, ...patient });
  const run = new RunMemory().run(enumerating(fake.url, client, { delay: '30s' }));
  await advanceUntil(clock, run, 20);
  assert.deepEqual(brief(await run, fake.url), ['document 0/t']);
  assert.ok(clock.now() >= 30_000, String(clock.now()));
});
