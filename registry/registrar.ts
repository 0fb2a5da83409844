import { handleOf, type PublishedObject, type Replica, withApply } from '../awareness/index.ts';
import { dropRevoked, type Keyring } from '../exchange/index.ts';
import { type Clock, failure, Nap } from '../kernel/index.ts';
import { type Publication, PublicationDesk, type Published } from '../publication/index.ts';
import { decodeObject, digestOf, type Oid, oidOf, type ServerId } from '../soif/index.ts';
import type { Database, ObjectStore } from '../store/index.ts';
import { isUnsigned, readDescription, serverAttributes } from './descriptions/index.ts';
import type { Directory } from './directory.ts';
import { registryErrors } from './errors.ts';
import { upkeepFailed } from './events.ts';
import { RegistrarKeys } from './keys/index.ts';

/** A description that a server wants to register. */
export interface Candidate {
  readonly publisher: ServerId;
  readonly url: string;
  readonly digest: Uint8Array;
}

export interface RegistrarOptions {
  readonly store: ObjectStore;
  /** Of its own: it has the keys of registered servers. */
  readonly database: Database;
  /** The keys of the servers that are collected from. No registration changes them. */
  readonly collected: Pick<Keyring, 'keyOf' | 'learn' | 'successionOf' | 'succeed'>;
  readonly clock: Clock;
  readonly directory: Directory;
  readonly maxServers: number;
  /** The Registry itself: it may publish any number of descriptions, for servers without a key. */
  readonly own: ServerId;
  /** Whether the operator keeps a description out. */
  readonly isBlocked: (candidate: Candidate) => Promise<boolean>;
}

/** Max descriptions of one server id. */
const maxDescriptions = 8;
const maxUrl = 2000;

/** Max age of the Update-Time of a registration: what somebody has kept longer does not register again. */
const maxAgeSeconds = 300;

/** Descriptions of other Registries that wait until there is room for them. */
const maxWaiting = 10_000;

const tendMs = 60_000;

/** How long the end of a description is remembered, so that other Registries learn of it. */
const graveSeconds = 86_400;
/** The same when very many have ended: longer than an old registration is taken. */
const shortGraveSeconds = 3 * maxAgeSeconds;

/** Takes descriptions of servers that sign them, and nothing else, and removes them when their leases end. */
export class Registrar implements AsyncDisposable {
  readonly #options: RegistrarOptions;
  /** The keys of registered servers. */
  readonly keys: RegistrarKeys;
  readonly #desk: PublicationDesk;
  readonly #abort = new AbortController();
  #tending: Promise<void> = Promise.resolve();
  #buried = 0;
  readonly #waiting = new Set<Oid>();

  private constructor(options: RegistrarOptions, keys: RegistrarKeys) {
    this.#options = options;
    this.keys = keys;
    const { store, clock, directory } = options;
    this.#desk = new PublicationDesk({
      ...{ store, keyring: keys, clock, maxAgeSeconds },
      admit: (publication) => this.#admit(publication),
      publishersOf: (url) => directory.publishersOf(url),
    });
  }

  static async open(options: RegistrarOptions): Promise<Registrar> {
    const { database, clock, collected, maxServers } = options;
    const keys = await RegistrarKeys.open({ database, clock, collected, maxEnded: maxServers });
    return new Registrar(options, keys);
  }

  /** The keys for collecting from other Registries. */
  get keyring(): Keyring {
    const keyring = this.keys.forCollecting;
    return {
      ...keyring,
      succeed: async (server, links) => {
        const outcome = await keyring.succeed(server, links);
        if (outcome === 'taken') await this.#dropRevoked(server);
        return outcome;
      },
    };
  }

  /** The copy of another Registry without what this one would not list: servers that are kept out, or too many. */
  guard(replica: Replica): Replica {
    return withApply(replica, async (changes, marker) => {
      const taken: (typeof changes)[number][] = [];
      const added = new Map<ServerId, number>();
      let count = 0;
      await this.#options.directory.upToDate();
      for (const change of changes) {
        if (change.kind !== 'put' || this.#options.directory.has(change.object.oid)) {
          taken.push(change);
          continue;
        }
        const { oid, digest, publisher } = change.object;
        const own = added.get(publisher) ?? 0;
        if (await this.#isUnwanted(change.object, { count, own }))
          taken.push({ kind: 'note', lsn: change.lsn, oid, handle: handleOf(oid), signature: digest });
        else {
          taken.push(change);
          added.set(publisher, own + 1);
          count++;
        }
      }
      return replica.apply(taken, marker);
    });
  }

  /** Verify a description and store it. Throws PUBLICATION_REFUSED and REGISTRY_*. */
  async publish(publication: Publication): Promise<Published> {
    const published = await this.#desk.publish(publication);
    if (publication.succession !== undefined) await this.#dropRevoked(publication.publisher);
    return published;
  }

  /** Begin to remove what has ended, once a minute. */
  start(): void {
    this.#tending = this.#tend();
  }

  /** Remove descriptions whose leases have ended, and in time what is remembered of them. */
  async tend(): Promise<void> {
    const { store, directory, maxServers } = this.#options;
    await store.expire();
    await directory.upToDate();
    const isFlood = directory.ended - this.#buried > maxServers;
    if (isFlood) this.#buried = directory.ended;
    await store.forgetTombstones(isFlood ? shortGraveSeconds : graveSeconds);
    await this.keys.tend((server) => directory.countOf(server) > 0);
    if (this.#waiting.size === 0 || directory.count >= maxServers) return;
    // The next round with their Registry brings them again.
    await store.unlearn([...this.#waiting].filter((oid) => !directory.has(oid)));
    this.#waiting.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#tending;
  }

  async #tend(): Promise<void> {
    const { signal } = this.#abort;
    const nap = new Nap(this.#options.clock, signal);
    while (!signal.aborted) {
      await this.tend().catch((error) => upkeepFailed.publish({ error }));
      await nap.sleep(tendMs);
    }
  }

  async #isUnwanted(
    { oid, publisher, digest, body }: PublishedObject,
    { count, own }: { readonly count: number; readonly own: number },
  ): Promise<boolean> {
    const { directory, maxServers, isBlocked } = this.#options;
    const object = decodeObject(body);
    // A Registry publishes any number of descriptions, for servers without a key.
    if (!isUnsigned(object) && directory.countOf(publisher) + own >= maxDescriptions) return true;
    if (directory.count + count >= maxServers) {
      if (this.#waiting.size < maxWaiting) this.#waiting.add(oid);
      return true;
    }
    return isBlocked({ publisher, url: object.url, digest });
  }

  /** End the descriptions that only a revoked key has signed. */
  async #dropRevoked(server: ServerId): Promise<void> {
    const succession = await this.keys.successionOf(server);
    if (succession === undefined || succession.revoked.length === 0) return;
    await dropRevoked(this.#options.store, server, succession, {
      oids: this.#options.directory.idsOf(server),
    });
  }

  async #admit({ publisher, url, object }: Publication): Promise<number> {
    if (object === undefined) return 0;
    const { directory, maxServers, isBlocked, own } = this.#options;
    if (url.length > maxUrl)
      throw failure(registryErrors.REGISTRY_ATTRIBUTE, {
        ...{ attribute: 'the URL', problem: `is longer than ${maxUrl} characters` },
      });
    if (await isBlocked({ publisher, url, digest: digestOf(object) }))
      throw failure(registryErrors.REGISTRY_BLOCKED, {});
    if (!directory.has(oidOf(publisher, url))) {
      await directory.upToDate();
      if (directory.count >= maxServers) throw failure(registryErrors.REGISTRY_FULL, { max: maxServers });
      if (publisher !== own && directory.countOf(publisher) >= maxDescriptions)
        throw failure(registryErrors.REGISTRY_TOO_MANY, { max: maxDescriptions });
    }
    const { ttlSeconds, unsigned } = readDescription(object);
    if (unsigned === true && publisher !== own)
      throw failure(registryErrors.REGISTRY_ATTRIBUTE, {
        ...{ attribute: serverAttributes.signed, problem: 'is for the Registry alone to set' },
      });
    return ttlSeconds;
  }
}
