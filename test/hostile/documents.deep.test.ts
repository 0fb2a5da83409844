import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../commands/command.ts';
import { hostileConfiguration, makeHostileFolder, plainFiles } from './folder.ts';
import { type MeasuredRun, measuredRun } from './run.ts';
import { summariesIn } from './store.ts';

const gibibyte = 1024 ** 3;
const mebibyte = 1024 ** 2;

/**
 * The command that becomes the user nobody, for whom folders can be unreadable; undefined where that is impossible.
 */
function asNobody(): readonly string[] | undefined {
  const words = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const here = fileURLToPath(import.meta.url);
  try {
    execFileSync(words[0] as string, [...words.slice(1), process.execPath, '--check', here], {
      stdio: 'ignore',
    });
    return words;
  } catch {
    return undefined;
  }
}

/** Rewrite a file repeatedly until stopped, then leave it with its last text. */
function rewriting(path: string): () => Promise<void> {
  let stopped = false;
  const work = (async () => {
    for (let n = 1; !stopped; n++)
      await writeFile(path, `It is rewritten while it is read: ${'x'.repeat(n % 5000)}\n`);
    await writeFile(path, 'It is at rest.\n');
  })();
  return () => {
    stopped = true;
    return work;
  };
}

function isBounded({ peakBytes, code }: MeasuredRun): void {
  assert.ok(code === 0 || code === 3, String(code));
  assert.ok(peakBytes < gibibyte, `${Math.round(peakBytes / mebibyte)} MiB`);
}

test('everything hostile in one folder: an error or note for each, all siblings, in bounded memory', async (t) => {
  if (!existsSync('/proc/self')) return t.skip('SKIPPED: only on Linux');
  await using home = await temporaryFolder();
  const root = join(home.path, 'site');
  // Paths too long for the system are no trouble for rm.
  using _files = { [Symbol.dispose]: () => void execFileSync('rm', ['-rf', root]) };
  await using _socket = await makeHostileFolder(root);
  writeFileSync(join(home.path, 'garner.yaml'), hostileConfiguration);
  const isRoot = process.getuid?.() === 0;
  const nobody = isRoot ? asNobody() : undefined;
  const locked = !isRoot || nobody !== undefined;
  if (!locked)
    t.diagnostic(
      'SKIPPED: files that may not be read, because setpriv is missing or the user nobody cannot read the build',
    );
  chmodSync(home.path, 0o777);
  if (nobody !== undefined) chownSync(home.path, 65534, 65534);
  const options = { cwd: home.path, root: 'site', ...(nobody === undefined ? {} : { before: nobody }) };

  const rest = rewriting(join(root, 'changing.txt'));
  const run = await measuredRun(options).finally(rest);
  const { report } = run;
  t.diagnostic(
    `${report.ms} ms, ${Math.round(run.peakBytes / mebibyte)} MiB, ${Math.round(run.cpuMs)} ms of CPU`,
  );
  isBounded(run);
  assert.equal(run.code, 3);
  assert.equal(report.complete, true);
  const found = await summariesIn(join(home.path, 'data'));
  const base = `file://${root}/`;
  const names = [...found.keys()].map((url) => url.slice(base.length));
  const note = (name: string) => found.get(base + name)?.get('Summary-Note') ?? '';
  const text = (name: string) => found.get(base + name)?.get('Full-Text') ?? '';
  assert.equal(names.filter((name) => /^plain-\d+\.txt$/.test(name)).length, plainFiles);

  // Archives: the bombs are refused, and their siblings are gathered.
  for (const name of ['overlapping.zip', 'nested.zip', 'climbing.tar'])
    assert.ok(
      names.some((known) => known.startsWith(`${name}#`) && known.endsWith('README')),
      name,
    );
  assert.match(note('deep.gz'), /deeper than 16 wrappers/);
  assert.ok(names.filter((name) => name.startsWith('overlapping.zip')).length <= 2);
  assert.ok(names.filter((name) => name.startsWith('nested.zip')).length < 100);
  assert.ok(report.refused > 1000 && report.refusals.length > 5 && report.refusals.length <= 20);
  assert.ok(report.refusals.every(({ code }) => /^(UNNEST|GATHERER)_/.test(code)));
  const refusals = report.refusals.map(({ url, reason }) => `${url.slice(base.length)} ${reason}`).join('\n');
  for (const said of ['climbs out', 'an absolute name', 'a symbolic link', 'a link to another member'])
    assert.match(refusals, new RegExp(`^climbing\\.tar#.*${said}`, 'm'));
  assert.match(refusals, /^deep\.gz#deep .*deeper than 16/m);
  assert.ok(!names.some((name) => name.includes('passwd')));

  // Documents and programs that loop, sleep, grow or print without end.
  for (const name of ['pages.pdf', 'tables.pdf', 'streams.pdf']) assert.notEqual(note(name), '', name);
  assert.match(note('sleeping.hostile-sleeper'), /more than 2 seconds/);
  assert.match(note('talking.hostile-talker'), /bytes of output/);
  assert.match(note('links.html'), /needs more than 96 MiB of memory/);
  assert.equal(found.get(`${base}deep.html`)?.get('Title'), 'A deep page');
  assert.ok(names.includes('long.html'));
  assert.match(text('changing.txt'), /^(It is|$)/);

  // Names, and entries that are no files.
  assert.match(text('line%0Abreak.txt'), /breaks the line/);
  assert.match(text('bell%07%1B%5B31m.txt'), /rings and is red/);
  assert.ok((report.skipped['not a regular file'] ?? 0) >= 1);
  assert.equal(report.skipped['symbolic link out of the folder'], 1);
  const failures = report.failures.map(
    ({ url, reason }) => `${url.slice(base.length, base.length + 80)} ${reason}`,
  );
  const failed = (pattern: RegExp) => failures.some((said) => pattern.test(said));
  assert.ok(failed(/^loop\/about .*ELOOP/) && failed(/^loop\/round .*ELOOP/), failures.join('\n'));
  assert.ok(failed(/^x{80} .*ENAMETOOLONG/));
  if (locked)
    assert.ok(failed(/^unreadable\/ .*EACCES/) && failed(/^locked\.txt .*EACCES/), failures.join('\n'));
  assert.equal(report.failed, locked ? 5 : 3);

  const again = await measuredRun(options);
  isBounded(again);
  const { bytesRead, changed, added, deleted } = again.report;
  assert.deepEqual([bytesRead, changed, added, deleted], ['It is at rest.\n'.length, 1, 0, 0]);
  assert.match(
    (await summariesIn(join(home.path, 'data'))).get(`${base}changing.txt`)?.get('Full-Text') ?? '',
    /at rest/,
  );
});

test('many files of 60 MiB are not read ahead all at once', async (t) => {
  if (!existsSync('/proc/self')) return t.skip('SKIPPED: only on Linux');
  await using home = await temporaryFolder();
  for (let n = 0; n < 20; n++) {
    writeFileSync(join(home.path, `zeros-${n}.bin`), '');
    truncateSync(join(home.path, `zeros-${n}.bin`), 60 * mebibyte);
  }
  await using data = await temporaryFolder();
  const run = await measuredRun({ cwd: data.path, root: home.path });
  t.diagnostic(`${Math.round(run.peakBytes / mebibyte)} MiB`);
  isBounded(run);
  assert.deepEqual([run.report.added, run.report.bytesRead], [20, 1200 * mebibyte]);
  assert.ok(readdirSync(home.path).length === 20);
});
