import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { brokerFault } from '../events.ts';
import { scratch } from '../testing/topic.ts';
import { AuditTrail } from './audit-trail.ts';

const about = (action: string) => ({ who: 'jo', action, detail: 'x' });

test('an action is written before it is done, and one cut short by a crash is reported as unfinished', async () => {
  await using folder = await scratch();
  const parts = { clock: new ManualClock(), random: seededRandom(1) };
  const trail = await AuditTrail.open(folder.path, parts);
  let written = '';
  await trail.action(about('first'), async () => {
    written = await readFile(join(folder.path, 'audit.jsonl'), 'utf8');
    const [entry] = await trail.list(10);
    assert.deepEqual([entry?.action, entry?.outcome], ['first', 'unfinished']);
  });
  assert.match(written, /"action":"first"/);
  await assert.rejects(trail.action(about('second'), () => Promise.reject(new Error('no room'))));
  // As left by a kill in the middle of a write.
  await appendFile(join(folder.path, 'audit.jsonl'), '{"id":"x","at":1,"who":"jo","act');
  const again = await AuditTrail.open(folder.path, parts);
  parts.clock.advance(1000);
  await again.action(
    about('third'),
    async () => 7,
    (result) => `gave ${result}`,
  );
  const entries = (await again.list(10)).map(({ action, outcome, note }) => [action, outcome, note]);
  assert.deepEqual(entries, [
    ['third', 'done', 'gave 7'],
    ['second', 'failed', 'Error: no room'],
    ['first', 'done', ''],
  ]);
});

test('nothing is done when the audit cannot be written', async () => {
  await using folder = await scratch();
  const parts = { clock: new ManualClock(), random: seededRandom(1) };
  const trail = await AuditTrail.open(join(folder.path, 'not-there'), parts);
  let isDone = false;
  const work = async () => {
    isDone = true;
  };
  await assert.rejects(trail.action(about('delete'), work), { code: 'BROKER_AUDIT' });
  assert.equal(isDone, false);
});

test('the files are bounded, and a flood of refusals pushes no action out', async () => {
  await using folder = await scratch();
  const clock = new ManualClock();
  const parts = { clock, random: seededRandom(1) };
  const trail = await AuditTrail.open(folder.path, parts);
  await trail.action(about('kept'), async () => {});
  for (let i = 0; i < 100; i++) await trail.refused({ who: undefined, action: 'GET /control', note: 'no' });
  clock.advance(61_000);
  await trail.refused({ who: 'jo', action: 'GET /control', note: 'no' });
  const entries = await trail.list(1000);
  assert.equal(entries.length, 32);
  assert.equal(entries[0]?.note, 'no; 70 more before it');
  assert.ok(entries.some(({ action }) => action === 'kept'));
  const long = { who: 'x'.repeat(5000), action: 'set', detail: 'y'.repeat(100_000) };
  const path = join(folder.path, 'audit.jsonl');
  for (let rotations = 0; rotations < 5; rotations++) {
    await (await AuditTrail.open(folder.path, parts)).action(long, async () => {});
    // Every line of an action is synced to disk, so copies of one nearly fill the file.
    const text = await readFile(path, 'utf8');
    const line = `${text.trimEnd().split('\n').at(-2)}\n`;
    const room = 1024 * 1024 - 1000 - Buffer.byteLength(text);
    await appendFile(path, line.repeat(Math.floor(room / Buffer.byteLength(line))));
    const again = await AuditTrail.open(folder.path, parts);
    for (let i = 0; i < 3; i++) await again.action(long, async () => {});
  }
  const names = (await readdir(folder.path)).filter((name) => name.startsWith('audit.jsonl'));
  assert.deepEqual(names.sort(), ['audit.jsonl', ...[1, 2, 3, 4].map((n) => `audit.jsonl.${n}`)]);
  for (const name of names) assert.ok((await stat(join(folder.path, name))).size < 1024 * 1024 + 2000, name);
  assert.equal((await (await AuditTrail.open(folder.path, parts)).list(3)).length, 3);
});

test('a finished action stays done when its end cannot be written', async () => {
  await using folder = await scratch();
  const parts = { clock: new ManualClock(), random: seededRandom(1) };
  const trail = await AuditTrail.open(folder.path, parts);
  const faults: unknown[] = [];
  const stop = brokerFault.subscribe((fault) => faults.push(fault));
  const gave = await trail.action(about('first'), async () => {
    await rm(folder.path, { recursive: true });
    return 7;
  });
  stop();
  assert.deepEqual([gave, faults.length], [7, 1]);
});
