import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allSettings } from './all-settings.ts';
import { defaultPorts } from './ports.ts';

const ports: ReadonlySet<number> = new Set(Object.values(defaultPorts));
const numbersIn = (text: string) => [...text.matchAll(/\b\d{4,5}\b/g)].map(([digits]) => Number(digits));

test('each server has a default port of its own', () => {
  assert.equal(ports.size, Object.keys(defaultPorts).length);
});

test('default ports in the settings of other folders are in the table', () => {
  const strange = allSettings.flatMap((setting) =>
    setting.kind === 'count' && setting.key.endsWith('-port') && setting.default > 0
      ? [setting.default].filter((port) => !ports.has(port)).map((port) => `${setting.key} ${port}`)
      : [],
  );
  assert.deepEqual(strange, []);
});

test('examples of servers and caches in the settings use default ports', () => {
  const examples = allSettings.flatMap((setting) => ('example' in setting ? [setting] : []));
  const used = examples.filter(({ key }) =>
    /^(broker\.collect|broker\.filters|cache\.(parent|sibling))$/.test(key),
  );
  assert.ok(used.length === 4, used.map(({ key }) => key).join());
  for (const { key, example } of used)
    for (const [, port] of example.matchAll(/:(\d{4,5})\b/g))
      assert.ok(ports.has(Number(port)), `${key} ${port}`);
});

test('the manual has the same table of default ports', (t) => {
  const manual = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'security.md'), 'utf8');
  const section = /^#+ Default ports\n([\s\S]*?)^#/m.exec(manual)?.[1];
  if (section === undefined) return t.skip('docs/security.md has no section of default ports');
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  assert.deepEqual(rows.flatMap(numbersIn), Object.values(defaultPorts));
});
