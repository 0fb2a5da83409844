import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { wholeOf } from '../testing/whole-digest.ts';
import { CacheDigest } from './digest.ts';
import { encodeHtcp } from './htcp.ts';
import { HtcpDoor } from './htcp-door.ts';
import { encodeIcp } from './icp.ts';
import { IcpDoor } from './icp-door.ts';

/** Datagrams for each protocol. */
const datagrams = Number(process.env.GARNER_TEST_DATAGRAMS ?? 5_000);
const random = seededRandom(20_261_123);
const below = (bound: number) => Math.floor(random.next() * bound);
const host = '127.0.0.1';
const url = 'http://origin.example/a/b?c=d';
/** A closed port, which sends no answer. */
const from = { address: host, port: 9 };

/** Something near a valid message: bits turned, cut, grown, lengths made to fit again, or nothing but noise. */
function spoilt(valid: Uint8Array, lengthAt: number): Uint8Array {
  if (below(20) === 0) return random.bytes(below(200));
  let bytes = Buffer.from(valid);
  if (below(3) === 0) bytes = bytes.subarray(0, below(bytes.length + 1));
  if (below(3) === 0) bytes = Buffer.concat([bytes, random.bytes(below(40))]);
  for (let turns = below(4); turns > 0 && bytes.length > 0; turns--) {
    const at = below(bytes.length);
    bytes[at] = below(2) === 0 ? below(256) : (bytes[at] ?? 0) ^ (1 << below(8));
  }
  if (below(2) === 0 && bytes.length >= lengthAt + 2) bytes.writeUInt16BE(bytes.length, lengthAt);
  return bytes;
}

const lookup = { has: (asked: string) => asked === url, isFresh: () => true };
const common = { host, port: 0, lookup, clock: new ManualClock(), random, mayAsk: () => true };

test(`no ICP datagram of ${datagrams} forged ones makes the door fail, and all are accounted for`, async () => {
  await using door = await IcpDoor.open({ ...common, ready: () => true });
  const seeds = [
    encodeIcp({ kind: 'query', requestNumber: 1, url, takesObject: false, wantsRtt: false }),
    encodeIcp({ kind: 'hit', requestNumber: 1, url }),
    encodeIcp({ kind: 'miss', requestNumber: 2, url, rttMs: 3 }),
    encodeIcp({ kind: 'hit-object', requestNumber: 2, url }),
  ];
  const heard: string[] = [];
  for (let n = 0; n < datagrams; n++) {
    if (n % 100 === 0) door.ask(url, from, (reply) => heard.push(reply));
    door.receive(spoilt(seeds[below(seeds.length)] ?? new Uint8Array(), 2), from);
    if (n % 512 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setImmediate(resolve));
  const { received, unusable, asked, hits, misses, dropped } = door.counts();
  assert.equal(received, datagrams);
  assert.equal(asked + unusable + heard.length, datagrams);
  assert.ok(
    hits + misses <= asked && hits + misses + dropped >= asked,
    'each question has an answer or was dropped',
  );
  assert.ok(asked > datagrams / 100 && unusable > datagrams / 10, `${asked} and ${unusable}`);
  assert.deepEqual(heard, [], 'no number was guessed');
});

test(`no HTCP datagram of ${datagrams} forged ones makes the door fail, and who may not clear clears nothing`, async () => {
  const cleared = new Set<string>();
  await using door = await HtcpDoor.open({
    ...common,
    mayClear: () => false,
    clear: (gone) => {
      cleared.add(gone);
      return true;
    },
  });
  const specifier = { method: 'GET', url, version: '1.1', fields: 'Accept: */*\r\n' };
  const base = { kind: 'request', id: 5, wantsAnswer: true } as const;
  const seeds = ([0, 1] as const).flatMap((minor) => [
    encodeHtcp({ ...base, minor, op: 'test', specifier }),
    encodeHtcp({ ...base, minor, op: 'clear', reason: 1, specifier }),
    encodeHtcp({ ...base, minor, op: 'nop' }),
    encodeHtcp({
      kind: 'response',
      minor,
      id: 5,
      op: 'test',
      code: 0,
      overall: false,
      blocks: ['', 'Age: 1\r\n', ''],
    }),
  ]);
  for (let n = 0; n < datagrams; n++) {
    door.receive(spoilt(seeds[below(seeds.length)] ?? new Uint8Array(), 0), from);
    if (n % 512 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const { received, unusable, asked } = door.counts();
  assert.equal(received, datagrams);
  assert.equal(asked + unusable, datagrams);
  assert.ok(asked > datagrams / 100 && unusable > datagrams / 10, `${asked} and ${unusable}`);
  assert.equal(cleared.size, 0);
});

test(`no digest of ${datagrams} forged ones is read but for those whose sizes agree, and each that is can be asked`, () => {
  const digest = CacheDigest.empty(50);
  for (let n = 0; n < 50; n++) digest.add(`${url}${n}`);
  const valid = wholeOf(digest);
  let read = 0;
  for (let n = 0; n < datagrams; n++) {
    const bytes = spoilt(valid, 18);
    const found = CacheDigest.decode(bytes);
    if (!found) continue;
    read++;
    assert.equal(found.bytes, bytes.length);
    found.has(url);
  }
  assert.ok(read > datagrams / 20 && read < datagrams, String(read));
});
