import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { type Random, systemRandom } from '../kernel/index.ts';
import { type Oid, oidBytes, type ServerId } from './identifiers.ts';
import {
  decodeKeyLinks,
  encodeKeyLinks,
  type KeyLink,
  keyLink,
  maxKeyLinks,
  successionOf,
} from './key-succession.ts';

/** The identity of a server: a random id made once and the Ed25519 key that signs for it. */
export interface Identity {
  readonly serverId: ServerId;
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The links from its former keys to this one; absent without any. */
  readonly succession?: readonly KeyLink[];
  /** Ed25519 signature (RFC 8032) over `bytes`, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** The part of an identity that is stored on disk. */
export interface IdentitySecret {
  readonly serverId: ServerId;
  /** PKCS #8 PEM of the Ed25519 private key. */
  readonly privateKey: string;
  /** The links from its former keys to this one, base64url. */
  readonly succession?: string;
}

/** Make a new server's secret. The key always comes from the machine's secure source. */
export function newIdentitySecret(random: Random = systemRandom): IdentitySecret {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    serverId: Buffer.from(random.bytes(16)).toString('base64url') as ServerId,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The identity of a stored secret. Throws a key error when the PEM is not an Ed25519 key or not the last of its links. */
export function identityFrom(secret: IdentitySecret): Identity {
  const key = createPrivateKey(secret.privateKey);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new TypeError(`not an Ed25519 key: ${key.asymmetricKeyType}`);
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  const publicKey = new Uint8Array(Buffer.from(jwk.x as string, 'base64url'));
  return {
    serverId: secret.serverId,
    publicKey,
    ...(secret.succession !== undefined && { succession: linksTo(publicKey, secret) }),
    sign: (bytes) => new Uint8Array(sign(null, bytes, key)),
  };
}

function linksTo(publicKey: Uint8Array, { serverId, succession = '' }: IdentitySecret): readonly KeyLink[] {
  const links = decodeKeyLinks(Buffer.from(succession, 'base64url')) ?? [];
  const current = successionOf(serverId, links)?.current;
  if (current === undefined || Buffer.compare(current, publicKey) !== 0)
    throw new TypeError('its succession does not lead to its key');
  return links;
}

/**
 * The secret of the same server with a new key, which the old one signs; with `isRevoked` the secret with its key, which
 * revokes those before it. The time, in seconds, is never before that of the last link.
 */
export function succeedingSecret(
  secret: IdentitySecret,
  { at, isRevoked }: Pick<KeyLink, 'at' | 'isRevoked'>,
): IdentitySecret {
  const old = identityFrom(secret);
  const links = old.succession ?? [];
  const { privateKey } = isRevoked ? secret : newIdentitySecret();
  const to = isRevoked ? old : identityFrom({ serverId: secret.serverId, privateKey });
  const link = keyLink(old, to, { at: Math.max(at, links.at(-1)?.at ?? 0), isRevoked });
  const succession = Buffer.from(encodeKeyLinks([...links, link].slice(-maxKeyLinks))).toString('base64url');
  return { ...secret, privateKey, succession };
}

const label = new TextEncoder().encode('garner object 1\n');
const withdrawalLabel = new TextEncoder().encode('garner withdrawal 1\n');

/**
 * The bytes that a Gatherer signs for an object: a label, the OID, the digest and the Update-Time in seconds.
 * The signature stays valid wherever the object is forwarded, so anybody can check which Gatherer made it.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import * as soif from 'garner/soif';
 *
 * const { serverId, publicKey, sign } = soif.identityFrom(soif.newIdentitySecret());
 * const object = soif.summaryObject('https://harbour.example/', [['Title', 'Harbour']]);
 * const [oid, updatedAt] = [soif.oidOf(serverId, object.url), 1_795_250_870];
 * const signature = sign(soif.provenanceBytes(oid, soif.digestOf(object), updatedAt));
 *
 * const verify = soif.verifier(publicKey);
 * assert.ok(verify(soif.provenanceBytes(oid, soif.digestOf(object), updatedAt), signature));
 * const forged = soif.summaryObject('https://harbour.example/', [['Title', 'Airport']]);
 * assert.ok(!verify(soif.provenanceBytes(oid, soif.digestOf(forged), updatedAt), signature));
 */
export function provenanceBytes(oid: Oid, digest: Uint8Array, updatedAt: number): Uint8Array {
  const bytes = Buffer.alloc(label.length + 32 + 32 + 8);
  bytes.set(label, 0);
  bytes.set(oidBytes(oid), label.length);
  bytes.set(digest, label.length + 32);
  bytes.writeBigUInt64BE(BigInt(updatedAt), label.length + 64);
  return bytes;
}

/**
 * The bytes that a publisher signs to withdraw an object: a label of its own, the OID, and a time in seconds. They
 * hold for every version of the object up to that time. A later version is another publication.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import * as soif from 'garner/soif';
 *
 * const { serverId, publicKey, sign } = soif.identityFrom(soif.newIdentitySecret());
 * const [pier, quay] = ['pier', 'quay'].map((name) => soif.oidOf(serverId, `https://harbour.example/${name}`));
 * const signature = sign(soif.withdrawalBytes(pier, 1_795_250_870));
 *
 * const verify = soif.verifier(publicKey);
 * assert.ok(verify(soif.withdrawalBytes(pier, 1_795_250_870), signature));
 * assert.ok(!verify(soif.withdrawalBytes(quay, 1_795_250_870), signature));
 * assert.ok(!verify(soif.withdrawalBytes(pier, 1_795_250_871), signature));
 */
export function withdrawalBytes(oid: Oid, updatedAt: number): Uint8Array {
  const bytes = Buffer.alloc(withdrawalLabel.length + 32 + 8);
  bytes.set(withdrawalLabel, 0);
  bytes.set(oidBytes(oid), withdrawalLabel.length);
  bytes.writeBigUInt64BE(BigInt(updatedAt), withdrawalLabel.length + 32);
  return bytes;
}
