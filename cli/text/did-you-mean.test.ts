import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest } from './did-you-mean.ts';

test('the nearest name is offered when it is near', () => {
  assert.equal(editDistance('gatherer.dleay', 'gatherer.delay'), 1);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(nearest('gatherer.dleay', ['gatherer.delay', 'gatherer.depth']), 'gatherer.delay');
  assert.equal(nearest('port', ['prot', 'host']), 'prot');
  assert.equal(nearest('zebra', ['delay', 'depth']), undefined);
  assert.equal(nearest('x'.repeat(100_000), ['delay']), undefined);
});
