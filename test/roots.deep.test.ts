import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf } from './commands/command-here.ts';
import { measuredRun } from './hostile/run.ts';
import { missingServers, serveFtp, serveWeb } from './hostile/servers.ts';
import { type Summaries, summariesIn } from './hostile/store.ts';

const [user, password] = ['reader', 'pass-word-of-the-members'];

/** A date long ago, so that no server treats a file as fresh. */
const longAgo = 1_600_000_000;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, longAgo, longAgo);
}

const page = (title: string, ...links: string[]) =>
  `<title>${title}</title><p>${title}, in some words. ${links.map((link) => `<a href="${link}">on</a>`).join(' ')}`;

const message = (id: string, subject: string) =>
  `From: a@example.org\nTo: b@example.org\nSubject: ${subject}\nMessage-ID: <${id}@example.org>\nDate: Mon, 1 Jan 1996 00:00:00 +0000\n\nThe words of ${subject}.\n`;

const feed = (base: string) => `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<link>${base}</link><description>What is new</description>
<item><title>First</title><link>${base}news/first.html</link><guid>${base}news/first.html</guid></item>
<item><title>Second</title><link>${base}news/second.html</link><guid>${base}news/second.html</guid></item>
</channel></rss>`;

function git(repository: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: repository, stdio: 'ignore' });
}

function titles(summaries: Summaries): readonly string[] {
  return [...summaries.values()].map((attributes) => attributes.get('Title') ?? '').sort();
}

test('roots of seven kinds in one configuration: all in one run, nothing read again in the second, and one that is down does not affect the others', async (t) => {
  const missing = missingServers();
  if (missing !== undefined) return t.skip(missing);
  await using home = await temporaryFolder();
  const at = (...names: string[]) => join(home.path, ...names);

  write(at('repository', 'README'), 'Readme of the repository\n');
  write(at('repository', 'docs', 'guide.html'), page('Guide in git'));
  git(at('repository'), 'init', '-q');
  git(at('repository'), 'add', '.');
  git(at('repository'), 'commit', '-q', '-m', 'Begin');
  for (const name of ['new', 'tmp']) mkdirSync(at('mail', name), { recursive: true });
  write(at('mail', 'cur', '1.one.host:2,S'), message('one', 'Letter in a Maildir'));
  const letters = ['two', 'three'].map(
    (id) => `From a@example.org Mon Jan  1 00:00:00 1996\n${message(id, `Letter ${id}`)}\n`,
  );
  write(at('archive.mbox'), letters.join(''));
  write(at('ftp', 'pub', 'file.txt'), 'File by FTP\n');
  write(at('ftp', 'pub', 'picture.gif'), 'GIF89a');
  write(at('web', 'news', 'first.html'), page('First news'));
  write(at('web', 'news', 'second.html'), page('Second news'));
  write(at('web', 'mapped', 'index.html'), page('Mapped start', 'one.html', 'two.html'));
  write(at('web', 'mapped', 'one.html'), page('Mapped one'));
  write(at('web', 'mapped', 'two.html'), page('Mapped two'));
  write(at('web', 'private', 'index.html'), page('Members only', 'deeper.html'));
  write(at('web', 'private', 'deeper.html'), page('Members deeper'));

  await using web = await serveWeb(at('nginx'), at('web'), { user, password });
  await using ftp = await serveFtp(at('vsftpd'), at('ftp'));
  write(at('web', 'feed.xml'), feed(web.url));
  const only = (path: string) => `url-filter: [{ allow: '^/${path}/' }, { deny: '.' }]`;
  writeFileSync(
    at('garner.yaml'),
    `fetch:
  retries: 0
  credentials:
    - { url: '${web.url}private/', user: ${user}, password: ${password} }
gatherer:
  name: All roots
  robots: false
  sitemaps: false
  page-lists: false
  local-mapping:
    - { url: '${web.url}mapped/', path: '${at('web', 'mapped')}' }
  roots:
    - { url: '${ftp.url}', url-filter: [{ deny: '\\.gif$' }] }
    - { url: 'git://${at('repository')}' }
    - { url: 'maildir://${at('mail')}' }
    - { url: 'mbox://${at('archive.mbox')}' }
    - { url: 'feed:${web.url}feed.xml' }
    - { url: '${web.url}mapped/', ${only('mapped')} }
    - { url: '${web.url}private/', ${only('private')} }
`,
  );

  const expected = [
    'File by FTP',
    'First news',
    'Guide in git',
    'Letter in a Maildir',
    'Letter three',
    'Letter two',
  ]
    .concat(['Mapped one', 'Mapped start', 'Mapped two', 'Members deeper', 'Members only'])
    .concat(['Readme of the repository', 'Second news'])
    .sort();
  const first = await measuredRun({ cwd: home.path });
  const held = await summariesIn(at('data'), 1_000_000);
  assert.deepEqual([first.code, first.report.failures, first.report.complete], [0, [], true]);
  assert.deepEqual(titles(held), expected);
  const asked = readFileSync(web.accessLog, 'utf8');
  assert.match(asked, /^200 \/private\/deeper\.html$/m);
  // Mapped pages come from disk; the server names their folder.
  assert.doesNotMatch(asked, /\/mapped\/(one|two)\.html/);

  assert.deepEqual(first.report.mapped, { local: 2, network: { 'it names a folder': 1 } });

  const secrets = [password, Buffer.from(`${user}:${password}`).toString('base64')];
  const said = JSON.stringify([...held].map(([url, attributes]) => [url, ...attributes]));
  const config = await runCommand(['config', '--json'], { cwd: home.path });
  assert.equal(config.code, 0);
  assert.match(config.stdout, /fetch\.credentials/);
  for (const secret of secrets)
    for (const place of [said, config.stdout, config.stderr, JSON.stringify(first)])
      assert.ok(!place.includes(secret));

  const why = (url: string) =>
    jsonOf<{ included: boolean; rule: string }>(['gatherer', 'why', url, '--data', 'data'], {
      cwd: home.path,
    });
  assert.equal((await why(`${web.url}private/deeper.html`)).included, true);
  const denied = await why(`${ftp.url}pub/picture.gif`);
  assert.deepEqual([denied.included, denied.rule], [false, 'url-filter 1: deny \\.gif$']);
  const other = await why('http://www.example.org/');
  assert.deepEqual([other.included, other.rule.length > 0], [false, true]);

  writeFileSync(web.accessLog, '');
  const second = await measuredRun({ cwd: home.path });
  const { added, changed, deleted, bytesRead } = second.report;
  assert.deepEqual([second.code, added, changed, deleted, bytesRead], [0, 0, 0, 0, 0]);
  assert.equal(second.report.unchanged, expected.length);
  const answers = readFileSync(web.accessLog, 'utf8').trim().split('\n');
  assert.deepEqual(
    answers.filter((line) => !line.startsWith('304 ')),
    [],
  );

  await ftp[Symbol.asyncDispose]();
  write(at('repository', 'docs', 'later.html'), page('Later in git'));
  git(at('repository'), 'add', '.');
  git(at('repository'), 'commit', '-q', '-m', 'Later');
  const third = await measuredRun({ cwd: home.path });
  assert.equal(third.code, 3);
  const { report } = third;
  assert.deepEqual([report.added, report.deleted, report.complete, report.failed], [1, 0, false, 1]);
  assert.match(report.failures[0]?.url ?? '', /^ftp:\/\/127\.0\.0\.1/);
  assert.deepEqual(titles(await summariesIn(at('data'))), [...expected, 'Later in git'].sort());
});

test('when every root is down the run ends with the error of the first', async () => {
  await using home = await temporaryFolder();
  writeFileSync(
    join(home.path, 'garner.yaml'),
    `gatherer:\n  roots:\n    - { url: 'mbox:///nowhere/a.mbox' }\n    - { url: 'file:///nowhere/b' }\n`,
  );
  const { code, stdout, stderr } = await runCommand(['gatherer', 'run', '--data', 'data', '--json'], {
    cwd: home.path,
  });
  assert.notEqual(code, 0);
  assert.match(`${stdout}${stderr}`, /"error":.*nowhere\/a\.mbox/);
});

test('a folder among the roots follows its filters, for URLs below it, and why names them', async () => {
  await using home = await temporaryFolder();
  const at = (...names: string[]) => join(home.path, ...names);
  for (const name of ['a.html', 'notes.html', 'sub dir/b.html']) write(at('papers', name), page(name));
  // Without a slash after the folder, as people write it.
  const root = `file://${at('papers')}`;
  writeFileSync(
    at('garner.yaml'),
    `gatherer:\n  roots:\n    - { url: '${root}', url-filter: [{ deny: '/notes' }], depth: 1 }\n`,
  );
  const { code, report } = await measuredRun({ cwd: home.path });
  assert.equal(code, 0);
  assert.deepEqual([...(await summariesIn(at('data'))).keys()], [`${root}/a.html`]);
  assert.deepEqual(report.skipped, {
    'url-filter 1: deny /notes': 1,
    'no more than 1 steps from the root (depth)': 1,
  });
  const why = await jsonOf<{ included: boolean; rule: string }>(
    ['gatherer', 'why', `${root}/notes.html`, '--data', 'data'],
    { cwd: home.path },
  );
  assert.deepEqual([why.included, why.rule], [false, 'url-filter 1: deny /notes']);
});
