import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../kernel/index.ts';
import { identityFrom, newIdentitySecret, summaryObject } from '../soif/index.ts';
import { publicationOf } from './publication.ts';
import { type DeskOptions, PublicationDesk } from './publication-desk.ts';

test('what is signed by a key that another one follows in that moment is refused', async () => {
  let stored = 0;
  const store = {
    ...{ describe: async () => undefined, get: async () => undefined, withdrawnAt: async () => 0 },
    apply: async () => ({ changed: ++stored, refreshed: 0, deleted: 0, lsn: stored }),
  };
  const clock = new ManualClock(1_700_000_000_000);
  const object = summaryObject('http://example.org/1', [['Title', 'one']]);
  const publication = publicationOf(identityFrom(newIdentitySecret()), object, { updatedAt: 1_700_000_000 });
  const publish = (keyring: DeskOptions['keyring']) =>
    new PublicationDesk({ store, clock, keyring, admit: () => 60 }).publish(publication);
  const unknown = async () => undefined;
  await assert.rejects(publish({ keyOf: unknown, learn: async () => false }), {
    ...{ code: 'PUBLICATION_REFUSED', message: /another key is known/ },
  });
  assert.equal(stored, 0);
  await publish({ keyOf: unknown, learn: async () => true });
  assert.equal(stored, 1);
});
