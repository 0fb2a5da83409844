import type { PublishedObject, Refresh } from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import { decodeObject, digestOf, oidOf, provenanceBytes, type ServerId, verifier } from '../soif/index.ts';
import { exchangeErrors } from './errors.ts';
import type { ReceivedObject } from './messages.ts';

/** The keys a client knows servers by; the first key seen for a server is the one it must go on using. */
export interface Keyring {
  keyOf(server: ServerId): Promise<Uint8Array | undefined>;
  /** Remember a server's key; resolves to false when another one is known. */
  learn(server: ServerId, publicKey: Uint8Array): Promise<boolean>;
}

/** Checks what a source says against the signatures of those who gathered it. */
export class ProvenanceVerifier {
  readonly #keyring: Keyring;
  readonly #verifiers = new Map<ServerId, (bytes: Uint8Array, signature: Uint8Array) => boolean>();

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** The object with its OID and digest worked out, or EXCHANGE_UNVERIFIED. */
  async object(received: ReceivedObject): Promise<PublishedObject> {
    const { body, updatedAt, signature, publisher } = received;
    const summary = decodeObject(body);
    const oid = oidOf(publisher, summary.url);
    const digest = digestOf(summary);
    const verify = await this.#verifier(publisher, summary.url);
    if (!verify(provenanceBytes(oid, digest, updatedAt), signature))
      throw failure(exchangeErrors.EXCHANGE_UNVERIFIED, {
        url: summary.url,
        reason: 'the signature does not fit',
      });
    return { oid, digest, body, updatedAt, publisher, signature };
  }

  /** Whether a refresh is signed for the content that is held. */
  async refresh({ oid, publisher, updatedAt, signature }: Refresh, digest: Uint8Array): Promise<boolean> {
    const verify = await this.#verifier(publisher, oid);
    return verify(provenanceBytes(oid, digest, updatedAt), signature);
  }

  async #verifier(
    server: ServerId,
    url: string,
  ): Promise<(bytes: Uint8Array, signature: Uint8Array) => boolean> {
    let verify = this.#verifiers.get(server);
    if (verify === undefined) {
      const key = await this.#keyring.keyOf(server);
      if (key === undefined)
        throw failure(exchangeErrors.EXCHANGE_UNVERIFIED, {
          url,
          reason: `no key is known for server ${server}`,
        });
      verify = verifier(key);
      this.#verifiers.set(server, verify);
    }
    return verify;
  }
}
