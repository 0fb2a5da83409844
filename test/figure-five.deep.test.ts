import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { parseRootNode, type TryReport } from '../gatherer/index.ts';
import { checkout } from './checkout.ts';
import { runCommand, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf } from './commands/command-here.ts';

const examples = join(checkout(dirname(fileURLToPath(import.meta.url))), 'deploy/examples');

const files = {
  README: `Essence: a resource discovery system

Essence extracts and indexes file contents in a file system. It exploits the semantics
of file types to summarize files selectively.

Keywords: essence, resource discovery, indexing
`,
  'doc/essence.1': `.TH ESSENCE 1 "June 1993"
.SH NAME
essence \\- summarize files
.SH SYNOPSIS
.B essence
[\\fB\\-v\\fR]
.I file ...
.SH DESCRIPTION
Summarizes each file by its type.
`,
  'doc/Essence.ms': `.TL
Essence: A Resource Discovery System
.AU
Darren R. Hardy
.AU
Michael F. Schwartz
.AI
University of Colorado, Boulder
.AB
We describe a system that exploits file semantics to summarize files.
.AE
.NH
Introduction
.PP
Discovering resources is hard.
`,
  'src/pstext/pstext/dvi.c': '/* Reads DVI. */\nint main(void) { return 0; }\n',
};

/**
 * The archive of the figure, made by groff, tar and compress; undefined when the test is skipped because one is
 * missing.
 */
function archive(t: TestContext, folder: string): string | undefined {
  const commands = `groff -ms -Tps doc/Essence.ms > doc/Essence.ps
tar cf - README doc/essence.1 doc/Essence.ms doc/Essence.ps src/pstext/pstext/dvi.c | compress -c > essence.tar.Z`;
  try {
    execFileSync('/bin/sh', ['-c', 'command -v groff && command -v compress'], { stdio: 'ignore' });
  } catch {
    t.skip('SKIPPED: install groff and ncompress');
    return undefined;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync('/bin/sh', ['-e', '-c', commands], { cwd: folder });
  return join(folder, 'essence.tar.Z');
}

test('figure 5: a compressed tar of Essence gives the three records that the paper names', async (t) => {
  await using folder = await temporaryFolder();
  const path = archive(t, folder.path);
  if (path === undefined) return;
  const config = join(examples, 'essence.yaml');
  const report = await jsonOf<TryReport>(['gatherer', 'try', path, '--config', config], { cwd: folder.path });
  assert.equal(report.type, 'CompressedTar');
  assert.deepEqual(report.refused, []);
  const records = new Map(
    report.objects.map(({ url, attributes }) => [url.replace(/^[^#]*#/, ''), attributes]),
  );
  assert.deepEqual([...records.keys()].sort(), ['README', 'doc/Essence.ms', 'doc/essence.1']);
  assert.equal(report.objects.length, 3);
  const readme = records.get('README');
  assert.equal(readme?.Type, 'README');
  assert.equal(readme?.Keywords, 'essence, resource discovery, indexing');
  const manual = records.get('doc/essence.1');
  assert.deepEqual([manual?.Type, manual?.Synopsis], ['ManPage', 'essence [-v] file ...']);
  const paper = records.get('doc/Essence.ms');
  assert.deepEqual(
    ['Type', 'Title', 'Author-1', 'Author-2', 'Institution', 'Abstract'].map((name) => paper?.[name]),
    [
      'Troff',
      'Essence: A Resource Discovery System',
      'Darren R. Hardy',
      'Michael F. Schwartz',
      'University of Colorado, Boulder',
      'We describe a system that exploits file semantics to summarize files.',
    ],
  );
  // Without the example all five have a record.
  const whole = await jsonOf<TryReport>(['gatherer', 'try', path], { cwd: folder.path });
  assert.equal(whole.objects.length, 5);
});

test('the command accepts every example, and its roots and rules have their documented effect', async () => {
  await using folder = await temporaryFolder();
  const names = readdirSync(examples).filter((name) => name.endsWith('.yaml'));
  assert.ok(names.length >= 3);
  for (const name of names) {
    const config = join(examples, name);
    const { code, stderr } = await runCommand(['config', '--config', config], { cwd: folder.path });
    assert.equal(code, 0, `${name}: ${stderr}`);
  }
  const { gatherer } = parse(readFileSync(join(examples, 'roots.yaml'), 'utf8'));
  const kinds = gatherer.roots.map((root: unknown, at: number) => parseRootNode(root, `roots[${at}]`).kind);
  assert.deepEqual(kinds, ['web', 'ftp', 'feed', 'git']);
  writeFileSync(join(folder.path, 'soup.recipe'), 'Soup\n- onions\n');
  const rules = ['--config', join(examples, 'rules.yaml')];
  const soup = await jsonOf<TryReport>(['gatherer', 'try', 'soup.recipe', ...rules], { cwd: folder.path });
  const { Ingredient, Topic } = soup.objects[0]?.attributes ?? {};
  assert.deepEqual([Ingredient, Topic], ['onions', 'cooking']);
});
