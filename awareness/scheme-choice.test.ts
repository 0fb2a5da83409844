import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Epoch } from './handle.ts';
import { ChangeHistory, candidates } from './scheme-choice.ts';
import type { SourceState, StoreModel } from './source.ts';

test('a store whose objects change often learns that it sends fewer objects than its log has numbers', () => {
  const history = new ChangeHistory();
  history.record(4, 1);
  assert.equal(history.objectsPerNumber, 1, 'of so few nothing is learned');
  for (let i = 0; i < 40; i++) history.record(1000, 10);
  assert.ok(Math.abs(history.objectsPerNumber - 0.01) < 0.001);
  history.record(10, 500);
  assert.ok(history.objectsPerNumber <= 1);
});

test('with that estimate the log is chosen where its numbers alone would decide against it', () => {
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
  const foreseen = candidates(model, state, asker, { objectsPerNumber: 0.00001 })[0]?.cost.bytesDown ?? 0;
  const asNumbered = candidates(model, state, asker)[0]?.cost.bytesDown ?? 0;
  assert.ok(foreseen * 100 < asNumbered, `${foreseen} B foreseen, ${asNumbered} B by numbers alone`);
});
