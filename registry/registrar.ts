import {
  handleOf,
  type Lsn,
  type Noted,
  type PublishedObject,
  type Replica,
  withApply,
} from '../awareness/index.ts';
import { dropRevoked, type Keyring } from '../exchange/index.ts';
import { type Clock, failure, isGarnerError, Nap } from '../kernel/index.ts';
import { type Publication, PublicationDesk, type Published } from '../publication/index.ts';
import {
  decodeObject,
  digestOf,
  type Oid,
  oidOf,
  type ServerId,
  type Succession,
  type SummaryObject,
} from '../soif/index.ts';
import type { Database, ObjectStore } from '../store/index.ts';
import { readDescription, type ServerDescription, serverAttributes } from './descriptions/index.ts';
import type { Directory } from './directory.ts';
import { registryErrors } from './errors.ts';
import { upkeepFailed } from './events.ts';
import { RegistrarKeys } from './keys/index.ts';
import { WaitingDescriptions } from './replicas/index.ts';

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
/** Max seconds that the clock of a server may be ahead. */
const maxAheadSeconds = 300;

const tendMs = 60_000;

/** How long the end of a description is remembered, so that other Registries learn of it. */
const graveSeconds = 86_400;
/** The same when very many have ended: longer than an old registration is taken. */
const shortGraveSeconds = 3 * maxAgeSeconds;

/** A description as it comes from its server or from another Registry. */
interface Offered extends Candidate {
  readonly oid: Oid;
  readonly object: SummaryObject;
}

/** What is taken in the same step, and not in the directory yet. */
interface Added {
  readonly count: number;
  /** Signed ones of the same server id. */
  readonly own: number;
}

/** Takes descriptions of servers that sign them, and nothing else, and removes them when their leases end. */
export class Registrar implements AsyncDisposable {
  readonly #options: RegistrarOptions;
  /** The keys of registered servers. */
  readonly keys: RegistrarKeys;
  readonly #desk: PublicationDesk;
  readonly #abort = new AbortController();
  #tending: Promise<void> = Promise.resolve();
  #buried = 0;
  readonly #waiting: WaitingDescriptions;

  private constructor(options: RegistrarOptions, keys: RegistrarKeys) {
    this.#options = options;
    this.keys = keys;
    const { store, clock, directory } = options;
    this.#waiting = new WaitingDescriptions({ store, directory, clock, maxOfServer: maxDescriptions });
    this.#desk = new PublicationDesk({
      ...{ store, keyring: keys, clock, maxAgeSeconds },
      admit: (publication) => this.#admit(publication),
      publishersOf: (url) => directory.publishersOf(url),
    });
  }

  static async open(options: RegistrarOptions): Promise<Registrar> {
    const { database, clock, collected, maxServers } = options;
    const keys = await RegistrarKeys.open({ database, clock, collected, maxEnded: maxServers });
    const registrar = new Registrar(options, keys);
    // A crash may have come between a revocation and its effect.
    for (const server of keys.revoking) await registrar.#dropRevoked(server);
    return registrar;
  }

  /** The keys for collecting from other Registries. */
  get keyring(): Keyring {
    const keyring = this.keys.forCollecting;
    return {
      ...keyring,
      learn: async (server, key) => {
        if (!(await keyring.learn(server, key))) return false;
        await this.#dropReplaced(server, key);
        return true;
      },
      succeed: async (server, links) => {
        const outcome = await keyring.succeed(server, links);
        if (outcome === 'taken') await this.#dropRevoked(server);
        return outcome;
      },
    };
  }

  /** The copy of another Registry without what this one would refuse: the same checks hold as for registrations. */
  guard(replica: Replica): Replica {
    return withApply(replica, async (changes, marker) => {
      const { directory, clock } = this.#options;
      const taken: (typeof changes)[number][] = [];
      const publishers = new Set<ServerId>();
      const added = new Map<ServerId, number>();
      let count = 0;
      await directory.upToDate();
      const isAhead = ({ updatedAt }: { readonly updatedAt: number }) =>
        updatedAt > clock.now() / 1000 + maxAheadSeconds;
      for (const change of changes) {
        // Such a lease would not end at its time.
        if (change.kind === 'refresh' && isAhead(change.refresh)) continue;
        if (change.kind !== 'put') {
          taken.push(change);
          continue;
        }
        const { oid, publisher } = change.object;
        if (isAhead(change.object)) {
          this.#waiting.addLater();
          taken.push(noteOf(change));
          continue;
        }
        const own = added.get(publisher) ?? 0;
        const description = await this.#accepted(change.object, { count, own });
        if (description === undefined) {
          taken.push(noteOf(change));
          continue;
        }
        taken.push(change);
        publishers.add(publisher);
        if (directory.has(oid)) continue;
        if (description.unsigned !== true) added.set(publisher, own + 1);
        count++;
      }
      await this.keys.keep(publishers);
      return replica.apply(taken, marker);
    });
  }

  /** Verify a description and store it. Throws PUBLICATION_REFUSED and REGISTRY_*. */
  async publish(publication: Publication): Promise<Published> {
    try {
      return await this.#desk.publish(publication);
    } finally {
      // The links hold even when the rest is refused.
      if (publication.succession !== undefined) await this.#dropRevoked(publication.publisher);
    }
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
    await this.#waiting.release(maxServers - directory.count);
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

  /** A description of another Registry; undefined for one that is not listed here. */
  async #accepted(
    { oid, publisher, digest, body }: PublishedObject,
    added: Added,
  ): Promise<ServerDescription | undefined> {
    const object = decodeObject(body);
    try {
      return await this.#check({ oid, publisher, url: object.url, digest, object }, added);
    } catch (error) {
      if (!isGarnerError(error)) throw error;
      if (error.code === 'REGISTRY_FULL') this.#waiting.add(oid, undefined);
      if (error.code === 'REGISTRY_TOO_MANY') this.#waiting.add(oid, publisher);
      return undefined;
    }
  }

  /** End the descriptions that only a revoked key has signed. */
  async #dropRevoked(server: ServerId): Promise<void> {
    const succession = await this.keys.successionOf(server);
    if (succession !== undefined && succession.revoked.length > 0) await this.#drop(server, succession);
  }

  /** End what was registered under the id of a server before that proved its key. */
  async #dropReplaced(server: ServerId, key: Uint8Array): Promise<void> {
    const replaced = this.keys.replacedBy(server, key);
    if (replaced === undefined) return;
    const { valid = [key] } = (await this.#options.collected.successionOf?.(server)) ?? {};
    await this.#drop(server, { current: key, valid, revoked: replaced, links: [] });
    await this.keys.drop(server);
  }

  async #drop(server: ServerId, succession: Succession): Promise<void> {
    const { store, directory } = this.#options;
    await directory.upToDate();
    await dropRevoked(store, server, succession, { oids: directory.idsOf(server) });
  }

  async #admit({ publisher, url, object }: Publication): Promise<number> {
    if (object === undefined) return 0;
    const { directory, own } = this.#options;
    const oid = oidOf(publisher, url);
    if (!directory.has(oid)) await directory.upToDate();
    const offered = { oid, publisher, url, digest: digestOf(object), object };
    const { ttlSeconds, unsigned } = await this.#check(offered, { count: 0, own: 0 });
    if (unsigned === true && publisher !== own)
      throw failure(registryErrors.REGISTRY_ATTRIBUTE, {
        ...{ attribute: serverAttributes.signed, problem: 'is for the Registry alone to set' },
      });
    return ttlSeconds;
  }

  /** The description, if this Registry lists it. Throws REGISTRY_*. */
  async #check({ oid, publisher, url, digest, object }: Offered, added: Added): Promise<ServerDescription> {
    const { directory, maxServers, isBlocked, own } = this.#options;
    if (url.length > maxUrl)
      throw failure(registryErrors.REGISTRY_ATTRIBUTE, {
        ...{ attribute: 'the URL', problem: `is longer than ${maxUrl} characters` },
      });
    const description = readDescription(object);
    if (await isBlocked({ publisher, url, digest })) throw failure(registryErrors.REGISTRY_BLOCKED, {});
    if (directory.has(oid)) return description;
    // A Registry publishes any number of descriptions, for servers without a key.
    const isFree = description.unsigned === true || publisher === own;
    if (!isFree && directory.countSigned(publisher) + added.own >= maxDescriptions)
      throw failure(registryErrors.REGISTRY_TOO_MANY, { max: maxDescriptions });
    if (directory.count + added.count >= maxServers)
      throw failure(registryErrors.REGISTRY_FULL, { max: maxServers });
    return description;
  }
}

/** Listed in the copy, so that both sides agree, and not stored. */
function noteOf({ lsn, object }: { readonly lsn: Lsn; readonly object: PublishedObject }): Noted {
  const { oid, digest } = object;
  return { kind: 'note', lsn, oid, handle: handleOf(oid), signature: digest };
}
