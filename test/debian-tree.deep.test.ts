import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './commands/command.ts';
import { measuredRun } from './hostile/run.ts';
import { type Summaries, summariesIn } from './hostile/store.ts';

const [manuals, documentation] = ['/usr/share/man', '/usr/share/doc'];

/** Max pages gathered of a section, so that the test takes seconds. */
const pagesOfSection = 2500;

/** The folders of the system's manual pages and of a part of its documentation; empty where either is missing. */
function folders(): readonly string[] {
  if (!existsSync(manuals) || !existsSync(documentation)) return [];
  const sections = readdirSync(manuals).filter((name) => /^man[1-8]$/.test(name));
  const packages = readdirSync(documentation)
    .filter((name) => /^[a-d]/.test(name))
    .map((name) => join(documentation, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  return sections.length === 0 ? [] : [...sections.map((name) => join(manuals, name)), ...packages];
}

function countsOf(summaries: Summaries): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const attributes of summaries.values()) {
    const type = attributes.get('Type') ?? 'none';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

test("a Debian system's manual pages and documentation: no crash, every page known, nothing read twice", async (t) => {
  const roots = folders();
  if (roots.length === 0) return t.skip(`SKIPPED: no ${manuals}/man* or no ${documentation}`);
  await using home = await temporaryFolder();
  const lines = roots.map((path) => `    - { url: 'file://${encodeURI(path)}', url-max: ${pagesOfSection} }`);
  writeFileSync(join(home.path, 'garner.yaml'), `gatherer:\n  roots:\n${lines.join('\n')}\n`);
  const first = await measuredRun({ cwd: home.path, patienceMs: 250_000 });
  const { report } = first;
  assert.deepEqual([first.code, report.failed, report.failures, report.complete], [0, 0, [], true]);
  const summaries = await summariesIn(join(home.path, 'data'), 500);
  assert.equal(summaries.size, report.objects);
  const counts = countsOf(summaries);
  const types = [...counts].sort((a, b) => b[1] - a[1]).map(([type, count]) => `${type} ${count}`);
  t.diagnostic(`${report.objects} summaries in ${report.ms} ms, ${Math.round(first.cpuMs)} ms of CPU`);
  t.diagnostic(`types: ${types.join(', ')}`);
  t.diagnostic(`left out: ${JSON.stringify(report.skipped)}; left packed: ${report.refused}`);
  assert.ok((counts.get('ManPage') ?? 0) > 100, types.join(', '));
  assert.ok(counts.size >= 5, types.join(', '));
  const unknown = [...summaries].filter(
    ([url, attributes]) =>
      /\/man\d\/.*\.gz$/.test(url) && (attributes.get('Type') !== 'ManPage' || !attributes.get('Title')),
  );
  assert.deepEqual(
    unknown.map(([url, attributes]) => `${url} ${attributes.get('Type')} ${attributes.get('Summary-Note')}`),
    [],
  );

  const second = await measuredRun({ cwd: home.path });
  const { unchanged, added, changed, deleted, bytesRead } = second.report;
  assert.deepEqual([second.code, bytesRead, added, changed, deleted], [0, 0, 0, 0, 0]);
  assert.equal(unchanged, report.objects);
  // The cost of start-up is that of a run over one small folder.
  const small = await temporaryFolder();
  await using _removed = small;
  writeFileSync(join(small.path, 'one.txt'), 'One file.\n');
  await measuredRun({ cwd: small.path, root: '.' });
  const startUp = await measuredRun({ cwd: small.path, root: '.' });
  const each = ((second.cpuMs - startUp.cpuMs) * 1000) / unchanged;
  t.diagnostic(`a second run: ${Math.round(each)} us of CPU per unchanged file beyond start-up`);
});
