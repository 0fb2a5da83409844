import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RunReport, TryReport } from '../gatherer/index.ts';
import { checkout } from './checkout.ts';
import { jsonOf, runCommand, temporaryFolder } from './commands/command.ts';

const recipe = 'Soup\nServes: 4\nMinutes: 30\n- onions\n- water\n';
const configOf = (more: string) => `gatherer:
  types-by-name: [{ pattern: '\\.recipe$', type: Recipe }]
  summarisers: [{ type: Recipe, ${more} }]
`;

test('the module of the example summarises a recipe', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'soup.recipe'), recipe);
  const example = join(checkout(dirname(fileURLToPath(import.meta.url))), 'deploy/examples/module.yaml');
  const line = ['gatherer', 'try', 'soup.recipe', '--config', example];
  const { type, objects } = await jsonOf<TryReport>(line, { cwd: folder.path });
  const { Title, Ingredient, 'Ingredient-Count': count, Serves, Minutes } = objects[0]?.attributes ?? {};
  assert.deepEqual(
    [type, Title, Ingredient, count, Serves, Minutes],
    ['Recipe', 'Soup', 'onions\nwater', '2', '4', '30'],
  );
});

test('documents are read again when the module has changed, and only then', async () => {
  await using folder = await temporaryFolder();
  const options = { cwd: folder.path };
  for (const name of ['site', 'conf']) await mkdir(join(folder.path, name));
  await writeFile(join(folder.path, 'site/soup.recipe'), recipe);
  await writeFile(join(folder.path, 'conf/garner.yaml'), configOf('module: ./facts.js'));
  const module = (version: number) =>
    writeFile(
      join(folder.path, 'conf/facts.js'),
      `export function summarise() { console.log('on standard error'); return { Version: ${version} }; }`,
    );
  const common = ['--data', 'data', '--config', 'conf/garner.yaml'];
  const gather = () => jsonOf<RunReport>(['gatherer', 'run', '--root', 'site', ...common], options);
  await module(1);
  assert.equal((await gather()).added, 1);
  const second = await gather();
  assert.deepEqual([second.unchanged, second.bytesRead], [1, 0]);
  await module(2);
  const third = await gather();
  assert.deepEqual([third.changed, third.bytesRead], [1, recipe.length]);
});

test('a module that cannot be used is refused before anything is gathered', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'soup.recipe'), recipe);
  await writeFile(join(folder.path, 'silent.js'), 'export const other = 1;');
  for (const [more, code] of [
    ['module: ./nowhere.js', /MODULE_ABSENT/],
    ['module: ./silent.js', /MODULE_EXPORT/],
    ['module: ./silent.js, command: [cat]', /RULE_SETTING/],
    ['module: ./silent.js, seconds: 3', /gatherer\.document-time/],
    ['module: ./silent.js }, { type: recipe, command: [cat]', /has a summariser already/],
    ['mode: add', /RULE_SETTING/],
  ] as const) {
    await writeFile(join(folder.path, 'garner.yaml'), configOf(more));
    const {
      code: exit,
      stdout,
      stderr,
    } = await runCommand(['gatherer', 'try', 'soup.recipe'], {
      cwd: folder.path,
    });
    assert.deepEqual([exit, stdout], [2, ''], `${more}: ${stderr}`);
    assert.match(stderr, code);
    assert.match(stderr, /^ {2}try {3}\S/m);
  }
});
