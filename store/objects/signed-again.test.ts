import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ManualClock, systemRandom } from '../../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  type Identity,
  identityFrom,
  maxKeyLinks,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  successionOf,
  summaryObject,
  verifier,
} from '../../soif/index.ts';
import type { StoreOperation } from '../changes/index.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { signAgain } from './signed-again.ts';

const clock = new ManualClock(1_700_000_000_000);
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-signed-again-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const open = (name: string) =>
  openDataFolder(join(folder, name), { role: 'broker', create: true, clock, random: systemRandom });

function putting({ serverId: publisher, sign }: Identity, url: string): StoreOperation & { kind: 'put' } {
  const summary = summaryObject(url, [['Title', url]]);
  const [oid, digest] = [oidOf(publisher, url), digestOf(summary)];
  const updatedAt = Math.floor(clock.now() / 1000);
  const signature = sign(provenanceBytes(oid, digest, updatedAt));
  const object = { oid, digest, body: encodeObject(summary), updatedAt, publisher, signature };
  return { kind: 'put', object, url, ttlSeconds: 1000 };
}

/** Change the key in these steps, each while the server is stopped: `k` makes a key, `r` revokes. */
async function change(name: string, steps: string): Promise<void> {
  for (const step of steps) {
    await using opened = await open(name);
    await opened.changeKey(step === 'r');
  }
}

/** Whether an object verifies by the links that a Broker is sent. */
async function isValid({ store, identity }: DataFolder, url: string): Promise<boolean> {
  const { serverId, publicKey, succession = [] } = identity;
  const held = await store.get(oidOf(serverId, url));
  assert.ok(held !== undefined);
  const { valid } = successionOf(serverId, succession) ?? { valid: [publicKey] };
  const bytes = provenanceBytes(held.oid, held.digest, held.updatedAt);
  return valid.some((key) => verifier(key)(bytes, held.signature));
}

test('after each revocation a server signs its objects again, also when nothing else changed its key', async () => {
  const url = 'http://example.org/1';
  {
    await using opened = await open('often');
    await opened.store.apply([putting(opened.identity, url)]);
  }
  for (const [steps, signed] of [
    ['kr', 1],
    ['', 0],
    ['k', 0],
    // The key is the one of the start before.
    ['r', 1],
    ['', 0],
  ] as const) {
    await change('often', steps);
    await using opened = await open('often');
    assert.equal(await signAgain(opened, clock), signed, steps);
    assert.ok(await isValid(opened, url), steps);
  }
});

test('a server signs again what was signed by a key beyond the links that it sends', async () => {
  const url = 'http://example.org/1';
  {
    await using opened = await open('long');
    await opened.store.apply([putting(opened.identity, url)]);
  }
  await change('long', 'k'.repeat(maxKeyLinks));
  {
    await using opened = await open('long');
    assert.equal(await signAgain(opened, clock), 0);
    assert.ok(await isValid(opened, url));
  }
  await change('long', 'k');
  await using opened = await open('long');
  assert.equal(await isValid(opened, url), false);
  assert.equal(await signAgain(opened, clock), 1);
  assert.ok(await isValid(opened, url));
});

test('a server signs again what it has published itself, and nothing that it has collected', async () => {
  const [own, returned] = ['http://example.org/own', 'http://example.org/returned'];
  const other = identityFrom(newIdentitySecret());
  const foreign = putting(other, 'http://example.org/foreign');
  {
    await using opened = await open('own');
    await opened.store.apply([putting(opened.identity, own), foreign]);
    const collected = await opened.store.replica(other.serverId);
    const { object } = putting(opened.identity, returned);
    const { epoch } = await opened.store.state();
    await collected.apply([{ kind: 'put', lsn: 1, object }], { epoch, lsn: 1 });
  }
  await change('own', 'kr');
  await using opened = await open('own');
  assert.equal(await signAgain(opened, clock), 1);
  assert.deepEqual([await isValid(opened, own), await isValid(opened, returned)], [true, false]);
  const kept = (await opened.store.get(foreign.object.oid))?.signature ?? '';
  assert.deepEqual(Buffer.from(kept), Buffer.from(foreign.object.signature));
});
