import { type Change, handleOf, type Noted, type Replica, withApply } from '../awareness/index.ts';
import { type Oid, oidOf, provenanceBytes, type ServerId, type Succession, verifier } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import type { ProvenanceVerifier } from './verify.ts';

const dropAtOnce = 256;

/**
 * A source's copy that stores no objects which only a revoked key has signed. It lists them for the rest of the round,
 * so that both sides compare the same set. `forget` removes them from it: the next round asks for them again, because
 * their publisher may have signed them again, and some schemes do not show that.
 */
export function withoutRevoked(replica: Replica, verifier: ProvenanceVerifier) {
  const listed = new Set<Oid>();
  const taken = (change: Change | Noted): Change | Noted => {
    if (change.kind !== 'put') return change;
    const { oid, digest } = change.object;
    if (!verifier.isRevoked(oid)) {
      listed.delete(oid);
      return change;
    }
    listed.add(oid);
    return { kind: 'note', lsn: change.lsn, oid, handle: handleOf(oid), signature: digest };
  };
  return {
    replica: withApply(replica, (changes, marker) => replica.apply(changes.map(taken), marker)),
    forget: async () => {
      const { marker } = await replica.state();
      if (listed.size === 0 || marker === undefined) return;
      const { lsn } = marker;
      await replica.apply(
        [...listed].map((oid): Change => ({ kind: 'delete', lsn, oid })),
        marker,
      );
    },
  };
}

/**
 * Drop the objects of a server that only its revoked keys have signed; each returns when a source has it with another
 * signature. `oids` are those that may be its objects; all when absent. Resolves to the number of dropped ones.
 */
export async function dropRevoked(
  store: Pick<ObjectStore, 'snapshot' | 'describe' | 'get' | 'apply' | 'unlearn'>,
  server: ServerId,
  { valid, revoked }: Succession,
  { signal, oids }: { readonly signal?: AbortSignal; readonly oids?: Iterable<Oid> } = {},
): Promise<number> {
  const [stands, wasRevoked] = [valid.map(verifier), revoked.map(verifier)];
  let dropped = 0;
  let batch: Oid[] = [];
  const drop = async () => {
    const oids = batch;
    batch = [];
    await store.apply(oids.map((oid) => ({ kind: 'delete', oid })));
    await store.unlearn(oids);
    dropped += oids.length;
  };
  await using snapshot = await store.snapshot();
  for await (const oid of oids ?? oidsOf(snapshot.scan())) {
    signal?.throwIfAborted();
    const described = await store.describe(oid);
    if (described === undefined || oidOf(server, described.url) !== oid) continue;
    const held = await store.get(oid);
    if (held === undefined) continue;
    const signed = provenanceBytes(oid, held.digest, held.updatedAt);
    const isBy = (verify: ReturnType<typeof verifier>) => verify(signed, held.signature);
    if (stands.some(isBy) || !wasRevoked.some(isBy)) continue;
    batch.push(oid);
    if (batch.length >= dropAtOnce) await drop();
  }
  if (batch.length > 0) await drop();
  return dropped;
}

async function* oidsOf(entries: AsyncIterable<{ readonly oid: Oid }>): AsyncGenerator<Oid> {
  for await (const { oid } of entries) yield oid;
}
