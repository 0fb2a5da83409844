import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRootNode, readPlan } from '../../gatherer/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { allSettings } from './all-settings.ts';
import { configuredPlace } from './bad-setting.ts';
import { effectiveConfig } from './config.ts';

const text = `gatherer:
  rules:
    - set: { Topic: a }
    - if: 'Type =='
      delete: true
  summarisers:
    - type: Text
      module: ./nowhere.js
    - { type: Recipe, command: [/nowhere/facts, -x] }
  roots:
    - url: http://a.example/
    - url: http://b.example/
      depth: none
`;

/** Where an error of reading this configuration is said to be. */
async function placeIn(file: string, read: (config: ReturnType<typeof effectiveConfig>) => unknown) {
  const config = effectiveConfig([allSettings], { file: { name: 'garner.yaml', text: file }, folder: '/' });
  try {
    await read(config);
  } catch (error) {
    assert.ok(isGarnerError(error), String(error));
    return [error.code, configuredPlace(config, error)];
  }
  return [];
}

test('rules, modules, programs and roots that are wrong are found in the file', async () => {
  const plan = (without: RegExp) => placeIn(text.replace(without, ''), (config) => readPlan(config));
  assert.deepEqual(await plan(/$^/), ['RULE_CONDITION', 'garner.yaml:4']);
  assert.deepEqual(await plan(/Topic: a(?= )/), ['RULE_SETTING', 'garner.yaml:3']);
  assert.deepEqual(await plan(/ {4}- if:[^\n]*\n[^\n]*\n/), ['PROGRAM_ABSENT', 'garner.yaml:7']);
  const sound = / {4}- if:[^\n]*\n[^\n]*\n|, command: [^\n]*(?= }\n)/g;
  assert.deepEqual(
    await placeIn(text.replace(sound, '').replace(/ {4}- \{ type: Recipe[^\n]*\n/, ''), (config) =>
      readPlan(config),
    ),
    ['MODULE_ABSENT', 'garner.yaml:5'],
  );
  const roots = await placeIn(text, (config) =>
    config.records('gatherer.roots').map((root, at) => parseRootNode(root, `gatherer.roots[${at}]`)),
  );
  assert.deepEqual(roots, ['GATHERER_ROOT_NODE', 'garner.yaml:12']);
});
