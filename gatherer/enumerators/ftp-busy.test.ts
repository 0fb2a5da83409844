import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { FtpClient } from '../../fetch/index.ts';
import { FtpEnumerator } from './ftp-enumerator.ts';
import { parseRootNode } from './root-node.ts';
import { brief, openServer, RunMemory } from './run-memory.test.ts';
import { ScopeRule } from './scope-rule.ts';

const line = (facts: string, name: string) => `${facts}modify=20200101000000; ${name}\r\n`;
const folders: Readonly<Record<string, string>> = {
  '/': line('type=file;size=1;', 'a.txt') + line('type=dir;', 'sub'),
  '/sub': line('type=file;size=1;', 'b.txt'),
};

/** An FTP server with two folders and a file in each, which refuses commands as `refuse` says. */
async function openFtp() {
  const told = { refuse: (_name: string, _folder: string): string | undefined => undefined };
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
      MLSD: () => send(folders[folder] ?? ''),
      LIST: () => say('450 not now'),
      RETR: () => send('x'),
    };
    say('220 ready');
    socket.setEncoding('latin1').on('data', (text) => {
      for (const command of String(text).split('\r\n').filter(Boolean)) {
        const [name = ''] = command.split(' ', 1);
        const refusal = told.refuse(name, folder);
        if (refusal !== undefined) say(refusal);
        else (answers[name] ?? (() => say('200 ok')))(command.slice(name.length + 1));
      }
    });
  });
  const url = `ftp://127.0.0.1:${server.port}/`;
  return { told, url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('an FTP server that is busy for one run takes no summary away: neither a file’s nor a folder’s', async () => {
  await using ftp = await openFtp();
  await using client = new FtpClient({ allowHosts: [ftp.url] });
  const rule = new ScopeRule(parseRootNode({ url: ftp.url }, 'root'));
  const runs = new RunMemory();
  const run = async () => brief(await runs.run(new FtpEnumerator({ rule, client })), ftp.url);
  assert.deepEqual(await run(), ['document a.txt', 'document sub/b.txt']);
  ftp.told.refuse = (name, folder) => (name === 'MLSD' && folder === '/sub' ? '450 Busy' : undefined);
  assert.deepEqual(await run(), ['unchanged a.txt', 'failed sub/', 'failed sub/b.txt']);
  // Without what is remembered of it the file is read again.
  runs.rows.set(`${ftp.url}a.txt`, { md5: 'other' });
  ftp.told.refuse = (name) => (name === 'RETR' ? '451 Local error, see RFC 550' : undefined);
  assert.deepEqual(await run(), ['failed a.txt', 'unchanged sub/b.txt']);
  assert.equal(runs.rows.size, 2);
  ftp.told.refuse = (name) => (name === 'RETR' ? '550 No' : undefined);
  assert.deepEqual(await run(), ['skipped a.txt', 'unchanged sub/b.txt']);
  ftp.told.refuse = (name) => (name === 'MLSD' ? '450 Busy' : undefined);
  await assert.rejects(run(), { code: 'FETCH_FTP_BUSY' });
  assert.equal(runs.rows.size, 1);
});
