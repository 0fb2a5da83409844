import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../kernel/index.ts';
import { LinkMeter } from './link-meter.ts';

/** A link whose pongs come when the test sends them. */
class SlowLink {
  bytesWritten = 0;
  bytesRead = 0;
  inFlight = 0;
  readonly pings: (() => void)[] = [];

  ping(answered: () => void): void {
    this.pings.push(answered);
  }
}

function sent(meter: LinkMeter, link: SlowLink, bytes: number): void {
  meter.sending();
  link.bytesWritten += bytes;
  meter.sent();
}

test('a burst is timed by a ping behind it, the round trip taken off; small answers send none', () => {
  const [link, clock] = [new SlowLink(), new ManualClock()];
  const meter = new LinkMeter(link, clock, 100);
  assert.deepEqual([meter.roundTripMs, meter.bytesPerSecond], [100, undefined]);
  sent(meter, link, 10_000);
  clock.advance(10_000);
  sent(meter, link, 10_000);
  assert.equal(link.pings.length, 0, 'ten seconds later it is another burst');
  for (let i = 0; i < 9; i++) sent(meter, link, 10_000);
  assert.equal(link.pings.length, 1, 'one ping a burst');
  // 40,000 bytes were written when it was sent, at 20,000 bytes a second.
  clock.advance(100 + 2000);
  link.pings.shift()?.();
  assert.equal(meter.bytesPerSecond, 20_000);
});

test('the best of the latest measures counts, and a new measure replaces the oldest', () => {
  const [link, clock] = [new SlowLink(), new ManualClock()];
  const meter = new LinkMeter(link, clock, 10);
  const burst = (ms: number) => {
    clock.advance(1000);
    sent(meter, link, 50_000);
    clock.advance(10 + ms);
    link.pings.shift()?.();
  };
  burst(500);
  burst(5000);
  assert.equal(meter.bytesPerSecond, 100_000);
  for (let i = 0; i < 8; i++) burst(5000);
  assert.equal(meter.bytesPerSecond, 10_000);
  for (const ms of [40, 30, 50]) {
    meter.ping();
    clock.advance(ms);
    link.pings.shift()?.();
  }
  assert.equal(meter.roundTripMs, 10);
  for (let i = 0; i < 8; i++) {
    meter.ping();
    clock.advance(35);
    link.pings.shift()?.();
  }
  assert.equal(meter.roundTripMs, 35, 'a route that has changed is noticed');
});

test('occasional small messages do not measure the bandwidth', () => {
  const [link, clock] = [new SlowLink(), new ManualClock()];
  const meter = new LinkMeter(link, clock, 40);
  for (let i = 0; i < 1000; i++) {
    clock.advance(100);
    sent(meter, link, 300);
    link.bytesRead += 300;
    meter.received();
  }
  assert.equal(link.pings.length, 0);
  assert.deepEqual([meter.bytesPerSecond, meter.receivedPerSecond], [undefined, undefined]);
  // A socket that the system does not empty is one burst, however slowly it is filled.
  link.inFlight = 1;
  for (let i = 0; i < 120; i++) {
    clock.advance(100);
    sent(meter, link, 300);
  }
  assert.equal(link.pings.length, 1);
});

test('a slow link is measured by each large frame that follows another', () => {
  const [link, clock] = [new SlowLink(), new ManualClock()];
  const meter = new LinkMeter(link, clock, 10);
  for (let i = 0; i < 3; i++) {
    clock.advance(1250);
    link.bytesRead += 40_000;
    meter.received();
  }
  assert.equal(meter.receivedPerSecond, 32_000);
});

test('a clock that is set back spoils no measure, and a ping without answer does not block', () => {
  const [link, clock] = [new SlowLink(), new ManualClock(10_000_000)];
  const meter = new LinkMeter(link, clock, -5);
  assert.equal(meter.roundTripMs, 0);
  meter.ping();
  clock.advance(-3_600_000);
  link.pings.shift()?.();
  assert.equal(meter.roundTripMs, 0);
  sent(meter, link, 50_000);
  clock.advance(-3_600_000);
  link.pings.shift()?.();
  assert.equal(meter.bytesPerSecond, undefined);
  sent(meter, link, 50_000);
  clock.advance(61_000);
  sent(meter, link, 50_000);
  assert.equal(link.pings.length, 2);
});
