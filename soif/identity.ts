import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { type Random, systemRandom } from '../kernel/index.ts';
import { type Oid, oidBytes, type ServerId } from './identifiers.ts';

/** The identity of a server: a random id made once and the Ed25519 key that signs for it. */
export interface Identity {
  readonly serverId: ServerId;
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Ed25519 signature (RFC 8032) over `bytes`, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** The part of an identity that is stored on disk. */
export interface IdentitySecret {
  readonly serverId: ServerId;
  /** PKCS #8 PEM of the Ed25519 private key. */
  readonly privateKey: string;
}

/** Make a new server's secret. The key always comes from the machine's secure source. */
export function newIdentitySecret(random: Random = systemRandom): IdentitySecret {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    serverId: Buffer.from(random.bytes(16)).toString('base64url') as ServerId,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The identity of a stored secret. Throws node's key error when the PEM is not an Ed25519 key. */
export function identityFrom(secret: IdentitySecret): Identity {
  const key = createPrivateKey(secret.privateKey);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new TypeError(`not an Ed25519 key: ${key.asymmetricKeyType}`);
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  return {
    serverId: secret.serverId,
    publicKey: new Uint8Array(Buffer.from(jwk.x as string, 'base64url')),
    sign: (bytes) => new Uint8Array(sign(null, bytes, key)),
  };
}

type Verify = (bytes: Uint8Array, signature: Uint8Array) => boolean;

/** Importing a key costs as much as verifying with it, and every round needs the key of its session. */
const ready = new WeakMap<Uint8Array, Verify>();

/** An imported raw public key; its bytes must not change afterwards. */
export function verifier(publicKey: Uint8Array): Verify {
  const known = ready.get(publicKey);
  if (known !== undefined) return known;
  const made = makeVerifier(publicKey);
  ready.set(publicKey, made);
  return made;
}

function makeVerifier(publicKey: Uint8Array): Verify {
  let key: KeyObject;
  try {
    key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
      format: 'jwk',
    });
  } catch {
    return () => false;
  }
  return (bytes, signature) => signature.length === 64 && verify(null, bytes, key, signature);
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
