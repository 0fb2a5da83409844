import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { encodeKeyLinks, maxKeyLinks, provenanceBytes, successionOf, verifier } from '../../soif/index.ts';
import { isOwn, type StoreOperation } from '../changes/index.ts';
import { replaceFile } from '../database/index.ts';
import type { DataFolder } from './data-folder.ts';

/** Holds the hash of the links by which all own objects verify: they are not checked again at each start. */
const markFile = 'signed-with';

const signAtOnce = 256;

/**
 * After a change of key, sign the server's own objects again that no key of its links has signed, or only a revoked one:
 * Brokers drop and refuse the old signatures. Resolves to the number of objects.
 */
export async function signAgain({ path, identity, store }: DataFolder, clock: Clock): Promise<number> {
  const { serverId, succession = [], sign } = identity;
  const { valid, revoked } = successionOf(serverId, succession) ?? { valid: [], revoked: [] };
  // Fewer links go back to the first key.
  if (revoked.length === 0 && succession.length < maxKeyLinks) return 0;
  const mark = createHash('sha256').update(encodeKeyLinks(succession)).digest('base64url');
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
    const described = await store.describe(oid);
    if (described === undefined || !isOwn(described.partitions)) continue;
    const held = await store.get(oid);
    if (held?.publisher !== serverId) continue;
    const { digest, signature } = held;
    const bytes = provenanceBytes(oid, digest, held.updatedAt);
    if (verifiers.some((verify) => verify(bytes, signature))) continue;
    // A Broker takes only what is newer.
    const updatedAt = Math.max(Math.floor(clock.now() / 1000), held.updatedAt + 1);
    const renewed = sign(provenanceBytes(oid, digest, updatedAt));
    operations.push({ kind: 'refresh', oid, updatedAt, signature: renewed, digest });
    if (operations.length >= signAtOnce) await write();
  }
  if (operations.length > 0) await write();
  await replaceFile(join(path, markFile), mark);
  return signed;
}
