import type { PublishedObject, Refresh } from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import { decodeObject, digestOf, oidOf, provenanceBytes, type ServerId, verifier } from '../soif/index.ts';
import { exchangeErrors } from './errors.ts';
import type { Keyring } from './keyring.ts';
import type { ReceivedObject } from './object-items.ts';
import type { PartItem } from './part-items.ts';

/** Checks what a source says against the signatures of those who gathered it. */
export class ProvenanceVerifier {
  readonly #keyring: Keyring;
  readonly #verifiers = new Map<ServerId, (bytes: Uint8Array, signature: Uint8Array) => boolean>();

  /** What the source says of the keys of others, until something has been verified with them. */
  readonly #introduced = new Map<ServerId, Uint8Array>();

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Take the source's word for the keys of publishers that are not known otherwise. */
  introduce(keys: Iterable<readonly [ServerId, Uint8Array]>): void {
    for (const [server, key] of keys) this.#introduced.set(server, key);
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
    await this.#keep(publisher);
    return { oid, digest, body, updatedAt, publisher, signature };
  }

  /**
   * Some attributes of an object: that there is such an object is checked here, that these are its attributes is for
   * the signature of the store that sends them.
   */
  async part(part: PartItem): Promise<PublishedObject> {
    const { oid, digest, updatedAt, signature, publisher, body } = part;
    const { url } = decodeObject(body);
    const verify = await this.#verifier(publisher, url);
    if (oidOf(publisher, url) !== oid || !verify(provenanceBytes(oid, digest, updatedAt), signature))
      throw failure(exchangeErrors.EXCHANGE_UNVERIFIED, { url, reason: 'the signature does not fit' });
    await this.#keep(publisher);
    return { oid, digest, body, updatedAt, publisher, signature };
  }

  /** Whether a refresh is signed for the content that is held. */
  async refresh({ oid, publisher, updatedAt, signature }: Refresh, digest: Uint8Array): Promise<boolean> {
    const verify = await this.#verifier(publisher, oid);
    if (!verify(provenanceBytes(oid, digest, updatedAt), signature)) return false;
    await this.#keep(publisher);
    return true;
  }

  /** A key that has verified something is remembered: no more of them than objects. */
  async #keep(publisher: ServerId): Promise<void> {
    const key = this.#introduced.get(publisher);
    if (key === undefined) return;
    this.#introduced.delete(publisher);
    await this.#keyring.introduce(publisher, key);
  }

  async #verifier(
    server: ServerId,
    url: string,
  ): Promise<(bytes: Uint8Array, signature: Uint8Array) => boolean> {
    let verify = this.#verifiers.get(server);
    if (verify === undefined) {
      const key = (await this.#keyring.keyOf(server)) ?? this.#introduced.get(server);
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
