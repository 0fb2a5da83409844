import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.ts';
import { layers } from './layers.ts';

// These stand outside the layers and may import any folder's door; nothing may import them.
const outside = ['test', 'bench'];

// Each library is entered in few folders, dynamic imports and createRequire included.
const libraries: Readonly<Record<string, readonly string[]>> = {
  level: ['store'],
  ws: ['wire'],
  'zlib-sync': ['wire'],
  msgpackr: ['soif', 'wire'],
  undici: ['fetch'],
  'basic-ftp': ['fetch'],
  fastify: ['http'],
  flexsearch: ['broker/engines'],
  stemmer: ['query'],
  '@orama/stemmers': ['query'],
  htmlparser2: ['gatherer'],
  'postal-mime': ['gatherer'],
  yauzl: ['gatherer'],
  'csv-parse': ['gatherer'],
  exifreader: ['gatherer'],
  'music-metadata': ['gatherer'],
  unpdf: ['gatherer'],
  yargs: ['cli'],
  zod: ['cli', 'gatherer/modules'],
  yaml: ['cli'],
  pino: ['cli'],
  'prom-client': ['cli'],
  'playwright-core': ['test'],
  'axe-core': ['test'],
};

const kernelFiles = ['clock.ts', 'errors.ts', 'events.ts', 'index.ts', 'random.ts', 'setting.ts', 'units.ts'];

const maxLines = 400;

// Pure data tables may be longer than a file with logic in it.
const dataTables: readonly string[] = [];

const root = checkout(dirname(fileURLToPath(import.meta.url)));

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

function sourceFiles(): SourceFile[] {
  const skipped = /^(dist|\.build|node_modules|\.git|garner-data)(\/|$)/;
  // This file plants faults as text; it imports nothing of ours.
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path !== 'test/architecture.test.ts')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !skipped.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Every module specifier of a file: static, type-only, dynamic, re-exported and required. */
function specifiers(text: string): string[] {
  const patterns = [
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\b(?:import|require)\(\s*['"]([^'"]+)['"]/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] as string));
}

const folderOf = (path: string) => path.split('/')[0] as string;
const rowOf = (folder: string) => layers.findIndex((row) => row.includes(folder));

/** What is wrong with one file's imports, as sentences. */
export function importFaults(file: SourceFile): string[] {
  const faults: string[] = [];
  const from = folderOf(file.path);
  for (const specifier of specifiers(file.text)) {
    if (specifier.startsWith('node:')) continue;
    if (!specifier.startsWith('.')) {
      const library = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      if (outside.includes(from) || file.path.endsWith('.test.ts')) continue;
      const allowed = libraries[library];
      if (!allowed?.some((folder) => file.path.startsWith(`${folder}/`)))
        faults.push(
          `${file.path} imports ${library}: that library is entered only in ${allowed?.join(', ') ?? 'no folder'}`,
        );
      continue;
    }
    const target = normalize(join(dirname(file.path), specifier));
    const to = folderOf(target);
    if (to === from) continue;
    if (to.startsWith('..') || !target.includes('/')) {
      if (target.endsWith('.json')) continue;
      faults.push(`${file.path} imports ${target}: outside the house`);
      continue;
    }
    if (outside.includes(to)) {
      if (!outside.includes(from) && !file.path.endsWith('.test.ts'))
        faults.push(`${file.path} imports ${target}: ${to} is for tests only`);
      continue;
    }
    if (target !== `${to}/index.ts`)
      faults.push(`${file.path} imports ${target}: a folder is entered only through its index.ts`);
    if (outside.includes(from)) continue;
    if (rowOf(from) < 0) faults.push(`${file.path}: folder ${from} is in no layer`);
    else if (rowOf(to) < 0) faults.push(`${file.path} imports ${target}: folder ${to} is in no layer`);
    else if (rowOf(to) >= rowOf(from))
      faults.push(`${file.path} imports ${target}: ${from} may not see ${to}`);
  }
  return faults;
}

/** File groups that import each other in a circle, types included. */
export function circles(files: readonly SourceFile[]): string[] {
  const edges = new Map(
    files.map((file) => [
      file.path,
      specifiers(file.text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => normalize(join(dirname(file.path), specifier))),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      found.push([...trail.slice(at), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}

const files = sourceFiles();

test('imports run downhill, through doors, and libraries stay in their folders', () => {
  assert.ok(files.length > 20, `only ${files.length} source files were found in ${root}`);
  assert.deepEqual(files.flatMap(importFaults), []);
});

test('no file imports itself through others', () => {
  assert.deepEqual(circles(files), []);
});

test('the rules fire on planted faults', () => {
  const planted: [string, string, RegExp][] = [
    ['store/bad.ts', "import { Broker } from '../broker/index.ts';", /store may not see broker/],
    ['soif/bad.ts', "import type { Source } from '../awareness/index.ts';", /soif may not see awareness/],
    ['wire/bad.ts', "import { ObjectStore } from '../store/index.ts';", /wire may not see store/],
    ['gatherer/bad.ts', "export { x } from '../broker/index.ts';", /gatherer may not see broker/],
    ['broker/bad.ts', "const engine = await import('../store/level.ts');", /only through its index\.ts/],
    ['broker/bad.ts', "import { Level } from 'level';", /level: that library is entered only in store/],
    ['broker/bad.ts', "const x = require('ws');", /ws: that library/],
    ['cli/bad.ts', "import {\n  a,\n  b,\n} from '../test/helper.ts';", /for tests only/],
    ['kernel/bad.ts', "import '../soif/index.ts';", /kernel may not see soif/],
  ];
  for (const [path, text, expected] of planted) {
    const faults = importFaults({ path, text });
    assert.match(faults.join('\n'), expected, `${path}: ${text}`);
  }
  const circle = circles([
    { path: 'soif/a.ts', text: "import type { B } from './b.ts';" },
    { path: 'soif/b.ts', text: "export { a } from './a.ts';" },
  ]);
  assert.equal(circle.length, 1);
});

test('only exchange synchronises: nothing above it runs a scheme by itself', () => {
  const runners = /\b(serveVector|learnFrom)\b/;
  const offenders = files
    .filter((file) => !/^(awareness|exchange|test|bench)\//.test(file.path) && runners.test(file.text))
    .map((file) => file.path);
  assert.deepEqual(offenders, []);
});

test('the kernel holds these files and no others', () => {
  const present = files
    .map((file) => file.path)
    .filter((path) => path.startsWith('kernel/') && !path.endsWith('.test.ts'));
  assert.deepEqual(present.map((path) => path.slice('kernel/'.length)).sort(), kernelFiles);
});

test('files stay small', () => {
  const long = files
    .filter((file) => !dataTables.includes(file.path))
    .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
    .filter((file) => file.lines > maxLines)
    .map((file) => `${file.path}: ${file.lines} lines`);
  assert.deepEqual(long, []);
});

test('every folder in a layer opens with its door', () => {
  const folders = new Set(
    files.map((file) => folderOf(file.path)).filter((folder) => rowOf(folder) >= 0 && folder !== 'cli'),
  );
  for (const folder of folders)
    assert.ok(
      files.some((file) => file.path === `${folder}/index.ts`),
      `${folder}/index.ts is missing`,
    );
});
