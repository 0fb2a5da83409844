import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TokenBook } from '../../http/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { readKept, writeKept } from '../../store/index.ts';
import { allSettings } from '../config/all-settings.ts';
import { effectiveConfig } from '../config/config.ts';
import { serverAccess } from './access.ts';

const configOf = (env: Readonly<Record<string, string>>) => effectiveConfig([allSettings], { env });

test('a wire that asks for a token takes those of the settings and named ones of scope collect', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-access-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const parts = { clock: new ManualClock(), random: seededRandom(1), replace: writeKept, read: readKept };
  const book = await TokenBook.open(join(folder, 'tokens.json'), parts);
  const made = async (scope: string) => (await book.add({ name: scope, scopes: [scope] })).token;
  const [collect, read, admin] = [await made('collect'), await made('read'), await made('admin')];
  assert.equal(serverAccess(configOf({}), book).authorise, undefined, 'open as long as the settings say so');
  const { authorise, table, controlToken } = serverAccess(
    configOf({ GARNER_WIRE_TOKENS: 'wire-token-1' }),
    book,
  );
  const may = (token: string | undefined) => authorise?.(token, '');
  const shown = [undefined, '', 'wire-token-2', 'wire-token-1', collect, read, admin];
  assert.deepEqual(await Promise.all(shown.map(may)), [false, false, false, true, true, false, true]);
  await book.remove('collect');
  assert.equal(await may(collect), false);
  assert.equal((await table.check('admin', `Bearer ${controlToken}`))?.name, 'command line');
});
