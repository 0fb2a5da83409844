import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { SocketIdleTimer } from './socket-idle-timer.ts';

/** A socket's timer as in Node: it restarts with every byte, and ends with an event. */
class TimedSocket extends EventEmitter {
  timeout: number | undefined;
  bytesRead = 0;
  readonly bytesWritten = 0;
  now = 0;
  timers = 0;
  #due = Number.POSITIVE_INFINITY;

  setTimeout(ms: number): void {
    this.timeout = ms;
    this.timers += 1;
    this.#due = ms === 0 ? Number.POSITIVE_INFINITY : this.now + ms;
  }

  move(): void {
    this.bytesRead += 1;
    if (this.timeout !== undefined && this.timeout > 0) this.#due = this.now + this.timeout;
  }

  pass(ms: number): void {
    const end = this.now + ms;
    while (this.#due <= end) {
      this.now = this.#due;
      this.#due = Number.POSITIVE_INFINITY;
      this.emit('timeout');
    }
    this.now = end;
  }
}

const step = fc.oneof(
  fc.record({ is: fc.constant('allow' as const), ms: fc.constantFrom(10, 15, 60, 7) }),
  fc.record({ is: fc.constant('move' as const) }),
  fc.record({ is: fc.constant('pass' as const), ms: fc.nat(80) }),
);

test('it is over when nothing has moved for as long as it may, to the millisecond', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const socket = new TimedSocket();
      const over: number[] = [];
      const expected: number[] = [];
      let [limit, since] = [20, 0];
      const standstill = new SocketIdleTimer(socket as unknown as Socket, () => {
        over.push(socket.now);
        standstill.allow(limit);
      });
      standstill.allow(limit);
      for (const one of steps) {
        if (one.is === 'pass') {
          const end = socket.now + one.ms;
          for (; since + limit <= end; since += limit) expected.push(since + limit);
          socket.pass(one.ms);
        } else {
          socket.move();
          since = socket.now;
          if (one.is === 'move') continue;
          limit = one.ms;
          standstill.allow(limit);
        }
      }
      assert.deepEqual(over, expected);
    }),
  );
});

test('times that change with every request make no timers', () => {
  const socket = new TimedSocket();
  const standstill = new SocketIdleTimer(socket as unknown as Socket, () => assert.fail());
  for (let at = 0; at < 100; at++) {
    standstill.allow(at % 2 === 0 ? 15_000 : 60_000);
    socket.pass(1000);
    socket.move();
  }
  assert.equal(socket.timers, 1);
  standstill.stop();
  socket.pass(1e6);
});
