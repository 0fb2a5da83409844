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
  type KeyLink,
  type Oid,
  oidOf,
  provenanceBytes,
  type ServerId,
  type Succession,
  successionOf,
  verifier,
  withdrawalBytes,
} from '../soif/index.ts';
import { exchangeErrors } from './errors.ts';
import type { RefusedWithdrawals } from './events.ts';
import type { Keyring } from './keyring.ts';
import type { ReceivedObject } from './object-items.ts';

type Verify = (bytes: Uint8Array, signature: Uint8Array) => boolean;

/** The keys of one publisher. */
interface Keys {
  /** Whether one of its keys that are not revoked has signed. */
  readonly verify: Verify;
  /** Whether one of its revoked keys has signed; absent where there is none. */
  readonly isRevoked?: Verify;
}

const anyOf = (keys: readonly Uint8Array[]): Verify => {
  const each = keys.map(verifier);
  return (bytes, signature) => each.some((verify) => verify(bytes, signature));
};

/** The keys of links that lead to a key. The store has signed its report of the key, and nobody that of the links. */
function leadingTo(
  key: Uint8Array,
  server: ServerId,
  links: readonly KeyLink[] = [],
): Succession | undefined {
  const succession = successionOf(server, links);
  return succession && Buffer.compare(succession.current, key) === 0 ? succession : undefined;
}

const unverified = (url: string, reason: string) =>
  failure(exchangeErrors.EXCHANGE_UNVERIFIED, { url, reason });

const unknownKey = (server: ServerId, url: string) => unverified(url, `no key is known for server ${server}`);

/** Checks a source's objects against the signatures of their publishers. */
export class ProvenanceVerifier {
  readonly #keyring: Keyring;
  readonly #verifiers = new Map<ServerId, Keys>();

  /** Objects that only a revoked key has signed. */
  readonly #revoked = new Set<Oid>();

  /** The source's report of other servers' keys, until something has been verified with them. */
  readonly #introduced = new Map<ServerId, Uint8Array>();
  readonly #succeeding = new Map<ServerId, readonly KeyLink[]>();

  #refused: Omit<RefusedWithdrawals, 'source'> | undefined;

  readonly #passedOver = new WeakSet<PublishedObject>();

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Accept the source's report of the keys of publishers that are not known otherwise. */
  introduce(
    keys: Iterable<readonly [ServerId, Uint8Array]>,
    successions: Iterable<readonly [ServerId, readonly KeyLink[]]> = [],
  ): void {
    for (const [server, key] of keys) this.#introduced.set(server, key);
    for (const [server, links] of successions) this.#succeeding.set(server, links);
    // Somebody else may have reported a revocation since the message before.
    this.#verifiers.clear();
  }

  /** Whether an object was signed by a revoked key alone: it is listed, so that both sides compare the same set. */
  isRevoked(oid: Oid): boolean {
    return this.#revoked.has(oid);
  }

  /** Whether a publisher of the last message has revoked a key. */
  hasRevoked(publisher: ServerId): boolean {
    return this.#verifiers.get(publisher)?.isRevoked !== undefined;
  }

  /** The object with its computed OID and digest, or EXCHANGE_UNVERIFIED. */
  async object(received: ReceivedObject): Promise<PublishedObject> {
    const { body, updatedAt, signature, publisher } = received;
    const summary = decodeObject(body);
    const oid = oidOf(publisher, summary.url);
    const digest = digestOf(summary);
    return this.#judged({ oid, digest, body, updatedAt, publisher, signature }, summary.url);
  }

  async #judged(object: PublishedObject, url: string): Promise<PublishedObject> {
    const { oid, digest, updatedAt, publisher, signature } = object;
    const signed = provenanceBytes(oid, digest, updatedAt);
    const keys = await this.#known(publisher);
    const isSound = keys?.verify(signed, signature) === true;
    if (isSound || keys?.isRevoked?.(signed, signature) === true) {
      if (isSound) this.#revoked.delete(oid);
      else this.#revoked.add(oid);
      await this.#keep(publisher);
    } else if (this.#keyring.passOver !== undefined) {
      this.#passedOver.add(object);
      this.#keyring.passOver(publisher, url);
    } else if (keys === undefined) throw unknownKey(publisher, url);
    else throw unverified(url, 'the signature does not match');
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
    const { url } = decodeObject(part.body);
    if (oidOf(part.publisher, url) !== part.oid) throw unverified(url, 'the signature does not match');
    return this.#judged(part, url);
  }

  /** Whether a refresh is signed for the content of the copy, by the publisher of the object at `url` where that is known. */
  async refresh(
    { oid, publisher, updatedAt, signature }: Refresh,
    digest: Uint8Array,
    url?: string,
  ): Promise<boolean> {
    // Another server's signature would take the place of the publisher's.
    if (url !== undefined && oidOf(publisher, url) !== oid) return false;
    const keys = await this.#known(publisher);
    if (keys === undefined && this.#keyring.passOver === undefined) throw unknownKey(publisher, oid);
    if (keys?.verify(provenanceBytes(oid, digest, updatedAt), signature) !== true) return false;
    await this.#keep(publisher);
    return true;
  }

  /**
   * Whether an object's own publisher has signed this withdrawal of it, with the key of the version that is held or one
   * that succeeds it. Any other one is the source's word about itself; a false one is counted.
   */
  async withdrawal(
    { oid, url, held }: KnownObject,
    { publisher, updatedAt, signature }: Withdrawal,
  ): Promise<boolean> {
    if (oidOf(publisher, url) !== oid) return this.#refuse(url, 'another server has signed it');
    const keys = await this.#known(publisher);
    if (keys === undefined) return false;
    const { verify, isRevoked } = keys;
    if (!verify(withdrawalBytes(oid, updatedAt), signature))
      return this.#refuse(url, 'its signature does not match');
    // A source that uses the id of another server proves a key of its own, which may remove nothing of that server.
    const isSameKey =
      held === undefined
        ? await this.#isUndisputed(publisher)
        : [verify, isRevoked].some((signs) =>
            signs?.(provenanceBytes(oid, held.digest, held.updatedAt), held.signature),
          );
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
    const links = this.#succeeding.get(publisher);
    if (key === undefined && links === undefined) return;
    this.#introduced.delete(publisher);
    this.#succeeding.delete(publisher);
    if (key !== undefined) await this.#keyring.introduce(publisher, key);
    if (links !== undefined) await this.#keyring.succeed?.(publisher, links);
  }

  async #known(server: ServerId): Promise<Keys | undefined> {
    const known = this.#verifiers.get(server);
    if (known !== undefined) return known;
    const keys = await this.#keysOf(server);
    if (keys !== undefined) this.#verifiers.set(server, keys);
    return keys;
  }

  async #keysOf(server: ServerId): Promise<Keys | undefined> {
    const links = this.#succeeding.get(server);
    const known = await this.#keyring.keyOf(server);
    // Links hold by their signatures alone, from a key that is known.
    if (links !== undefined && known !== undefined) await this.#keyring.succeed?.(server, links);
    const key = known ?? this.#introduced.get(server);
    if (key === undefined) return undefined;
    const succession =
      known === undefined ? leadingTo(key, server, links) : await this.#keyring.successionOf?.(server);
    if (succession === undefined) return { verify: verifier(key) };
    const { valid, revoked } = succession;
    return { verify: anyOf(valid), ...(revoked.length > 0 && { isRevoked: anyOf(revoked) }) };
  }
}
