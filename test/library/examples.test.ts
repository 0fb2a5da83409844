import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkout } from '../checkout.ts';
import { declaredBy, examplesIn, libraryExports } from './declarations.ts';
import { openHarbour } from './harbour.ts';

const root = checkout(dirname(fileURLToPath(import.meta.url)));

const exported = libraryExports(root).map(({ name, file }) => ({ name, names: declaredBy(file) }));

test('every public name of the package has a docstring', (t) => {
  assert.deepEqual(
    exported.map(({ name }) => name),
    ['garner/awareness', 'garner/client', 'garner/query', 'garner/soif', 'garner/wire'],
  );
  for (const { name, names } of exported) {
    t.diagnostic(`${name}: ${names.length} names`);
    assert.ok(names.length > 20, `${name} has only ${names.length} names`);
  }
  const bare = exported.flatMap(({ name, names }) =>
    names
      .filter(({ doc }) => doc === '')
      .map((each) => `${name}: ${each.name} in ${relative(root, each.file)}`),
  );
  assert.deepEqual(bare, []);
});

/** The examples of the declarations and of the manual, each once, with a name. */
async function examples(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { names } of exported)
    for (const { name, doc, members } of names)
      for (const [at, code] of [doc, ...members].flatMap(examplesIn).entries())
        found.set(`${name} ${at + 1}`, code);
  const manual = await readFile(join(root, 'docs/library.md'), 'utf8');
  for (const [at, [, code = '']] of [...manual.matchAll(/^```js\n([\s\S]*?)^```$/gm)].entries())
    found.set(`docs/library.md ${at + 1}`, code);
  return found;
}

test('every example of the package and of its page in the manual runs', async (t) => {
  const all = await examples();
  for (const name of ['garner/soif', 'garner/query', 'garner/awareness', 'garner/wire', 'garner/client'])
    assert.ok(
      [...all.values()].some((code) => code.includes(`from '${name}'`)),
      `${name} has no example`,
    );
  assert.ok(
    [...all].filter(([name]) => name.startsWith('docs/')).length >= 5,
    'the manual has an example of each',
  );
  await using harbour = await openHarbour();
  // Inside the package, so that it finds itself by its name.
  const folder = await mkdtemp(join(root, 'dist', 'examples-'));
  try {
    for (const [name, code] of all) {
      assert.match(code, /\bassert\b/, `the example of ${name} asserts nothing`);
      const path = join(folder, `${name.replaceAll(/\W/g, '-')}.mjs`);
      await writeFile(path, harbour.real(code));
      await assert.doesNotReject(import(pathToFileURL(path).href), `the example of ${name} fails:\n${code}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  t.diagnostic(`${all.size} examples`);
});
