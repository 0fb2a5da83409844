import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type RunReport, rootSchemes, type TryReport } from '../gatherer/index.ts';
import { jsonOf, runCommand, startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere, runHere } from './commands/command-here.ts';

const limit = { timeout: 120_000 };

test('help names every kind of root', async () => {
  for (const verb of [['up'], ['gatherer', 'run'], ['gatherer', 'serve']]) {
    const { stdout } = await runHere([...verb, '--help']);
    const words = stdout.replace(/\s+/g, ' ');
    for (const scheme of rootSchemes) assert.match(words, new RegExp(`\\b${scheme}\\b`), verb.join(' '));
  }
});

test('a run names the first files that are left out, and all of them when asked', limit, async () => {
  await using home = await temporaryFolder();
  const options = { cwd: home.path };
  await mkdir(join(home.path, 'site'));
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    await writeFile(join(home.path, 'site', `${name}.md`), `# ${name}\n`);
  await writeFile(join(home.path, 'site/kept.txt'), 'It is kept.\n');
  const line = ['gatherer', 'run', '--data', 'data', '--stop', 'Markdown'];
  const first = await runHere([...line, '--root', 'site', '--base-url', 'http://x/'], options);
  assert.equal(first.code, 0, first.stderr);
  const rule = 'type Markdown is left out (gatherer.stop)';
  assert.ok(
    first.stderr.includes(`left out 7: ${rule}; such as http://x/a.md, http://x/b.md, http://x/c.md\n`),
    first.stderr,
  );
  assert.match(first.stderr, /gatherer run --list lists everything left out/);
  // A run that reads nothing again reports the same.
  const listed = await runHere([...line, '--list'], options);
  for (const name of ['a', 'd', 'g'])
    assert.ok(listed.stdout.includes(`left out http://x/${name}.md: ${rule}\n`), listed.stdout);
  const json = (await runHere([...line, '--list', '--json'], options)).stdout.trim().split('\n');
  const values = json.map((text) => JSON.parse(text));
  assert.deepEqual(values[6], { leftOut: 'http://x/g.md', rule });
  const report = values[7] as RunReport;
  assert.deepEqual([values.length, report.skipped[rule], report.firstSkipped[rule]?.length], [8, 7, 5]);
});

test('try reads standard input, under a name or a URL', limit, async () => {
  await using home = await temporaryFolder();
  const input = '# Onion soup\n\nPeel the onions and weep.\n';
  const tried = (more: readonly string[], given: string | Uint8Array = input) =>
    jsonOf<TryReport>(['gatherer', 'try', '-', ...more], { cwd: home.path, input: given });
  const named = await tried(['--as', 'soup.md']);
  assert.deepEqual([named.type, named.objects[0]?.attributes.Title], ['Markdown', 'Onion soup']);
  assert.match(named.objects[0]?.url ?? '', /^file:\/\/.*\/soup\.md$/);
  const placed = await tried(['--url', 'https://x.example/soup.md']);
  assert.deepEqual([placed.type, placed.objects[0]?.url], ['Markdown', 'https://x.example/soup.md']);
  assert.equal((await tried([])).type, 'Text');
  // The input is used as it is: an archive is a document, too.
  const packed = await tried(['--as', 'soup.md.gz'], gzipSync(input));
  assert.equal(packed.objects[0]?.attributes.Title, 'Onion soup');
  const large = await runCommand(['gatherer', 'try', '-', '--max-document-bytes', '100'], {
    cwd: home.path,
    input: 'x'.repeat(101),
  });
  assert.equal(large.code, 2);
  assert.match(large.stderr, /standard input is larger than 100 bytes/);
  const endless = await runHere(['gatherer', 'try', '/dev/zero']);
  assert.match(endless.stderr, /\/dev\/zero is not a regular file/);
});

test('a run reports that it waits because a server requested it', limit, async () => {
  await using home = await temporaryFolder();
  let answers = 0;
  const server = createServer((request, response) => {
    if (request.url === '/' && answers++ === 0) response.writeHead(503, { 'retry-after': '7' });
    else response.setHeader('content-type', 'text/html');
    response.end('<title>T</title><p>Text.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const line = ['gatherer', 'run', '--root', root, '--no-robots', '--no-sitemaps', '--data', 'data'];
    const { code, stderr } = await runCommand(line, { cwd: home.path });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^0 gathered · waiting 7 s .*127\.0\.0\.1/m);
  } finally {
    server.close();
  }
});

test('a user who may annotate gets a link to the form', limit, async () => {
  await using home = await temporaryFolder();
  await mkdir(join(home.path, 'site'));
  await writeFile(join(home.path, 'site/a.txt'), 'A text.\n');
  const serve = ['gatherer', 'serve', '--root', 'site', '--port', '0', '--data', 'data'];
  interface Ready {
    readonly soif: string;
    readonly annotate?: string;
  }
  {
    await using server = await startServer<Ready>(serve, { cwd: home.path });
    assert.equal(server.ready.annotate, undefined);
  }
  await writeFile(join(home.path, 'garner.yaml'), 'http.admin-tokens: [a-token-for-this-test]\n');
  await using server = await startServer<Ready>(serve, { cwd: home.path });
  const page = await fetch(new URL('/', server.ready.soif));
  const [, href = ''] = /<a href="(annotate)">/.exec(await page.text()) ?? [];
  assert.equal(new URL(href, page.url).href, server.ready.annotate);
  assert.match(await (await fetch(server.ready.annotate ?? '')).text(), /URL of the document/);
});

test('a bare URL among the roots is gathered', limit, async () => {
  await using home = await temporaryFolder();
  await mkdir(join(home.path, 'site'));
  await writeFile(join(home.path, 'site/a.txt'), 'A text.\n');
  await writeFile(join(home.path, 'garner.yaml'), `gatherer:\n  roots:\n    - file://${home.path}/site\n`);
  const { objects } = await jsonHere<RunReport>(['gatherer', 'run', '--data', 'data'], { cwd: home.path });
  assert.equal(objects, 1);
  assert.match(readFileSync(join(home.path, 'data/gatherer/site.json'), 'utf8'), /configured/);
  await writeFile(join(home.path, 'garner.yaml'), `gatherer:\n  roots: [${home.path}/site]\n`);
  const path = await runHere(['gatherer', 'run', '--data', 'data'], { cwd: home.path });
  assert.match(path.stderr, new RegExp(`For a folder write file://${home.path}/site`));
});
