import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient, readBody } from '../../../fetch/index.ts';
import { brief, freePort, openDaemon, RunMemory, scratch } from '../../testing/run-memory.ts';
import { LeafEnumerator } from './leaf-enumerator.ts';
import { LocalMapping } from './local-mapping.ts';

const nginx = '/usr/sbin/nginx';

/** Debian's nginx over a folder, with its requests. */
async function openNginx(root: string, home: string) {
  const port = await freePort();
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(home, 'nginx.conf'),
    `daemon off; master_process off; ${user} pid ${home}/pid; error_log ${home}/error.log; events { worker_connections 64; }
    http { include /etc/nginx/mime.types; log_format line '$status $request_uri'; access_log ${home}/access.log line;
      ${temp.join(' ')} server { listen 127.0.0.1:${port}; root ${root}; index index.html; } }`,
  );
  const daemon = await openDaemon(
    [nginx, '-p', home, '-c', join(home, 'nginx.conf'), '-e', `${home}/error.log`],
    port,
  );
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

test('nginx and the folder it serves: the same documents without a request, each fall-back by its reason', async (t) => {
  if (!existsSync(nginx)) return t.skip('SKIPPED: apt-get install nginx-light');
  using home = scratch('mapping');
  const root = join(home.path, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  const files: [string, number][] = [
    ['a.html', 0o644],
    ['sub/b.txt', 0o644],
    ['run.cgi', 0o755],
    ['.hidden', 0o644],
    ['sp ace.txt', 0o644],
    ['sub/index.html', 0o644],
  ];
  for (const [name, mode] of files) {
    writeFileSync(join(root, name), `<p>${name}</p>`);
    chmodSync(join(root, name), mode);
  }
  writeFileSync(join(home.path, 'secret'), 'outside');
  symlinkSync(join(home.path, 'secret'), join(root, 'out.txt'));
  symlinkSync('a.html', join(root, 'in.html'));
  execFileSync('/usr/bin/mkfifo', [join(root, 'pipe')]);
  await using server = await openNginx(root, home.path);
  await using http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [server.url], retries: 0 });
  const mapping = new LocalMapping([{ url: server.url, path: root }], http.fetch);
  const paths = [
    'a.html',
    'sub/b.txt',
    'in.html',
    'run.cgi',
    '.hidden',
    'sp%20ace.txt',
    'sub/',
    'sub',
    'a.html?x=1',
    'out.txt',
    'none',
  ];
  const leaves = new LeafEnumerator(
    paths.map((path) => server.url + path),
    { fetch: mapping.fetch },
  );
  const runs = new RunMemory();
  const first = await runs.run(leaves);
  assert.equal(brief(first, server.url).filter((line) => line.startsWith('document')).length, 9);
  const local = first.find(({ url }) => url.endsWith('sub/b.txt'));
  assert.ok(
    local?.kind === 'document' &&
      local.document.url === `${server.url}sub/b.txt` &&
      local.document.name === 'b.txt',
  );
  const { counts } = mapping;
  assert.equal(counts.local, 3);
  assert.deepEqual(counts.network, {
    'executable: the server may run it': 1,
    'its name begins with a dot': 1,
    'its name needs escaping': 1,
    'it names a folder': 2,
    'it has a query': 1,
    'it lies outside of the folder': 1,
    'no such file': 1,
  });
  assert.equal(counts.examples['it has a query'], `${server.url}a.html?x=1`);
  const before = http.counts.requests;
  const second = await runs.run(
    new LeafEnumerator(
      ['a.html', 'sub/b.txt'].map((path) => server.url + path),
      { fetch: mapping.fetch },
    ),
  );
  assert.deepEqual(
    second.map(({ kind }) => kind),
    ['unchanged', 'unchanged'],
  );
  assert.equal(http.counts.requests, before);
  // The same document over the network has the same bytes: the mapping may be added and removed.
  const third = await runs.run(new LeafEnumerator([`${server.url}a.html`], { fetch: http.fetch }));
  assert.deepEqual(
    third.map(({ kind }) => kind),
    ['unchanged'],
  );
  writeFileSync(join(root, 'a.html'), 'changed');
  utimesSync(join(root, 'a.html'), 1_600_000_000, 1_600_000_000);
  await using response = await mapping.fetch({ url: `${server.url}a.html` });
  assert.equal(Buffer.from(await readBody(response)).toString(), 'changed');
  assert.equal(response.lastModified, 1_600_000_000);
  await assert.rejects(mapping.fetch({ url: `${server.url}a.html`, maxBytes: 3 }), {
    code: 'FETCH_TOO_LARGE',
  });
  await (await mapping.fetch({ url: `${server.url}pipe`, method: 'HEAD' }))[Symbol.asyncDispose]();
  assert.equal(mapping.counts.network['not a regular file'], 1);
});

test('a missing folder, the longest prefix, other hosts, and invalid mappings', async () => {
  using home = scratch('mapping');
  mkdirSync(join(home.path, 'inner'));
  writeFileSync(join(home.path, 'inner/x'), 'inner');
  const asked: string[] = [];
  const mapping = new LocalMapping(
    [
      { url: 'http://h/', path: '/nowhere/at/all' },
      { url: 'http://h/in/', path: join(home.path, 'inner') },
    ],
    async ({ url }) => {
      asked.push(url);
      throw new Error('network');
    },
  );
  assert.equal((await mapping.fetch({ url: 'http://h/in/x' })).status, 200);
  for (const url of [
    'http://h/x',
    'http://other/in/x',
    'http://h/in/../x',
    'http://h/in/%2e%2e/x',
    'http://h/in/..%2fx',
  ])
    await assert.rejects(mapping.fetch({ url }), /network/);
  assert.equal(asked.length, 5);
  assert.deepEqual(mapping.counts.network, { 'the folder is not there': 3, 'its name needs escaping': 1 });
  for (const [url, path] of [
    ['http://h/x', '/a'],
    ['ftp://h/', '/a'],
    ['http://h/', 'a'],
  ] as const)
    assert.throws(() => new LocalMapping([{ url, path }], mapping.fetch), { code: 'GATHERER_ROOT_NODE' });
});

test('a file of the same size and date is another one by its inode or the time of its change', async () => {
  using home = scratch('mapping');
  const file = join(home.path, 'x');
  const mapping = new LocalMapping([{ url: 'http://h/', path: home.path }], () =>
    Promise.reject(new Error('network')),
  );
  const write = (path: string, text: string) => {
    writeFileSync(path, text);
    utimesSync(path, 1_600_000_000, 1_600_000_000);
  };
  write(file, 'one');
  const { etag } = await mapping.fetch({ url: 'http://h/x' });
  assert.equal((await mapping.fetch({ url: 'http://h/x', etag })).status, 304);
  write(`${file}.new`, 'two');
  renameSync(`${file}.new`, file);
  const response = await mapping.fetch({ url: 'http://h/x', etag });
  assert.equal(response.status, 200);
  assert.equal(Buffer.from(await readBody(response)).toString(), 'two');
});
