import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientSlots, Fronts, LineBound, shareOf } from './clients.ts';
import { ManualClock } from './clock.ts';

test('places are bounded for each client and for all, and one that is left twice is free once', () => {
  const slots = new ClientSlots({ max: 3, perClient: 2 });
  const first = slots.enter('a');
  assert.equal(typeof first, 'object');
  assert.equal(typeof slots.enter('a'), 'object');
  assert.equal(slots.enter('a'), 'client');
  assert.equal(typeof slots.enter('b'), 'object');
  assert.equal(slots.enter('c'), 'all');
  if (typeof first === 'object') for (let times = 0; times < 2; times++) first[Symbol.dispose]();
  assert.equal(typeof slots.enter('c'), 'object');
  assert.equal(slots.enter('c'), 'all');
  assert.deepEqual([shareOf(256, 50), shareOf(1, 50), shareOf(3, 100)], [128, 1, 3]);
});

test('the headers of a trusted proxy name the client, and those of others are not read', () => {
  const fronts = new Fronts(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48']);
  const client = (address: string, headers: Record<string, string>) => fronts.sender(address, headers).client;
  const forged = { 'x-forwarded-for': '203.0.113.9' };
  assert.equal(client('192.0.2.1', forged), '192.0.2.1');
  assert.equal(client('127.0.0.1', forged), '203.0.113.9');
  assert.equal(client('::ffff:10.1.2.3', forged), '203.0.113.9');
  assert.equal(client('2001:db8:1::7', forged), '203.0.113.9');
  assert.equal(client('127.0.0.1', {}), '127.0.0.1');
  // What the client itself wrote stands before the address that the proxy saw.
  assert.equal(client('127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }), '203.0.113.9');
  assert.equal(client('127.0.0.1', { 'x-forwarded-for': '203.0.113.9, 10.9.9.9' }), '203.0.113.9');
  assert.equal(client('127.0.0.1', { 'x-forwarded-for': '2001:db8::1' }), '2001:db8:0:0::/64');
  assert.equal(client('127.0.0.1', { 'x-forwarded-for': 'nonsense, 203.0.113.9:443' }), '203.0.113.9');
  const forwarded = { forwarded: 'for=198.51.100.1, for="[2001:db8::9]:4711";proto=https;by=203.0.113.1' };
  assert.deepEqual(fronts.sender('127.0.0.1', forwarded), { client: '2001:db8:0:0::/64', scheme: 'https' });
  assert.equal(fronts.sender('127.0.0.1', { ...forged, 'x-forwarded-proto': 'https' }).scheme, 'https');
  assert.equal(fronts.sender('192.0.2.1', { ...forged, 'x-forwarded-proto': 'https' }).scheme, undefined);
  const inside = { 'x-forwarded-for': '10.9.9.9', 'x-forwarded-proto': 'https' };
  assert.deepEqual(fronts.sender('10.1.2.3', inside), { client: '10.1.2.3', scheme: 'https' });
  // The proxy wrote one of two headers, and its caller the other.
  assert.equal(client('127.0.0.1', { ...forged, forwarded: 'for=198.51.100.7' }), '127.0.0.1');
  assert.equal(client('127.0.0.1', { ...forged, forwarded: 'for=unknown' }), '127.0.0.1');
  assert.equal(client('127.0.0.1', { ...forged, forwarded: 'for=203.0.113.9' }), '203.0.113.9');
  for (const bad of ['proxy.example', '10.0.0.0/33', '', '1.2.3'])
    assert.throws(() => new Fronts([bad]), TypeError, bad);
});

test('case a06: of the lines that callers cause thirty of a kind are written a minute, and then how many were not', () => {
  const clock = new ManualClock();
  const bound = new LineBound(clock);
  const flood = Array.from({ length: 21_543 }, () => bound.pass('503'));
  assert.equal(flood.filter((more) => more !== undefined).length, 30);
  assert.equal(bound.pass('401'), 0, 'another kind has lines of its own');
  clock.advance(60_000);
  assert.deepEqual([bound.pass('503'), bound.pass('503')], [21_513, 0]);
});
