import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseMakefile } from './makefile.ts';
import { summarisePatch } from './patch.ts';

test('a patch that git made', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-patch-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Maja Bee', '-c', 'user.email=maja@hive.example', ...args], {
      cwd: folder,
      env: {
        ...process.env,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_DATE: '1996-05-04T12:00:00Z',
        HOME: folder,
      },
    }).toString();
  try {
    git('init', '-q');
  } catch {
    t.skip('SKIPPED: install git');
    return;
  }
  writeFileSync(join(folder, 'a.c'), 'int fly(void) {\n  return 0;\n}\n');
  git('add', '.');
  git('commit', '-qm', 'First');
  writeFileSync(join(folder, 'a.c'), 'int fly(void) {\n  return high;\n-- not a header\n}\n');
  writeFileSync(join(folder, 'new.txt'), 'fresh honey\n');
  git('add', '.');
  git('commit', '-qm', 'Fly higher\n\nBecause of the view.');
  const patch = await extractOf(summarisePatch, 'x.patch', git('format-patch', '-1', '--stdout'));
  assert.equal(patch.title, 'Fly higher');
  assert.equal(patch.value('Author'), 'Maja Bee <maja@hive.example>');
  assert.equal(patch.value('Description'), 'Because of the view.');
  assert.match(patch.value('Date') ?? '', /^Sat, 4 May 1996/);
  assert.match(patch.value('Commit') ?? '', /^[0-9a-f]{40}$/);
  assert.equal(patch.value('Files'), 'a.c\nnew.txt');
  assert.deepEqual(
    [patch.value('Hunks'), patch.value('Lines-Added'), patch.value('Lines-Removed')],
    ['2', '3', '1'],
  );
  assert.match(patch.body, /return high;\n-- not a header\nfresh honey/);
  assert.doesNotMatch(patch.body, /return 0/);
});

test('a context diff and a patch with Debian’s header', async () => {
  const context = `*** old/a.c\tSat May  4 12:00:00 1996
--- new/a.c\tSat May  4 12:00:01 1996
*************** fly(void)
*** 1,2 ****
! low
  same
--- 1,3 ----
! high
  same
+ more
`;
  const old = await extractOf(summarisePatch, 'x.diff', context);
  assert.equal(old.value('Files'), 'new/a.c');
  assert.equal(old.value('Functions'), 'fly(void)');
  assert.equal(old.body, 'high\nmore');
  const hunk = (file: string, mark: string) =>
    `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@ ${mark}\n-low\n+high\n`;
  const marks = [
    ['Cargo.toml', 'version = "0.4.11"'],
    ['README', 'Bees fly.'],
    ['setup.py', "version = '0.4.11'"],
    ['fly.js', 'fly = function (high) {'],
    ['fly.py', 'def fly(high=True):'],
  ] as const;
  const program = await extractOf(
    summarisePatch,
    'x.diff',
    marks.map(([file, mark]) => hunk(file, mark)).join(''),
  );
  assert.equal(program.value('Functions'), 'fly = function (high) {\ndef fly(high=True):');
  const debian = `Description: Mend the hive
 It leaked.
Author: Maja Bee <maja@hive.example>
Bug-Debian: https://bugs.debian.org/1
Last-Update: 1996-05-04
---
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
-old
`;
  const quilt = await extractOf(summarisePatch, 'mend.patch', debian);
  assert.match(quilt.title ?? '', /^Mend the hive/);
  assert.equal(quilt.value('Author'), 'Maja Bee <maja@hive.example>');
  assert.equal(quilt.value('Bug'), 'https://bugs.debian.org/1');
  assert.equal(quilt.value('Date'), '1996-05-04');
  assert.equal(quilt.value('Files'), 'gone.c');
});

test('a makefile', async (t) => {
  const source = `# Copyright (C) 1996 Maja Bee
#
# Builds the hive.

include config.mk
-include .depend
CC ?= gcc
override CFLAGS += -O2 \\
  -g
.PHONY: all clean
all: hive docs
hive docs: %: %.c $(OBJS)
\t$(CC) -o $@ $< # never a target: here
%.o: %.c
define rule
x: y
endef
ifeq ($(A),b)
clean::
\trm -f hive
endif
url = http://hive.example/
`;
  const make = await extractOf(summariseMakefile, 'Makefile', source, { text: 'selected' });
  assert.deepEqual(Object.fromEntries(make.fields), {
    Description: 'Builds the hive.',
    Targets: 'all\nhive\ndocs\nclean',
    Variables: 'CC\nCFLAGS\nrule\nurl',
    Includes: 'config.mk, .depend',
    Copyright: 'Copyright (C) 1996 Maja Bee',
  });
  assert.equal(make.body, 'Copyright (C) 1996 Maja Bee\nBuilds the hive.');
  assert.match((await extractOf(summariseMakefile, 'Makefile', source)).body, /rm -f hive/);
  const fragment = debianFile(t, 'dpkg-dev', '/usr/share/dpkg/architecture.mk');
  if (fragment === undefined) return;
  const debian = await extractOf(summariseMakefile, 'architecture.mk', fragment);
  assert.match(debian.value('Description') ?? '', /DEB_HOST_\* and DEB_BUILD_\* variables/);
});
