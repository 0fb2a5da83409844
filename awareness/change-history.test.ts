import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeHistory } from './change-history.ts';
import type { Epoch } from './epoch.ts';
import { candidates } from './scheme-choice.ts';
import type { SourceState } from './source.ts';
import type { StoreModel } from './store-model.ts';

test('a store whose objects change often learns that its log is shorter than its numbers', () => {
  const history = new ChangeHistory();
  history.told(4, 1);
  assert.equal(history.objectsPerNumber, 1, 'of so few nothing is learned');
  for (let i = 0; i < 40; i++) history.told(1000, 10);
  assert.ok(Math.abs(history.objectsPerNumber - 0.01) < 0.001);
  history.told(10, 500);
  assert.ok(history.objectsPerNumber <= 1);
});

test('with that the log is chosen where its numbers alone would speak against it', () => {
  const epoch = 'e'.repeat(16) as Epoch;
  const model: StoreModel = {
    ...{ updates: 'in-place', deletes: true, handleReuse: true, handles: 'arbitrary' },
    ...{ monotoneStamps: true, tombstones: true, log: true },
  };
  const state: SourceState = {
    ...{ epoch, lsn: 2_000_000, horizon: 0, count: 10_000 },
    fingerprint: new Uint8Array(16),
  };
  const asker = { marker: { epoch, lsn: 0 + 1_000_000 }, held: 10_000, want: 'objects' } as const;
  const best = (objectsPerNumber: number) =>
    candidates(model, state, asker, { objectsPerNumber, unnamed: true })[0]?.scheme;
  const counted = best(1);
  assert.ok(counted?.refines !== 'nothing' || counted.selects === 'everything', 'by its numbers it is not');
  const often = best(0.00001);
  assert.ok(often?.refines === 'nothing' && often.selects === 'later-numbers');
  const told = candidates(model, state, asker, { objectsPerNumber: 0.00001 })[0]?.cost.bytesDown ?? 0;
  const asNumbered = candidates(model, state, asker)[0]?.cost.bytesDown ?? 0;
  assert.ok(told * 100 < asNumbered, `${told} B foreseen, ${asNumbered} B by numbers alone`);
});
