import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../awareness/index.ts';
import { encodeObject, type Oid, summaryObject } from '../../soif/index.ts';
import type { ObjectSnapshot } from '../../store/index.ts';
import { StoreFingerprint } from './store-fingerprint.ts';

/** A store as the log of its changes, the last one of each object. */
class Changed {
  readonly #log = new Map<Oid, Change>();
  #lsn = 0;

  put(count: number): void {
    for (let at = 0; at < count; at++) {
      const body = encodeObject(summaryObject(`https://a.example/${at}`, [['MD5', `${at}`]]));
      const object = { oid: `oid ${at}` as Oid, body };
      this.#note(object.oid, { kind: 'put', lsn: ++this.#lsn, object } as Change);
    }
  }

  delete(count: number): void {
    for (let at = 0; at < count; at++) {
      const oid = `oid ${at}` as Oid;
      this.#note(oid, { kind: 'delete', lsn: ++this.#lsn, oid });
    }
  }

  async snapshot(): Promise<ObjectSnapshot> {
    const changes = [...this.#log.values()];
    return {
      state: { horizon: 0, lsn: this.#lsn },
      changesSince: async function* (lsn: number) {
        yield* changes.filter((change) => change.lsn > lsn);
      },
      [Symbol.asyncDispose]: async () => {},
    } as unknown as ObjectSnapshot;
  }

  #note(oid: Oid, change: Change): void {
    this.#log.delete(oid);
    this.#log.set(oid, change);
  }
}

test('two readings at once of a store of which most was deleted have all that remains', async () => {
  const store = new Changed();
  const fingerprint = new StoreFingerprint(store);
  store.put(3000);
  await fingerprint.read();
  store.delete(2900);
  const both = await Promise.all([fingerprint.read(), fingerprint.read()]);
  const whole = await new StoreFingerprint(store).read();
  assert.equal(Buffer.from(whole, 'base64url').length, 600);
  assert.deepEqual(both, [whole, whole]);
});
