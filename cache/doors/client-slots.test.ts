import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClientSlots } from './client-slots.ts';

test('no client and not all together ever hold more slots than they may', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('take', 'leave'), fc.constantFrom('a', 'b', 'c')));
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }), (run, total, each) => {
      const slots = new ClientSlots(total, each);
      const held: Record<string, number> = { a: 0, b: 0, c: 0 };
      const sum = () => Object.values(held).reduce((left, right) => left + right, 0);
      for (const [step, client] of run) {
        const own = held[client] ?? 0;
        if (step === 'take') {
          const room = slots.hasRoom(client);
          const wanted = sum() >= total ? 'all' : own >= each ? 'client' : 'taken';
          assert.equal(slots.take(client), wanted);
          assert.equal(room, wanted === 'taken');
          if (wanted === 'taken') held[client] = own + 1;
        } else if (own > 0) {
          slots.leave(client);
          held[client] = own - 1;
        }
        assert.equal(slots.count, sum());
      }
    }),
  );
});
