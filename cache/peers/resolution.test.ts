import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IcpReplyName } from './icp.ts';
import { Resolution } from './resolution.ts';

interface Peer {
  readonly role: 'parent' | 'sibling';
  readonly name: string;
}
const parent = (name: string): Peer => ({ role: 'parent', name });
const sibling = (name: string): Peer => ({ role: 'sibling', name });

test('RFC 2187 5: the first hit wins, of a sibling or a parent, and no other peer is waited for', () => {
  const [p, s] = [parent('p'), sibling('s')];
  const round = new Resolution([p, s, sibling('slow')]);
  round.answered(p, 'miss');
  assert.equal(round.outcome, undefined);
  round.answered(s, 'hit');
  assert.deepEqual(round.outcome, { peer: s, because: 'icp-hit' });
  round.answered(p, 'hit');
  assert.deepEqual(round.outcome, { peer: s, because: 'icp-hit' });
});

test('RFC 2187 5: when all miss, the parent that said so first is chosen; siblings that miss are passed over', () => {
  const [first, second, s] = [parent('first'), parent('second'), sibling('s')];
  const round = new Resolution([second, s, first]);
  round.answered(s, 'miss');
  round.answered(first, 'miss');
  round.answered(second, 'miss');
  assert.deepEqual(round.outcome, { peer: first, because: 'first-parent-miss' });
});

test('RFC 2186 2: a peer that answers MISS_NOFETCH, DENIED or ERR is alive, but not chosen', () => {
  for (const reply of ['miss-no-fetch', 'denied', 'error'] as const) {
    const [p] = [parent('p')];
    const round = new Resolution([p]);
    round.answered(p, reply);
    assert.deepEqual(round.outcome, { because: 'all-missed' });
  }
});

test('the origin in the race: its echo before any hit sends us there, though parents missed before', () => {
  const p = parent('p');
  const round = new Resolution([p, parent('other')]);
  round.answered(p, 'miss');
  round.originAnswered();
  assert.deepEqual(round.outcome, { because: 'origin-first' });
});

test('when the time is over the first parent that missed is chosen, and none without an answer', () => {
  const p = parent('p');
  const some = new Resolution([p, parent('dead')]);
  some.answered(p, 'miss');
  some.timeOver();
  assert.deepEqual(some.outcome, { peer: p, because: 'first-parent-miss' });
  assert.deepEqual(
    [...some.silent].map(({ name }) => name),
    ['dead'],
  );
  const none = new Resolution([parent('dead')]);
  none.timeOver();
  assert.deepEqual(none.outcome, { because: 'no-answer' });
});

test('a round without an expected peer ends at once', () => {
  assert.deepEqual(new Resolution<Peer>([]).outcome, { because: 'no-answer' });
});

test('whatever arrives in whatever order, it agrees with the rules read one after the other', () => {
  const replies: readonly IcpReplyName[] = ['hit', 'miss', 'error', 'cache-echo', 'miss-no-fetch', 'denied'];
  const peers = [parent('0'), parent('1'), sibling('2'), sibling('3')];
  const step = fc.record({
    who: fc.integer({ min: -1, max: 3 }),
    reply: fc.constantFrom(...replies),
  });
  fc.assert(
    fc.property(fc.uniqueArray(step, { selector: ({ who }) => who }), fc.boolean(), (steps, over) => {
      const round = new Resolution(peers);
      for (const { who, reply } of steps) {
        const peer = peers[who];
        if (peer) round.answered(peer, reply);
        else round.originAnswered();
      }
      if (over) round.timeOver();
      // Once all four have answered, nothing that comes later counts.
      const fourth = steps.filter(({ who }) => who >= 0)[3];
      const last = fourth ? steps.indexOf(fourth) : steps.length;
      const decisive = steps.find(({ who, reply }, at) => at <= last && (who < 0 || reply === 'hit'));
      const heard = steps.filter(({ who }) => who >= 0).length;
      const missed = steps.find(
        ({ who, reply }) => (who === 0 || who === 1) && /^(miss|cache-echo)$/.test(reply),
      );
      const expected = decisive
        ? decisive.who < 0
          ? { because: 'origin-first' }
          : { peer: peers[decisive.who], because: 'icp-hit' }
        : heard < peers.length && !over
          ? undefined
          : missed
            ? { peer: peers[missed.who], because: 'first-parent-miss' }
            : { because: heard > 0 ? 'all-missed' : 'no-answer' };
      assert.deepEqual(round.outcome, expected);
    }),
    { numRuns: 500 },
  );
});
