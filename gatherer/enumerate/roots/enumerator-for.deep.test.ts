import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Credentials, FtpClient, GopherClient } from '../../../fetch/index.ts';
import { systemClock } from '../../../kernel/index.ts';
import { brief, openServer, RunMemory, scratch } from '../../testing/run-memory.ts';
import { LeafEnumerator } from '../leaves/leaf-enumerator.ts';
import { parseRootNode } from '../root-node.ts';
import { enumeratorFor, type RootServices } from './enumerator-for.ts';

const asked: string[] = [];

const services: RootServices = {
  fetch: ({ url }) => Promise.reject(new Error(`asked for ${url}`)),
  ftp: new FtpClient(),
  gopher: new GopherClient(),
  clock: systemClock,
  maxBytes: 1e6,
  concurrency: 2,
  hidden: false,
  web: (root, rule) => {
    asked.push(`web ${root.url} ${rule.host}`);
    return new LeafEnumerator([], { fetch: services.fetch });
  },
  folder: (_root, _rule, path) => {
    asked.push(`folder ${path}`);
    return new LeafEnumerator([], { fetch: services.fetch });
  },
};

const open = async (value: unknown, more: Partial<RootServices> = {}) => {
  const make = await enumeratorFor(parseRootNode(value, 'r'));
  return make({ ...services, ...more });
};

test('each kind of root has its enumerator', async () => {
  const kinds: [unknown, string][] = [
    ['feed:https://h/f', 'FeedEnumerator'],
    ['ftp://h/pub/', 'FtpEnumerator'],
    ['gopher://h/', 'GopherEnumerator'],
    ['nntp://h/comp.*', 'NewsEnumerator'],
    ['mbox:/var/mail/x', 'MboxEnumerator'],
    ['maildir:/home/x/Maildir', 'MaildirEnumerator'],
    [{ url: 'git:/srv/x.git', 'base-url': 'https://h/x' }, 'GitEnumerator'],
    ['program:/usr/bin/urls', 'ProgramEnumerator'],
    [{ url: 'https://h/', enumeration: '/usr/bin/enumerate' }, 'ProgramEnumerator'],
  ];
  for (const [value, name] of kinds) assert.equal((await open(value)).constructor.name, name);
  await open('https://H.org/x');
  await open('file:///srv/www%20data');
  assert.deepEqual(asked.splice(0), ['web https://H.org/x h.org', 'folder /srv/www data']);
  assert.equal((await open('news:comp.x', { newsServer: 'News.h' })).constructor.name, 'NewsEnumerator');
  for (const bad of ['news:comp.x', 'git://h/x', 'mbox:x'])
    await assert.rejects(open(bad), { code: 'GATHERER_ROOT_NODE' }, bad);
});

test('documents of a root with a base of its own are filtered and counted under it', async () => {
  using home = scratch('base');
  mkdirSync(join(home.path, 'm'));
  writeFileSync(join(home.path, 'm/box'), 'From a@b Tue Feb  1 10:00:00 2022\nMessage-ID: <1>\n\nx\n');
  const root = await open({
    url: `mbox:${home.path}/m`,
    'base-url': 'https://lists.h/',
    'url-filter': [{ deny: '/2$' }],
    'url-max': 1,
  });
  assert.deepEqual(brief(await new RunMemory().run(root), 'https://lists.h/'), ['document box/1']);
});

test('the enumerator logs in to a news server with the credentials for its URL', async () => {
  const said: string[] = [];
  await using server = await openServer((socket) => {
    socket.write('200 hi\r\n');
    socket.on('data', (data) => {
      said.push(String(data).trim());
      socket.write(said.length === 1 ? '381 more\r\n' : '481 no\r\n');
    });
  });
  const url = `nntp://127.0.0.1:${server.port}/`;
  const credentials = Credentials.parse([{ url, user: 'anna', password: 'pw' }]);
  await assert.rejects(new RunMemory().run(await open(`${url}x`, { credentials })), {
    code: 'GATHERER_NEWS',
  });
  assert.deepEqual(said.slice(0, 2), ['AUTHINFO USER anna', 'AUTHINFO PASS pw']);
});
