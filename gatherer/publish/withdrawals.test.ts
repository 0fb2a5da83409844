import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Change } from '../../awareness/index.ts';
import { ManualClock, systemRandom } from '../../kernel/index.ts';
import { provenanceBytes, verifier, withdrawalBytes } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { Production } from './production.ts';

const url = 'https://harbour.example/';

test('a Gatherer signs each deletion, and publishes again only with a later time', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-production-'));
  const clock = new ManualClock(1_700_000_000_000);
  const folder = await openDataFolder(path, { role: 'gatherer', create: true, clock, random: systemRandom });
  try {
    const { store, identity } = folder;
    const production = new Production({
      ...{ store, identity, clock, name: 'Harbour', host: 'harbour.example', version: '1' },
      ...{ ttlSeconds: 1000, refreshSeconds: 100 },
      annotated: async (gathered) => gathered,
      syncAnnotations: async () => {},
    });
    const put = (title: string) => production.put(url, { attributes: [['Title', title]] } as never);
    const oid = production.oid(url);
    const verify = verifier(identity.publicKey);
    const last = async (): Promise<Change | undefined> => {
      await using snapshot = await store.snapshot();
      let found: Change | undefined;
      for await (const change of snapshot.changesSince(0)) found = change;
      return found;
    };
    /** The time of the last change, whose signature is checked. */
    const signedTime = async (): Promise<number> => {
      const change = await last();
      if (change?.kind === 'delete') {
        const { updatedAt, signature } = change.withdrawal ?? assert.fail('it is not signed');
        assert.ok(verify(withdrawalBytes(oid, updatedAt), signature));
        return updatedAt;
      }
      assert.ok(change?.kind === 'put');
      const { digest, updatedAt, signature } = change.object;
      assert.ok(verify(provenanceBytes(oid, digest, updatedAt), signature));
      return updatedAt;
    };
    const times: number[] = [];
    const written = async () => {
      await production.write();
      times.push((await signedTime()) - 1_700_000_000);
    };
    await put('Harbour');
    await written();
    await production.delete(url);
    await written();
    // In the same second.
    await put('Harbour');
    await written();
    await production.delete(url);
    await written();
    // In one batch, with a clock that was set back.
    clock.advance(-100_000_000_000);
    await put('Pier');
    await production.delete(url);
    await put('Quay');
    await written();
    await production.delete(url);
    await written();
    assert.deepEqual(times, [0, 0, 1, 1, 3, 3]);
    assert.equal(store.withdrawals, 1);
  } finally {
    await folder[Symbol.asyncDispose]();
    await rm(path, { recursive: true, force: true });
  }
});
