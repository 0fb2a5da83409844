import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Oid } from '../soif/index.ts';
import { elementId, SetFingerprint } from './fingerprint.ts';
import type { Replica } from './replica.ts';
import { admissible, cost, type Scheme, sound } from './scheme.ts';
import { schemeNamed, schemes } from './schemes.ts';
import type {
  Change,
  Entry,
  Epoch,
  PublishedObject,
  SourceSnapshot,
  SourceState,
  StoreModel,
} from './source.ts';
import { learnFrom, serveVector } from './uni-aware.ts';

const epoch = Buffer.alloc(12, 1).toString('base64url') as Epoch;
const oidAt = (n: number) => createHash('sha256').update(String(n)).digest('base64url') as Oid;
const digestAt = (content: string) => createHash('sha256').update(content).digest();
const inOrder = (a: Oid, b: Oid) => Buffer.compare(Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url'));

/** A store as small as can be: contents, and a log that holds each object once. */
class ToyStore {
  lsn = 0;
  readonly contents = new Map<Oid, string>();
  readonly log = new Map<Oid, { lsn: number; gone: boolean }>();

  set(n: number, content: string | undefined): void {
    const oid = oidAt(n);
    if (content === undefined && !this.contents.has(oid)) return;
    if (content === undefined) this.contents.delete(oid);
    else this.contents.set(oid, content);
    this.log.set(oid, { lsn: ++this.lsn, gone: content === undefined });
  }

  object(oid: Oid): PublishedObject {
    const content = this.contents.get(oid) ?? '';
    return {
      oid,
      digest: digestAt(content),
      body: Buffer.from(content),
      updatedAt: 0,
      publisher: 'p' as PublishedObject['publisher'],
      signature: new Uint8Array(64),
    };
  }

  snapshot(): SourceSnapshot {
    const store = this;
    return {
      state: this.state(),
      changesSince: async function* (lsn) {
        const later = [...store.log].filter(([, row]) => row.lsn > lsn).sort((a, b) => a[1].lsn - b[1].lsn);
        for (const [oid, row] of later) {
          if (row.gone) yield { kind: 'delete', lsn: row.lsn, oid };
          else yield { kind: 'put', lsn: row.lsn, object: store.object(oid) };
        }
      },
      scan: async function* (after) {
        for (const oid of [...store.contents.keys()].sort(inOrder)) {
          const lsn = store.log.get(oid)?.lsn ?? 0;
          if (after === undefined || inOrder(oid, after) > 0)
            yield { oid, lsn, contentLsn: lsn, digest: store.object(oid).digest };
        }
      },
      get: async (oid) => (store.contents.has(oid) ? store.object(oid) : undefined),
      [Symbol.asyncDispose]: async () => {},
    };
  }

  state(): SourceState {
    const fingerprint = new SetFingerprint();
    for (const [oid, content] of this.contents) fingerprint.add(elementId(epoch, oid, digestAt(content)));
    return { epoch, lsn: this.lsn, horizon: 0, count: this.contents.size, fingerprint: fingerprint.digest() };
  }
}

/** A client as small as can be; it does what the lessons say. */
class ToyClient {
  readonly contents = new Map<Oid, string>();
  lsn = 0;

  replica(): Replica {
    const client = this;
    return {
      state: async () => ({
        marker: { epoch, lsn: client.lsn },
        count: client.contents.size,
        fingerprint: new Uint8Array(16),
      }),
      scan: async function* (after): AsyncIterable<Entry> {
        for (const oid of [...client.contents.keys()].sort(inOrder))
          if (after === undefined || inOrder(oid, after) > 0)
            yield { oid, lsn: 0, contentLsn: 0, digest: digestAt(client.contents.get(oid) ?? '') };
      },
      digests: async (oids) =>
        oids.map((oid) => (client.contents.has(oid) ? digestAt(client.contents.get(oid) ?? '') : undefined)),
      apply: async (changes: readonly Change[]) => {
        for (const change of changes) {
          if (change.kind === 'put')
            client.contents.set(change.object.oid, Buffer.from(change.object.body).toString());
          else if (change.kind === 'delete') client.contents.delete(change.oid);
        }
      },
    };
  }

  /** One run of a scheme over what the store shows now. */
  async learn(scheme: Scheme, store: ToyStore): Promise<void> {
    const replica = this.replica();
    const snapshot = store.snapshot();
    const vector = serveVector(scheme, snapshot, { since: this.lsn });
    for await (const lesson of learnFrom(scheme, vector, replica)) {
      if (lesson.kind === 'apply') await replica.apply([lesson.change], { epoch, lsn: this.lsn });
      else if (lesson.kind === 'forget') this.contents.delete(lesson.oid);
      else if (lesson.kind === 'fetch') {
        const object = await snapshot.get(lesson.oid);
        if (object !== undefined) this.contents.set(lesson.oid, Buffer.from(object.body).toString());
      }
    }
    this.lsn = snapshot.state.lsn;
  }
}

const model: StoreModel = {
  updates: 'in-place',
  deletes: true,
  handleReuse: true,
  monotoneStamps: true,
  tombstones: true,
  log: true,
};
const history = fc.array(fc.tuple(fc.nat(6), fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined })), {
  maxLength: 8,
});

test('any history, any sound scheme: the client equals the store', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...schemes),
      async (rounds, scheme) => {
        assert.equal(sound(scheme, model), undefined, scheme.name);
        const [store, client] = [new ToyStore(), new ToyClient()];
        for (const steps of rounds) {
          for (const [n, content] of steps) store.set(n, content);
          await client.learn(scheme, store);
          assert.deepEqual([...client.contents].sort(), [...store.contents].sort(), scheme.name);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('every refusal is needed: a history on which the refused scheme loses something', async () => {
  const changes: Scheme = { name: 'changes', selects: 'changes', compresses: 'record', forgets: 'tombstone' };
  const byAbsence: Scheme = {
    name: 'changes by absence',
    selects: 'changes',
    compresses: 'handle',
    forgets: 'absence',
  };
  const handles: Scheme = {
    name: 'handles',
    selects: 'everything',
    compresses: 'handle',
    forgets: 'absence',
  };
  const deaf: Scheme = {
    name: 'all by tombstone',
    selects: 'everything',
    compresses: 'signature',
    forgets: 'tombstone',
  };

  assert.match(sound(handles, model)?.reason ?? '', /in place/);
  const [store, client] = [new ToyStore(), new ToyClient()];
  store.set(1, 'a');
  await client.learn(handles, store);
  store.set(1, 'b');
  await client.learn(handles, store);
  assert.equal(client.contents.get(oidAt(1)), 'a', 'the update in place was not seen');

  assert.match(sound(byAbsence, model)?.reason ?? '', /absent without being gone/);
  const [two, reader] = [new ToyStore(), new ToyClient()];
  two.set(1, 'a');
  two.set(2, 'b');
  await reader.learn(byAbsence, two);
  two.set(1, 'c');
  await reader.learn(byAbsence, two);
  assert.equal(reader.contents.has(oidAt(2)), false, 'what had not changed was forgotten');

  assert.match(sound(changes, { ...model, tombstones: false })?.reason ?? '', /tombstones/);
  const [three, third] = [new ToyStore(), new ToyClient()];
  three.set(1, 'a');
  await third.learn(changes, three);
  three.set(1, undefined);
  three.log.delete(oidAt(1));
  await third.learn(changes, three);
  assert.equal(third.contents.has(oidAt(1)), true, 'the deletion left no trace');

  assert.match(sound(changes, { ...model, log: false, monotoneStamps: false })?.reason ?? '', /go back/);
  assert.match(sound(deaf, model)?.reason ?? '', /tombstones/);
  assert.equal(sound(handles, { ...model, updates: 'version' }), undefined);
});

test('a marker that is missing, stale, ahead or too old is not admissible, an empty client always is', () => {
  const log = schemeNamed('log') as Scheme;
  const signature = schemeNamed('signature') as Scheme;
  const state: SourceState = { epoch, lsn: 10, horizon: 4, count: 3, fingerprint: new Uint8Array(16) };
  const other = Buffer.alloc(12, 2).toString('base64url') as Epoch;
  assert.equal(admissible(log, state, undefined, 0), undefined);
  assert.match(admissible(log, state, undefined, 5)?.reason ?? '', /no marker/);
  assert.match(admissible(log, state, { epoch: other, lsn: 5 }, 5)?.reason ?? '', /another life/);
  assert.match(admissible(log, state, { epoch, lsn: 11 }, 5)?.reason ?? '', /ahead/);
  assert.match(admissible(log, state, { epoch, lsn: 3 }, 5)?.reason ?? '', /forgotten/);
  assert.equal(admissible(log, state, { epoch, lsn: 4 }, 5), undefined);
  assert.equal(admissible(signature, state, undefined, 5), undefined);
  assert.equal(schemeNamed('nonsense'), undefined);
});

test('few changes are cheapest by the log, and a comparison grows with the store', () => {
  const [log, handle, signature] = schemes.map(
    (scheme) => (count: number, changes: number) => cost(scheme, { count, changes, objectBytes: 4000 }).bytes,
  );
  assert.ok(log && handle && signature);
  assert.ok(log(1e5, 10) < handle(1e5, 10) && handle(1e5, 10) < signature(1e5, 10));
  assert.ok(signature(1e6, 10) > signature(1e5, 10));
});

test('a fingerprint is of the set: order and detours do not matter, one element does', () => {
  const element = fc.nat(20).map((n) => elementId(epoch, oidAt(n), digestAt(String(n))));
  fc.assert(
    fc.property(fc.array(element), fc.array(element), (kept, detour) => {
      const [a, b] = [new SetFingerprint(), new SetFingerprint()];
      for (const one of kept) a.add(one);
      for (const one of detour) b.add(one);
      for (const one of [...kept].reverse()) b.add(one);
      for (const one of detour) b.remove(one);
      assert.deepEqual(Buffer.from(a.digest()), Buffer.from(b.digest()));
      assert.equal(a.count, b.count);
      const copy = SetFingerprint.decode(a.encode());
      assert.deepEqual(Buffer.from(copy.digest()), Buffer.from(a.digest()));
      copy.add(elementId(epoch, oidAt(99), digestAt('x')));
      assert.notDeepEqual(Buffer.from(copy.digest()), Buffer.from(a.digest()));
    }),
  );
  assert.throws(() => SetFingerprint.decode(new Uint8Array(3)), TypeError);
});
