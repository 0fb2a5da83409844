import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ConnectionSlots } from './connection-slots.ts';

test('a connection counts once in whatever hands it is, until it is closed', async () => {
  const slots = new ConnectionSlots(3, 2);
  const [first, second, third, side] = [
    new PassThrough(),
    new PassThrough(),
    new PassThrough(),
    new PassThrough(),
  ];
  assert.equal(slots.take(first, 'a'), 'taken');
  assert.equal(slots.take(first, 'a'), 'taken');
  slots.fallback(side);
  assert.equal(slots.take(side, 'a'), 'taken');
  assert.equal(slots.count, 1);
  assert.equal(slots.take(second, 'a'), 'taken');
  assert.equal(slots.take(third, 'a'), 'client');
  assert.equal(slots.take(third, 'b'), 'taken');
  assert.equal(slots.take(new PassThrough(), 'c'), 'all');
  for (const one of [side, first]) {
    one.destroy();
    await once(one, 'close');
  }
  assert.equal(slots.count, 2);
});
