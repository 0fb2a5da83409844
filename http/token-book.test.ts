import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ManualClock, seededRandom } from '../kernel/index.ts';
import { TokenBook } from './token-book.ts';
import { reaches, TokenTable } from './tokens.ts';

const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);

async function place(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-tokens-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'tokens.json');
}

test('a token counts until it expires, after a restart too, and only its hash is on disk', async (t) => {
  const path = await place(t);
  const parts = { clock: new ManualClock(), random: seededRandom(1), replace: writeFile, read };
  const book = await TokenBook.open(path, parts);
  const now = parts.clock.now() / 1000;
  const { token } = await book.add({ name: 'jo', scopes: ['write'], expiresAt: Math.floor(now) + 60 });
  const text = await readFile(path, 'utf8');
  assert.ok(!text.includes(token) && text.includes('"jo"'));
  const again = await TokenBook.open(path, parts);
  const table = new TokenTable({ read: ['read-token-1'], book: again });
  const check = (scope: 'read' | 'write' | 'collect' | 'admin') => table.check(scope, `Bearer ${token}`);
  assert.deepEqual(await check('write'), { name: 'jo', scopes: ['write'] });
  assert.equal((await check('read'))?.name, 'jo', 'who may write may read');
  for (const scope of ['collect', 'admin'] as const)
    await assert.rejects(check(scope), { code: 'HTTP_FORBIDDEN' });
  parts.clock.advance(60_000);
  await assert.rejects(check('read'), { code: 'HTTP_TOKEN_NEEDED' });
  assert.equal((await table.check('read', 'Bearer read-token-1'))?.name, 'http.read-tokens 1');
  await again.remove('jo');
  await assert.rejects(again.remove('jo'), { code: 'HTTP_NO_TOKEN' });
  assert.deepEqual((await TokenBook.open(path, parts)).notes, []);
});

test('a damaged file accepts no token and starts no server', async (t) => {
  const path = await place(t);
  const parts = { clock: new ManualClock(), random: seededRandom(1), replace: writeFile, read };
  for (const text of [
    '',
    '{}',
    '[]',
    '{"tokens":[{"name":"x","scopes":["admin"],"sha256":"00","expiresAt":null}]}',
  ]) {
    await writeFile(path, text);
    await assert.rejects(TokenBook.open(path, parts), { code: 'HTTP_TOKEN_FILE' }, text);
  }
});

test('admin reaches everything, collect nothing but itself', () => {
  for (const scope of ['public', 'read', 'collect', 'write', 'admin'] as const) {
    assert.ok(reaches(['admin'], scope));
    assert.equal(reaches(['collect'], scope), scope === 'public' || scope === 'collect');
    assert.equal(reaches([], scope), scope === 'public');
  }
});
