import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../kernel/index.ts';
import { type Identity, identityFrom, newIdentitySecret } from './identity.ts';
import {
  decodeKeyLinks,
  encodeKeyLinks,
  type KeyLink,
  keyLink,
  maxKeyLinks,
  successionFrom,
  successionOf,
} from './key-succession.ts';

const { serverId } = newIdentitySecret();
const newKey = (): Identity => ({
  ...identityFrom(newIdentitySecret()),
  serverId,
});
const keys = Array.from({ length: 12 }, () => newKey());
const keyAt = (n: number) => (keys[n] as Identity).publicKey;
const link = (from: number, to: number, isRevoked = false, at = 1000) =>
  keyLink(keys[from] as Identity, keys[to] as Identity, { at, isRevoked });
/** The numbers of keys. */
const numbers = (found: readonly Uint8Array[]) =>
  found.map((key) => keys.findIndex(({ publicKey }) => Buffer.compare(publicKey, key) === 0));
const shown = (links: readonly KeyLink[]) => {
  const found = successionOf(serverId, links);
  return found && [numbers([found.current])[0], numbers(found.valid), numbers(found.revoked)];
};
const meant = (known: readonly KeyLink[], first: number, links: readonly KeyLink[]) => {
  const key = known.at(-1)?.next ?? keyAt(first);
  const { outcome, succession } = successionFrom(serverId, { key, links: known }, links);
  return succession === undefined ? outcome : [outcome, numbers(succession.valid)];
};

test('each key follows the one before, whose signatures stay valid until a later key revokes them', () => {
  const [a, b] = [link(0, 1), link(1, 2)];
  assert.deepEqual(shown([a]), [1, [1, 0], []]);
  assert.deepEqual(shown([a, b]), [2, [2, 1, 0], []]);
  assert.deepEqual(shown([a, b, link(2, 2, true)]), [2, [2], [1, 0]]);
  assert.deepEqual(shown([a, b, link(2, 2, true), link(2, 3)]), [3, [3, 2], [1, 0]]);
  assert.deepEqual(shown([a, link(1, 2, true)]), [2, [2], [1, 0]]);
});

test('no links that are forged, reordered, torn, looped or of another server are a succession', () => {
  const links = Array.from({ length: maxKeyLinks }, (_, n) => link(n, n + 1, n === 3, 1000 + n));
  assert.equal(shown(links)?.[0], maxKeyLinks);
  const random = seededRandom(5);
  const bytes = Buffer.from(encodeKeyLinks(links));
  const server = serverId;
  for (let n = 0; n < 300; n++) {
    const forged = Buffer.from(bytes);
    const at = Math.floor(random.next() * forged.length);
    forged[at] = (forged[at] as number) ^ (1 << Math.floor(random.next() * 8));
    const read = decodeKeyLinks(forged);
    assert.equal(read && successionOf(server, read), undefined, `bit of byte ${at}`);
  }
  for (let n = 0; n < 100; n++) {
    const left = links.filter(() => random.next() < 0.6).sort(() => random.next() - 0.5);
    const isRun = left.every(({ key }, i) => i === 0 || Buffer.compare(key, left[i - 1]?.next ?? key) === 0);
    assert.equal(successionOf(server, left) !== undefined, isRun && left.length > 0);
  }
  for (const length of [1, 200, 202, bytes.length - 1, bytes.length + 201])
    assert.equal(decodeKeyLinks(Buffer.alloc(length, 1)), undefined, `${length} bytes`);
  assert.deepEqual(decodeKeyLinks(bytes), links);
  assert.equal(successionOf(newIdentitySecret().serverId, links), undefined);
  for (const loop of [[link(0, 1), link(1, 0)], [link(0, 0)], [link(0, 1, false, 5), link(1, 2, false, 4)]])
    assert.equal(shown(loop), undefined);
  assert.deepEqual(shown([link(0, 0, true)]), [0, [0], []]);
  // Signed by the old key alone: nobody takes over the key of another one.
  const taken = { ...link(0, 1), proof: link(0, 2).proof };
  assert.equal(shown([taken]), undefined);
});

test('of two successors of one key the first known holds, and a revocation is never taken back', () => {
  const [a, b, rival] = [link(0, 1), link(1, 2), link(0, 5)];
  assert.deepEqual(meant([], 0, [a, b]), ['taken', [2, 1, 0]]);
  // It was first seen with its second key.
  assert.deepEqual(meant([], 1, [a, b]), ['taken', [2, 1, 0]]);
  assert.equal(meant([], 7, [a, b]), 'foreign');
  assert.deepEqual(meant([a], 0, [a, b]), ['taken', [2, 1, 0]]);
  assert.equal(meant([a, b], 0, [a]), 'same');
  assert.equal(meant([a, b], 0, [b]), 'same');
  for (const forked of [[rival], [rival, link(5, 6)], [a, link(1, 6)]])
    assert.equal(meant([a, b], 0, forked), 'rival');
  assert.equal(meant([a, b], 0, [link(8, 9)]), 'foreign');
  const revoked = [a, link(1, 1, true)];
  assert.equal(meant(revoked, 0, [a]), 'same');
  assert.equal(meant(revoked, 0, [a, b]), 'rival');
  assert.deepEqual(meant(revoked, 0, [link(1, 2)]), ['taken', [2, 1]]);
  const long = Array.from({ length: maxKeyLinks }, (_, n) => link(n, n + 1));
  assert.deepEqual(meant(long, 0, [link(8, 9)]), ['taken', [9, 8, 7, 6, 5, 4, 3, 2, 1]]);
});
