import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import type { ConfigRecord } from '../customise/record-reader.ts';
import { gathererSettings } from '../settings.ts';
import { type PlanSettings, readPlan } from './read-plan.ts';

/** The default settings with these rules and summarisers. */
function settings(records: Readonly<Record<string, readonly ConfigRecord[]>>): PlanSettings {
  const values = Object.fromEntries(gathererSettings.map((setting) => [setting.key, setting.default]));
  const value = <Value>(key: string) => values[key] as Value;
  return {
    ...{ text: value<string>, list: value<readonly string[]>, bytes: value<number>, seconds: value<number> },
    values: () => values,
    records: (key) => records[`${key}`] ?? [],
    folder: '/',
  };
}

/** The error with which a rule is refused at start, and its hint. */
async function refusal(records: Readonly<Record<string, readonly ConfigRecord[]>>) {
  try {
    await readPlan(settings(records));
  } catch (error) {
    if (isGarnerError(error)) return error;
    throw error;
  }
  return undefined;
}

test('a rule may not set the Gatherer’s own attributes, nor times that are no numbers', async () => {
  const setting = (set: ConfigRecord) => refusal({ 'gatherer.rules': [{ set }] });
  for (const name of ['MD5', 'file-size', 'Gatherer-Name', 'Update-Time', 'Type', 'Summary-Note', 'MD5-2']) {
    const error = await setting({ [name]: 'x' });
    assert.deepEqual([error?.code, error?.exit], ['RULE_SETTING', 2], name);
    assert.ok(error?.message.startsWith(`gatherer.rules[0].set.${name}: `), error?.message);
  }
  for (const time of ['a day', '0', '-5', '1.5'])
    assert.match((await setting({ 'Time-to-Live': time }))?.message ?? '', /whole number of seconds/);
  assert.equal(await setting({ 'Time-to-Live': 86400, 'Refresh-Rate': '3600', Topic: 'people' }), undefined);
});

test('a missing program is refused at start', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-programs-'));
  t.after(() => rm(folder, { recursive: true }));
  const [plain, runs] = [join(folder, 'plain'), join(folder, 'runs')];
  await writeFile(plain, '');
  await writeFile(runs, '#!/bin/sh\n', { mode: 0o755 });
  const uses = (command: unknown): readonly Record<string, readonly ConfigRecord[]>[] => [
    { 'gatherer.summarisers': [{ type: 'Text', command }] },
    { 'gatherer.rules': [{ pipe: { Title: command } }] },
    { 'gatherer.rules': [{ filter: { attributes: ['Title'], command } }] },
  ];
  for (const command of [join(folder, 'none'), plain, folder, 'garner-has-no-such-program'])
    for (const records of uses(command)) {
      const error = await refusal(records);
      assert.deepEqual([error?.code, error?.exit], ['PROGRAM_ABSENT', 2], String(command));
      assert.match(error?.hint ?? '', /install it/);
    }
  for (const command of [runs, [runs, '-x'], 'cat'])
    for (const records of uses(command)) assert.equal(await refusal(records), undefined);
  const [asText] = uses(`${runs} --brief`);
  assert.ok((await refusal(asText ?? {}))?.hint.endsWith(`write a list: [${runs}, --brief]`));
});
