import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brief, RunMemory, scratch, textOf } from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { MaildirEnumerator } from './maildir-enumerator.ts';
import { MboxEnumerator } from './mbox-enumerator.ts';

const python = '/usr/bin/python3';
const absent = existsSync(python) ? undefined : 'SKIPPED: apt-get install python3';

/** Python's own mail folders, an independent implementation. */
function make(script: string): void {
  execFileSync(python, ['-c', `import mailbox, email.message, sys\n${script}`]);
}

const filled = (folder: string, kind: 'mbox' | 'Maildir') => `
def message(n, id=True):
  m = email.message.EmailMessage()
  m['From'] = 'a@example.org'; m['Subject'] = 'number %d' % n
  m['Date'] = 'Tue, 01 Feb 2022 10:00:0%d +0000' % n
  if id: m['Message-ID'] = '<%d/x@example.org>' % n
  m.set_content('body %d\\nFrom the start of a line\\n\\nFrom another one' % n)
  return m
box = mailbox.${kind}('${folder}')
`;

test('an mbox made by Python: a document for each message, unchanged when the file or the message is', async (t) => {
  if (absent) return t.skip(absent);
  using home = scratch('mbox');
  const path = join(home.path, 'list.mbox');
  make(
    `${filled(path, 'mbox')}\nfor n in (1, 2): box.add(message(n))\nbox.add(message(3, False))\nbox.close()`,
  );
  const root = () => new MboxEnumerator({ path, baseUrl: 'https://lists.example.org/archive' });
  const base = 'https://lists.example.org/archive/list.mbox/';
  const runs = new RunMemory();
  const first = await runs.run(root());
  assert.deepEqual(brief(first, base).slice(0, 2), [
    'document 1%2Fx%40example.org',
    'document 2%2Fx%40example.org',
  ]);
  const [message, , nameless] = first;
  assert.ok(message?.kind === 'document' && nameless?.kind === 'document');
  assert.equal(nameless.url, `${base}${nameless.document.md5}`);
  assert.equal(message.document.lastModified, Date.UTC(2022, 1, 1, 10, 0, 1) / 1000);
  assert.match(
    textOf(first, '1%2Fx%40example.org') ?? '',
    /body 1\nFrom the start of a line\n\nFrom another one\n$/,
  );
  assert.deepEqual(
    brief(await runs.run(root()), base).map((line) => line.split(' ')[0]),
    ['unchanged', 'unchanged', 'unchanged'],
  );
  make(`${filled(path, 'mbox')}\nbox.add(message(4))\nbox.remove(0)\nbox.close()`);
  const kinds = brief(await runs.run(root()), base);
  assert.deepEqual(
    kinds.map((line) => line.split(' ')[0]),
    ['unchanged', 'unchanged', 'document'],
  );
  assert.ok(!runs.rows.has(`${base}1%2Fx%40example.org`));
  // A lost summary is made again from the unchanged file.
  runs.rows.delete(`${base}2%2Fx%40example.org`);
  runs.memory.known = async function* () {
    yield `${base}2%2Fx%40example.org`;
  };
  assert.ok(brief(await runs.run(root()), base).includes('document 2%2Fx%40example.org'));
});

test('a folder of mbox files: deleted messages, copies, other files, limits', async () => {
  using home = scratch('mboxes');
  mkdirSync(join(home.path, 'sub'));
  const message = (id: string, more = '') =>
    `From a@b Tue Feb  1 10:00:00 2022\nMessage-ID: <${id}>\n${more}\ntext ${more}\n\n`;
  writeFileSync(
    join(home.path, 'a'),
    message('1') + message('2', 'X-Status: AD\n') + message('1') + message('1', 'X: y\n'),
  );
  writeFileSync(join(home.path, 'sub/b'), 'plain text\n');
  symlinkSync('/etc/passwd', join(home.path, 'sub/link'));
  const reported = await new RunMemory().run(new MboxEnumerator({ path: home.path, baseUrl: 'mbox://h/' }));
  assert.deepEqual(brief(reported, 'mbox://h/'), [
    ...['document a/1', 'skipped a/2', 'document a/1;2', 'document a/1;3', 'skipped sub/b/'],
  ]);
  const rule = new ScopeRule(parseRootNode({ url: 'mbox://h/', 'url-max': 1 }, 'root'));
  const limited = await new RunMemory().run(
    new MboxEnumerator({ path: home.path, baseUrl: 'mbox://h/', rule }),
  );
  assert.ok(limited.some((item) => item.kind === 'skipped' && item.limit));
  await assert.rejects(new RunMemory().run(new MboxEnumerator({ path: join(home.path, 'none') })), {
    code: 'GATHERER_UNREADABLE',
  });
});

test('a Maildir made by Python: known by name, whatever a message’s flags', async (t) => {
  if (absent) return t.skip(absent);
  using home = scratch('maildir');
  const path = join(home.path, 'Mail');
  make(`${filled(path, 'Maildir')}
for n in (1, 2): box.add(message(n))
m = mailbox.MaildirMessage(message(3)); m.set_subdir('cur'); m.add_flag('ST'); box.add(m)
box.add_folder('Lists').add(message(4))`);
  const root = () => new MaildirEnumerator({ path, baseUrl: 'maildir://h/' });
  const runs = new RunMemory();
  const first = await runs.run(root());
  assert.deepEqual(first.map(({ kind }) => kind).sort(), ['document', 'document', 'document', 'skipped']);
  const skipped = first.find((item) => item.kind === 'skipped');
  assert.ok(skipped?.kind === 'skipped' && skipped.rule.includes('flag T'));
  assert.ok(first.some(({ url }) => url.startsWith('maildir://h/.Lists/')));
  const [name = ''] = readdirSync(join(path, 'new'));
  renameSync(join(path, 'new', name), join(path, 'cur', `${name}:2,RS`));
  // Not even its times are read: an equal name means an equal message.
  writeFileSync(join(path, 'cur', `${name}:2,RS`), 'other text');
  utimesSync(join(path, 'cur', `${name}:2,RS`), 1, 1);
  const second = await runs.run(root());
  assert.deepEqual(second.map(({ kind }) => kind).sort(), ['skipped', 'unchanged', 'unchanged', 'unchanged']);
  rmSync(join(path, 'cur', `${name}:2,RS`));
  symlinkSync('/etc/passwd', join(path, 'cur/1.link:2,S'));
  const third = await runs.run(root());
  assert.deepEqual(third.map(({ kind }) => kind).sort(), ['skipped', 'skipped', 'unchanged', 'unchanged']);
  await assert.rejects(new RunMemory().run(new MaildirEnumerator({ path: home.path })), {
    code: 'GATHERER_UNREADABLE',
  });
  assert.ok(readFileSync('/etc/passwd'));
});

test('other filters and limits hold for an mbox file that has not changed', async () => {
  using home = scratch('mboxes');
  const message = (id: string) => `From a@b Tue Feb  1 10:00:00 2022\nMessage-ID: <${id}>\n\ntext\n\n`;
  writeFileSync(join(home.path, 'a'), message('public') + message('private'));
  writeFileSync(join(home.path, 'b'), message('other'));
  const runs = new RunMemory();
  const run = async (options: object = {}, maxBytes = 1000) => {
    const rule = new ScopeRule(parseRootNode({ url: 'mbox://h/', ...options }, 'root'));
    const root = new MboxEnumerator({ path: home.path, baseUrl: 'mbox://h/', rule, maxBytes });
    return brief(await runs.run(root), 'mbox://h/');
  };
  await run();
  const all = ['unchanged a/private', 'unchanged a/public', 'unchanged b/other'];
  assert.deepEqual((await run()).sort(), all);
  const deny = { 'url-filter': [{ deny: 'private' }] };
  assert.deepEqual(await run(deny), ['unchanged a/public', 'skipped a/private', 'unchanged b/other']);
  assert.deepEqual(await run(), ['unchanged a/public', 'document a/private', 'unchanged b/other']);
  // Messages of files that are not read count for the limit of a run too.
  assert.deepEqual((await run({ 'url-max': 2 })).at(-1), 'skipped b/other');
  assert.deepEqual((await run({ 'url-max': 2 })).at(-1), 'skipped b/other');
  assert.deepEqual((await run()).at(-1), 'document b/other');
  assert.ok((await run({}, 3)).every((line) => line.startsWith('skipped')));
});

test('a lower limit of size holds for known messages of a Maildir', async () => {
  using home = scratch('maildir');
  mkdirSync(join(home.path, 'cur'));
  writeFileSync(join(home.path, 'cur/1.x:2,S'), `Subject: s\n\n${'x'.repeat(100)}\n`);
  const runs = new RunMemory();
  const run = async (maxBytes: number) => {
    const root = new MaildirEnumerator({ path: home.path, baseUrl: 'maildir://h/', maxBytes });
    const [item, ...others] = await runs.run(root);
    const cut = item?.kind === 'document' ? item.document.abridged : undefined;
    const end = cut === undefined ? [] : [`${cut.head} of ${cut.size}`];
    return [...brief(item === undefined ? [] : [item, ...others], 'maildir://h/'), ...end];
  };
  assert.deepEqual(await run(1000), ['document 1.x']);
  assert.deepEqual(await run(1000), ['unchanged 1.x']);
  assert.deepEqual(await run(50), ['document 1.x', '25 of 113']);
  assert.deepEqual(await run(50), ['unchanged 1.x']);
  assert.deepEqual(await run(1000), ['document 1.x']);
});
