import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../kernel/index.ts';
import { AdminSessions, hasFormKey } from './admin-sessions.ts';

const minute = 60_000;

test('a session ends when it is idle, when it is old, when it is closed, and when too many follow', () => {
  const clock = new ManualClock();
  const sessions = new AdminSessions({ clock, random: seededRandom(1) });
  const hash = Buffer.alloc(32);
  const id = sessions.open(hash);
  assert.equal(sessions.find(id)?.tokenHash, hash);
  assert.equal(sessions.find('another'), undefined);
  assert.equal(sessions.find(undefined), undefined);
  for (let i = 0; i < 24; i++) {
    clock.advance(29 * minute);
    assert.notEqual(sessions.find(id), undefined, 'used in time');
  }
  clock.advance(29 * minute);
  assert.equal(sessions.find(id), undefined, 'twelve hours are over');
  const idle = sessions.open(hash);
  clock.advance(31 * minute);
  assert.equal(sessions.find(idle), undefined);
  const closed = sessions.open(hash);
  sessions.close(closed);
  assert.equal(sessions.find(closed), undefined);
  const first = sessions.open(hash);
  clock.advance(1);
  for (let i = 0; i < 64; i++) sessions.open(hash);
  assert.equal(sessions.find(first), undefined);
});

test('only the key of the session itself opens its forms', () => {
  const sessions = new AdminSessions({ clock: new ManualClock(), random: seededRandom(1) });
  const [one, two] = [1, 2].map(() => sessions.find(sessions.open(Buffer.alloc(32))));
  assert.ok(one !== undefined && two !== undefined);
  assert.equal(hasFormKey(one, one.formKey), true);
  for (const key of ['', two.formKey, `${one.formKey}x`]) assert.equal(hasFormKey(one, key), false);
});
