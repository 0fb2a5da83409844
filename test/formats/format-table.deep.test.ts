import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TryReport } from '../../gatherer/index.ts';
import { jsonHere } from '../commands/command-here.ts';
import { root } from '../manual-pages.ts';
import { formatRows } from './format-table.ts';

test('each format and vocabulary gives the attributes of the table', async (t) => {
  for (const { format, file, type, attributes } of formatRows)
    await t.test(format, async () => {
      const { objects } = await jsonHere<TryReport>(['gatherer', 'try', join(root, 'test', file)]);
      const own = objects.filter((object) => type === undefined || object.attributes.Type === type).at(-1);
      const held = Object.keys(attributes).map((name) => [name, own?.attributes[name]]);
      assert.deepEqual(Object.fromEntries(held), attributes);
    });
});

test('each format is in the table once, and each input is used', () => {
  assert.equal(new Set(formatRows.map(({ format }) => format)).size, formatRows.length);
  const used = new Set(formatRows.map(({ file }) => file));
  const inputs = readdirSync(join(root, 'test/formats/inputs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, 'test/').length));
  assert.deepEqual(
    inputs.filter((file) => !used.has(file)),
    [],
  );
});
