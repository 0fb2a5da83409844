// Runs the compiled tests: `npm test` the fast suite, `npm test -- deep` the others, `npm test -- WORD...` every test whose
// path holds one of the words, `npm test -- long` those of `longRuns` with many more rounds.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkout } from './checkout.ts';
import { featureFaults, featureTable } from './feature-table.ts';
import { features } from './features.ts';
import { isDeep, longRuns, requested, testFiles } from './suites.ts';

const built = dirname(dirname(fileURLToPath(import.meta.url)));
const root = checkout(built);
const processes = Math.max(2, availableParallelism());
const maxMs = 600_000;
const slowestShown = 12;

/** What a run has seen. */
interface Seen {
  readonly titles: Set<string>;
  readonly msByFile: Map<string, number>;
  /** Title and reason of each skipped test. */
  readonly skipped: string[];
}

/** Run files, each in a process of its own, and show the tests as they end. */
async function runFiles(files: readonly string[], seen: Seen): Promise<void> {
  const events = run({ files: [...files], concurrency: processes, timeout: maxMs });
  events.on('test:fail', () => {
    process.exitCode = 1;
  });
  events.on('test:pass', ({ name, nesting, file, details, skip }) => {
    // A feature whose test is skipped is no fault of the register: the checks admit few reasons for skipping.
    seen.titles.add(name);
    if (skip !== undefined) seen.skipped.push(`${name} # ${skip}`);
    if (nesting === 0 && file !== undefined)
      seen.msByFile.set(file, (seen.msByFile.get(file) ?? 0) + details.duration_ms);
  });
  const shown = events.compose(new spec());
  shown.pipe(process.stdout, { end: false });
  await new Promise((resolve) => shown.once('end', resolve));
}

/** Files that share a process with others, since starting one takes longer than most of them. */
async function runTogether(files: readonly string[], seen: Seen): Promise<void> {
  const folder = mkdtempSync(join(built, 'suite-'));
  try {
    const entries = Array.from({ length: processes }, (_, at) => {
      const own = files.filter((_file, index) => index % processes === at);
      const path = join(folder, `fast-${at + 1}.test.mjs`);
      writeFileSync(
        path,
        own.map((file) => `await import('${pathToFileURL(join(built, file))}');\n`).join(''),
      );
      return path;
    });
    await runFiles(entries, seen);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { suites, words } = requested(process.argv.slice(2));
const isWanted = (file: string) => words.length === 0 || words.some((word) => file.includes(word));
const files = testFiles(built, root).filter(isWanted);
const fast = suites.has('fast') ? files.filter((file) => !isDeep(file)) : [];
const deep = suites.has('deep') ? files.filter(isDeep) : [];
const long = suites.has('long') ? longRuns.filter(([path]) => files.some((file) => file.includes(path))) : [];
if (fast.length + deep.length + long.length === 0) {
  console.error(
    `no test file of the suites ${[...suites].join(', ')} has a path with any of: ${words.join(' ')}`,
  );
  process.exit(2);
}

// The processes of the tests have the arguments that this one has for Node.js.
process.execArgv.push('--import', new URL('./untracked.js', import.meta.url).href);
const seen: Seen = { titles: new Set(), msByFile: new Map(), skipped: [] };
const began = performance.now();
if (fast.length > 0) await runTogether(fast, seen);
if (deep.length > 0)
  await runFiles(
    deep.map((file) => join(built, file)),
    seen,
  );
for (const [path, env] of long) {
  Object.assign(process.env, env);
  await runFiles(
    files.filter((file) => file.includes(path)).map((file) => join(built, file)),
    seen,
  );
  for (const name of Object.keys(env)) delete process.env[name];
}

for (const line of seen.skipped) console.log(`skipped: ${line}`);
const slowest = [...seen.msByFile].sort(([, a], [, b]) => b - a).slice(0, slowestShown);
console.log(
  ['slowest files:', ...slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)].join(
    '\n',
  ),
);
// The register is judged by the titles of a whole run.
if (suites.has('fast') && suites.has('deep') && words.length === 0) {
  const faults = featureFaults(features, seen.titles);
  console.log(`\n${featureTable(features, seen.titles)}`);
  if (faults.length > 0) {
    console.error(`faults of the register (test/features.ts):\n${faults.join('\n')}`);
    process.exitCode = 1;
  }
}
console.log(
  `${seen.titles.size} titles passed, ${seen.skipped.length} tests skipped, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
);
