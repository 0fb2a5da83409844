import { createPublicKey, type KeyObject, verify } from 'node:crypto';

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
