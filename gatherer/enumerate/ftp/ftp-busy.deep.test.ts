import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { FtpClient } from '../../../fetch/index.ts';
import { ManualClock } from '../../../kernel/index.ts';
import { advanceUntil, brief, openServer, RunMemory } from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { FtpEnumerator } from './ftp-enumerator.ts';

const line = (facts: string, name: string) => `${facts}modify=20200101000000; ${name}\r\n`;
const tree: Readonly<Record<string, string>> = {
  '/': line('type=file;size=1;', 'a.txt') + line('type=dir;', 'sub'),
  '/sub': line('type=file;size=1;', 'b.txt'),
};

/** An FTP server with two folders and a file in each, which refuses the commands of `refuse`. */
async function openFtp() {
  const reported = {
    refuse: (_name: string, _folder: string): string | undefined => undefined,
    folders: tree,
    files: {} as Record<string, string>,
    /** How files are sent, when that is not at once. */
    drip: undefined as ((peer: Socket) => Promise<void>) | undefined,
  };
  const server = await openServer((socket: Socket) => {
    let folder = '/';
    let data: Promise<Socket> | undefined;
    let listener: Server | undefined;
    socket.once('close', () => listener?.close());
    const say = (text: string) => socket.write(`${text}\r\n`);
    const passive = () => {
      data = new Promise((resolve) => {
        const once = createServer((peer) => {
          peer.on('error', () => undefined);
          once.close();
          resolve(peer);
        });
        once.listen(0, '127.0.0.1', () => say(`229 ok (|||${(once.address() as AddressInfo).port}|)`));
        listener = once;
      });
    };
    const send = (text: string) => {
      say('150 here');
      void data?.then((peer) => peer.end(text, () => say('226 done')));
    };
    const answers: Record<string, (rest: string) => void> = {
      USER: () => say('331 password'),
      PASS: () => say('230 in'),
      FEAT: () => say('211-x\r\n MLST type*;size*;modify*;\r\n211 end'),
      PWD: () => say('257 "/"'),
      EPSV: passive,
      CWD: (path) => {
        folder = path.length > 1 ? path.replace(/\/$/, '') : path;
        say('250 ok');
      },
      MLSD: () => send(reported.folders[folder] ?? ''),
      LIST: () => say('450 not now'),
      RETR: (path) => {
        if (reported.drip === undefined) return send(reported.files[path] ?? 'x');
        say('150 here');
        void data?.then(reported.drip);
      },
    };
    say('220 ready');
    socket.setEncoding('latin1').on('data', (text) => {
      for (const command of String(text).split('\r\n').filter(Boolean)) {
        const [name = ''] = command.split(' ', 1);
        const refusal = reported.refuse(name, folder);
        if (refusal !== undefined) say(refusal);
        else (answers[name] ?? (() => say('200 ok')))(command.slice(name.length + 1));
      }
    });
  });
  const url = `ftp://127.0.0.1:${server.port}/`;
  return { reported, url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('an FTP server that is busy for one run deletes no summary, neither of a file nor of a folder', async () => {
  await using ftp = await openFtp();
  await using client = new FtpClient({ allowHosts: [ftp.url] });
  const rule = new ScopeRule(parseRootNode({ url: ftp.url }, 'root'));
  const runs = new RunMemory();
  const run = async () => brief(await runs.run(new FtpEnumerator({ rule, client })), ftp.url);
  assert.deepEqual(await run(), ['document a.txt', 'document sub/b.txt']);
  ftp.reported.refuse = (name, folder) => (name === 'MLSD' && folder === '/sub' ? '450 Busy' : undefined);
  assert.deepEqual(await run(), ['unchanged a.txt', 'failed sub/', 'failed sub/b.txt']);
  // Without its row the file is read again.
  runs.rows.set(`${ftp.url}a.txt`, { md5: 'other' });
  ftp.reported.refuse = (name) => (name === 'RETR' ? '451 Local error, see RFC 550' : undefined);
  assert.deepEqual(await run(), ['failed a.txt', 'unchanged sub/b.txt']);
  assert.equal(runs.rows.size, 2);
  ftp.reported.refuse = (name) => (name === 'RETR' ? '550 No' : undefined);
  assert.deepEqual(await run(), ['skipped a.txt', 'unchanged sub/b.txt']);
  ftp.reported.refuse = (name) => (name === 'MLSD' ? '450 Busy' : undefined);
  await assert.rejects(run(), { code: 'FETCH_FTP_BUSY' });
  assert.equal(runs.rows.size, 1);
});

const listed = (...names: string[]) =>
  names.map((name) => `-rw-r--r-- 1 ftp ftp 1 Jan  1  2020 ${name}\n`).join('');

test('an incomplete ready-made listing deletes nothing, and an empty one is no listing', async () => {
  await using ftp = await openFtp();
  await using client = new FtpClient({ allowHosts: [ftp.url] });
  const rule = new ScopeRule(parseRootNode({ url: ftp.url }, 'root'));
  const runs = new RunMemory();
  const run = async () => brief(await runs.run(new FtpEnumerator({ rule, client })), ftp.url).sort();
  const there = async () => (await run()).map((text) => text.replace(/^document|^unchanged/, 'there')).sort();
  const { reported } = ftp;
  const all = [`.:\n${listed('a.txt')}`, `./sub:\n${listed('b.txt', 'c.txt')}`, `./old:\n${listed('d.txt')}`];
  reported.folders = {
    '/': `${tree['/']}${line('type=file;size=1;', 'ls-lR')}`,
    '/sub': `${tree['/sub']}${line('type=file;size=1;', 'c.txt')}`,
    '/old': line('type=file;size=1;', 'd.txt'),
  };
  reported.files['/ls-lR'] = all.join('\n');
  assert.deepEqual(await there(), ['there a.txt', 'there old/d.txt', 'there sub/b.txt', 'there sub/c.txt']);
  // The listing is being written and ends in the middle; one of the files is really deleted.
  reported.files['/ls-lR'] = all[0] as string;
  reported.folders = { ...reported.folders, '/sub': tree['/sub'] as string };
  assert.deepEqual(await there(), ['there a.txt', 'there old/d.txt', 'there sub/b.txt']);
  assert.ok(!runs.rows.has(`${ftp.url}sub/c.txt`));
  // A folder that the server does not show now keeps its summaries.
  reported.refuse = (name, folder) => (name === 'MLSD' && folder === '/old' ? '450 Busy' : undefined);
  assert.ok((await run()).includes('failed old/d.txt'));
  reported.refuse = () => undefined;
  reported.files['/ls-lR'] = '';
  assert.deepEqual(await there(), ['there a.txt', 'there ls-lR', 'there sub/b.txt']);
});

// Time passes faster than any network.
const patient = { connectTimeoutMs: 1e6, idleTimeoutMs: 1e6 };

test('files and folders are requested with the delay of the root', async () => {
  await using ftp = await openFtp();
  const clock = new ManualClock(0);
  await using client = new FtpClient({ allowHosts: [ftp.url], clock, ...patient });
  const rule = new ScopeRule(parseRootNode({ url: ftp.url, delay: '5s' }, 'root'));
  const run = new RunMemory().run(new FtpEnumerator({ rule, client, clock }));
  await advanceUntil(clock, run, 5);
  assert.deepEqual(brief(await run, ftp.url), ['document a.txt', 'document sub/b.txt']);
  // Two folders and two files.
  assert.ok(clock.now() >= 15_000, String(clock.now()));
});

test('a file that arrives byte by byte is given up', async () => {
  await using ftp = await openFtp();
  const clock = new ManualClock(0);
  await using client = new FtpClient({ allowHosts: [ftp.url], clock, ...patient, totalTimeoutMs: 60_000 });
  ftp.reported.drip = async (peer) => {
    while (!peer.destroyed) {
      peer.write('x');
      await clock.sleep(20_000);
    }
  };
  const failed = assert.rejects(client.read(`${ftp.url}a.txt`), /took longer than 60 s/);
  await advanceUntil(clock, failed, 100);
});

test('a folder with a too long listing does not affect others, and keeps its summaries', async () => {
  await using ftp = await openFtp();
  await using client = new FtpClient({ allowHosts: [ftp.url], maxListingBytes: 1000 });
  const rule = new ScopeRule(parseRootNode({ url: ftp.url }, 'root'));
  const runs = new RunMemory();
  const run = async () => brief(await runs.run(new FtpEnumerator({ rule, client })), ftp.url).sort();
  const { reported } = ftp;
  const more = line('type=dir;', 'zoo');
  reported.folders = { ...tree, '/': `${tree['/']}${more}`, '/zoo': line('type=file;size=1;', 'z.txt') };
  assert.deepEqual(await run(), ['document a.txt', 'document sub/b.txt', 'document zoo/z.txt']);
  reported.folders = {
    ...reported.folders,
    '/sub': `${tree['/sub']}${line('type=file;size=1;', 'x'.repeat(100)).repeat(20)}`,
  };
  assert.deepEqual(await run(), [
    'failed sub/',
    'failed sub/b.txt',
    'unchanged a.txt',
    'unchanged zoo/z.txt',
  ]);
  const many = Array.from({ length: 9 }, (_, at) => `d${at}`);
  const long = reported.folders['/sub'] as string;
  reported.folders = { '/': many.map((name) => line('type=dir;', name)).join('') };
  for (const name of many) reported.folders = { ...reported.folders, [`/${name}`]: long };
  await assert.rejects(run(), { code: 'FETCH_FTP_SPEECH' });
});
