import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brief, RunMemory, scratch, textOf } from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { GitEnumerator } from './git-enumerator.ts';

const absent = existsSync('/usr/bin/git') ? undefined : 'SKIPPED: apt-get install git';

/** A repository whose commits have the dates given. */
function repository(path: string) {
  mkdirSync(path, { recursive: true });
  const who = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  const env = { PATH: process.env.PATH, HOME: path, GIT_CONFIG_NOSYSTEM: '1', ...who };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path, env, stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '-q', '-b', 'main');
  return {
    git,
    commit(year: number, files: Record<string, string | Buffer>) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(path, name, '..'), { recursive: true });
        writeFileSync(join(path, name), text);
      }
      git('add', '-A');
      const date = `${year}-01-01T00:00:00Z`;
      const dated = { ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      execFileSync('git', ['commit', '-q', '--allow-empty', '-m', String(year)], { cwd: path, env: dated });
    },
  };
}

const base = 'https://example.org/code/';
const at = (path: string, more: object = {}) => new GitEnumerator({ path, baseUrl: base, ...more });

test('files of a revision with the times of their last changes, unchanged by blob', async (t) => {
  if (absent) return t.skip(absent);
  using home = scratch('git');
  const { commit, git } = repository(home.path);
  commit(2020, {
    README: 'one',
    'src/a b.c': 'int a;',
    'src/größe%.txt': 'x',
    '.hidden': 'h',
    'old.txt': 'o',
    '\x01123': 'odd',
  });
  symlinkSync('/etc/passwd', join(home.path, 'link'));
  commit(2021, { README: 'two' });
  git('tag', 'v1');
  const runs = new RunMemory();
  const first = await runs.run(at(home.path));
  assert.deepEqual(brief(first, base).sort(), [
    ...[
      'document %01123',
      'document README',
      'document old.txt',
      'document src/a%20b.c',
      'document src/gr%C3%B6%C3%9Fe%25.txt',
    ],
    ...['skipped .hidden', 'skipped link'],
  ]);
  const date = (name: string) => {
    const item = first.find(({ url }) => url === base + name);
    return item?.kind === 'document'
      ? new Date((item.document.lastModified ?? 0) * 1000).getUTCFullYear()
      : 0;
  };
  assert.deepEqual(['README', 'src/a%20b.c', '%01123'].map(date), [2021, 2020, 2020]);
  commit(2022, { README: 'three', 'new.bin': Buffer.from([0, 10, 255, 0]) });
  renameSync(join(home.path, 'old.txt'), join(home.path, 'moved.txt'));
  commit(2023, {});
  const second = await runs.run(at(home.path));
  const changed = brief(second, base).filter((line) => line.startsWith('document'));
  assert.deepEqual(changed.sort(), ['document README', 'document moved.txt', 'document new.bin']);
  const binary = second.find(({ url }) => url.endsWith('new.bin'));
  assert.ok(binary?.kind === 'document');
  assert.deepEqual([...binary.document.bytes], [0, 10, 255, 0]);
  assert.ok(!runs.rows.has(`${base}old.txt`));
  const tagged = await new RunMemory().run(at(home.path, { revision: 'v1' }));
  assert.equal(textOf(tagged, 'README'), 'two');
  execFileSync('git', ['clone', '-q', '--bare', home.path, join(home.path, '.bare.git')]);
  assert.equal(textOf(await new RunMemory().run(at(join(home.path, '.bare.git'))), 'README'), 'three');
});

test('limits, filters and large files are left out by a rule; submodules too', async (t) => {
  if (absent) return t.skip(absent);
  using home = scratch('git');
  const { commit, git } = repository(home.path);
  commit(2020, { a: '1', b: '2', 'c.gif': '3', large: 'x'.repeat(1000) });
  const head = String(git('rev-parse', 'HEAD')).trim();
  git('update-index', '--add', '--cacheinfo', `160000,${head},module`);
  git('commit', '-qm', 'module');
  const rule = new ScopeRule(
    parseRootNode({ url: 'git:/x', 'url-max': 2, 'url-filter': [{ deny: 'gif$' }] }, 'r'),
    { base },
  );
  const reported = await new RunMemory().run(at(home.path, { rule, maxBytes: 100 }));
  const rules = reported.map((item) => (item.kind === 'skipped' ? item.rule : item.kind));
  assert.deepEqual(rules, [
    ...['url-filter 1: deny gif$', 'no more than 2 URLs (url-max)', 'submodule', 'document', 'document'],
  ]);
  assert.equal((await at(home.path, { rule }).decide(`${base}x.gif`)).included, false);
  assert.equal((await at(home.path, { rule }).decide(`${base}x.txt`)).included, true);
});

test('nothing that a hostile repository configures is run', async (t) => {
  if (absent) return t.skip(absent);
  using home = scratch('git');
  const path = join(home.path, 'repository');
  const { commit, git } = repository(path);
  const marker = join(home.path, 'ran');
  const trap = join(home.path, 'trap');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $@" >> ${marker}\ncat\n`);
  chmodSync(trap, 0o755);
  commit(2020, {
    'a.txt': 'text',
    '.gitattributes': '* diff=evil filter=evil textconv=evil\n',
    '.gitmodules': '[submodule "x"]\n',
  });
  const settings: Record<string, string> = {
    ...{
      'core.fsmonitor': trap,
      'core.pager': trap,
      'core.editor': trap,
      'core.sshCommand': trap,
      'core.askPass': trap,
    },
    ...{
      'diff.external': trap,
      'diff.evil.textconv': trap,
      'diff.evil.command': trap,
      'filter.evil.smudge': trap,
    },
    ...{ 'filter.evil.process': trap, 'log.showSignature': 'true', 'gpg.program': trap, 'pager.log': trap },
    ...{
      'uploadpack.packObjectsHook': trap,
      'core.gitProxy': trap,
      'credential.helper': `!${trap}`,
      'core.alternateRefsCommand': trap,
    },
    ...{ 'alias.log': `!${trap}`, 'alias.ls-tree': `!${trap}`, 'core.hooksPath': home.path, 'gc.auto': '1' },
    ...{
      'remote.origin.url': `ext::${trap}`,
      'remote.origin.promisor': 'true',
      'extensions.partialClone': 'origin',
    },
  };
  for (const [key, value] of Object.entries(settings)) git('config', key, value);
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
    writeFileSync(join(home.path, hook), `#!/bin/sh\necho hook >> ${marker}\n`);
    chmodSync(join(home.path, hook), 0o755);
  }
  rmSync(marker, { force: true });
  const reported = await new RunMemory().run(at(path));
  assert.equal(textOf(reported, 'a.txt'), 'text');
  assert.equal(existsSync(marker), false);
  // A missing blob must not be fetched from the promised remote either.
  const blob = String(git('rev-parse', 'HEAD:a.txt')).trim();
  rmSync(join(path, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  rmSync(marker, { force: true });
  const broken = await new RunMemory().run(at(path)).catch((error: unknown) => error);
  assert.ok(
    Array.isArray(broken)
      ? broken.every(({ kind }) => kind !== 'document')
      : (broken as { code: string }).code === 'GATHERER_GIT',
  );
  assert.equal(existsSync(marker), false);
});

test('no repository, no revision, or an option instead of a revision', async (t) => {
  if (absent) return t.skip(absent);
  using home = scratch('git');
  await assert.rejects(new RunMemory().run(at(home.path)), { code: 'GATHERER_GIT' });
  const { commit } = repository(home.path);
  commit(2020, { a: '1' });
  for (const revision of ['none', '--output=/tmp/x', 'a..b', '', 'x\ny', 'HEAD:a'])
    await assert.rejects(
      new RunMemory().run(at(home.path, { revision })),
      { code: 'GATHERER_GIT' },
      revision,
    );
});
