import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest } from '../../kernel/index.ts';
import { nearestSetting } from './did-you-mean.ts';

test('the nearest name is offered when it is near', () => {
  assert.equal(editDistance('gatherer.dleay', 'gatherer.delay'), 1);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(nearest('gatherer.dleay', ['gatherer.delay', 'gatherer.depth']), 'gatherer.delay');
  assert.equal(nearest('port', ['prot', 'host']), 'prot');
  assert.equal(nearest('zebra', ['delay', 'depth']), undefined);
  assert.equal(nearest('x'.repeat(100_000), ['delay']), undefined);
});

test('a setting is offered by the letters behind its group, or from another group', () => {
  const known = ['gatherer.recheck', 'gatherer.trap-pages', 'fetch.delay', 'http.host'];
  assert.equal(nearestSetting('gatherer.Archive', known), undefined);
  assert.equal(nearestSetting('gatherer.trap-page', known), 'gatherer.trap-pages');
  assert.equal(nearestSetting('gatherer.delay', known), 'fetch.delay');
  assert.equal(nearestSetting('gathere.recheck', known), 'gatherer.recheck');
  assert.equal(nearestSetting('http.port', known), undefined);
});
