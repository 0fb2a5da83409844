import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.ts';
import { benchRows, featureFaults, featureTable, figureFaults } from './feature-table.ts';
import type { Register } from './features/feature.ts';
import { features } from './features.ts';
import { type Source, sourceTitles } from './source-titles.ts';

const root = checkout(dirname(fileURLToPath(import.meta.url)));

/** All sources but those of the register itself, which holds every title. */
function sourceFiles(): Source[] {
  const skipped = /^(?:dist|\.build|node_modules|\.git|garner-data)(?:\/|$)|^test\/features/;
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !skipped.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const sources = sourceFiles();
const titles = sourceTitles(sources);
const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');
/** A bench has a name in a source of bench/ and a place in the page. */
const benches = new Set(
  benchRows(page)
    .map(({ bench }) => bench)
    .filter((bench) =>
      sources.some(
        ({ path, text }) => path.startsWith('bench/') && new RegExp(`name: '${bench}[' ]`).test(text),
      ),
    ),
);

test('each feature of the register has a test or a figure that shows it, or says what is missing', () => {
  assert.ok(features.length > 300, `only ${features.length} features`);
  assert.deepEqual(featureFaults(features, titles), []);
  assert.deepEqual(figureFaults(features, page, benches), []);
});

test('a title that no test has, a doubled id or sentence and a figure that is nowhere are found', () => {
  const feature = 'A planted feature.';
  const planted: Register = [
    ['planted.title', { feature, test: 'a title that is no test of Garner' }],
    ['planted.title', { feature: 'It has the same id.', missing: 'It is planted.' }],
    ['planted.sentence', { feature: 'a Planted feature.', test: 'this is no title either' }],
    ['Planted', { feature: 'Its id is ill-formed.', missing: 'It is planted.' }],
    ['planted.form', { feature: 'no capital, no full stop', missing: '' }],
  ];
  assert.deepEqual(featureFaults(planted, titles), [
    'planted.title: no test is called "a title that is no test of Garner"',
    'planted.title: two features have this id',
    'planted.sentence: "a Planted feature." is no sentence',
    'planted.sentence: its sentence is that of planted.title',
    'planted.sentence: no test is called "this is no title either"',
    'Planted: an id is lower-case words joined by dots',
    'planted.form: "no capital, no full stop" is no sentence',
    'planted.form: the reason is empty',
  ]);
  const figures: Register = [
    ['planted.bench', { feature: 'One.', bench: 'nothing', row: 'bytes' }],
    ['planted.row', { feature: 'Two.', bench: 'main', row: 'a row that is nowhere' }],
    ['planted.twice', { feature: 'Three.', bench: 'cache', row: 'Garner, requests a second' }],
  ];
  assert.deepEqual(figureFaults(figures, page, benches), [
    'planted.bench: there is no bench nothing',
    'planted.row: the page has no row "a row that is nowhere" of bench main',
    'planted.twice: the page has 3 times row "Garner, requests a second" of bench cache',
  ]);
});

test('titles are read from calls, templates, helpers and subtests', () => {
  const text = [
    "import { test } from 'node:test';",
    "test('plain, it\\'s so', () => {});",
    "test(\n  'on a line of its own',\n  () => {});",
    `test(\`\${rounds} rounds of \${names({ of: 1 })} end\`, () => {});`,
    "for (const name of ['first form', 'second']) await t.test(name, async () => {});",
    "const words = ['apples'];",
    '/x/.test(`no title`);',
  ].join('\n');
  const read = sourceTitles([{ path: 'x.test.ts', text }]);
  for (const title of ["plain, it's so", 'on a line of its own', '10,000 rounds of apples end', 'first form'])
    assert.ok(read.has(title), title);
  for (const title of ['no title', '3 rounds of pears end', 'on a line', 'third'])
    assert.ok(!read.has(title), title);
});

test('the table says of each feature whether its test is among the titles of a run', () => {
  const register: Register = [
    ['a.shown', { feature: 'It is shown.', test: 'one' }],
    ['a.gone', { feature: 'It is not run.', test: 'two' }],
    ['a.figure', { feature: 'It is measured.', bench: 'main', row: 'bytes' }],
    ['a.missing', { feature: 'It has no test.', missing: 'It is new.' }],
  ];
  const lines = featureTable(register, new Set(['one'])).split('\n');
  assert.deepEqual(lines, [
    'ok      a.shown    It is shown.',
    'missing a.gone     It is not run.',
    'figure  a.figure   It is measured.',
    'missing a.missing  It has no test.',
    '4 features: 1 ok, 1 figures, 2 missing',
    '',
  ]);
});
