import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { extractOf } from '../../testing/extract-reading.ts';
import { summariseRcs, summariseSccs } from './revision-history.ts';

/** Runs a script of sh in a folder of its own; skips the test when the program it needs is missing. */
function madeBy(t: TestContext, program: string, packageName: string, script: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'garner-history-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const run = (lines: string) =>
    spawnSync('sh', ['-ec', lines], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC', LOGNAME: 'maja' },
    });
  if (run(`command -v ${program}`).status !== 0) {
    t.skip(`SKIPPED: install ${packageName}`);
    return undefined;
  }
  const { status, stderr } = run(script);
  assert.equal(status, 0, stderr);
  return folder;
}

test('an RCS file made by ci', async (t) => {
  const folder = madeBy(
    t,
    'ci',
    'rcs',
    `printf 'int x = 0;\\n' > a.c
     ci -l -q -t-'Counts bees' -m'First' -d'1996-05-04 12:00:00' -wmaja a.c
     printf 'int x = 1; // maja@hive\\n' > a.c
     ci -l -q -m'One at maja@hive' -d'1996-05-05 12:00:00' -wwilli -nREL_1 a.c`,
  );
  if (folder === undefined) return;
  const history = await extractOf(summariseRcs, 'a.c,v', readFileSync(join(folder, 'a.c,v')));
  assert.equal(history.title, 'a.c');
  assert.deepEqual(Object.fromEntries(history.fields), {
    Description: 'Counts bees',
    Head: '1.2',
    Revisions: '2',
    'Author-1': 'willi',
    'Author-2': 'maja',
    Date: '1996-05-05T12:00:00Z',
    'First-Date': '1996-05-04T12:00:00Z',
    Symbols: 'REL_1:1.2',
    Log: 'One at maja@hive\nFirst',
  });
  assert.match(history.body, /^int x = 1; \/\/ maja@hive$/m);
  assert.doesNotMatch(history.body, /int x = 0/);
});

test('an SCCS file made by CSSC', async (t) => {
  const folder = madeBy(
    t,
    'sccs',
    'cssc',
    `mkdir SCCS; printf 'one\\ntwo\\n' > b.txt; sccs admin -ib.txt -yfirst b.txt; rm b.txt; sccs edit -s b.txt
     printf 'one\\nthree\\n' > b.txt; sccs delta -s -y'second thoughts' b.txt; test -s SCCS/s.b.txt`,
  );
  if (folder === undefined) return;
  const history = await extractOf(summariseSccs, 's.b.txt', readFileSync(join(folder, 'SCCS', 's.b.txt')));
  assert.equal(history.title, 'b.txt');
  assert.equal(history.value('Revisions'), '2');
  assert.equal(history.value('Head'), '1.2');
  assert.equal(history.value('Log'), 'second thoughts\nfirst');
  assert.match(history.value('Date') ?? '', /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  assert.match(history.body, /one\nthree$/);
  assert.doesNotMatch(history.body, /two/);
});

test('an RCS file that ends too early', async () => {
  const history = await extractOf(
    summariseRcs,
    'x,v',
    'head 1.1;\n1.1\ndate 96.05.04.12.00.00; author maja;\ndesc\n@half a ',
  );
  assert.equal(history.value('Description'), 'half a');
  assert.equal(history.value('Date'), '1996-05-04T12:00:00Z');
  assert.deepEqual(history.notes, ['The file ends within a revision.']);
});
