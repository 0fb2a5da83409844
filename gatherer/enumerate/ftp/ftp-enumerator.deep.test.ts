import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FtpClient } from '../../../fetch/index.ts';
import { brief, freePort, openDaemon, RunMemory, scratch, textOf } from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { FtpEnumerator } from './ftp-enumerator.ts';

const program = '/usr/sbin/vsftpd';
const absent = existsSync(program) ? undefined : 'SKIPPED: apt-get install vsftpd';

/** Debian's vsftpd over a folder, for anonymous users. */
async function openFtp() {
  const home = scratch('vsftpd');
  const root = join(home.path, 'root');
  for (const folder of [root, join(home.path, 'empty')]) mkdirSync(folder);
  const port = await freePort();
  const config = {
    listen: 'YES',
    listen_address: '127.0.0.1',
    listen_port: port,
    background: 'NO',
    anonymous_enable: 'YES',
    local_enable: 'NO',
    anon_root: root,
    run_as_launching_user: 'YES',
    secure_chroot_dir: join(home.path, 'empty'),
    seccomp_sandbox: 'NO',
    xferlog_enable: 'YES',
    log_ftp_protocol: 'YES',
    vsftpd_log_file: join(home.path, 'log'),
    no_anon_password: 'NO',
    connect_from_port_20: 'NO',
    anon_world_readable_only: 'YES',
  };
  const file = join(home.path, 'conf');
  writeFileSync(
    file,
    Object.entries(config)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  const daemon = await openDaemon([program, file], port);
  return {
    root,
    url: `ftp://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}

/** Seconds since 1970 as the time of a file. */
function write(root: string, name: string, text: string, seconds: number): void {
  writeFileSync(join(root, name), text);
  utimesSync(join(root, name), seconds, seconds);
}

function enumerating(url: string, client: FtpClient, more: object = {}) {
  return new FtpEnumerator({ rule: new ScopeRule(parseRootNode({ url, ...more }, 'root')), client });
}

test('vsftpd: every file below a folder over one connection, and nothing fetched a second time', async (t) => {
  if (absent) return t.skip(absent);
  await using ftp = await openFtp();
  const { root, url } = ftp;
  mkdirSync(join(root, 'pub/deep/deeper'), { recursive: true });
  write(root, 'README', 'read me', 1_600_000_000);
  write(root, 'pub/a b;type=a.txt', 'spaces', 1_600_000_001);
  write(root, 'pub/deep/größe.html', '<title>x</title>', 1_600_000_002);
  write(root, 'pub/deep/deeper/.hidden', 'no', 1_600_000_003);
  write(root, 'pub/deep/deeper/100%.txt', 'percent', 1_600_000_004);
  symlinkSync('/etc/passwd', join(root, 'pub/link'));
  symlinkSync('..', join(root, 'pub/deep/loop'));
  await using client = new FtpClient({ allowHosts: [url] });
  const runs = new RunMemory();
  const first = await runs.run(enumerating(url, client));
  assert.deepEqual(brief(first, url), [
    'document README',
    'document pub/a%20b%3Btype=a.txt',
    'skipped pub/link',
    'document pub/deep/gr%C3%B6%C3%9Fe.html',
    'skipped pub/deep/loop',
    'document pub/deep/deeper/100%25.txt',
  ]);
  const [readme, , , page] = first;
  assert.ok(readme?.kind === 'document' && readme.document.lastModified === 1_600_000_000);
  assert.equal(textOf(first, 'README'), 'read me');
  assert.ok(page?.kind === 'document' && page.document.name === 'größe.html');
  assert.equal(client.counts.connections, 1);
  assert.equal(client.counts.files, 4);
  const second = await runs.run(enumerating(url, client));
  assert.deepEqual(
    second.filter(({ kind }) => kind === 'document'),
    [],
  );
  assert.equal(second.filter(({ kind }) => kind === 'unchanged').length, 4);
  assert.deepEqual([client.counts.files, client.counts.connections], [4, 1]);
  write(root, 'README', 'READ ME', Math.floor(Date.now() / 1000) - 3600);
  rmSync(join(root, 'pub/deep/deeper/100%.txt'));
  const third = await runs.run(enumerating(url, client));
  assert.equal(textOf(third, 'README'), 'READ ME');
  assert.equal(third.filter(({ kind }) => kind === 'unchanged').length, 2);
  assert.ok(!runs.rows.has(`${url}pub/deep/deeper/100%25.txt`));
});

test('vsftpd: a file that changed within the minute and kept its size is noticed', async (t) => {
  if (absent) return t.skip(absent);
  await using ftp = await openFtp();
  const minute = Math.floor(Date.now() / 60_000) * 60 - 3600;
  write(ftp.root, 'x', 'one', minute + 1);
  await using client = new FtpClient({ allowHosts: [ftp.url] });
  const runs = new RunMemory();
  await runs.run(enumerating(ftp.url, client));
  assert.deepEqual(brief(await runs.run(enumerating(ftp.url, client)), ftp.url), ['unchanged x']);
  write(ftp.root, 'x', 'two', minute + 2);
  assert.equal(textOf(await runs.run(enumerating(ftp.url, client)), 'x'), 'two');
});

test('vsftpd: a ready-made listing of everything is used, and no folder is listed but the root', async (t) => {
  if (absent) return t.skip(absent);
  await using ftp = await openFtp();
  mkdirSync(join(ftp.root, 'a/b c'), { recursive: true });
  write(ftp.root, 'a/b c/x.txt', 'x', 1_600_000_000);
  write(ftp.root, 'a/y.txt', 'y', 1_600_000_000);
  const listing = execFileSync('ls', ['-lR'], {
    cwd: ftp.root,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  writeFileSync(join(ftp.root, 'ls-lR'), listing);
  execFileSync('gzip', ['-k', join(ftp.root, 'ls-lR')]);
  write(ftp.root, 'a/newer.txt', 'not listed yet', 1_600_000_000);
  await using client = new FtpClient({ allowHosts: [ftp.url] });
  const runs = new RunMemory();
  assert.deepEqual(brief(await runs.run(enumerating(ftp.url, client)), ftp.url), [
    'document a/y.txt',
    'document a/b%20c/x.txt',
  ]);
  assert.deepEqual([client.counts.listings, client.counts.files], [1, 3]);
  // The same dates as in a listing of the folders.
  rmSync(join(ftp.root, 'ls-lR'));
  rmSync(join(ftp.root, 'ls-lR.gz'));
  const kinds = brief(await runs.run(enumerating(ftp.url, client)), ftp.url);
  assert.deepEqual(kinds, ['document a/newer.txt', 'unchanged a/y.txt', 'unchanged a/b%20c/x.txt']);
});

test('vsftpd: limits and filters are reported, a forbidden file is left out, a missing root fails', async (t) => {
  if (absent) return t.skip(absent);
  await using ftp = await openFtp();
  mkdirSync(join(ftp.root, 'd/e'), { recursive: true });
  for (const name of ['1', '2', '3', 'no.gif', 'd/4', 'd/e/5']) write(ftp.root, name, name, 1_600_000_000);
  await using client = new FtpClient({ allowHosts: [ftp.url] });
  const limited = enumerating(ftp.url, client, { 'url-max': 2, 'url-filter': [{ deny: '\\.gif$' }] });
  const reported = await new RunMemory().run(limited);
  const cut = reported.flatMap((item) =>
    item.kind === 'skipped' ? [`${item.url.slice(ftp.url.length)} ${item.rule} ${item.limit}`] : [],
  );
  const rule = 'no more than 2 URLs (url-max) true';
  assert.deepEqual(cut, [
    `3 ${rule}`,
    'no.gif url-filter 1: deny \\.gif$ undefined',
    `d/4 ${rule}`,
    `d/e/5 ${rule}`,
  ]);
  chmodSync(join(ftp.root, '1'), 0o600);
  const [forbidden] = await new RunMemory().run(enumerating(ftp.url, client));
  assert.ok(forbidden?.kind === 'skipped' && forbidden.rule === 'the server does not allow it');
  const shallow = await new RunMemory().run(enumerating(ftp.url, client, { depth: 2 }));
  assert.ok(shallow.some((item) => item.kind === 'skipped' && item.url.endsWith('d/e/') && item.limit));
  assert.equal((await limited.decide(`${ftp.url}a/no.gif`)).rule, 'url-filter 1: deny \\.gif$');
  assert.equal((await limited.decide('http://127.0.0.1/')).included, false);
  await assert.rejects(new RunMemory().run(enumerating(`${ftp.url}none/`, client)), {
    code: 'FETCH_FTP_REFUSED',
  });
});
