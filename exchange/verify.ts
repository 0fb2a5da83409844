import {
  handleOf,
  type KnownObject,
  type PublishedObject,
  type Refresh,
  type Replica,
  type Withdrawal,
  withApply,
} from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import {
  decodeObject,
  digestOf,
  oidOf,
  provenanceBytes,
  type ServerId,
  verifier,
  withdrawalBytes,
} from '../soif/index.ts';
import { exchangeErrors } from './errors.ts';
import type { RefusedWithdrawals } from './events.ts';
import type { Keyring } from './keyring.ts';
import type { ReceivedObject } from './object-items.ts';

type Verify = (bytes: Uint8Array, signature: Uint8Array) => boolean;

const unverified = (url: string, reason: string) =>
  failure(exchangeErrors.EXCHANGE_UNVERIFIED, { url, reason });

const unknownKey = (server: ServerId, url: string) => unverified(url, `no key is known for server ${server}`);

/** Checks a source's objects against the signatures of their publishers. */
export class ProvenanceVerifier {
  readonly #keyring: Keyring;
  readonly #verifiers = new Map<ServerId, Verify>();

  /** The source's report of other servers' keys, until something has been verified with them. */
  readonly #introduced = new Map<ServerId, Uint8Array>();

  #refused: Omit<RefusedWithdrawals, 'source'> | undefined;

  readonly #passedOver = new WeakSet<PublishedObject>();

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Accept the source's report of the keys of publishers that are not known otherwise. */
  introduce(keys: Iterable<readonly [ServerId, Uint8Array]>): void {
    for (const [server, key] of keys) this.#introduced.set(server, key);
  }

  /** The object with its computed OID and digest, or EXCHANGE_UNVERIFIED. */
  async object(received: ReceivedObject): Promise<PublishedObject> {
    const { body, updatedAt, signature, publisher } = received;
    const summary = decodeObject(body);
    const oid = oidOf(publisher, summary.url);
    const digest = digestOf(summary);
    const object = { oid, digest, body, updatedAt, publisher, signature };
    const verify = await this.#known(publisher);
    if (verify?.(provenanceBytes(oid, digest, updatedAt), signature) === true) await this.#keep(publisher);
    else if (this.#keyring.passOver !== undefined) {
      this.#passedOver.add(object);
      this.#keyring.passOver(publisher, summary.url);
    } else if (verify === undefined) throw unknownKey(publisher, summary.url);
    else throw unverified(summary.url, 'the signature does not match');
    return object;
  }

  /** A source's copy that lists what is passed over, so that both sides agree, and holds nothing of it. */
  sifting(replica: Replica): Replica {
    if (this.#keyring.passOver === undefined) return replica;
    return withApply(replica, (changes, marker) => {
      const sifted = changes.map((change) => {
        if (change.kind !== 'put' || !this.#passedOver.has(change.object)) return change;
        const { oid, digest } = change.object;
        return { kind: 'note', lsn: change.lsn, oid, handle: handleOf(oid), signature: digest } as const;
      });
      return replica.apply(sifted, marker);
    });
  }

  /** Some attributes: checks that the object exists; the sending store's signature vouches for the rest. */
  async part(part: PublishedObject): Promise<PublishedObject> {
    const { oid, digest, updatedAt, signature, publisher, body } = part;
    const { url } = decodeObject(body);
    const verify = await this.#verifier(publisher, url);
    if (oidOf(publisher, url) !== oid || !verify(provenanceBytes(oid, digest, updatedAt), signature))
      throw unverified(url, 'the signature does not match');
    await this.#keep(publisher);
    return part;
  }

  /** Whether a refresh is signed for the content of the copy. */
  async refresh({ oid, publisher, updatedAt, signature }: Refresh, digest: Uint8Array): Promise<boolean> {
    const verify = await this.#verifier(publisher, oid);
    if (!verify(provenanceBytes(oid, digest, updatedAt), signature)) return false;
    await this.#keep(publisher);
    return true;
  }

  /**
   * Whether an object's own publisher has signed this withdrawal of it, with the key of the version that is held. Any
   * other one is the source's word about itself; a false one is counted.
   */
  async withdrawal(
    { oid, url, held }: KnownObject,
    { publisher, updatedAt, signature }: Withdrawal,
  ): Promise<boolean> {
    if (oidOf(publisher, url) !== oid) return this.#refuse(url, 'another server has signed it');
    const verify = await this.#known(publisher);
    if (verify === undefined) return false;
    if (!verify(withdrawalBytes(oid, updatedAt), signature))
      return this.#refuse(url, 'its signature does not match');
    // A source that uses the id of another server proves a key of its own, which may remove nothing of that server.
    const isSameKey =
      held === undefined
        ? await this.#isUndisputed(publisher)
        : verify(provenanceBytes(oid, held.digest, held.updatedAt), held.signature);
    if (!isSameKey) return this.#refuse(url, 'its key is not the one that the object was signed with');
    await this.#keep(publisher);
    return true;
  }

  /** The withdrawals that proved false; undefined when there was none. */
  get refusedWithdrawals(): Omit<RefusedWithdrawals, 'source'> | undefined {
    return this.#refused;
  }

  #refuse(url: string, reason: string): false {
    const { count, ...first } = this.#refused ?? { url, reason, count: 0 };
    this.#refused = { ...first, count: count + 1 };
    return false;
  }

  /** Whether a server's key was known before, and is the first one that was known. */
  async #isUndisputed(server: ServerId): Promise<boolean> {
    if ((await this.#keyring.keyOf(server)) === undefined) return false;
    return (await this.#keyring.hasReplaced?.(server)) === false;
  }

  /** Remember a key that has verified something: no more keys than objects. */
  async #keep(publisher: ServerId): Promise<void> {
    const key = this.#introduced.get(publisher);
    if (key === undefined) return;
    this.#introduced.delete(publisher);
    await this.#keyring.introduce(publisher, key);
  }

  async #verifier(server: ServerId, url: string): Promise<Verify> {
    const verify = await this.#known(server);
    if (verify === undefined) throw unknownKey(server, url);
    return verify;
  }

  async #known(server: ServerId): Promise<Verify | undefined> {
    const known = this.#verifiers.get(server);
    if (known !== undefined) return known;
    const key = (await this.#keyring.keyOf(server)) ?? this.#introduced.get(server);
    if (key === undefined) return undefined;
    const verify = verifier(key);
    this.#verifiers.set(server, verify);
    return verify;
  }
}
