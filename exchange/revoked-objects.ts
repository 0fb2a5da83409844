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
  /** Refreshed, and listed by a round before a crash, which forgot nothing: the comparison finds it missing. */
  const listedBefore = async (changes: readonly (Change | Noted)[]): Promise<ReadonlySet<Oid>> => {
    const refreshed = changes.flatMap((change) =>
      change.kind === 'refresh' && verifier.hasRevoked(change.refresh.publisher) ? [change.refresh.oid] : [],
    );
    const bodies = refreshed.length === 0 ? [] : await replica.bodies(refreshed);
    return new Set(refreshed.filter((_, i) => bodies[i] === undefined));
  };
  return {
    replica: withApply(replica, async (changes, marker) => {
      const before = await listedBefore(changes);
      const missed = (change: Change | Noted): Change | Noted =>
        change.kind === 'refresh' && before.has(change.refresh.oid)
          ? { kind: 'delete', lsn: change.lsn, oid: change.refresh.oid }
          : change;
      await replica.apply(
        changes.map((change) => taken(missed(change))),
        marker,
      );
    }),
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
  store: Pick<ObjectStore, 'snapshot' | 'describe' | 'get' | 'dropVersions'>,
  server: ServerId,
  { valid, revoked }: Succession,
  { signal, oids }: { readonly signal?: AbortSignal; readonly oids?: Iterable<Oid> } = {},
): Promise<number> {
  const [isValid, wasRevoked] = [valid.map(verifier), revoked.map(verifier)];
  let dropped = 0;
  let batch: { readonly oid: Oid; readonly signature: Uint8Array }[] = [];
  const drop = async () => {
    const versions = batch;
    batch = [];
    // Its publisher may have signed an object again since it was judged.
    dropped += (await store.dropVersions(versions)).deleted;
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
    if (isValid.some(isBy) || !wasRevoked.some(isBy)) continue;
    batch.push({ oid, signature: held.signature });
    if (batch.length >= dropAtOnce) await drop();
  }
  if (batch.length > 0) await drop();
  return dropped;
}

async function* oidsOf(entries: AsyncIterable<{ readonly oid: Oid }>): AsyncGenerator<Oid> {
  for await (const { oid } of entries) yield oid;
}
