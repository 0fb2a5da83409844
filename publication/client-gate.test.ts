import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError, ManualClock } from '../kernel/index.ts';
import { ClientGate } from './client-gate.ts';
import { RefusalReports } from './refusal-reports.ts';

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (isGarnerError(error) ? error.code : String(error)),
  );

test('a client gate bounds the rate and the number at once, for each client and for all', async () => {
  const clock = new ManualClock();
  const gate = new ClientGate({ clock, perSecond: 2 });
  const now = async () => undefined;
  for (let n = 0; n < 20; n++) assert.equal(await codeOf(gate.run('a', now)), 'done');
  assert.equal(await codeOf(gate.run('a', now)), 'PUBLICATION_RATE');
  assert.equal(await codeOf(gate.run('b', now)), 'done', 'another network has a rate of its own');
  clock.advance(500);
  assert.equal(await codeOf(gate.run('a', now)), 'done');
  assert.equal(await codeOf(gate.run('a', now)), 'PUBLICATION_RATE');

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const open: Promise<string>[] = [];
  for (let client = 0; client < 8; client++) {
    for (let n = 0; n < 8; n++) open.push(codeOf(gate.run(`c${client}`, () => held)));
    assert.equal(await codeOf(gate.run(`c${client}`, now)), 'PUBLICATION_BUSY');
    if (client < 7) assert.equal(await codeOf(gate.run('d', now)), 'done');
  }
  assert.equal(await codeOf(gate.run('d', now)), 'PUBLICATION_BUSY', 'and all clients together');
  release();
  assert.deepEqual(new Set(await Promise.all(open)), new Set(['done']));
  assert.equal(await codeOf(gate.run('d', now)), 'done');
});

test('a client gate remembers a bounded number of clients', async () => {
  const gate = new ClientGate({ clock: new ManualClock(), perSecond: 1 });
  for (let n = 0; n < 10; n++) await gate.run('first', async () => undefined);
  assert.equal(await codeOf(gate.run('first', async () => undefined)), 'PUBLICATION_RATE');
  for (let n = 0; n < 5000; n++) await gate.run(`other ${n}`, async () => undefined);
  assert.equal(await codeOf(gate.run('first', async () => undefined)), 'done', 'it was forgotten');
});

test('a flood of refusals is reported in few lines, and its size in the next one', () => {
  const clock = new ManualClock();
  const notes: string[] = [];
  const reports = new RefusalReports({ clock, write: (note) => notes.push(note) });
  for (let n = 0; n < 100; n++) reports.report('a', `a ${n}`);
  assert.deepEqual(notes, ['a 0', 'a 1', 'a 2', 'a 3']);
  for (let n = 0; n < 1000; n++) reports.report(`b${n}`, `b ${n}`);
  assert.equal(notes.length, 12);
  assert.equal(notes[4], 'b 0; 96 more were refused before it');
  clock.advance(60_000);
  reports.report('a', 'x'.repeat(5000));
  assert.match(notes.at(-1) ?? '', /^x{400}; 992 more were refused before it$/);
});
