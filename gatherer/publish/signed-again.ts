import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { provenanceBytes, successionOf, verifier } from '../../soif/index.ts';
import { type DataFolder, replaceFile, type StoreOperation } from '../../store/index.ts';

/** Holds the key with which all objects are signed: they are not checked again at each start. */
const markFile = 'signed-with';

const signAtOnce = 256;

/**
 * After a revocation, sign the objects again that only a revoked key has signed: Brokers drop and refuse the old
 * signatures. Resolves to the number of objects.
 */
export async function signAgain({ path, identity, store }: DataFolder, clock: Clock): Promise<number> {
  const { serverId, publicKey, succession = [], sign } = identity;
  const { valid, revoked } = successionOf(serverId, succession) ?? { valid: [], revoked: [] };
  if (revoked.length === 0) return 0;
  const mark = Buffer.from(publicKey).toString('base64url');
  if ((await readFile(join(path, markFile), 'utf8').catch(() => '')) === mark) return 0;
  const verifiers = valid.map(verifier);
  let signed = 0;
  let operations: StoreOperation[] = [];
  const write = async () => {
    signed += operations.length;
    await store.apply(operations, { sync: true });
    operations = [];
  };
  await using snapshot = await store.snapshot();
  for await (const { oid } of snapshot.scan()) {
    const held = await store.get(oid);
    if (held === undefined) continue;
    const { digest, signature } = held;
    const bytes = provenanceBytes(oid, digest, held.updatedAt);
    if (verifiers.some((verify) => verify(bytes, signature))) continue;
    // A Broker takes only what is newer.
    const updatedAt = Math.max(Math.floor(clock.now() / 1000), held.updatedAt + 1);
    const renewed = sign(provenanceBytes(oid, digest, updatedAt));
    operations.push({ kind: 'refresh', oid, updatedAt, signature: renewed });
    if (operations.length >= signAtOnce) await write();
  }
  if (operations.length > 0) await write();
  await replaceFile(join(path, markFile), mark);
  return signed;
}
