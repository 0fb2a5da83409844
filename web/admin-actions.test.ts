import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { actions } from './admin-actions.ts';
import { ownAssetFolders } from './assets.ts';

const root = dirname(ownAssetFolders().styles);

test('case b18: the page has a button for each command that administers, or the manual says that it has none', async () => {
  const manual = await readFile(join(root, 'docs/administration.md'), 'utf8');
  const buttons: Readonly<Record<string, readonly string[]>> = {
    'source add': ['source-add'],
    'source pause': ['source-pause', 'source-resume'],
    'source set': ['source-set'],
    'source collect': ['source-collect'],
    'source remove': ['source-remove', 'source-forget'],
    set: ['set', 'unset'],
    delete: ['look', 'delete'],
    unblock: ['unblock'],
    ...{ clean: ['clean'], compact: ['compact'], reindex: ['reindex'] },
    ...{ 'token add': ['token-add'], 'token remove': ['token-remove'] },
    ...{ 'view add': ['view-add', 'webhook-add'], 'view remove': ['view-remove', 'webhook-remove'] },
    ...{ 'view resume': ['webhook-resume'], check: ['check'], repair: ['repair'] },
    duplicates: ['duplicates', 'duplicates-delete'],
  };
  for (const [command, names] of Object.entries(buttons))
    for (const name of names) assert.ok(Object.hasOwn(actions, name), `${command}: no button ${name}`);
  const shown = ['source list', 'source', 'token list', 'blocked', 'statistics', 'log', 'audit'];
  const named = manual.matchAll(
    /garner broker ([a-z]+(?: (?:add|list|pause|resume|set|collect|remove)\b)?)/g,
  );
  const lone = /Only the command line and HTTP\n\n((?:- .*\n(?: {2}.*\n)*)+)/.exec(manual)?.[1] ?? '';
  for (const [, command = ''] of named) {
    const isKnown = Object.keys(buttons).some((one) => one === command || one === `${command} pause`);
    const isResume = command === 'source resume';
    assert.ok(isKnown || isResume || shown.includes(command) || lone.includes(`broker ${command}`), command);
  }
});
